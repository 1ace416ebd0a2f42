"""A hand of Euchre in progress: who holds what, whose turn it is, five tricks, the score.

The bidding before the first lead is in `bidding`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from retruco.games.core import Action, IllegalAction, Outcome, Seat, Team
from retruco.games.euchre.deck import BEST, BIT, FOLLOWING, TRUMPS, Card, Cards, Hand, Suit, listed
from retruco.games.euchre.observation import EuchreObservation, observe
from retruco.games.euchre.tricks import AROUND, TEAMS, TRICKS, Contract, Trick, new
from retruco.games.euchre.words import ALONE, DISCARD, TOGETHER

if TYPE_CHECKING:
    from retruco.games.euchre.game import Euchre, EuchreDeal

Hands: TypeAlias = tuple[Cards, ...]


class Opening(NamedTuple):
    """What was dealt and said before the first lead; it stays the same while the cards are played."""

    game: Euchre
    deal: EuchreDeal
    dealer: Seat
    scores: tuple[int, ...]
    bids: tuple[Action, ...]
    discard: Card | None


class EuchreState(NamedTuple):
    """A hand in progress, as the cards themselves know it: all hands open."""

    opening: Opening
    contract: Contract | None
    """Who made trumps and how, once they are made."""
    hands: Hands
    """The cards each seat has to play with, as sets."""
    left: Cards
    """All cards that are in no finished trick."""
    tricks: tuple[Trick, ...]
    """The finished tricks."""
    around: tuple[Seat, ...]
    """The seats in the order in which they play to this trick; in the bidding, to the first."""
    table: Hand
    """The cards on the table, the leader's first."""
    trick: Cards
    """The same as a set."""
    suit: Cards
    """All cards of the suit that was led; none before a lead."""
    outcome: Outcome | None
    to_act: Seat | None
    legal: tuple[Action, ...]
    turn: Callable[[EuchreState, Action], EuchreState] | None
    """What the next action is taken for before the first lead; nothing once cards are played."""

    @property
    def game(self) -> Euchre:
        """The rules and the target."""
        return self.opening.game

    @property
    def deal(self) -> EuchreDeal:
        """The cards as they were dealt."""
        return self.opening.deal

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.opening.dealer

    @property
    def scores(self) -> tuple[int, ...]:
        """The board before this hand."""
        return self.opening.scores

    @property
    def bids(self) -> tuple[Action, ...]:
        """What was said in the two rounds, from the dealer's left on."""
        return self.opening.bids

    @property
    def discard(self) -> Card | None:
        """What the dealer has put away, if the upcard was ordered."""
        return self.opening.discard

    @property
    def leader(self) -> Seat:
        """Who leads to the trick being played; in the bidding, who will."""
        return self.around[0]

    @property
    def trump(self) -> Suit | None:
        """The suit of trumps, once it is made."""
        return self.contract.trump if self.contract else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that was said and played, in order."""
        done = list(self.bids)
        if self.discard is not None:
            done.append(DISCARD + self.discard)
        if self.contract and self.turn is None and self.game.rules.alone == "after the discard":
            done.append(ALONE if self.contract.alone else TOGETHER)
        played = (card for trick in self.tricks for card in trick.cards)
        return (*done, *played, *self.table)

    def play(self, action: Action) -> EuchreState:
        """Return the hand after the seat to act has done this: mostly, has put a card on the table."""
        opening, contract, hands, left, tricks, around, table, trick, suit, _, seat, legal, turn = self
        if action not in legal:
            raise IllegalAction(action, legal, f" after {len(self.actions)} actions")
        if turn is not None:
            return turn(self, action)
        assert contract is not None
        table += (action,)
        trick |= BIT[action]
        if seat == around[-1]:
            return _trick_ends(self, table, trick)
        if not suit:
            suit = FOLLOWING[contract.trump][action]
        seat = around[len(table)]
        hand = hands[seat] & left
        legal = listed(hand & suit or hand)  # any card where none follows
        return new(
            EuchreState,
            (opening, contract, hands, left, tricks, around, table, trick, suit, None, seat, legal, None),
        )

    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> EuchreObservation:
        """Show the hand to one seat."""
        return observe(self, seat, history)

    def record(self) -> dict[str, object]:
        """Write the hand down in the notation."""
        from retruco.games.euchre.notation import record

        return record(self)

    def held(self, seat: Seat) -> Hand:
        """The cards a seat still holds."""
        return listed(self.hands[seat] & self.left & ~self.trick)

    def tricks_of(self, team: int) -> int:
        """How many tricks a team has taken."""
        return sum(TEAMS[trick.winner] == team for trick in self.tricks)

    def summary(self) -> dict[str, object]:
        """Tell where the hand stands, as `retruco replay` prints it."""
        points = self.outcome.points if self.outcome else (0, 0)
        return {
            "turn": self.to_act,
            "legal": list(self.legal) if self.to_act is None or self.deal.hands[self.to_act] else None,
            "over": self.outcome is not None,
            "winner": self.outcome.winner if self.outcome else None,
            "trump": self.trump,
            "maker": self.contract.maker if self.contract else None,
            "tricks": [self.tricks_of(0), self.tricks_of(1)],
            "points": list(points),
            "scores": [before + won for before, won in zip(self.scores, points, strict=True)],
        }


def _trick_ends(state: EuchreState, table: Hand, trick: Cards) -> EuchreState:
    """Let the winner of a full trick lead to the next; the last one decides the hand."""
    opening, contract, hands, left, tricks, around, _, _, suit, _, _, _, _ = state
    assert contract is not None
    _, trump, _, out = contract
    left ^= trick
    leader = around[table.index(BEST[trump][trick & TRUMPS[trump] or trick & suit])]
    tricks += (new(Trick, (around, table, leader)),)
    around = AROUND[out][leader]
    outcome, seat = (None, leader) if len(tricks) < TRICKS else (scored(contract, tricks), None)
    legal = listed(hands[leader] & left)
    return new(
        EuchreState,
        (opening, contract, hands, left, tricks, around, (), 0, 0, outcome, seat, legal, None),
    )


def scored(contract: Contract, tricks: tuple[Trick, ...]) -> Outcome:
    """Count the hand."""
    makers = TEAMS[contract.maker]
    winners = [trick.winner for trick in tricks]
    return score(makers, winners.count(makers) + winners.count(makers + 2), contract.alone)


@cache
def score(makers: Team, taken: int, alone: bool) -> Outcome:
    """Pay a hand: the makers need three tricks, and five pay more, most of all alone.

    >>> score(0, 4, alone=False).points, score(0, 2, alone=True).points, score(1, 5, alone=True).points
    ((1, 0), (0, 2), (0, 4))
    """
    if taken < 3:
        return Outcome("euchred", 1 - makers, (2, 0) if makers else (0, 2))
    points = 1 if taken < TRICKS else 4 if alone else 2
    reason = "made" if taken < TRICKS else "march"
    return Outcome(reason, makers, (0, points) if makers else (points, 0))
