"""A MySQL dump read as text: the rows of its table `maos`, parsed and never executed.

The dump is read in pieces and cut into tokens; of statements that are not about `maos` nothing
is kept. Row values are quoted strings with MySQL's escapes, numbers, and NULL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final, NamedTuple

from retruco.storage.importers.formats import COLUMNS_75, COLUMNS_141, COLUMNS_165, DUMP, Format
from retruco.storage.importers.lines import Raw, Value, value_of

TABLE: Final = "maos"
PIECE: Final = 1 << 20
"""Bytes read at a time."""
LONGEST_TOKEN: Final = 1 << 20

TOKEN: Final = re.compile(
    r"""(?P<space>\s+|--[^\n]*\n|\#[^\n]*\n|/\*.*?\*/)
      | (?P<string>'(?:[^'\\]|\\.|'')*')
      | (?P<name>`(?:[^`]|``)*`)
      | (?P<word>[\w.@$+-]+)
      | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
COMMENTS: Final = {"--": "\n", "#": "\n", "/*": "*/"}
"""How comments begin and end."""

ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "Z": "\x1a", "b": "\b"}


class Token(NamedTuple):
    """A piece of a statement: its kind, its text, the line it stands on."""

    kind: str
    text: str
    line: int


def looks_like_dump(start: bytes) -> bool:
    """Tell a dump from a table by its first bytes.

    >>> looks_like_dump(b"-- MySQL dump 10.13"), looks_like_dump(b"idMao,idPartida")
    (True, False)
    """
    head = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith((b"--", b"/*", b"use ", b"create ", b"insert ", b"drop ", b"set ", b"lock "))


def read_dump(stream: BinaryIO) -> tuple[Format, Iterator[Raw]]:
    """Give the rows of the table of hands, one by one."""
    return DUMP, _rows(tokens(stream))


def tokens(stream: BinaryIO) -> Iterator[Token]:
    """Cut a dump into tokens, holding no more of it than one piece and one token."""
    text, line, at_end = "", 1, False
    while not at_end or text:
        if not at_end:
            piece = stream.read(PIECE)
            at_end = not piece
            text += piece.decode("latin-1")  # as the dump says; every byte has a letter
        place = 0
        while match := TOKEN.match(text, place):
            if not at_end and (match.end() == len(text) or _may_go_on(text, place)):
                break
            kind = str(match.lastgroup)
            if kind == "mark" and match["mark"] in ("'", "`"):
                raise ValueError(f"the dump ends in the middle of a text that begins in line {line}")
            if kind != "space":
                yield Token(kind, match[0], line)
            line += match[0].count("\n")
            place = match.end()
        text = text[place:]
        if len(text) > LONGEST_TOKEN + PIECE:
            raise ValueError(
                f"line {line} holds one text of more than {LONGEST_TOKEN} bytes: no dump of hands"
            )


def _may_go_on(text: str, place: int) -> bool:
    """Whether what begins here may end in a piece that has not been read yet."""
    for start, end in COMMENTS.items():
        if text.startswith(start, place):
            return text.find(end, place) < 0
    return text[place] in "'`/-" and len(TOKEN.match(text, place)[0]) == 1  # type: ignore[index]


def _rows(stream: Iterator[Token]) -> Iterator[Raw]:
    columns: Sequence[str] = ()
    tables: list[str] = []
    found = False
    for token in stream:
        statement = token.text.upper()
        if statement == "CREATE" and _word(stream) == "TABLE":
            table = _table_name(stream)
            tables.append(table)
            made = _create(stream, table)
            columns = made if table == TABLE else columns
        elif statement == "INSERT" and _word(stream) == "INTO" and _table_name(stream) == TABLE:
            found = True
            yield from _insert(stream, columns)
        elif token.text != ";":
            _skip(stream, token)
    if not found:
        has = f"it has {', '.join(tables[:8])}" if tables else "it makes no tables"
        raise ValueError(f"this dump has no rows of a table `{TABLE}`: {has}")


def _word(stream: Iterator[Token]) -> str:
    return next(stream, Token("mark", "", 0)).text.upper()


def _table_name(stream: Iterator[Token]) -> str:
    name = ""
    while not name or name.upper() in ("IF", "NOT", "EXISTS"):
        name = unquoted(next(stream, Token("word", "?", 0)).text)
    return name


def _skip(stream: Iterator[Token], token: Token) -> None:
    for token in stream:
        if token.kind == "mark" and token.text == ";":
            return


def _create(stream: Iterator[Token], table: str) -> tuple[str, ...]:
    """Read the columns of a table that is made: the name that opens each part of the list."""
    columns: list[str] = []
    depth, opens = 0, False
    for token in stream:
        if token.kind == "name" and opens and depth == 1:
            columns.append(unquoted(token.text))
        if token.kind == "mark":
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if token.text == ";":
                break
        opens = token.text in "(," and depth == 1
    if table == TABLE:
        _check(columns)
    return tuple(columns)


def _check(columns: Sequence[str]) -> None:
    missing = [name for name in COLUMNS_75 if name not in columns]
    unknown = [name for name in columns if name not in COLUMNS_165]
    if missing or unknown:
        raise ValueError(f"table `{TABLE}` of this dump lacks {missing[:5]} and has unknown {unknown[:5]}")


def _insert(stream: Iterator[Token], columns: Sequence[str]) -> Iterator[Raw]:
    """Read the rows of one INSERT, up to its semicolon."""
    named: list[str] = []
    values: list[Value] | None = None
    line, after_values = 0, False
    for token in stream:
        if token.kind == "mark" and token.text == ";" and values is None:
            return
        if token.text.upper() == "VALUES":
            after_values = True
            columns = tuple(named) or columns or COLUMNS_141
        elif token.text == "(" and token.kind == "mark":
            values, line = [], token.line
        elif token.text == ")" and token.kind == "mark" and values is not None:
            if after_values:
                yield _row(line, columns, values)
            values = None
        elif values is not None and token.text != ",":
            if after_values:
                values.append(_value(token))
            else:
                named.append(unquoted(token.text))
    raise ValueError(f"the dump ends in the middle of an INSERT; its last row begins in line {line}")


def _row(line: int, columns: Sequence[str], values: Sequence[Value]) -> Raw:
    if len(values) != len(columns):
        return Raw(line, {}, f"{len(values)} values instead of {len(columns)}")
    return Raw(line, dict(zip(columns, values, strict=True)))


def _value(token: Token) -> Value:
    return unescaped(token.text) if token.kind == "string" else value_of(token.text)


def unquoted(name: str) -> str:
    """Take a name out of its back-quotes.

    >>> unquoted("`maos`")
    'maos'
    """
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def unescaped(text: str) -> str:
    r"""Read a quoted text with MySQL's escapes.

    >>> unescaped(r"'it\'s ''so'''")
    "it's 'so'"
    """
    inside = text[1:-1].replace("''", "'")
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), inside, flags=re.DOTALL)
