"""The words of Truco: fifteen kinds of question, what is seen when they are asked, their answers.

The attributes and the similarity are those of Paulus (2020), tables 3 to 5 and appendix B, with
the open points settled: a card that is not there is a value of its own, and so is a card face down.
"""

from __future__ import annotations

from typing import Final

from retruco.cards import SPANISH_DECK
from retruco.cbr.vocabulary import (
    HindsightFeature,
    Scenario,
    VisibleFeature,
    Vocabulary,
    equal,
    hindsight,
    interval,
)

STRENGTH_CODES: Final = {
    "1e": 52, "1b": 50, "7e": 42, "7o": 40, "3": 24, "2": 16, "1": 12, "12": 8, "11": 7, "10": 6, "7": 4, "6": 3,
    "5": 2, "4": 1,
}  # fmt: skip
"""How strong a card is, on the scale of Paulus (2020), table 4; by card or else by rank."""
CARD_CODES: Final = {
    card: STRENGTH_CODES.get(card, STRENGTH_CODES.get(str(card.rank), 0)) for card in SPANISH_DECK
}
"""The strength code of every card."""

CATEGORIES: Final = {
    52: 51,
    50: 51,
    42: 41,
    40: 41,
    24: 20,
    16: 20,
    12: 12,
    8: 7,
    7: 7,
    6: 7,
    4: 3,
    3: 3,
    2: 3,
    1: 3,
}
"""The coarser card categories by which hands are clustered."""

LABELS: Final = ("high", "medium", "low")
"""The three cards of a hand by strength; a card is played under its label."""

SLOT_CODES: Final = {"high": 46, "medium": 16, "low": 4}
OTHER_FOLDED, FACE_DOWN, OWN_FOLD, OWN_LOST = -46, -1, -10, -15
"""Why a card was not played (or not shown), as the clusters count it."""

NOBODY, ME, OTHER = "nobody", "me", "other"
CALLER_CODES: Final = {ME: 1, NOBODY: 2, OTHER: 3}

ABSENT, DOWN = "absent", "down"

CARD_ANSWERS: Final = (*LABELS, "down", "baralho")
ENVIDO_ANSWERS: Final = ("none", "envido", "real-envido", "falta-envido", "quero", "nao-quero", "baralho")
TRUCO_ANSWERS: Final = ("none", "truco", "retruco", "vale4", "quero", "nao-quero", "baralho")
FLOR_ANSWERS: Final = (
    "none", "flor", "contraflor", "contraflor-resto", "achico", "quero", "nao-quero", "baralho",
)  # fmt: skip


def _hand() -> tuple[VisibleFeature, ...]:
    cards = tuple(interval(label, 1, 52, span=52) for label in LABELS)
    return (*cards, equal("is_mao", ("no", "yes")))


def _card(name: str) -> VisibleFeature:
    return interval(name, 1, 52, span=52, special=(ABSENT, DOWN))


def _winner(name: str) -> VisibleFeature:
    return equal(name, ("tie", ME, OTHER))


def _callers(*names: str) -> tuple[VisibleFeature, ...]:
    return tuple(equal(name, (NOBODY, ME, OTHER)) for name in names)


FIRST_CARDS: Final = (_card("own_first"), _card("other_first"))
SECOND_CARDS: Final = (_card("own_second"), _card("other_second"))
THIRD_CARDS: Final = (_card("own_third"), _card("other_third"))
AFTER_ONE: Final = (*_hand(), *FIRST_CARDS, _winner("winner_1"))
AFTER_TWO: Final = (*AFTER_ONE, *SECOND_CARDS, _winner("winner_2"))
TRUCO_CALLERS: Final = _callers("truco", "retruco", "vale4")

CATEGORY_VALUES: Final = tuple(sorted(set(CATEGORIES.values()), reverse=True))
UNPLAYED_VALUES: Final = (OTHER_FOLDED, FACE_DOWN, OWN_FOLD, OWN_LOST)


def _hand_categories() -> tuple[HindsightFeature, ...]:
    return tuple(hindsight(f"{label} category", *CATEGORY_VALUES) for label in LABELS)


def _slot(name: str) -> HindsightFeature:
    return hindsight(name, *SLOT_CODES.values(), *UNPLAYED_VALUES)


def _played_card(name: str) -> HindsightFeature:
    return hindsight(name, *CATEGORY_VALUES, *UNPLAYED_VALUES)


def _who(*names: str) -> tuple[HindsightFeature, ...]:
    return tuple(hindsight(name, *CALLER_CODES.values()) for name in names)


def _cards(name: str, visible: tuple[VisibleFeature, ...], known: tuple[HindsightFeature, ...]) -> Scenario:
    return Scenario(name, visible, known, CARD_ANSWERS, wins_only=True)


def _envido(name: str) -> Scenario:
    points = interval("envido_points", 0, 33, span=33)
    calls = _callers("envido", "envido_again", "real", "falta")
    visible = (points, equal("is_mao", ("no", "yes")), *calls, _card("other_first"))
    known = (*_who("who envido", "who real", "who falta"), hindsight("points", *range(34)))
    return Scenario(name, visible, known, ENVIDO_ANSWERS)


def _truco(name: str, visible: tuple[VisibleFeature, ...]) -> Scenario:
    known = (*_who("who truco", "who retruco", "who vale4"), *_hand_categories())
    return Scenario(name, (*visible, *TRUCO_CALLERS), known, TRUCO_ANSWERS)


def _flor() -> Scenario:
    points = interval("flor_points", 0, 38, span=38)
    calls = _callers("flor", "contraflor", "contraflor_resto")
    return Scenario("flor", (points, equal("is_mao", ("no", "yes")), *calls), (), FLOR_ANSWERS)


TRUCO_1: Final = (*_hand(), *FIRST_CARDS)
TRUCO_2: Final = (*AFTER_ONE, *SECOND_CARDS)
TRUCO_3: Final = (*AFTER_TWO, *THIRD_CARDS)

VOCABULARY: Final = Vocabulary(
    "truco",
    1,
    (
        _cards("card-1-lead", _hand(), (*_hand_categories(), _slot("own first"))),
        _cards(
            "card-1-follow",
            (*_hand(), _card("other_first")),
            (*_hand_categories(), _played_card("other first"), _slot("own first")),
        ),
        _cards("card-2-lead", AFTER_ONE, (_slot("own second"),)),
        _cards(
            "card-2-follow",
            (*AFTER_ONE, _card("other_second")),
            (_played_card("other second"), _slot("own second")),
        ),
        _cards("card-3-lead", AFTER_TWO, (_slot("own third"),)),
        _cards(
            "card-3-follow",
            (*AFTER_TWO, _card("other_third")),
            (_played_card("other third"), _slot("own third")),
        ),
        _envido("envido-first"),
        _envido("envido-second"),
        _truco("truco-1-first", TRUCO_1),
        _truco("truco-1-second", TRUCO_1),
        _truco("truco-2-lead", TRUCO_2),
        _truco("truco-2-follow", TRUCO_2),
        _truco("truco-3-lead", TRUCO_3),
        _truco("truco-3-follow", TRUCO_3),
        _flor(),
    ),
)
"""Everything an agent that remembers Truco hands can speak of."""
