"""Tables of hands as text: a heading line, then one hand a line, its fields separated."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from retruco.storage.importers.formats import Format, recognise
from retruco.storage.importers.lines import LONGEST_LINE, Raw, text_lines, value_of


def read_table(stream: BinaryIO) -> tuple[Format, Iterator[Raw]]:
    """Recognise a table by its heading; give its rows one by one."""
    lines = text_lines(stream)
    _, header = next(lines, (0, ""))
    if header is None:
        raise ValueError(f"the first line is longer than {LONGEST_LINE} bytes: it should name the columns")
    if not header.strip():
        raise ValueError("the file is empty: its first line should name the columns")
    found, separator, columns = recognise(header)
    return found, _rows(lines, separator, columns)


def _rows(lines: Iterator[tuple[int, str | None]], separator: str, columns: Sequence[str]) -> Iterator[Raw]:
    for number, line in lines:
        if line is None:
            yield Raw(number, {}, f"longer than {LONGEST_LINE} bytes")
        elif line.strip():
            yield _row(number, line, separator, columns)


def _row(number: int, line: str, separator: str, columns: Sequence[str]) -> Raw:
    try:
        fields = next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        return Raw(number, {}, f"not a row of fields: {error}")
    if len(fields) != len(columns):
        cut = "" if line.endswith("\n") else ", and the file ends in the middle of it"
        return Raw(number, {}, f"{len(fields)} fields instead of {len(columns)}{cut}")
    return Raw(number, dict(zip(columns, map(value_of, fields), strict=True)))
