"""Single values of a raw row: checked, and turned into the project's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.games.core import Seat
from retruco.games.truco.rounds import TIE
from retruco.storage.importers.lines import Raw, Value
from retruco.vocab.truco.partial import (
    INCOMPLETE,
    OTHER_FOLDED,
    OWN_FOLD,
    OWN_LOST,
    UNKNOWN,
    CardOrReason,
    Code,
)
from retruco.vocab.truco.scenarios import CATEGORIES, DOWN

SIDES: Final = ("Robo", "Humano")
"""The recorded player, our seat 0, and the other, our seat 1."""
SLOTS: Final = ("Alta", "Media", "Baixa")
ROUNDS: Final = ("primeira", "segunda", "terceira")

SUITS: Final[Mapping[Value, str]] = {
    "ESPADAS": "e", "OURO": "o", "BASTOS": "b", "COPAS": "c", 1: "e", 2: "o", 3: "b", 4: "c",
}  # fmt: skip

SENTINELS: Final[Mapping[Value, str]] = {
    -1: DOWN,
    -10: OWN_FOLD,
    -15: OWN_LOST,
    -46: OTHER_FOLDED,
    -130: INCOMPLETE,
    -50: UNKNOWN,
    0: UNKNOWN,
    None: UNKNOWN,
}
UNSIGNED: Final = {10: -10, 15: -15, 46: -46, 130: -130}
"""Codes that lost their sign and stand for nothing else."""


class UnknownCode(ValueError):
    """A value that the coding does not know; it costs the row, not the file."""


def number(raw: Raw, column: str) -> int | None:
    """Read a whole number that may be missing."""
    value = raw.values.get(column)
    if isinstance(value, str):
        raise UnknownCode(f"{column} is {value[:40]!r}: a whole number or NULL")
    return value


def needed(raw: Raw, column: str) -> int:
    """Read a whole number that must be there."""
    value = number(raw, column)
    if value is None:
        raise UnknownCode(f"{column} is missing: a whole number")
    return value


def who(raw: Raw, column: str) -> Seat | None:
    """Read who did something: nobody, the recorded player, the other."""
    value = number(raw, column)
    if value not in (None, 0, 1, 2):
        raise UnknownCode(f"{column} is {value}: one of 0, 1, 2, NULL")
    return value - 1 if value else None


def code(raw: Raw, column: str) -> Code | None:
    """Read the strength of a card that was dealt; nothing where it was not seen."""
    value = number(raw, column)
    if not value:
        return None
    if value not in CATEGORIES:
        raise UnknownCode(f"{column} is {value}: one of {', '.join(map(str, sorted(CATEGORIES)))}")
    return value


def suit(raw: Raw, column: str) -> str | None:
    """Read a suit, by name or by number; nothing where it is not told."""
    value = raw.values.get(column)
    if value in (None, 0):
        return None
    if value not in SUITS:
        raise UnknownCode(f"{column} is {value!r}: one of ESPADAS, OURO, BASTOS, COPAS, 1 to 4, NULL")
    return SUITS[value]


def read_card(raw: Raw, column: str, signed: bool) -> CardOrReason:
    """Read the card of a round: its code, `down`, or why there is none."""
    value = number(raw, column)
    if not signed and value is not None:
        value = UNSIGNED.get(value, value)
    if value in SENTINELS:
        return SENTINELS[value]
    if value not in CATEGORIES:
        raise UnknownCode(
            f"{column} is {value}: a strength code, or one of {', '.join(map(str, list(SENTINELS)[:-1]))}"
        )
    return value


def winner(raw: Raw, column: str) -> int | None:
    """Read who won a round: a seat, a tie, or not known."""
    value = number(raw, column)
    if value in (1, 2):
        return value - 1
    if value in (None, -130, 130, -10, 10, -15, 15):
        return None
    if value == 0:
        return TIE
    raise UnknownCode(f"{column} is {value}: one of 0, 1, 2, -130, -10, NULL")
