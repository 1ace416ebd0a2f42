"""Before the first lead: two rounds of bidding, the dealer's discard, a word on going alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retruco.games.core import Action, Outcome, Seat
from retruco.games.euchre.deck import ALL, BIT, DECK, SUITS, Cards, Hand, Suit, listed
from retruco.games.euchre.rules import Rules, first_leader
from retruco.games.euchre.state import EuchreState, Hands, Opening
from retruco.games.euchre.tricks import AROUND, NEXT, SEATS, Contract, new, partner_of
from retruco.games.euchre.words import ALONE, AND_ALONE, CALLS, DISCARD, ORDER, PASSING, TOGETHER

if TYPE_CHECKING:
    from retruco.games.euchre.game import Euchre, EuchreDeal

PUTS_AWAY: Final = {card: DISCARD + card for card in DECK}
"""The action that puts each card away."""
PASSED_OUT: Final = Outcome("passed", None, (0, 0))


def begin(game: Euchre, deal: EuchreDeal, scores: tuple[int, ...], dealer: Seat) -> EuchreState:
    """Begin a hand: the seat to the dealer's left speaks first."""
    first, second, third, fourth = deal.hands
    hands = dealt(first), dealt(second), dealt(third), dealt(fourth)
    seat, legal = NEXT[dealer], calls(game.rules, deal.upcard[1], 0)
    around = AROUND[None][first_leader(game.rules, dealer)]
    opening = new(Opening, (game, deal, dealer, scores, (), None))
    return new(EuchreState, (opening, None, hands, ALL, (), around, (), 0, 0, None, seat, legal, bid))


def dealt(hand: Hand) -> Cards:
    """Gather the cards of a dealt hand into a set."""
    first, second, third, fourth, fifth = hand
    return BIT[first] | BIT[second] | BIT[third] | BIT[fourth] | BIT[fifth]


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
    opening, _, hands, _, _, around, _, _, _, _, seat, _, _ = state
    assert seat is not None
    game, deal, dealer, scores, bids, _ = opening
    bids += (action,)
    opening = new(Opening, (game, deal, dealer, scores, bids, None))
    if action != PASSING:
        return made(opening, hands, seat, action)
    if len(bids) == 2 * SEATS:
        return new(EuchreState, (opening, None, hands, ALL, (), around, (), 0, 0, PASSED_OUT, None, (), bid))
    seat, legal = NEXT[seat], calls(game.rules, deal.upcard[1], len(bids))
    return new(EuchreState, (opening, None, hands, ALL, (), around, (), 0, 0, None, seat, legal, bid))


def made(opening: Opening, hands: Hands, maker: Seat, said: Action) -> EuchreState:
    """Trumps are made; an ordered upcard goes to the dealer, who discards."""
    game, deal, dealer, _, _, _ = opening
    call = said.removesuffix(AND_ALONE)
    out = None if call == said else partner_of(maker)
    if call != ORDER:
        return alone_or_lead(opening, new(Contract, (maker, CALLS[call], False, out)), hands)
    contract = new(Contract, (maker, deal.upcard[1], True, out))
    five = hands[dealer]
    six = five | BIT[deal.upcard]
    legal = tuple(map(PUTS_AWAY.__getitem__, listed(six if game.rules.may_discard_upcard else five)))
    hands, around = replaced(hands, dealer, six), AROUND[None][first_leader(game.rules, dealer)]
    return new(
        EuchreState, (opening, contract, hands, ALL, (), around, (), 0, 0, None, dealer, legal, discard)
    )


def discard(state: EuchreState, action: Action) -> EuchreState:
    """The dealer puts one of six cards away."""
    game, deal, dealer, scores, bids, _ = state.opening
    contract, hands, card = state.contract, state.hands, action.removeprefix(DISCARD)
    assert contract is not None
    opening = new(Opening, (game, deal, dealer, scores, bids, card))
    return alone_or_lead(opening, contract, replaced(hands, dealer, hands[dealer] ^ BIT[card]))


def alone_or_lead(opening: Opening, contract: Contract, hands: Hands) -> EuchreState:
    """Ask the maker about the partner, where that comes now; else the cards are played."""
    if opening.game.rules.alone != "after the discard":
        return lead(opening, contract, hands)
    around, asked = AROUND[None][first_leader(opening.game.rules, opening.dealer)], (ALONE, TOGETHER)
    return new(
        EuchreState, (opening, contract, hands, ALL, (), around, (), 0, 0, None, contract.maker, asked, alone)
    )


def alone(state: EuchreState, action: Action) -> EuchreState:
    """The maker keeps the partner or leaves it out."""
    contract = state.contract
    assert contract is not None
    if action == ALONE:
        contract = contract._replace(out=partner_of(contract.maker))
    return lead(state.opening, contract, state.hands)


def lead(opening: Opening, contract: Contract, hands: Hands) -> EuchreState:
    """Let the seat to the dealer's left lead, or the dealer by its rules; the next one if that seat is out."""
    around = AROUND[contract.out][first_leader(opening.game.rules, opening.dealer)]
    leader = around[0]
    legal = listed(hands[leader])
    return new(EuchreState, (opening, contract, hands, ALL, (), around, (), 0, 0, None, leader, legal, None))


def replaced(hands: Hands, seat: Seat, hand: Cards) -> Hands:
    """All hands, one of them another."""
    return (*hands[:seat], hand, *hands[seat + 1 :])
