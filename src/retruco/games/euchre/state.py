"""A hand of Euchre: two rounds of bidding, the dealer's discard, five tricks, the score."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from retruco.games.core import Action, IllegalAction, Outcome, Seat, Team
from retruco.games.euchre.deck import BIT, FOLLOWING, SUITS, Card, Cards, Hand, Suit, listed, set_of
from retruco.games.euchre.observation import EuchreObservation, observe
from retruco.games.euchre.rules import Rules
from retruco.games.euchre.tricks import AROUND, NEXT, SEATS, TEAMS, TRICKS, Trick, partner_of, winning

if TYPE_CHECKING:
    from retruco.games.euchre.game import Euchre, EuchreDeal

PASSING: Final = "pass"
ORDER: Final = "order"
ALONE: Final = "alone"
TOGETHER: Final = "together"
AND_ALONE: Final = "-alone"
"""What a call ends in when the maker leaves the partner out in the same breath."""
DISCARD: Final = "discard:"

CALLS: Final = {name: letter for letter, name in SUITS.items()}
"""The suits as they are named in the second round."""

Hands: TypeAlias = tuple[Cards, ...]


class Contract(NamedTuple):
    """Who made trumps, and how."""

    maker: Seat
    trump: Suit
    ordered: bool
    """Whether the upcard was ordered, so that the dealer has it."""
    out: Seat | None = None
    """The seat that lays its cards down because its partner plays alone."""

    @property
    def alone(self) -> bool:
        """Whether the maker plays without a partner."""
        return self.out is not None


class EuchreState(NamedTuple):
    """A hand in progress, as the cards themselves know it: all hands open."""

    game: Euchre
    deal: EuchreDeal
    dealer: Seat
    scores: tuple[int, ...]
    """The board before this hand."""
    bids: tuple[Action, ...]
    """What was said in the two rounds, from the dealer's left on."""
    contract: Contract | None
    discard: Card | None
    hands: Hands
    """The cards each seat has to play with, as sets."""
    played: Cards
    """All cards that were played."""
    tricks: tuple[Trick, ...]
    """The finished tricks."""
    leader: Seat
    """Who leads to the trick being played; in the bidding, who will."""
    table: Hand
    """The cards on the table, the leader's first."""
    outcome: Outcome | None
    to_act: Seat | None
    legal: tuple[Action, ...]
    turn: Callable[[EuchreState, Action], EuchreState]
    """What the next action is taken for: a bid, a discard, a word on going alone or a card."""

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
        if self.contract and self.turn is play_card and self.game.rules.alone == "after the discard":
            done.append(ALONE if self.contract.alone else TOGETHER)
        played = (card for trick in self.tricks for card in trick.cards)
        return (*done, *played, *self.table)

    def play(self, action: Action) -> EuchreState:
        """Return the hand after the seat to act has done this."""
        if action not in self.legal:
            raise IllegalAction(action, self.legal, f" after {len(self.actions)} actions")
        return self.turn(self, action)

    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> EuchreObservation:
        """Show the hand to one seat."""
        return observe(self, seat, history)

    def record(self) -> dict[str, object]:
        """Write the hand down in the notation."""
        from retruco.games.euchre.notation import record

        return record(self)

    def held(self, seat: Seat) -> Hand:
        """The cards a seat still holds."""
        return listed(self.hands[seat] & ~self.played)

    def tricks_of(self, team: int) -> int:
        """How many tricks a team has taken."""
        return sum(TEAMS[trick.winner] == team for trick in self.tricks)

    def summary(self) -> dict[str, object]:
        """Tell where the hand stands, as `retruco replay` prints it."""
        points = self.outcome.points if self.outcome else (0, 0)
        return {
            "turn": self.to_act,
            "legal": list(self.legal),
            "over": self.outcome is not None,
            "winner": self.outcome.winner if self.outcome else None,
            "trump": self.trump,
            "maker": self.contract.maker if self.contract else None,
            "tricks": [self.tricks_of(0), self.tricks_of(1)],
            "points": list(points),
            "scores": [old + new for old, new in zip(self.scores, points, strict=True)],
        }


_freeze = partial(tuple.__new__, EuchreState)
"""Make a state of its fields; the straight way, since every action of every hand makes one."""

PASSED_OUT: Final = Outcome("passed", None, (0, 0))

# The bidding.


def begin(game: Euchre, deal: EuchreDeal, scores: tuple[int, ...], dealer: Seat) -> EuchreState:
    """Begin a hand: the seat to the dealer's left speaks first."""
    hands = tuple([set_of(hand) for hand in deal.hands])
    seat, legal = NEXT[dealer], calls(game.rules, deal.upcard[1], 0)
    return EuchreState(
        game, deal, dealer, scores, (), None, None, hands, 0, (), seat, (), None, seat, legal, bid
    )  # fmt: skip


def _sayings(suits: tuple[Action, ...]) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    """What may be said in a round: without going alone, and with it."""
    return (PASSING, *suits), (PASSING, *suits, *(suit + AND_ALONE for suit in suits))


ROUND_ONE: Final = _sayings((ORDER,))
ROUND_TWO: Final = {
    turned: _sayings(tuple(name for name, suit in CALLS.items() if suit != turned)) for turned in SUITS
}
"""What may be said in the second round, by the suit that was turned down."""


