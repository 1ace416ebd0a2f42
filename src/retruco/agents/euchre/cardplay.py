"""Card play as Seelbinder (2012) describes it: a way to choose a card, whoever did the bidding.

RANDOM, HIGH and LOW look at their own cards; HIGH! looks at the trick; MDP weighs its cards against
those still out; UF keeps a chance chart and thinks of its partner; UF.5 is bold with strong cards
and polite with weak ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from retruco.cbr.case import Decision
from retruco.games.core import Seat
from retruco.games.euchre import SUITS, Card, Suit
from retruco.games.euchre.deck import BIT, POWER, SUIT_BITS, SUIT_OF, Cards, listed
from retruco.streams import Stream
from retruco.vocab.euchre.chart import Chart, chart_of
from retruco.vocab.euchre.look import Look

QUARTER: Final = 0.25
"""One of four seats: with more than its part of the value, a seat is strong."""
LIKELY: Final = 0.5
"""What the chart must say for a seat to be counted on, or feared."""


class CardPlay(Protocol):
    """A way to choose among two cards or more."""

    def __call__(self, look: Look, chance: Stream, /) -> Decision:
        """Choose a card."""


def play_random(look: Look, chance: Stream) -> Decision:
    """RANDOM: any legal card."""
    return Decision(chance.choice(look.legal), "drawn", {"among": len(look.legal)})


def play_high(look: Look, chance: Stream) -> Decision:
    """HIGH: the highest card."""
    return look.play_high("euchre.high")


def play_low(look: Look, chance: Stream) -> Decision:
    """LOW: the lowest card."""
    return look.play_low("euchre.low")


def play_high_with_caution(look: Look, chance: Stream) -> Decision:
    """HIGH!: let a winning partner win; else high where that can win, and low where not."""
    if look.partner_wins:
        return look.play_low("euchre.partner-wins")
    return look.play_high("euchre.can-win") if look.can_win else look.play_low("euchre.cannot-win")


def play_by_share(look: Look, chance: Stream) -> Decision:
    """MDP: high with at least a quarter of the value not yet played, as published."""
    return _by_share(look, look.share)


def play_by_mended_share(look: Look, chance: Stream) -> Decision:
    """MDP+: as MDP, but a card on the table counts until its trick ends."""
    return _by_share(look, look.share_with_table)


def _by_share(look: Look, share: float) -> Decision:
    values = {"share": round(share, 3)}
    if share >= QUARTER:
        return look.play_high("euchre.share-high", **values)
    return look.play_low("euchre.share-low", **values)


# UF: user friendly.


def play_user_friendly(look: Look, chance: Stream) -> Decision:
    """UF: help the partner, by what the chance chart says, from each place at the trick."""
    if look.is_last:
        return _last(look)
    chart = chart_of(look.seen)
    partner = look.seen.partner
    if not look.table:
        return _first(look, chart, partner)
    return _second(look, chart, partner) if look.position == 1 else _third(look, chart)


def _first(look: Look, chart: Chart, partner: Seat) -> Decision:
    """Lead low where the partner can trump, then where it is strong, else high."""
    trump = look.trump
    suits = {suit: cards for suit in SUITS if (cards := _of(look, suit))}
    if not chart.is_void(partner, trump):
        for suit, cards in suits.items():
            if suit != trump and chart.is_void(partner, suit):
                return Decision(cards[0], "euchre.partner-can-trump", {"suit": suit})
    for suit, cards in suits.items():
        best = _best_out(look, suit)
        if best is not None and chart.chance(partner, best) >= LIKELY:
            return Decision(cards[0], "euchre.partner-strong", {"suit": suit, "card": best})
    return look.play_high("euchre.lead-high")


def _second(look: Look, chart: Chart, partner: Seat) -> Decision:
    """Leave the trick to a strong partner; else take it if that can be done."""
    if chart.is_void(partner, look.led):
        if look.led == look.trump:
            return look.play_high("euchre.partner-void-trump")
        return look.play_low("euchre.partner-can-trump", suit=look.led)
    strong = chart.any_of(partner, _above(look, partner, chart))
    if strong >= LIKELY:
        return look.play_low("euchre.partner-strong", suit=look.led, chance=round(strong, 3))
    return look.play_high("euchre.can-win") if look.can_win else look.play_low("euchre.cannot-win")


def _third(look: Look, chart: Chart) -> Decision:
    """Cover the partner's card only if the last seat may well beat it; else win if possible."""
    last = look.around[-1]
    if look.partner_wins:
        danger = chart.any_of(last, _above(look, last, chart))
        if danger >= LIKELY:
            return look.play_high("euchre.last-may-beat", chance=round(danger, 3))
        return look.play_low("euchre.partner-wins", chance=round(danger, 3))
    return look.play_high("euchre.can-win") if look.can_win else look.play_low("euchre.cannot-win")


