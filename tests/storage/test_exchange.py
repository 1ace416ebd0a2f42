"""Hands written out and read back: the same hands, whatever the format; bad files leave nothing behind."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_hands import contents, kuhn_hands, truco_hands

from places import Place
from retruco.storage.errors import StoreError
from retruco.storage.exchange import HEADING, WRITERS, format_of, import_exchanged, writer_for
from retruco.storage.reading import Hand
from retruco.storage.store import Store, open_store

FORMATS = list(WRITERS)
ONE = kuhn_hands(1)[0]
GOOD = {"game": "kuhn", "cards": ["K", "J"], "first": 0, "actions": ["bet", "fold"]}


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with place.open() as opened:
        yield opened


def written(store: Store, name: str, as_: str, folder: Path) -> Path:
    file = folder / f"hands.{as_}"
    with file.open("wb") as stream:
        writer_for(as_)(store.hands(name), stream)
    return file


@pytest.mark.parametrize("as_", FORMATS)
def test_what_goes_out_comes_back_the_same(as_: str, store: Store, tmp_path: Path) -> None:
    store.create("mine", "truco", "trucogame")
    plain = [Hand(hand.text, hand.seat, "taught", 3) for hand in truco_hands(5)]
    store.append("mine", [*truco_hands(30), *plain])
    file = written(store, "mine", as_, tmp_path)
    assert format_of(file) == as_
    facts = import_exchanged(store, file, as_, "again", "today")
    assert contents(store, "again") == contents(store, "mine")
    mine = store.facts("mine")
    assert (facts.digest, facts.origins, facts.rules) == (mine.digest, mine.origins, mine.rules)


@pytest.mark.parametrize("as_", FORMATS)
def test_a_hand_without_rules_of_a_name_comes_back_too(as_: str, tmp_path: Path) -> None:
    with open_store(tmp_path / "cases.db") as store:
        store.create("cards", "kuhn", "two-seats")
        store.append("cards", kuhn_hands(20))
        store.remove("cards", [3, 4])
        import_exchanged(store, written(store, "cards", as_, tmp_path), as_, "again")
        assert [hand for _, hand in contents(store, "again")] == [
            hand for _, hand in contents(store, "cards")
        ]
        assert [number for number, _ in contents(store, "again")] == list(range(1, 19))


def jsonl(*records: object) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def seated(seat: object = 0, **more: object) -> dict[str, object]:
    return {**GOOD, "result": {"seat": seat, **more}}


def row(seat: object = 0, origin: object = "played", uses: object = 0, record: object = GOOD) -> bytes:
    text = json.dumps(record).replace('"', '""')
    return f'{HEADING}\n1,0,played,0,"{json.dumps(GOOD).replace(chr(34), chr(34) * 2)}"\n2,{seat},{origin},{uses},"{text}"\n'.encode()


@pytest.mark.parametrize(
    ("as_", "content", "told"),
    [
        ("jsonl", jsonl(seated(), GOOD), r"line 2: seat must be a number from 0 on, not None: whose view"),
        ("jsonl", jsonl(seated(), seated(-1)), "line 2: seat must be a number from 0 on, not -1"),
        ("jsonl", jsonl(seated(), seated(7)), "line 2: seat 7 does not sit at this table"),
        ("jsonl", jsonl(seated(True)), "line 1: seat must be a number from 0 on, not True"),
        ("jsonl", jsonl(seated(0, origin="dreamt")), "line 1: origin must be one of played, .* not 'dreamt'"),
        ("jsonl", jsonl(seated(0, uses=-4)), "line 1: uses must be a number from 0 on, not -4"),
        ("jsonl", jsonl(seated(), {**seated(), "actions": ["bet"]}), "line 2: the hand is not finished"),
        ("jsonl", jsonl({**seated(), "actions": ["bet", "raise"]}), "line 1: .*raise"),
        ("jsonl", jsonl({**seated(), "game": "chess"}), "line 1: game must be one of .* not 'chess'"),
        ("jsonl", jsonl(seated()) + b"{]\n", "line 2: the record is not JSON"),
        ("jsonl", jsonl(seated()) + b"[1]\n", r"line 2: a record is a JSON object, not \[1\]"),
        ("jsonl", jsonl(seated()) + b"{" * 2_000_000, "line 2 is longer than 1000000 bytes"),
        ("jsonl", jsonl(seated()) + b'{"a":' * 100_000, "line 2: the record is not JSON"),
        ("jsonl", jsonl(seated()) + b"{\xff}\n", "line 2 is not UTF-8"),
        ("jsonl", b"\n\n", "has no hands"),
        ("csv", HEADING.encode() + b"\n", "has no hands"),
        ("csv", HEADING.encode() + b"\n1,0,played\n", "line 2 has 3 fields, not 5"),
        ("csv", HEADING.encode() + b'\n1,0,played,0,"open\n', "line 2 is not a row of fields"),
        ("csv", row(seat="x"), "line 3: seat must be a number from 0 on, not 'x'"),
        ("csv", row(uses="9" * 30), "line 3: uses must be a number"),
        ("csv", row(record={"game": "kuhn"}), "line 3: missing key"),
        ("parquet", b"PAR1 and then nothing", "cannot be read after hand 0"),
    ],
)
def test_a_bad_file_is_refused_whole_and_says_where(
    as_: str, content: bytes, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "hands"
    file.write_bytes(content)
    with open_store(tmp_path / "cases.db") as store:
        with pytest.raises(ValueError, match=told):
            import_exchanged(store, file, as_, "bad")
        with store.reading() as reader:
            assert reader.bases() == ()


def test_a_parquet_file_of_something_else_or_cut_off_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    other, cut = tmp_path / "other.parquet", tmp_path / "cut.parquet"
    pq.write_table(pa.table({"number": [1], "seat": [0]}), other)
    out = io.BytesIO()
    writer_for("parquet")([(1, ONE)], out)
    cut.write_bytes(out.getvalue()[:-40])
    with open_store(tmp_path / "cases.db") as store:
        with pytest.raises(
            StoreError, match="has no column origin, uses, record: it should have number,seat"
        ):
            import_exchanged(store, other, "parquet", "bad")
        with pytest.raises(StoreError, match="cannot be read after hand 0"):
            import_exchanged(store, cut, "parquet", "bad")


def test_hands_of_two_games_do_not_become_one_base(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    truco = json.loads(truco_hands(1)[0].text)
    file.write_bytes(jsonl(seated(), {**truco, "result": {"seat": 0}}))
    with open_store(tmp_path / "cases.db") as store:
        with pytest.raises(StoreError, match="'bad' takes hands of kuhn, not"):
            import_exchanged(store, file, "jsonl", "bad")
        with store.reading() as reader:
            assert reader.bases() == ()


def test_other_files_are_left_to_the_other_importers(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("idMao,jogadorMao\n1,2\n")
    assert format_of(file) is None


def test_an_unknown_format_is_named_with_the_alternatives() -> None:
    with pytest.raises(ValueError, match="unknown format 'xml': one of jsonl, csv, parquet"):
        writer_for("xml")