def calls(rules: Rules, turned: Suit, bids: int) -> tuple[Action, ...]:
    """List what may be said after so many bids; a dealer who is stuck may not pass."""
    sayings = ROUND_ONE if bids < SEATS else ROUND_TWO[turned]
    said = sayings[rules.alone == "with the call"]
    return said[1:] if bids == 2 * SEATS - 1 and rules.stick_the_dealer else said


def bid(state: EuchreState, action: Action) -> EuchreState:
    """Pass, or make trumps; when all have passed twice the hand is over."""
    game, deal, dealer, scores, bids, _, _, hands, _, _, leader, _, _, seat, _, _ = state
    assert seat is not None
    bids = (*bids, action)
    if action != PASSING:
        return made(state, bids, seat)
    if len(bids) == 2 * SEATS:
        return state._replace(bids=bids, outcome=PASSED_OUT, to_act=None, legal=())
    seat, legal = NEXT[seat], calls(game.rules, deal.upcard[1], len(bids))
    return _freeze(
        (game, deal, dealer, scores, bids, None, None, hands, 0, (), leader, (), None, seat, legal, bid)
    )


def made(state: EuchreState, bids: tuple[Action, ...], maker: Seat) -> EuchreState:
    """Trumps are made; an ordered upcard goes to the dealer, who discards."""
    deal, dealer = state.deal, state.dealer
    call = bids[-1].removesuffix(AND_ALONE)
    out = None if call == bids[-1] else partner_of(maker)
    if call != ORDER:
        return alone_or_lead(state, bids, Contract(maker, CALLS[call], False, out), None, state.hands)
    six = state.hands[dealer] | BIT[deal.upcard]
    may_go = six if state.game.rules.may_discard_upcard else state.hands[dealer]
    contract = Contract(maker, deal.upcard[1], True, out)
    hands = replaced(state.hands, dealer, six)
    legal = tuple([DISCARD + card for card in listed(may_go)])
    return _freeze((
        state.game, deal, dealer, state.scores, bids, contract, None, hands, 0, (), state.leader, (), None, dealer,
        legal, discard,
    ))  # fmt: skip


def discard(state: EuchreState, action: Action) -> EuchreState:
    """The dealer puts one of six cards away."""
    assert state.contract is not None
    card = action.removeprefix(DISCARD)
    hands = replaced(state.hands, state.dealer, state.hands[state.dealer] ^ BIT[card])
    return alone_or_lead(state, state.bids, state.contract, card, hands)


def alone_or_lead(
    state: EuchreState, bids: tuple[Action, ...], contract: Contract, away: Card | None, hands: Hands
) -> EuchreState:
    """Ask the maker about the partner, where that comes now; else the cards are played."""
    if state.game.rules.alone != "after the discard":
        return lead(state, bids, contract, away, hands)
    game, deal, dealer, scores, *_ = state
    return _freeze((
        game, deal, dealer, scores, bids, contract, away, hands, 0, (), state.leader, (), None, contract.maker,
        (ALONE, TOGETHER), alone,
    ))  # fmt: skip


def alone(state: EuchreState, action: Action) -> EuchreState:
    """The maker keeps the partner or leaves it out."""
    contract = state.contract
    assert contract is not None
    if action == ALONE:
        contract = contract._replace(out=partner_of(contract.maker))
    return lead(state, state.bids, contract, state.discard, state.hands)


def lead(
    state: EuchreState, bids: tuple[Action, ...], contract: Contract, away: Card | None, hands: Hands
) -> EuchreState:
    """Let the seat to the dealer's left lead, or the next one if that seat is out."""
    game, deal, dealer, scores, *_ = state
    leader = AROUND[contract.out][NEXT[dealer]][0]
    return _freeze((
        game, deal, dealer, scores, bids, contract, away, hands, 0, (), leader, (), None, leader,
        listed(hands[leader]), play_card,
    ))  # fmt: skip


# The tricks.


def play_card(state: EuchreState, card: Card) -> EuchreState:
    """Put a card on the table; the last card of a trick decides it, the last trick the hand."""
    (
        game, deal, dealer, scores, bids, contract, away, hands, played, tricks, leader, table, outcome, seat, _, _
    ) = state  # fmt: skip
    assert contract is not None
    _, trump, _, out = contract
    played |= BIT[card]
    table += (card,)
    around = AROUND[out][leader]
    if len(table) < len(around):
        seat = around[len(table)]
        hand = hands[seat] & ~played
        legal = listed(hand & FOLLOWING[trump][table[0]] or hand)  # any card where none follows
    else:
        leader = seat = around[winning(table, trump)]
        tricks, table, legal = (*tricks, Trick(around, table, leader)), (), listed(hands[leader] & ~played)
        if len(tricks) == TRICKS:
            outcome, seat = scored(contract, tricks), None
    return _freeze((
        game, deal, dealer, scores, bids, contract, away, hands, played, tricks, leader, table, outcome, seat, legal,
        play_card,
    ))  # fmt: skip


def scored(contract: Contract, tricks: tuple[Trick, ...]) -> Outcome:
    """Count the hand."""
    makers = TEAMS[contract.maker]
    taken = [trick.winner for trick in tricks]
    return score(makers, taken.count(makers) + taken.count(makers + 2), contract.alone)


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


def replaced(hands: Hands, seat: Seat, hand: Cards) -> Hands:
    """All hands, one of them another."""
    return (*hands[:seat], hand, *hands[seat + 1 :])
