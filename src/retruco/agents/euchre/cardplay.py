"""Card play as Seelbinder (2012) describes it: a way to choose a card, whoever did the bidding.

RANDOM, HIGH and LOW look at their own cards; HIGH! looks at the trick; MDP weighs its cards against
those still out; UF keeps a chance chart and thinks of its partner; UF.5 is bold with strong cards
and polite with weak ones. Where the text can be read in two ways, the other reading has a name of its own. UF-bids
and UF.5-bids also let the chart know what was bid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from retruco.cbr.case import Decision
from retruco.games.core import Seat
from retruco.games.euchre import SUITS, Card, EuchreObservation, Suit
from retruco.games.euchre.deck import BIT, POWER, SUIT_BITS, SUIT_OF, Cards, listed
from retruco.streams import Stream
from retruco.vocab.euchre.chart import ChanceChart, chart_of, chart_with_bids
from retruco.vocab.euchre.even_chart import even_chart_of
from retruco.vocab.euchre.trick_view import TrickView

QUARTER: Final = 0.25
"""One of four seats: with more than its part of the value, a seat is strong."""
HALF: Final = 0.5
"""From here on three bands play high whatever lies on the table."""
LIKELY: Final = 0.5
"""What the chart must say for a seat to be counted on, or feared."""


class CardPlay(Protocol):
    """A way to choose among two cards or more."""

    def __call__(self, trick: TrickView, chance: Stream, /) -> Decision:
        """Choose a card."""


def play_random(trick: TrickView, chance: Stream) -> Decision:
    """RANDOM: any legal card."""
    return Decision(chance.choice(trick.legal), "drawn", {"among": len(trick.legal)})


def play_high(trick: TrickView, chance: Stream) -> Decision:
    """HIGH: the highest card."""
    return trick.play_high("euchre.high")


def play_low(trick: TrickView, chance: Stream) -> Decision:
    """LOW: the lowest card."""
    return trick.play_low("euchre.low")


def play_high_with_caution(trick: TrickView, chance: Stream) -> Decision:
    """HIGH!: let a winning partner win; else high where that can win, and low where not."""
    if trick.partner_wins:
        return trick.play_low("euchre.partner-wins")
    return trick.play_high("euchre.can-win") if trick.can_win else trick.play_low("euchre.cannot-win")


def play_by_share(trick: TrickView, chance: Stream) -> Decision:
    """MDP: high with at least a quarter of the value not yet played, as published."""
    return _by_share(trick, trick.share)


def play_by_mended_share(trick: TrickView, chance: Stream) -> Decision:
    """MDP+: as MDP, but a card on the table counts until its trick ends."""
    return _by_share(trick, trick.share_with_table)


def play_by_dealt_share(trick: TrickView, chance: Stream) -> Decision:
    """MDP-dealt: as MDP, against the cards in the players' hands only, where each card counts by its chance to be in one."""
    return _by_share(trick, trick.share_of_dealt(chart_of(trick.seen)))


def play_by_three_bands(trick: TrickView, chance: Stream) -> Decision:
    """MDP3: as MDP, but between a quarter and a half the trick decides, as in HIGH! (section 6.1)."""
    if QUARTER <= trick.share < HALF:
        return play_high_with_caution(trick, chance)
    return _by_share(trick, trick.share)


def _by_share(trick: TrickView, share: float) -> Decision:
    values = {"share": round(share, 3)}
    if share >= QUARTER:
        return trick.play_high("euchre.share-high", **values)
    return trick.play_low("euchre.share-low", **values)


# UF: user friendly.


def play_user_friendly(trick: TrickView, chance: Stream) -> Decision:
    """UF: help the partner, by what the exact chance chart says."""
    return _user_friendly(trick, chart_of)


def play_by_even_chart(trick: TrickView, chance: Stream) -> Decision:
    """UF-even: as UF, by the chart that the thesis describes."""
    return _user_friendly(trick, even_chart_of)


