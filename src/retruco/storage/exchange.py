"""Hands written out and read back: JSON lines, CSV and Parquet, with nothing lost on the way.

JSON lines are records as `retruco replay` reads them. A table has a column each for the hand's
number, seat, origin, uses and record. What is read is checked hand by hand, replayed by the
rules, and becomes a base all at once or not at all; hands are numbered anew, in their order.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from retruco.games.core import short_repr
from retruco.games.records import replay_finished
from retruco.storage.errors import StoreError
from retruco.storage.importers.lines import LONGEST_LINE, text_lines
from retruco.storage.reading import ORIGINS, Facts, Hand
from retruco.storage.schema import BASES
from retruco.storage.seat_choice import CHOICES, SeatChoice
from retruco.storage.store import Store
from retruco.storage.writing import check_name, chunks
from retruco.vocab.truco.one_sided import is_one_sided, read_one_sided
from retruco.vocab.truco.partial import PartialHand, is_partial

if TYPE_CHECKING:
    from types import ModuleType

Numbered = Iterable[tuple[int, Hand]]

COLUMNS: Final = ("number", "seat", "origin", "uses", "record")
HEADING: Final = ",".join(COLUMNS)
PARQUET: Final = b"PAR1"
ROW_GROUP: Final = 65_536


# Writing


def exported(number: int, hand: Hand) -> dict[str, object]:
    """A stored hand as a record that can be replayed, with whose view it is and where it came from.

    >>> exported(7, Hand.of({"game": "truco"}, seat=1, origin="taught"))
    {'id': 7, 'game': 'truco', 'result': {'seat': 1, 'origin': 'taught'}}
    """
    record = hand.record
    known = record.get("result")
    result = {**(known if isinstance(known, Mapping) else {}), "seat": hand.seat, "origin": hand.origin}
    if hand.uses:
        result["uses"] = hand.uses
    return {"id": number, **record, "result": result}


def write_jsonl(hands: Numbered, stream: BinaryIO) -> None:
    """Write one record a line."""
    for number, hand in hands:
        stream.write(json.dumps(exported(number, hand)).encode() + b"\n")


def write_csv(hands: Numbered, stream: BinaryIO) -> None:
    """Write a table with a heading."""
    out = io.TextIOWrapper(stream, "utf-8", newline="")
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows((number, one.seat, one.origin, one.uses, one.text) for number, one in hands)
    out.detach()


def write_parquet(hands: Numbered, stream: BinaryIO) -> None:
    """Write columns, compressed, some ten thousand hands at a time."""
    pa = _pyarrow()
    import pyarrow.parquet as pq

    kinds = (pa.int32(), pa.int8(), pa.dictionary(pa.int8(), pa.string()), pa.int32(), pa.string())
    schema = pa.schema(list(zip(COLUMNS, kinds, strict=True)))
    with pq.ParquetWriter(stream, schema, compression="zstd") as out:
        for some in chunks(hands, ROW_GROUP):
            lines = [(number, one.seat, one.origin, one.uses, one.text) for number, one in some]
            arrays = [pa.array(one, kind) for one, kind in zip(zip(*lines, strict=True), kinds, strict=True)]
            out.write_table(pa.table(arrays, schema=schema))


WRITERS: Final[Mapping[str, Callable[[Numbered, BinaryIO], None]]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}
"""Every format by its name."""


def writer_for(name: str) -> Callable[[Numbered, BinaryIO], None]:
    """Find how a format is written, or say which ones there are."""
    if name not in WRITERS:
        raise ValueError(f"unknown format {name!r}: one of {', '.join(WRITERS)}")
    if name == "parquet":
        _pyarrow()  # before a file is begun
    return WRITERS[name]


def _pyarrow() -> ModuleType:
    try:
        return import_module("pyarrow")
    except ModuleNotFoundError as error:
        raise ValueError("Parquet needs pyarrow: pip install 'retruco[parquet]'") from error


# Reading


def format_of(file: Path) -> str | None:
    """Recognise a file that `retruco cases export` could have written, by how it begins."""
    with file.open("rb") as stream:
        head = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(PARQUET):
        return "parquet"
    if head.startswith(b"{"):
        return "jsonl"
    return "csv" if head.split(b"\n", 1)[0].strip() == HEADING.encode() else None


def read_hands(file: Path, as_: str, choice: SeatChoice | None = None) -> Iterator[tuple[str, Hand]]:
    """Read hand after hand, checked; each comes with the name of its rules.

    A hand of which several seats are chosen comes several times, once as each of them saw it.
    """
    lines = {"jsonl": _jsonl_lines, "csv": _csv_lines, "parquet": _parquet_lines}[as_](file)
    for place, (seat, origin, uses, record) in lines:
        try:
            views = choose_seats(choice, seat, record) if choice else [(seat, record)]
            hands = [checked(view, origin, uses, kept) for view, kept in views]
        except (ValueError, RecursionError) as error:
            raise StoreError(f"{file}, {place}: {error}") from error
        assert isinstance(record, Mapping)
        for hand in hands:
            yield str(record.get("rules", "of its own")), hand


def choose_seats(choice: SeatChoice, seat: object, record: object) -> list[tuple[object, object]]:
    """Choose the seats whose views of a record to keep, without the evidence of its agents' decisions."""
    if not isinstance(record, Mapping):
        return [(0, record)]
    if seat is not None:
        raise ValueError(f"the hand is the view of seat {short_repr(seat)} already: import it without --seat")
    plain = {key: value for key, value in record.items() if key != "decisions"}
    return [(chosen, plain) for chosen in choice.seats(plain)]


