"""A table set up in one line, so that a test reads like the rule it states.

Hands are written `seat 0 | seat 1`, actions and legal lists as words with blanks between.
"""

from __future__ import annotations

import re
from typing import Final, TypedDict, Unpack, cast

import pytest

from retruco.cards import Card
from retruco.games.core import IllegalAction
from retruco.games.records import replay

RULES: Final = ("trucogame", "cbtg", "argentino", "argentino-sem-flor")
WITH_FLOR: Final = ("trucogame", "cbtg", "argentino")
COMPULSORY: Final = ("cbtg", "argentino")
TRUCO_WAITS: Final = ("cbtg", "argentino", "argentino-sem-flor")
NO_FOLD_FACING_A_BET: Final = ("argentino", "argentino-sem-flor")
TARGET: Final = {"trucogame": 24, "cbtg": 24, "argentino": 30, "argentino-sem-flor": 30}

PLAIN: Final = "1e 7c 4b | 3o 2c 5e"
"""Nobody has flor; seat 0 has the better envido (7 to 5) and the best card."""
PLAIN_1: Final = "3o 2c 5e | 1e 7c 4b"
"""The same with the seats changed: seat 1 has the better of it."""
FLOR_0: Final = "5b 6b 7b | 3o 2c 5e"
FLOR_1: Final = "1e 7c 4b | 4o 5o 6o"
FLORS: Final = "5b 6b 7b | 4o 5o 6o"
"""Both have flor, 38 to 35: seat 0 has the better one."""
FLORS_1: Final = "4o 5o 6o | 5b 6b 7b"

every_preset = pytest.mark.parametrize("rules", RULES)
with_flor = pytest.mark.parametrize("rules", WITH_FLOR)
where_flor_is_compulsory = pytest.mark.parametrize("rules", COMPULSORY)
where_truco_waits = pytest.mark.parametrize("rules", TRUCO_WAITS)
either_mao = pytest.mark.parametrize("mao", [0, 1])


class Setup(TypedDict, total=False):
    """What a test may change about the deal and the score."""

    hands: str
    scores: tuple[int, int]
    target: int
    mao: int


class Summary(TypedDict):
    """What `replay` tells about a hand."""

    turn: int | None
    legal: list[str]
    over: bool
    winner: int | None
    match_winner: int | None
    points: dict[str, list[int]]
    scores: list[int]


def record(rules: str, actions: str = "", **setup: Unpack[Setup]) -> dict[str, object]:
    """A hand as the JSON object that stores it."""
    return {
        "game": "truco",
        "rules": rules,
        "target": setup.get("target", TARGET[rules]),
        "scores": list(setup.get("scores", (0, 0))),
        "mao": setup.get("mao", 0),
        "hands": [hand.split() for hand in setup.get("hands", PLAIN).split("|")],
        "actions": actions.split(),
    }


def table(rules: str, actions: str = "", **setup: Unpack[Setup]) -> Summary:
    """Play the actions and look at the table."""
    return cast(Summary, replay(record(rules, actions, **setup)).summary())


def legal(rules: str, actions: str = "", **setup: Unpack[Setup]) -> str:
    """What the seat to act may do, in the order of the notation."""
    return " ".join(table(rules, actions, **setup)["legal"])


def turn(rules: str, actions: str = "", **setup: Unpack[Setup]) -> int | None:
    """Who acts next."""
    return table(rules, actions, **setup)["turn"]


def paid(rules: str, actions: str = "", **setup: Unpack[Setup]) -> dict[str, list[int]]:
    """The points paid so far, without the stages that paid nothing."""
    points = table(rules, actions, **setup)["points"]
    return {stage: both for stage, both in points.items() if both != [0, 0]}


def assert_refused(rules: str, actions: str, **setup: Unpack[Setup]) -> None:
    """The last action is illegal, is named in the refusal, and all before it are legal."""
    *before, last = actions.split()
    assert last not in table(rules, " ".join(before), **setup)["legal"]
    with pytest.raises(IllegalAction, match=naming(last)):
        table(rules, actions, **setup)


def naming(value: object) -> str:
    """A pattern that finds this very value in a message: not `truco` in `retruco`, `''` for nothing."""
    written = re.escape(str(value) or "''")
    return rf"(?<![\w:-]){written}(?![\w-]|:\w)"


def answers(rules: str, calls: str) -> str:
    """The answers to a bet, with the fold where the fold table allows it."""
    return calls if rules in NO_FOLD_FACING_A_BET else f"{calls} baralho"


def cards(text: str) -> list[Card]:
    """Read cards, as in `cards("1e 7c 4b")`."""
    return [Card(word) for word in text.split()]