def _last(look: Look) -> Decision:
    """Win if the partner does not; the last seat needs no chart."""
    if look.partner_wins:
        return look.play_low("euchre.partner-wins")
    return look.play_high("euchre.can-win") if look.can_win else look.play_low("euchre.cannot-win")


def _of(look: Look, suit: Suit) -> list[Card]:
    """The legal cards of a suit, lowest first."""
    suit_of = SUIT_OF[look.trump]
    return sorted((card for card in look.legal if suit_of[card] == suit), key=look.values.__getitem__)


def _best_out(look: Look, suit: Suit) -> Card | None:
    """The best card of a suit that was not played yet and is not one's own."""
    gone = {*look.played, *look.seen.held}
    cards = [card for card in listed(SUIT_BITS[look.trump][suit]) if card not in gone]
    powers = POWER[look.trump][suit]
    best = max(cards, key=powers.__getitem__, default=None)
    mine = max((powers[card] for card in look.seen.held if SUIT_OF[look.trump][card] == suit), default=0)
    return best if best is not None and powers[best] > mine else None


def _above(look: Look, seat: Seat, chart: Chart) -> Cards:
    """The cards with which a seat could beat what lies on the table: trumps only if it has shown out."""
    powers = POWER[look.trump][look.led]
    best = powers[look.table[look.best]]
    suit = look.trump if chart.is_void(seat, look.led) else look.led
    return sum(BIT[card] for card in listed(SUIT_BITS[look.trump][suit]) if powers[card] > best)


def play_hybrid(look: Look, chance: Stream) -> Decision:
    """UF.5: with a strong hand as HIGH!, with a weak one as UF."""
    if look.share >= QUARTER:
        return play_high_with_caution(look, chance)
    return play_user_friendly(look, chance)


# A reference from elsewhere.


def play_ratliff(look: Look, chance: Stream) -> Decision:
    """The card play of Ratliff's Bid Euchre (2005), as its rules carry over to this game."""
    if not look.table:
        return _ratliff_leads(look)
    if not _wants_trick(look):
        return look.play_low("euchre.leaves-it")
    winners = [card for card in look.legal if look.beats(card)]
    if not winners:
        return look.play_low("euchre.cannot-win")
    choose = min if look.is_last else max
    return Decision(choose(winners, key=look.values.__getitem__), "euchre.wants-it")


def _ratliff_leads(look: Look) -> Decision:
    """The right bower, else an ace of a plain suit not led yet, else the lowest."""
    right = "J" + look.trump
    if right in look.legal:
        return Decision(right, "euchre.right-bower")
    suit_of = SUIT_OF[look.trump]
    led = {suit_of[trick.cards[0]] for trick in look.seen.tricks}
    for card in look.legal:
        if card[0] == "A" and card[1] != look.trump and card[1] not in led:
            return Decision(card, "euchre.fresh-ace")
    return look.play_low("euchre.low")


def _wants_trick(look: Look) -> bool:
    """Whether an opponent is winning, or the partner with a card that may not last."""
    if not look.partner_wins:
        return True
    card, trump = look.table[look.best], look.trump
    trumped = look.led != trump and SUIT_OF[trump][card] == trump
    return not (card == "J" + trump or trumped or card[0] == "A")


PLAYS: Final[Mapping[str, tuple[CardPlay, str]]] = {
    "RANDOM": (play_random, "any legal card"),
    "HIGH": (play_high, "always its highest card"),
    "LOW": (play_low, "always its lowest card"),
    "HIGH!": (play_high_with_caution, "high where that can win and the partner does not, else low"),
    "MDP": (play_by_share, "high with a quarter of the value still out, else low"),
    "MDP+": (play_by_mended_share, "as MDP, a card on the table counting until its trick ends"),
    "UF": (play_user_friendly, "to help its partner, by a chance chart of who holds what"),
    "UF.5": (play_hybrid, "boldly as HIGH! with a strong hand, helpfully as UF with a weak one"),
    "ratliff": (play_ratliff, "the right bower first, fresh aces, cheap winners (Ratliff 2005)"),
}
"""The ways to play, by name, with a few words on each."""
