"""Card play as Seelbinder (2012) describes it: a way to choose a card, whoever did the bidding.

RANDOM, HIGH and LOW look at their own cards; HIGH! looks at the trick; MDP weighs its cards against
those still out; UF keeps a chance chart and thinks of its partner; UF.5 is bold with strong cards
and polite with weak ones. Where the text can be read in two ways, the other reading has a name of its own. UF-bids
and UF.5-bids also let the chart know what was bid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.agents.euchre import moves as why
from retruco.agents.euchre.moves import Move, drawn, high, low, one
from retruco.compiler import compiled_step
from retruco.games.core import Seat
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import RANKS
from retruco.games.euchre.stepper import first_of, next_seat
from retruco.games.euchre.tricks import SEATS
from retruco.vocab.euchre.cards import ACE, JACK, Floats, Trick, above, played, share, winners
from retruco.vocab.euchre.chart import EVEN, EXACT, WITH_BIDS, Chart, any_of, draw_chart, is_void

QUARTER: Final = 0.25
"""One of four seats: with more than its part of the value, a seat is strong."""
HALF: Final = 0.5
"""From here on three bands play high whatever lies on the table."""
LIKELY: Final = 0.5
"""What the chart must say for a seat to be counted on, or feared."""

PLAYS: Final[Mapping[str, str]] = {
    "RANDOM": "any legal card",
    "HIGH": "always its highest card",
    "LOW": "always its lowest card",
    "HIGH!": "high where that can win and the partner does not, else low",
    "MDP": "high with a quarter of the value still out, else low",
    "MDP+": "as MDP, a card on the table counting until its trick ends",
    "MDP-dealt": "as MDP, against the cards that are in the players' hands",
    "MDP3": "as MDP, by the trick where its share is neither small nor large",
    "UF": "to help its partner, by a chance chart of who holds what",
    "UF.5": "boldly as HIGH! with a strong hand, helpfully as UF with a weak one",
    "UF-even": "as UF, with every place that may hold a card equally likely",
    "UF.5-even": "as UF.5, with every place that may hold a card equally likely",
    "UF-bids": "as UF, its chart knowing what was bid",
    "UF.5-bids": "as UF.5, its chart knowing what was bid",
    "ratliff": "the right bower first, fresh aces, cheap winners (Ratliff 2005)",
}
"""The ways to play, by name, with a few words on each; a way is its place here."""
RANDOM, HIGH, LOW, CAUTIOUS, MDP, MDP_PLUS, MDP_DEALT, MDP3 = range(8)
UF, UF5, UF_EVEN, UF5_EVEN, UF_BIDS, UF5_BIDS, RATLIFF = range(8, len(PLAYS))


HYBRIDS: Final = (UF5, UF5_EVEN, UF5_BIDS)
CHARTS: Final = tuple(EVEN if "even" in play else WITH_BIDS if "bids" in play else EXACT for play in PLAYS)
"""The kind of chance chart that a way to play keeps, if it keeps one."""


@compiled_step
def choose_card(play: int, trick: Trick, chart: Chart) -> Move:
    """Choose among two cards or more in one of the ways."""
    if play == RANDOM:
        return drawn(trick.legal)
    if play == HIGH:
        return high(trick.legal, why.HIGH_CARD)
    if play == LOW:
        return low(trick.legal, why.LOW_CARD)
    if play == RATLIFF:
        return play_ratliff(trick)
    part = share(trick, play == MDP_PLUS)
    is_bold = (play in HYBRIDS and part >= QUARTER) or (play == MDP3 and QUARTER <= part < HALF)
    if play == CAUTIOUS or is_bold or (play >= UF and trick.is_last):
        return play_high_with_caution(trick)
    if play in (MDP, MDP_PLUS, MDP3):
        return play_by_share(trick, part)
    draw_chart(trick.seen, chart)
    if play == MDP_DEALT:
        return play_by_share(trick, share_of_dealt(trick, chart.chances))
    return play_user_friendly(trick, chart.chances)


# HIGH!, MDP and its other readings


@compiled_step
def play_high_with_caution(trick: Trick) -> Move:
    """HIGH!: let a winning partner win; else high where that can win, and low where not."""
    return low(trick.legal, why.PARTNER_WINS) if trick.partner_wins else win_if_possible(trick)


@compiled_step
def win_if_possible(trick: Trick) -> Move:
    """Play high where that can win, and low where not."""
    return high(trick.legal, why.CAN_WIN) if trick.can_win else low(trick.legal, why.CANNOT_WIN)


@compiled_step
def play_by_share(trick: Trick, part: float) -> Move:
    """MDP: high with at least a quarter of the value not yet played.

    MDP+ lets a card on the table count until its trick ends, MDP-dealt looks at the cards in the players' hands, and MDP3
    has a band between a quarter and a half where the trick decides, as in HIGH! (section 6.1).
    """
    if part >= QUARTER:
        return Move(trick.legal, why.HIGHEST, why.SHARE_HIGH, part, at.NONE, at.NONE)
    return Move(trick.legal, why.LOWEST, why.SHARE_LOW, part, at.NONE, at.NONE)


@compiled_step
def share_of_dealt(trick: Trick, chances: Floats) -> float:
    """What part of the value in all hands this seat holds; a hidden card counts by its chance to be in one."""
    mine = theirs = 0.0
    for card in range(len(trick.values)):
        if trick.seen[at.HELD] >> card & 1:
            mine += trick.values[card]
        for seat in range(SEATS):
            if seat != trick.seen[at.SEAT]:
                theirs += trick.values[card] * chances[seat, card]
    return mine / (mine + theirs)


# UF: user friendly


@compiled_step
def play_user_friendly(trick: Trick, chances: Floats) -> Move:
    """UF: help the partner, by what a chance chart says; the last seat needs none and plays as HIGH!."""
    if trick.led == at.NO_SUIT:
        return play_first(trick, chances)
    return play_second(trick, chances) if trick.seen[at.PLACED] == 1 else play_third(trick, chances)


@compiled_step
def play_first(trick: Trick, chances: Floats) -> Move:
    """Lead low where the partner can trump, then where it is strong, else high."""
    partner, suits = (trick.seen[at.SEAT] + 2) % SEATS, at.SUIT_CARDS[trick.trump]
    has_trumps = not is_void(chances, partner, suits[trick.trump])
    for suit in range(at.SUIT_COUNT):
        cards = trick.legal & suits[suit]
        if cards and has_trumps and suit != trick.trump and is_void(chances, partner, suits[suit]):
            return Move(cards, why.LOWEST, why.PARTNER_CAN_TRUMP, 0.0, suit, at.NONE)
    for suit in range(at.SUIT_COUNT):
        cards, best = trick.legal & suits[suit], best_out(trick, suit)
        if cards and best != at.NONE and chances[partner, best] >= LIKELY:
            return Move(cards, why.LOWEST, why.PARTNER_HAS_BEST, 0.0, suit, best)
    return high(trick.legal, why.LEAD_HIGH)


@compiled_step
def play_second(trick: Trick, chances: Floats) -> Move:
    """Leave the trick to a strong partner; else take it if that can be done."""
    partner = (trick.seen[at.SEAT] + 2) % SEATS
    if is_void(chances, partner, at.SUIT_CARDS[trick.trump, trick.led]):
        if trick.led == trick.trump:
            return high(trick.legal, why.PARTNER_VOID_TRUMP)
        return Move(trick.legal, why.LOWEST, why.PARTNER_CAN_TRUMP, 0.0, trick.led, at.NONE)
    strong = can_beat(trick, chances, partner)
    if strong >= LIKELY:
        return Move(trick.legal, why.LOWEST, why.PARTNER_STRONG, strong, trick.led, at.NONE)
    return win_if_possible(trick)


@compiled_step
def play_third(trick: Trick, chances: Floats) -> Move:
    """Cover the partner's card only if the last seat may well beat it; else win if possible."""
    if not trick.partner_wins:
        return win_if_possible(trick)
    danger = can_beat(trick, chances, next_seat(trick.seen, trick.seen[at.SEAT]))
    if danger >= LIKELY:
        return Move(trick.legal, why.HIGHEST, why.LAST_MAY_BEAT, danger, at.NONE, at.NONE)
    return Move(trick.legal, why.LOWEST, why.LAST_CANNOT_BEAT, danger, at.NONE, at.NONE)


