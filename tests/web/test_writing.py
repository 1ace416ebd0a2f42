"""Writing together: what waits at the same time is written at once, and one failure is nobody else's."""

import sqlite3
import threading
from pathlib import Path

import pytest

from retruco.web import store as stores
from retruco.web.store import Store
from retruco.web.writing import Writer


def in_file(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    base.execute("CREATE TABLE line (text TEXT PRIMARY KEY)")
    return base


def put(text: str, base: sqlite3.Connection) -> str:
    base.execute("INSERT INTO line VALUES (?)", (text,))
    return text


def test_a_change_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    base = in_file(tmp_path / "t.sqlite")
    writer, gate = Writer(base), threading.Event()
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
    writer = Writer(base)
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
    assert store.secret() == b"k" * 32
    store.close()
    Store(file).close()
