"""Hands written out and read back: the same hands, whatever the format; bad files leave nothing behind."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_hands import contents, kuhn_hands, truco_hands

from places import Place
from retruco.games.records import replay
from retruco.games.registry import find_game
from retruco.storage.errors import StoreError
from retruco.storage.exchange import HEADING, WRITERS, format_of, import_exchanged, writer_for
from retruco.storage.reading import Hand
from retruco.storage.seat_choice import SeatChoice
from retruco.storage.store import Store, open_store
from retruco.streams import Stream

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


def played_record(game: str, seed: int, rules: str | None = None) -> dict[str, object]:
    """A hand of random play as `duel --records` keeps it, by agents A, B, C, ..."""
    table, chance = find_game(game, rules), Stream("recorded", seed)
    state = table.start(table.deal(chance), table.opening())
    while state.outcome is None:
        state = state.play(chance.choice(state.legal))
    agents = ["ABCDEFGHI"[table.teams[seat]] for seat in range(table.seats)]
    return {
        **state.record(),
        "id": f"A - B, 0.0.{seed}",
        "agents": agents,
        "decisions": [],
        "result": state.summary(),
    }


def views(store: Store, name: str) -> list[tuple[int, object]]:
    """The seat and the name of each hand of a base."""
    return [(hand.seat, hand.record["id"]) for _, hand in contents(store, name)]


def import_views(store: Store, file: Path, seat: str) -> list[int]:
    """Import the views of a choice of seats; the seats that came."""
    import_exchanged(store, file, "jsonl", "views", choice=SeatChoice(seat))
    found = [seat for seat, _ in views(store, "views")]
    with store.writing() as writer:
        writer.delete("views")
    return found


@pytest.mark.parametrize(
    ("game", "rules", "every_seat", "seats_of_b"),
    [
        ("truco", "trucogame", [0, 1], [1]),
        ("kuhn", "three-seats", [0, 1, 2], [1]),
        ("holdem", "limit-3", [0, 1, 2], [1]),
        ("euchre", None, [0, 1, 2, 3], [1, 3]),
    ],
)
def test_recorded_hands_of_any_game_become_the_views_of_the_chosen_seats(
    game: str, rules: str | None, every_seat: list[int], seats_of_b: list[int], tmp_path: Path
) -> None:
    record = played_record(game, 3, rules)
    file = tmp_path / "hands.jsonl"
    file.write_bytes(jsonl(record))
    with open_store(tmp_path / "cases.db") as store:
        assert import_views(store, file, "1") == [1]
        assert import_views(store, file, "both") == every_seat
        assert import_views(store, file, "B") == seats_of_b
        import_exchanged(store, file, "jsonl", "once", choice=SeatChoice("1"))
        ((_, hand),) = contents(store, "once")
        assert hand.record.keys() == record.keys() - {"decisions"}
        assert store.facts("once").note == "imported from hands.jsonl, the view of seat 1"


def test_the_winner_is_who_gained_most_and_a_shared_hand_has_none(tmp_path: Path) -> None:
    hands = [played_record("truco", seed) for seed in range(40)]
    file = tmp_path / "hands.jsonl"
    file.write_bytes(jsonl(*hands))
    winners, choice = [], SeatChoice("winner")
    for record in hands:
        outcome = replay(record).outcome
        assert outcome is not None
        if outcome.points[0] != outcome.points[1]:
            winners.append((outcome.points.index(max(outcome.points)), record["id"]))
    with open_store(tmp_path / "cases.db") as store:
        import_exchanged(store, file, "jsonl", "won", choice=choice)
        assert views(store, "won") == winners
    assert {seat for seat, _ in winners} == {0, 1}
    assert (choice.hands, choice.skipped) == (40, 40 - len(winners))
    assert choice.skipped > 0


def test_both_partners_win_a_hand_of_euchre() -> None:
    record = played_record("euchre", 1)
    outcome = replay(record).outcome
    assert outcome is not None
    first = outcome.points.index(max(outcome.points))
    assert SeatChoice("winner").seats(record) == (first, first + 2)


@pytest.mark.parametrize(
    ("seat", "records", "message"),
    [
        (
            "C",
            [played_record("truco", 1)],
            "'C' plays in none of the 1 hands: one of A, B, 0, 1, both, winner",
        ),
        ("2", [played_record("truco", 1)], "line 1: seat 2 does not sit at this table"),
        ("A", [seated()], "line 1: the hand is the view of seat 0 already: import it without --seat"),
        ("A", [GOOD], "line 1: agents must be a list of names, not None: choose a seat by --seat 0, 1"),
        ("A", [{**GOOD, "agents": [1, 2]}], "line 1: agents must be a list of names"),
        ("winner", [{**GOOD, "actions": ["bet"]}], "line 1: the hand is not finished"),
        ("both", [{"game": "truco", "partial": True}], "line 1: the hand shows the cards of one seat only"),
        ("both", [[1]], "line 1: a record is a JSON object"),
    ],
)
def test_a_choice_of_seats_that_cannot_be_met_is_refused(
    seat: str, records: list[object], message: str, tmp_path: Path
) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_bytes(jsonl(*records))
    with open_store(tmp_path / "cases.db") as store:
        with pytest.raises(ValueError, match=message):
            import_exchanged(store, file, "jsonl", "bad", choice=SeatChoice(seat))
        with store.reading() as reader:
            assert reader.bases() == ()
    with pytest.raises(ValueError, match="--seat is empty"):
        SeatChoice(" ")


def test_other_files_are_left_to_the_other_importers(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("idMao,jogadorMao\n1,2\n")
    assert format_of(file) is None


def test_an_unknown_format_is_named_with_the_alternatives() -> None:
    with pytest.raises(ValueError, match="unknown format 'xml': one of jsonl, csv, parquet"):
        writer_for("xml")