@compiled_step
def best_out(trick: Trick, suit: int) -> int:
    """The best card of a suit that was not played yet, unless it is one's own."""
    cards = at.SUIT_CARDS[trick.trump, suit] & ~played(trick.seen)
    left = cards
    while left:
        card = first_of(left)
        left &= left - 1
        if not cards & at.BEATS[trick.trump, suit, card]:
            return at.NONE if trick.seen[at.HELD] >> card & 1 else card
    return at.NONE


@compiled_step
def can_beat(trick: Trick, chances: Floats, seat: Seat) -> float:
    """How likely a seat can beat what lies on the table: with trumps only if it has shown out."""
    has_none = is_void(chances, seat, at.SUIT_CARDS[trick.trump, trick.led])
    return any_of(chances, seat, above(trick, trick.trump if has_none else trick.led, trick.best))


# A reference from elsewhere


@compiled_step
def play_ratliff(trick: Trick) -> Move:
    """The card play of Ratliff's Bid Euchre (2005), as its rules carry over to this game."""
    if trick.led == at.NO_SUIT:
        return lead_ratliff(trick)
    if not wants_trick(trick):
        return low(trick.legal, why.LEAVES_IT)
    cards = winners(trick)
    if not cards:
        return low(trick.legal, why.CANNOT_WIN)
    return low(cards, why.WANTS_IT) if trick.is_last else high(cards, why.WANTS_IT)


@compiled_step
def lead_ratliff(trick: Trick) -> Move:
    """The right bower, else an ace of a plain suit not led yet, else the lowest."""
    right = len(RANKS) * trick.trump + JACK
    if trick.legal >> right & 1:
        return one(right, why.RIGHT_BOWER)
    for suit in range(at.SUIT_COUNT):
        ace = len(RANKS) * suit + ACE
        if trick.legal >> ace & 1 and suit != trick.trump and not trick.seen[at.SUITS_LED] >> suit & 1:
            return one(ace, why.FRESH_ACE)
    return low(trick.legal, why.LOW_CARD)


@compiled_step
def wants_trick(trick: Trick) -> bool:
    """Whether an opponent is winning, or the partner with a card that may not last."""
    if not trick.partner_wins:
        return True
    is_trumped = trick.led != trick.trump and at.SUIT[trick.trump, trick.best] == trick.trump
    is_right_bower = trick.best == len(RANKS) * trick.trump + JACK
    return not (is_right_bower or is_trumped or trick.best % len(RANKS) == ACE)