def play_with_bids(trick: TrickView, chance: Stream) -> Decision:
    """UF-bids: as UF, by a chart that knows what was bid."""
    return _user_friendly(trick, chart_with_bids)


def _user_friendly(trick: TrickView, draw_chart: Callable[[EuchreObservation], ChanceChart]) -> Decision:
    """Choose from each place at the trick."""
    if trick.is_last:
        return _last(trick)
    chart = draw_chart(trick.seen)
    partner = trick.seen.partner
    if not trick.table:
        return _first(trick, chart, partner)
    return _second(trick, chart, partner) if trick.position == 1 else _third(trick, chart)


def _first(trick: TrickView, chart: ChanceChart, partner: Seat) -> Decision:
    """Lead low where the partner can trump, then where it is strong, else high."""
    trump = trick.trump
    suits = {suit: cards for suit in SUITS if (cards := _of(trick, suit))}
    if not chart.is_void(partner, trump):
        for suit, cards in suits.items():
            if suit != trump and chart.is_void(partner, suit):
                return Decision(cards[0], "euchre.partner-can-trump", {"suit": suit})
    for suit, cards in suits.items():
        best = _best_out(trick, suit)
        if best is not None and chart.chance(partner, best) >= LIKELY:
            return Decision(cards[0], "euchre.partner-strong", {"suit": suit, "card": best})
    return trick.play_high("euchre.lead-high")


def _second(trick: TrickView, chart: ChanceChart, partner: Seat) -> Decision:
    """Leave the trick to a strong partner; else take it if that can be done."""
    if chart.is_void(partner, trick.led):
        if trick.led == trick.trump:
            return trick.play_high("euchre.partner-void-trump")
        return trick.play_low("euchre.partner-can-trump", suit=trick.led)
    strong = chart.any_of(partner, _above(trick, partner, chart))
    if strong >= LIKELY:
        return trick.play_low("euchre.partner-strong", suit=trick.led, chance=round(strong, 3))
    return trick.play_high("euchre.can-win") if trick.can_win else trick.play_low("euchre.cannot-win")


def _third(trick: TrickView, chart: ChanceChart) -> Decision:
    """Cover the partner's card only if the last seat may well beat it; else win if possible."""
    last = trick.around[-1]
    if trick.partner_wins:
        danger = chart.any_of(last, _above(trick, last, chart))
        if danger >= LIKELY:
            return trick.play_high("euchre.last-may-beat", chance=round(danger, 3))
        return trick.play_low("euchre.partner-wins", chance=round(danger, 3))
    return trick.play_high("euchre.can-win") if trick.can_win else trick.play_low("euchre.cannot-win")


def _last(trick: TrickView) -> Decision:
    """Win if the partner does not; the last seat needs no chart."""
    if trick.partner_wins:
        return trick.play_low("euchre.partner-wins")
    return trick.play_high("euchre.can-win") if trick.can_win else trick.play_low("euchre.cannot-win")


def _of(trick: TrickView, suit: Suit) -> list[Card]:
    """The legal cards of a suit, lowest first."""
    suit_of = SUIT_OF[trick.trump]
    return sorted((card for card in trick.legal if suit_of[card] == suit), key=trick.values.__getitem__)


def _best_out(trick: TrickView, suit: Suit) -> Card | None:
    """The best card of a suit that was not played yet and is not one's own."""
    gone = {*trick.played, *trick.seen.held}
    cards = [card for card in listed(SUIT_BITS[trick.trump][suit]) if card not in gone]
    powers = POWER[trick.trump][suit]
    best = max(cards, key=powers.__getitem__, default=None)
    mine = max((powers[card] for card in trick.seen.held if SUIT_OF[trick.trump][card] == suit), default=0)
    return best if best is not None and powers[best] > mine else None


def _above(trick: TrickView, seat: Seat, chart: ChanceChart) -> Cards:
    """The cards with which a seat could beat what lies on the table: trumps only if it has shown out."""
    powers = POWER[trick.trump][trick.led]
    best = powers[trick.table[trick.best]]
    suit = trick.trump if chart.is_void(seat, trick.led) else trick.led
    return sum(BIT[card] for card in listed(SUIT_BITS[trick.trump][suit]) if powers[card] > best)


