"""A hand of Euchre in progress, in words: who holds what, whose turn it is, five tricks, the score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from retruco.games.core import Action, IllegalAction, Outcome, Seat, Team
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import BIT, DECK, SUITS, Card, Hand, Suit, listed, set_of, written
from retruco.games.euchre.observation import EuchreObservation, observe
from retruco.games.euchre.rules import first_leader
from retruco.games.euchre.tricks import AROUND, SEATS, TEAMS, TRICKS, Contract, Trick, winning
from retruco.games.euchre.words import DISCARD

if TYPE_CHECKING:
    from retruco.games.euchre.game import Euchre, EuchreDeal

PASSED_OUT: Final = Outcome("passed", None, (0, 0))


class EuchreState(NamedTuple):
    """A hand in progress, as the cards themselves know it: all hands open."""

    game: Euchre
    deal: EuchreDeal
    """The cards as they were dealt."""
    actions: tuple[Action, ...]
    """All that was said and played, in order."""
    row: tuple[int, ...]
    """The hand as the rules know it; see `stepper`."""

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.row[at.DEALER]

    @property
    def scores(self) -> tuple[int, ...]:
        """The board before this hand."""
        return self.row[at.SCORES : at.SCORES + 2]

    @property
    def bids(self) -> tuple[Action, ...]:
        """What was said in the two rounds, from the dealer's left on."""
        return self.actions[: self.row[at.SAID]]

    @property
    def discard(self) -> Card | None:
        """What the dealer has put away, if the upcard was ordered."""
        said = self.actions[self.row[at.SAID] :][:1]
        return said[0].removeprefix(DISCARD) if said and said[0].startswith(DISCARD) else None

    @property
    def contract(self) -> Contract | None:
        """Who made trumps and how, once they are made."""
        maker, trump, ordered, out = self.row[at.MAKER : at.OUT + 1]
        if maker == at.NONE:
            return None
        return Contract(maker, list(SUITS)[trump], bool(ordered), None if out == at.NONE else out)

    @property
    def trump(self) -> Suit | None:
        """The suit of trumps, once it is made."""
        return self.contract.trump if self.contract else None

    @property
    def leader(self) -> Seat:
        """Who leads to the trick being played; in the bidding, who will."""
        return self.row[at.LEADER]

    @property
    def table(self) -> Hand:
        """The cards on the table, the leader's first."""
        return tuple(DECK[card] for card in self.row[at.TABLE : at.TABLE + self.row[at.PLACED]])

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        contract, found = self.contract, list[Trick]()
        if contract is None:
            return ()
        cards = tuple(action for action in self.actions if action in BIT)
        around = AROUND[contract.out]
        seats = around[first_leader(self.game.rules, self.dealer)]
        for number in range(self.row[at.FINISHED]):
            trick = cards[number * len(seats) : (number + 1) * len(seats)]
            winner = seats[winning(trick, contract.trump)]
            found.append(Trick(seats, trick, winner))
            seats = around[winner]
        return tuple(found)

    @property
    def to_act(self) -> Seat | None:
        """Whose turn it is."""
        return None if self.row[at.STAGE] == at.OVER else self.row[at.SEAT]

    @property
    def legal(self) -> tuple[Action, ...]:
        """What the seat to act may do."""
        first = at.FIRST_DISCARD if self.row[at.STAGE] == at.DISCARDING else 0
        return written(self.row[at.LEGAL], at.TEXTS[first:])

    @property
    def outcome(self) -> Outcome | None:
        """How the hand ended."""
        contract = self.contract
        if self.row[at.STAGE] != at.OVER:
            return None
        if contract is None:
            return PASSED_OUT
        return score(TEAMS[contract.maker], self.tricks_of(TEAMS[contract.maker]), contract.alone)

    def play(self, action: Action) -> EuchreState:
        """Return the hand after the seat to act has done this."""
        if action not in self.legal:
            raise IllegalAction(action, self.legal, f" after {len(self.actions)} actions")
        row = np.array(self.row)
        at.play(row, at.NUMBERS[action])
        return EuchreState(self.game, self.deal, (*self.actions, action), tuple(row.tolist()))

    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> EuchreObservation:
        """Show the hand to one seat."""
        return observe(self, seat, history)

    def record(self) -> dict[str, object]:
        """Write the hand down in the notation."""
        from retruco.games.euchre.notation import record

        return record(self)

    def held(self, seat: Seat) -> Hand:
        """The cards a seat still holds."""
        return listed(self.row[at.HANDS + seat])

    def tricks_of(self, team: int) -> int:
        """How many tricks a team has taken."""
        return self.row[at.TAKEN + team] + self.row[at.TAKEN + team + 2]

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


def begin(game: Euchre, deal: EuchreDeal, scores: Sequence[int], dealer: Seat) -> EuchreState:
    """Begin a hand: the seat to the dealer's left speaks first."""
    row = at.new_row(game.rules, scores)
    row[at.HANDS : at.HANDS + SEATS] = [set_of(hand) for hand in deal.hands]
    at.begin(row, dealer, DECK.index(deal.upcard))
    return EuchreState(game, deal, (), tuple(row.tolist()))


def after(state: EuchreState, actions: Sequence[Action]) -> EuchreState:
    """The hand after some legal actions."""
    row = np.array(state.row)
    at.play_all(row, at.numbered(actions))
    return state._replace(actions=(*state.actions, *actions), row=tuple(row.tolist()))


@cache
def score(makers: Team, taken: int, alone: bool) -> Outcome:
    """Tell how a hand ended by the tricks of its makers.

    >>> score(0, 4, alone=False).points, score(0, 2, alone=True).points, score(1, 5, alone=True).points
    ((1, 0), (0, 2), (0, 4))
    """
    points = at.pay(taken, alone)
    reason = "euchred" if points < 0 else "march" if taken == TRICKS else "made"
    winner = 1 - makers if points < 0 else makers
    return Outcome(reason, winner, (0, abs(points)) if winner else (abs(points), 0))
