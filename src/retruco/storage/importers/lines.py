"""Raw rows: what stands in a table, line by line, before anybody asks what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import BinaryIO, Final, TypeAlias

Value: TypeAlias = int | str | None

LONGEST_LINE: Final = 1_000_000
"""How many bytes a line of a table may have; a longer one is refused unread."""


@dataclass(frozen=True, slots=True)
class Raw:
    """One row: the line it starts on and its values by column, or what is wrong with it."""

    line: int
    values: Mapping[str, Value]
    fault: str = ""


@lru_cache(maxsize=8192)  # the same few numbers stand in all rows
def value_of(text: str) -> Value:
    """Read a field: a whole number, nothing, or a word.

    >>> value_of("-46"), value_of("NULL"), value_of("COPAS"), value_of("")
    (-46, None, 'COPAS', None)
    """
    text = text.strip()
    if text in ("", "NULL", "\\\\N"):
        return None
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else text


def text_lines(stream: BinaryIO) -> Iterator[tuple[int, str | None]]:
    """Number the lines from 1; one that is too long comes as `None`, its bytes never held."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 2):
        number += 1
        if len(line) <= LONGEST_LINE + 1:
            yield number, _decoded(line, number)
            continue
        while not line.endswith(b"\n") and (line := stream.readline(LONGEST_LINE)):
            pass
        yield number, None


def _decoded(line: bytes, number: int) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise ValueError(f"line {number} is not UTF-8: byte {byte:#04x} at place {error.start + 1}") from None