def play_hybrid(trick: TrickView, chance: Stream) -> Decision:
    """UF.5: with a strong hand as HIGH!, with a weak one as UF."""
    if trick.share >= QUARTER:
        return play_high_with_caution(trick, chance)
    return play_user_friendly(trick, chance)


def play_even_hybrid(trick: TrickView, chance: Stream) -> Decision:
    """UF.5-even: as UF.5, by the chart that the thesis describes."""
    if trick.share >= QUARTER:
        return play_high_with_caution(trick, chance)
    return play_by_even_chart(trick, chance)


def play_hybrid_with_bids(trick: TrickView, chance: Stream) -> Decision:
    """UF.5-bids: with a strong hand as HIGH!, with a weak one as UF-bids."""
    if trick.share >= QUARTER:
        return play_high_with_caution(trick, chance)
    return play_with_bids(trick, chance)


# A reference from elsewhere.


def play_ratliff(trick: TrickView, chance: Stream) -> Decision:
    """The card play of Ratliff's Bid Euchre (2005), as its rules carry over to this game."""
    if not trick.table:
        return _ratliff_leads(trick)
    if not _wants_trick(trick):
        return trick.play_low("euchre.leaves-it")
    winners = [card for card in trick.legal if trick.beats(card)]
    if not winners:
        return trick.play_low("euchre.cannot-win")
    choose = min if trick.is_last else max
    return Decision(choose(winners, key=trick.values.__getitem__), "euchre.wants-it")


def _ratliff_leads(trick: TrickView) -> Decision:
    """The right bower, else an ace of a plain suit not led yet, else the lowest."""
    right = "J" + trick.trump
    if right in trick.legal:
        return Decision(right, "euchre.right-bower")
    suit_of = SUIT_OF[trick.trump]
    led = {suit_of[earlier.cards[0]] for earlier in trick.seen.tricks}
    for card in trick.legal:
        if card[0] == "A" and card[1] != trick.trump and card[1] not in led:
            return Decision(card, "euchre.fresh-ace")
    return trick.play_low("euchre.low")


def _wants_trick(trick: TrickView) -> bool:
    """Whether an opponent is winning, or the partner with a card that may not last."""
    if not trick.partner_wins:
        return True
    card, trump = trick.table[trick.best], trick.trump
    trumped = trick.led != trump and SUIT_OF[trump][card] == trump
    return not (card == "J" + trump or trumped or card[0] == "A")


PLAYS: Final[Mapping[str, tuple[CardPlay, str]]] = {
    "RANDOM": (play_random, "any legal card"),
    "HIGH": (play_high, "always its highest card"),
    "LOW": (play_low, "always its lowest card"),
    "HIGH!": (play_high_with_caution, "high where that can win and the partner does not, else low"),
    "MDP": (play_by_share, "high with a quarter of the value still out, else low"),
    "MDP+": (play_by_mended_share, "as MDP, a card on the table counting until its trick ends"),
    "MDP-dealt": (play_by_dealt_share, "as MDP, against the cards that are in the players' hands"),
    "MDP3": (play_by_three_bands, "as MDP, by the trick where its share is neither small nor large"),
    "UF": (play_user_friendly, "to help its partner, by a chance chart of who holds what"),
    "UF.5": (play_hybrid, "boldly as HIGH! with a strong hand, helpfully as UF with a weak one"),
    "UF-even": (play_by_even_chart, "as UF, with every place that may hold a card equally likely"),
    "UF.5-even": (play_even_hybrid, "as UF.5, with every place that may hold a card equally likely"),
    "UF-bids": (play_with_bids, "as UF, its chart knowing what was bid"),
    "UF.5-bids": (play_hybrid_with_bids, "as UF.5, its chart knowing what was bid"),
    "ratliff": (play_ratliff, "the right bower first, fresh aces, cheap winners (Ratliff 2005)"),
}
"""The ways to play, by name, with a few words on each."""
