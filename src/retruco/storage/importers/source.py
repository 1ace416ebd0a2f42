"""A file of hands, whatever its format: recognised, read row by row, completed where it can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final

from retruco.storage.importers.cells import SUITS
from retruco.storage.importers.delimited import read_table
from retruco.storage.importers.dump import looks_like_dump, read_dump
from retruco.storage.importers.formats import COLUMNS_32, Format
from retruco.storage.importers.hands import Read, read_hand
from retruco.storage.importers.lines import Raw, Value

PEEK: Final = 64


@contextmanager
def opened(file: Path) -> Iterator[BufferedReader]:
    """Open a file, and name it in whatever is wrong with it."""
    with file.open("rb") as stream:
        try:
            yield stream
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error


def open_rows(stream: BufferedReader) -> tuple[Format, Iterator[Raw]]:
    """Recognise a table or a dump, and give its rows."""
    is_dump = looks_like_dump(stream.peek(PEEK)[:PEEK])
    return read_dump(stream) if is_dump else read_table(stream)


def read_file(file: Path, complete_from: Sequence[Path] = ()) -> Iterator[Read]:
    """Read a file hand by hand; rows found whole in another file are completed from it."""
    whole = Completion(complete_from)
    with opened(file) as stream:
        table, rows = open_rows(stream)
        last, restarted = 0, False
        for raw in rows:
            number = raw.values.get("idMao")
            if isinstance(number, int):
                restarted = restarted or (number < last and not table.has("idPartida"))
                last = number
            yield read_hand(*whole.found(raw, table), restarted)


class Completion:
    """Richer tables in which the rows of a poorer one may be found again."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._tables: list[tuple[Format, dict[Value, list[Raw]]]] = []
        for file in files:
            with opened(file) as stream:
                table, rows = open_rows(stream)
                by_number: dict[Value, list[Raw]] = {}
                for raw in rows:
                    if not raw.fault:
                        by_number.setdefault(raw.values["idMao"], []).append(raw)
                self._tables.append((table, by_number))

    def found(self, raw: Raw, table: Format) -> tuple[Raw, Format]:
        """Give the richer row that agrees in every column of the poorest format, or the row itself."""
        for richer, by_number in self._tables:
            for other in by_number.get(raw.values.get("idMao"), ()):
                if all(_plain(raw, one) == _plain(other, one) for one in COLUMNS_32):
                    return Raw(raw.line, other.values), richer
        return raw, table


def _plain(raw: Raw, column: str) -> Value:
    """A value as the poorest format would have it: no sign, nothing as 0, suits as letters."""
    value = raw.values.get(column)
    if column.startswith("naipe"):
        return SUITS.get(value)
    return abs(value) if isinstance(value, int) else value or 0
