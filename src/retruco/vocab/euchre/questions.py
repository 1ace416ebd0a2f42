"""The questions a turn asks at Euchre: call or pass, alone or not, how to lead, how to follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from retruco.cbr.similarity import Value
from retruco.games.core import Action
from retruco.games.euchre import SUITS, Card, EuchreObservation, Suit, partner_of
from retruco.games.euchre.deck import BIT, HEIGHT, POWER, SUIT_BITS, SUIT_OF, Cards, listed, set_of
from retruco.games.euchre.tricks import NEXT, SEATS, TEAMS
from retruco.games.euchre.words import ALONE, AND_ALONE, TOGETHER
from retruco.vocab.euchre.chart import ALL_CARDS, Chart, chart_of
from retruco.vocab.euchre.scenarios import ALONE as BY_ITSELF
from retruco.vocab.euchre.scenarios import CALL, FIFTHS, PASS_BY, QUARTERS, VOCABULARY
from retruco.vocab.euchre.scenarios import TOGETHER as WITH_PARTNER
from retruco.vocab.euchre.strength import expected_tricks, hand_with, suits_to_call
from retruco.vocab.euchre.trick_view import TrickView
from retruco.vocab.question import Question


def fallback(question: Question) -> str:
    """Answer without experience: keep the partner, else take what comes first."""
    return next(answer for answer in question.answers if answer != BY_ITSELF)


def turn(seen: EuchreObservation, answer: Callable[[Question], str]) -> Action:
    """Ask what this turn asks, one question after the other, and give the action."""
    if seen.contract is None:
        question = ask_bid(seen)
        chosen = answer(question)
        word = question.answers[chosen]
        if chosen != CALL or word + AND_ALONE not in seen.legal:
            return word
        trump, _ = best_suit(seen)
        alone = ask_alone(seen, hand_with(seen, trump), trump, word + AND_ALONE, word)
        return alone.answers[answer(alone)]
    if seen.legal[0] == ALONE:
        alone = ask_alone(seen, seen.held, seen.contract.trump, ALONE, TOGETHER)
        return alone.answers[answer(alone)]
    question = ask_card(seen)
    return question.answers[answer(question)]


def _ask(scenario: str, seen: Mapping[str, Value], answers: Mapping[str, Action]) -> Question:
    return Question(VOCABULARY[scenario].problem(seen), answers)


# Before the first card.


def best_suit(seen: EuchreObservation) -> tuple[Suit, Action]:
    """The suit that promises the most tricks, and the word for it."""
    words = suits_to_call(seen)
    best = max(words, key=lambda suit: expected_tricks(hand_with(seen, suit), suit))
    return best, words[best]


def ask_bid(seen: EuchreObservation) -> Question:
    """Whether to make the best suit trumps."""
    trump, word = best_suit(seen)
    features = {**_strength(hand_with(seen, trump), trump), "speaks": _speaks(seen)}
    answers = {CALL: word} | ({PASS_BY: "pass"} if "pass" in seen.legal else {})
    if len(seen.bids) >= SEATS:
        return _ask("name", features, answers)
    own = TEAMS[seen.dealer] == TEAMS[seen.seat]
    jack = seen.upcard[0] == "J"
    turned = ("own-jack" if jack else "own") if own else ("their-jack" if jack else "theirs")
    return _ask("order", {**features, "turned": turned}, answers)


def ask_alone(
    seen: EuchreObservation, hand: tuple[Card, ...], trump: Suit, alone: Action, together: Action
) -> Question:
    """Whether to leave the partner out."""
    return _ask("alone", _strength(hand, trump), {BY_ITSELF: alone, WITH_PARTNER: together})


def _strength(hand: tuple[Card, ...], trump: Suit) -> dict[str, Value]:
    tricks = min(QUARTERS, round(4 * expected_tricks(hand, trump)))
    return {"tricks": tricks, "trumps": sum(SUIT_OF[trump][card] == trump for card in hand)}


def _speaks(seen: EuchreObservation) -> str:
    return ("first", "second", "third", "dealer")[(seen.seat - NEXT[seen.dealer]) % SEATS]


# The cards.


def ask_card(seen: EuchreObservation) -> Question:
    """How to play to this trick."""
    trick = TrickView(seen)
    chart = chart_of(seen)
    return _lead(trick, chart) if not trick.table else _follow(trick, chart)


def _standing(trick: TrickView) -> dict[str, Value]:
    """How the hand stands: tricks, who made trumps, trumps held."""
    seen, trump = trick.seen, trick.trump
    assert seen.contract is not None
    mine = sum(TEAMS[earlier.winner] == TEAMS[seen.seat] for earlier in seen.tricks)
    maker = seen.contract.maker
    who = "me" if maker == seen.seat else "partner" if maker == partner_of(seen.seat) else "them"
    trumps = sum(SUIT_OF[trump][card] == trump for card in seen.held)
    return {"us": mine, "them": len(seen.tricks) - mine, "maker": who, "trumps": trumps}


def _out(trick: TrickView) -> Cards:
    """The cards that others may still hold."""
    return ALL_CARDS & ~set_of(trick.played) & ~set_of(trick.seen.held)


def is_boss(trick: TrickView, card: Card, out: Cards) -> bool:
    """Whether no card of the same suit that is still out stands above."""
    trump = trick.trump
    height = HEIGHT[trump]
    others = listed(out & SUIT_BITS[trump][SUIT_OF[trump][card]])
    return all(height[other] < height[card] for other in others)


def _lead(trick: TrickView, chart: Chart) -> Question:
    trump, out = trick.trump, _out(trick)
    by_value = sorted(trick.legal, key=trick.values.__getitem__)
    trumps = [card for card in by_value if SUIT_OF[trump][card] == trump]
    side = [card for card in by_value if SUIT_OF[trump][card] != trump]
    bosses = [card for card in side if is_boss(trick, card, out)]
    void = _to_void(trick, chart, side)
    features = {
        **_standing(trick),
        "best-trump": "yes" if trumps and is_boss(trick, trumps[-1], out) else "no",
        "trumps-out": (out & SUIT_BITS[trump][trump]).bit_count(),
        "bosses": min(3, len(bosses)),
        "partner-void": "yes" if void else "no",
    }
    wanted = {
        "trump-high": trumps[-1:],
        "trump-low": trumps[:1],
        "boss": bosses[-1:],
        "to-void": void,
        "side-high": side[-1:],
        "side-low": side[:1],
    }
    return _ask("lead", features, _different(wanted))


def _to_void(trick: TrickView, chart: Chart, side: list[Card]) -> list[Card]:
    """The lowest card of a plain suit that the partner is out of, if it may have a trump."""
    partner = trick.seen.partner
    if chart.is_void(partner, trick.trump):
        return []
    empty = {suit for suit in SUITS if suit != trick.trump and chart.is_void(partner, suit)}
    return [card for card in side if SUIT_OF[trick.trump][card] in empty][:1]


def _different(wanted: Mapping[str, list[Card]]) -> dict[str, Action]:
    """Leave out answers that come to the same card as one before."""
    found: dict[str, Action] = {}
    for answer, cards in wanted.items():
        if cards and cards[0] not in found.values():
            found[answer] = cards[0]
    return found


def _follow(trick: TrickView, chart: Chart) -> Question:
    trump, out = trick.trump, _out(trick)
    winners = sorted((card for card in trick.legal if trick.beats(card)), key=trick.values.__getitem__)
    follows = SUIT_OF[trump][trick.legal[0]] == trick.led
    features = {
        **_standing(trick),
        "winning": "partner" if trick.partner_wins else "opponent",
        "led": "trump" if trick.led == trump else "side",
        "can": "no" if not winners else "follow" if follows else "ruff",
        "boss": "yes" if winners and is_boss(trick, winners[-1], out) else "no",
    }
    wanted = {"win-low": winners[:1], "win-high": winners[-1:], "duck": [trick.low]}
    if trick.is_last:
        return _ask("last", features, _different(wanted))
    best = winners[-1] if winners else trick.table[trick.best]
    after = trick.around[trick.position + 1 :]
    partner = trick.seen.partner
    features["danger"] = max([0, *(_fifths(chart, seat, best, trick) for seat in after if seat != partner)])
    features["help"] = _fifths(chart, partner, trick.table[trick.best], trick) if partner in after else 0
    return _ask("third" if trick.position == 2 else "second", features, _different(wanted))


def _fifths(chart: Chart, seat: int, card: Card, trick: TrickView) -> int:
    """How likely a seat can beat a card, in fifths: by following, or with a trump if it has shown out."""
    powers = POWER[trick.trump][trick.led]
    suit = trick.trump if chart.is_void(seat, trick.led) else trick.led
    above = sum(BIT[one] for one in listed(SUIT_BITS[trick.trump][suit]) if powers[one] > powers[card])
    return round(FIFTHS * chart.any_of(seat, above))