Line = tuple[object, object, object, object]
"""Seat, origin, uses and record, as they stand in a file."""


def checked(seat: object, origin: object, uses: object, record: object) -> Hand:
    """Make a hand of what a file says, if it can be one.

    >>> checked(3, "played", 0, {"game": "kuhn", "cards": ["K", "J"], "first": 0, "actions": ["bet", "fold"]})
    Traceback (most recent call last):
    ...
    ValueError: seat 3 does not sit at this table
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"a record is a JSON object, not {short_repr(record)}")
    if type(seat) is not int or seat < 0:
        hint = f" Choose with --seat {CHOICES}" if seat is None else ""
        raise ValueError(
            f"seat must be a number from 0 on, not {short_repr(seat)}: whose view is the hand?{hint}"
        )
    if not isinstance(origin, str) or origin not in ORIGINS:
        raise ValueError(f"origin must be one of {', '.join(ORIGINS)}, not {short_repr(origin)}")
    if type(uses) is not int or uses < 0:
        raise ValueError(f"uses must be a number from 0 on, not {short_repr(uses)}")
    _check_record(record, seat)
    made = Hand.of(record, seat, origin)
    return Hand(made.text, seat, origin, uses)


def _check_record(record: Mapping[str, object], seat: int) -> None:
    """Refuse what cannot be remembered later: a hand that breaks off, or that the rules do not allow."""
    if is_partial(record):
        PartialHand.of(record)
        return
    if is_one_sided(record):
        read_one_sided(record, seat)
        return
    end = replay_finished(record)
    try:
        end.observe(seat)
    except IndexError:
        raise ValueError(f"seat {seat} does not sit at this table") from None


def _jsonl_lines(file: Path) -> Iterator[tuple[str, Line]]:
    for place, text in _lines(file):
        yield place, taken_apart(_json(file, place, text))


def taken_apart(record: object) -> Line:
    """Undo `exported`: what was put in comes out, all else stays where it stands.

    >>> taken_apart({"id": 7, "game": "truco", "result": {"seat": 1, "origin": "taught"}})
    (1, 'taught', 0, {'game': 'truco'})
    """
    if not isinstance(record, dict):
        return None, None, None, record
    if not isinstance(record.get("id"), str):
        record.pop(
            "id", None
        )  # its number in the base it came from; a name stays, by which it can be found again
    result = record.get("result")
    known = dict(result) if isinstance(result, Mapping) else {}
    line = known.pop("seat", None), known.pop("origin", "imported"), known.pop("uses", 0), record
    if known:
        record["result"] = known
    else:
        record.pop("result", None)
    return line


def _csv_lines(file: Path) -> Iterator[tuple[str, Line]]:
    lines = _lines(file)
    next(lines)
    for place, text in lines:
        try:
            fields = next(csv.reader([text], strict=True))
        except csv.Error as error:
            raise StoreError(f"{file}, {place} is not a row of fields: {error}") from None
        if len(fields) != len(COLUMNS):
            raise StoreError(f"{file}, {place} has {len(fields)} fields, not {len(COLUMNS)}: {HEADING}")
        _, seat, origin, uses, record = fields
        yield place, (_number(seat), origin, _number(uses), _json(file, place, record))


def _parquet_lines(file: Path) -> Iterator[tuple[str, Line]]:
    pa = _pyarrow()
    import pyarrow.parquet as pq

    number = 0
    try:
        with pq.ParquetFile(file) as table:
            missing = [name for name in COLUMNS if name not in table.schema_arrow.names]
            if missing:
                raise StoreError(f"{file} has no column {', '.join(missing)}: it should have {HEADING}")
            for batch in table.iter_batches(ROW_GROUP, columns=list(COLUMNS)):
                for _, seat, origin, uses, record in zip(*_columns(batch), strict=True):
                    number += 1
                    place = f"hand {number}"
                    yield place, (seat, origin, uses, _json(file, place, record))
    except (pa.ArrowException, OSError) as error:
        raise StoreError(f"{file} cannot be read after hand {number}: {error}") from error


def _columns(batch: Any) -> list[list[Any]]:
    return [batch.column(name).to_pylist() for name in COLUMNS]


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    with file.open("rb") as stream:
        for number, text in text_lines(stream):
            if text is None:
                raise StoreError(f"{file}, line {number} is longer than {LONGEST_LINE} bytes")
            if text.strip():
                yield f"line {number}", text


def _json(file: Path, place: str, text: object) -> Any:
    try:
        return json.loads(text)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{file}, {place}: the record is not JSON: {error}") from None


def _number(text: str) -> object:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


# Into the store


def import_exchanged(
    store: Store, file: Path, as_: str, name: str, created: str = "", choice: SeatChoice | None = None
) -> Facts:
    """Make a base of the hands of a file, or nothing at all; the choice says whose views where the file does not."""
    check_name(name)
    hands = read_hands(file, as_, choice)
    first = next(hands, None)
    if first is None:
        if choice is not None and choice.hands:
            choice.check_chosen(file)
        raise StoreError(f"{file} has no hands")
    rules = set[str]()

    def all_hands() -> Iterator[Hand]:
        for named, hand in itertools.chain([first], hands):
            rules.add(named)
            yield hand

    with store.writing() as writer:
        note = f"imported from {file.name}" + (f", {choice.description}" if choice else "")
        base = writer.create(name, str(first[1].record["game"]), "", note, created)
        writer.append(name, all_hands())
        named = BASES.update().where(BASES.c.id == base.id).values(rules=", ".join(sorted(rules)))
        writer.connection.execute(named)
        return writer.facts(name)
