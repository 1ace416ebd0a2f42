"""Vocabulary 2 of Truco: one question a turn, what to do now.

Version 1 asks as Paulus (2020) does: flor, envido, truco and card, one after the other, each on its own. Here a
turn is one question whose answers are all calls and cards, so that what an expert mixes stays together. Cards
count by strength from 1 to 14; of two in hand the higher is `high` and the other `low`, a single one is `high`. The
features have what version 1 leaves out: how many points both sides lack, what envido has shown, who raised last, and
how many cards could still beat the best card in hand.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final

from retruco.cbr.vocabulary import Scenario, VisibleFeature, Vocabulary, equal, interval
from retruco.vocab.truco.scenarios import ABSENT, DOWN, LABELS, ME, OTHER

STRONGEST: Final = 14
LACKS: Final = (1, 2, 4, 8)
"""The most points that each class but the last lacks to the target."""
FAR: Final = len(LACKS) + 1

TRUCO_STATES: Final = (
    "none",
    *(f"{call} {who}" for call in ("truco", "retruco", "vale4") for who in (ME, OTHER)),
)
"""The last call of the truco, and who made it."""
POINTS_STATES: Final = ("none", "declined by me", "declined by other", "won by me", "won by other", "flor")
"""How the envido ended; `flor` if there was one."""
UNKNOWN: Final = "unknown"

ENVIDO_CHAINS: Final = ("e", "ee", "r", "er", "eer", "f", "ef", "eef", "rf", "erf", "eerf", "longer")
"""The calls of an envido that waits for its answer, by their first letters."""
FLOR_CHAINS: Final = ("flor", "contraflor", "contraflor-resto")

CARDS: Final = (*LABELS, "down")
FREE_CALLS: Final = ("flor", "envido", "real-envido", "falta-envido", "truco", "retruco", "vale4")
REPLIES: Final = ("quero", "nao-quero", "baralho")


def _strength(name: str) -> VisibleFeature:
    return interval(name, 1, STRONGEST, special=(ABSENT, DOWN))


def _winner(name: str) -> VisibleFeature:
    return equal(name, ("tie", ME, OTHER))


SCORE: Final = tuple(interval(name, 1, FAR) for name in ("own_lack", "other_lack"))
HAND: Final = tuple(_strength(label) for label in LABELS)
TWO_CARDS: Final = (_strength("high"), _strength("low"))
ONE_CARD: Final = (_strength("high"),)
IS_MAO: Final = equal("is_mao", ("no", "yes"))
TABLE: Final = _strength("table")
"""The card to be answered."""
WINNERS: Final = ("nothing", "none", *LABELS)
ANSWER_CARDS: Final = (TABLE, equal("lowest_winner", WINNERS), equal("tie", ("no", "yes")))
"""The card to be answered, the lowest card in hand that beats it, and whether one is as strong."""
TRUCO: Final = equal("last_truco", TRUCO_STATES)
ENVIDO_POINTS: Final = interval("envido_points", 0, 33)
FLOR_POINTS: Final = interval("flor_points", 20, 38, special=(ABSENT,))
OPEN: Final = (*HAND, ENVIDO_POINTS, FLOR_POINTS, *ANSWER_CARDS, TRUCO, *SCORE)
SETTLED: Final = (equal("envido_result", POINTS_STATES), interval("other_points", 0, 33, special=(UNKNOWN,)))
BEATERS: Final = interval("beaters", 0, 15)
"""How many cards that were not seen yet beat the best one in hand."""
ROUND_1: Final = (*HAND, IS_MAO, *ANSWER_CARDS, TRUCO, *SETTLED, *SCORE)
ROUND_2: Final = (
    *TWO_CARDS,
    BEATERS,
    IS_MAO,
    *ANSWER_CARDS,
    _winner("winner_1"),
    _strength("best_1"),
    TRUCO,
    *SETTLED,
    *SCORE,
)
ROUND_3: Final = (
    *ONE_CARD,
    BEATERS,
    IS_MAO,
    *ANSWER_CARDS,
    _winner("winner_1"),
    _winner("winner_2"),
    _strength("best_1"),
    _strength("best_2"),
    TRUCO,
    *SETTLED,
    *SCORE,
)
ROUNDS: Final = (ROUND_1, ROUND_2, ROUND_3)
POSITIONS: Final = ("lead", "follow")


def _play(name: str, visible: tuple[VisibleFeature, ...]) -> Scenario:
    return Scenario(name, visible, (), (*CARDS, *FREE_CALLS, "baralho"))


def _answer_truco(name: str, visible: tuple[VisibleFeature, ...]) -> Scenario:
    return Scenario(name, visible, (), (*FREE_CALLS, *REPLIES))


ENVIDO: Final = Scenario(
    "answer-envido",
    (ENVIDO_POINTS, IS_MAO, equal("chain", ENVIDO_CHAINS), *HAND, TABLE, TRUCO, *SCORE),
    (),
    (*FREE_CALLS[:4], *REPLIES),
)
FLOR: Final = Scenario(
    "answer-flor",
    (FLOR_POINTS, IS_MAO, equal("chain", FLOR_CHAINS), *HAND, TABLE, *SCORE),
    (),
    ("flor", "contraflor", "contraflor-resto", "achico", *REPLIES),
)

EQUAL_WEIGHTS: Final = Vocabulary(
    "truco",
    2,
    (
        *(_play(f"open-{position}", OPEN) for position in POSITIONS),
        ENVIDO,
        FLOR,
        _answer_truco("answer-truco-open", (*OPEN, IS_MAO)),
        *(
            _play(f"round-{number}-{position}", visible)
            for number, visible in enumerate(ROUNDS, 1)
            for position in POSITIONS
        ),
        *(_answer_truco(f"answer-truco-{number}", visible) for number, visible in enumerate(ROUNDS, 1)),
    ),
)
"""The vocabulary before any weights are learnt."""

VOCABULARY: Final = EQUAL_WEIGHTS.weigh(json.loads((files(__package__) / "weights_2.json").read_text()))
"""Everything that an agent with vocabulary 2 can speak of."""
