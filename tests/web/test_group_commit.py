"""Writing together: what waits at the same time is written at once, and one failure is nobody else's."""

import sqlite3
import threading
from pathlib import Path

import pytest

from retruco.web.core import store as stores
from retruco.web.core.group_commit import GroupWriter
from retruco.web.core.store import Sitter, Store, StoredMatch
from retruco.web.tables.fairness import SealedDeal


def in_file(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    base.execute("CREATE TABLE line (text TEXT PRIMARY KEY)")
    return base


def put(text: str, base: sqlite3.Connection) -> str:
    base.execute("INSERT INTO line VALUES (?)", (text,))
    return text


def test_a_change_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    base = in_file(tmp_path / "t.sqlite")
    writer, gate = GroupWriter(base), threading.Event()
    told: dict[int, object] = {}

    def hand_in(number: int) -> None:
        try:
            told[number] = writer.write(lambda one: put(f"line {number // 2}", one))
        except sqlite3.IntegrityError as error:
            told[number] = error

    first = threading.Thread(target=writer.write, args=(lambda one: gate.wait(),))
    first.start()
    others = [threading.Thread(target=hand_in, args=(number,)) for number in range(8)]
    for thread in others:
        thread.start()
    gate.set()
    for thread in (first, *others):
        thread.join()
    writer.close()
    lines = sorted(text for (text,) in base.execute("SELECT text FROM line"))
    assert lines == [f"line {number}" for number in range(4)]
    assert sum(isinstance(one, sqlite3.IntegrityError) for one in told.values()) == 4
    base.close()


def test_what_is_handed_in_after_the_end_is_refused(tmp_path: Path) -> None:
    base = in_file(tmp_path / "t.sqlite")
    writer = GroupWriter(base)
    writer.close()
    with pytest.raises(sqlite3.ProgrammingError):
        writer.write(lambda one: put("late", one))
    base.close()


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite"
    base = sqlite3.connect(file)
    base.executescript(f"{stores.SCHEMA} PRAGMA user_version = 1;")
    base.execute("INSERT INTO secret VALUES (?)", (b"k" * 32,))
    base.execute(
        "INSERT INTO match (id, rules, target, first, seed, kind, started) VALUES ('m','cbtg',24,0,1,'match',0)"
    )
    base.commit()
    base.close()
    store = Store(file)
    found = store.load("m")
    assert found is not None
    assert found.clock is None
    assert found.game == "truco"
    assert store.secret() == b"k" * 32
    store.close()
    Store(file).close()


def test_a_file_of_the_second_version_keeps_its_matches_and_takes_other_games(tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite"
    base = sqlite3.connect(file)
    base.executescript(f"{stores.SCHEMA} {stores.PEOPLE_AND_BOTS} PRAGMA user_version = 2;")
    base.execute("INSERT INTO secret VALUES (?)", (b"k" * 32,))
    base.execute(
        "INSERT INTO match (id, rules, target, first, seed, kind, started, clock) "
        "VALUES ('m','cbtg',24,0,1,'people',0,60.0)"
    )
    base.execute("INSERT INTO seat VALUES ('m', 0, NULL, 'me')")
    base.commit()
    base.close()
    store = Store(file)
    sitters = (Sitter(visitor="me"), Sitter(agent="casey"))
    deal = SealedDeal("00", "As Kd / 2c 2d | drawn with 0")
    store.add(
        StoredMatch("h", "limit-2", 200, 0, 1, "match", sitters, deals=(deal,), actions=((),), game="holdem")
    )
    store.append("h", 0, 0, "call", (), None)
    store.deal("h", 1, deal)
    assert {(one.id, one.game, one.clock) for one in store.of_visitor("me")} == {
        ("m", "truco", 60.0),
        ("h", "holdem", None),
    }
    assert store.open_matches("me") == 2
    found = store.load("h")
    assert found is not None
    assert (found.deals, found.actions) == ((deal, deal), (("call",), ()))
    store.close()
