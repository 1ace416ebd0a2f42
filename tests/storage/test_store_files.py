"""Files that are not what they should be: named, refused, and left as they are."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text
from store_hands import contents, everything, kuhn_hands, kuhn_words, powerless

from retruco.learning.case_bases import library_of
from retruco.storage import schema, sqlite
from retruco.storage.errors import StoreError
from retruco.storage.library import Library
from retruco.storage.store import open_store

KNOWN = len(schema.STEPS)
"""How many steps this program knows."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may look into, with a store of forty hands."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o755)
        with open_store(path / "cases.db") as store:
            store.create("mine", "kuhn", "two-seats")
            store.append("mine", kuhn_hands(40))
        yield path


def refused(folder: Path, told: str) -> None:
    """Opening is refused with words that name the file, and nothing in the folder changes."""
    before = everything(folder)
    with pytest.raises(StoreError, match=told) as error:
        open_store(folder / "cases.db")
    assert str(folder / "cases.db") in str(error.value)
    assert everything(folder) == before


class TestDamage:
    def test_a_text_file(self, folder: Path) -> None:
        (folder / "cases.db").write_text("hands: none\n" * 100)
        refused(folder, "not a case database, or it is damaged")

    @pytest.mark.parametrize("size", [0, 7, 50])
    def test_a_file_with_almost_nothing_left(self, folder: Path, size: int) -> None:
        file = folder / "cases.db"
        file.write_bytes(file.read_bytes()[:size])
        refused(folder, f"truncated to {size} bytes")

    @pytest.mark.parametrize("share", [0.3, 0.9])
    def test_a_truncated_file(self, folder: Path, share: float) -> None:
        file = folder / "cases.db"
        whole = file.read_bytes()
        file.write_bytes(whole[: int(len(whole) * share)])
        refused(folder, f"truncated: it has {int(len(whole) * share)} of {len(whole)} bytes")

    def test_a_head_without_sense(self, folder: Path) -> None:
        file = folder / "cases.db"
        whole = bytearray(file.read_bytes())
        whole[100:200] = b"\xaa" * 100
        file.write_bytes(whole)
        refused(folder, "damaged")

    def test_pages_overwritten_in_the_middle_are_noticed_when_read(self, folder: Path) -> None:
        file = folder / "cases.db"
        with open_store(file) as store:
            store.append("mine", kuhn_hands(40) * 100)
        whole = bytearray(file.read_bytes())
        middle = len(whole) // 2 // 4096 * 4096
        whole[middle : middle + 40_960] = b"\xaa" * 40_960
        file.write_bytes(whole)
        with open_store(file) as store, pytest.raises(StoreError, match=r"cases\.db is damaged"):
            contents(store, "mine")

    def test_a_folder_in_the_place_of_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "cases.db").mkdir()
        refused(tmp_path, "cannot be opened")

    def test_a_file_in_the_place_of_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "home").write_text("")
        with pytest.raises(StoreError, match="cannot be opened"):
            open_store(tmp_path / "home" / "cases.db")


class TestStrangers:
    def test_a_database_of_another_program(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "cases.db")) as other:
            other.execute("CREATE TABLE recipes (name TEXT)")
            other.commit()
        refused(tmp_path, "another program: it has recipes")

    def test_a_database_of_a_newer_version(self, folder: Path) -> None:
        with closing(sqlite3.connect(folder / "cases.db")) as newer:
            newer.execute(f"INSERT INTO retruco_migrations VALUES ({KNOWN + 1}, 'from_the_future')")
            newer.commit()
        refused(folder, f"newer Retruco: it has taken step {KNOWN + 1}, this one knows {KNOWN}")


class TestMigrations:
    def test_an_older_database_takes_the_steps_it_lacks(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite, "STEPS", (*schema.STEPS, add_remarks))
        monkeypatch.setattr(sqlite, "check_age", lambda place, done: None)
        monkeypatch.setattr(
            sqlite, "migrate", lambda engine: schema.migrate(engine, (*schema.STEPS, add_remarks))
        )
        for _ in range(2):
            with open_store(folder / "cases.db") as store, store.reading() as reader:
                assert schema.taken(reader.connection) == tuple(range(1, KNOWN + 2))
                assert reader.connection.execute(text("SELECT * FROM remarks")).all() == []
                assert len(list(reader.hands(reader.facts("mine")))) == 40

    def test_a_step_that_fails_leaves_the_store_as_it_was(self, folder: Path) -> None:
        engine, _ = sqlite.open_file(folder / "cases.db")
        steps = (*schema.STEPS, add_remarks, add_more_and_fail)
        for _ in range(2):
            with pytest.raises(RuntimeError, match="lights"):
                schema.migrate(engine.execution_options(writes=True), steps)
            with engine.begin() as connection:
                assert schema.taken(connection) == tuple(range(1, KNOWN + 2))
                tables = set(inspect(connection).get_table_names())
                assert {*schema.METADATA.tables, "remarks", "retruco_migrations"} <= tables
                assert "more" not in tables
        engine.dispose()

    def test_an_older_database_that_cannot_be_written_is_refused(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite, "STEPS", (*schema.STEPS, add_remarks))
        with powerless(folder):
            refused(folder, "older Retruco and read-only")


def add_remarks(connection: Connection) -> None:
    connection.execute(text("CREATE TABLE remarks (remark TEXT)"))


def add_more_and_fail(connection: Connection) -> None:
    connection.execute(text("CREATE TABLE more (remark TEXT)"))
    raise RuntimeError("the lights went out")


class TestReadOnly:
    def test_reading_goes_on_and_writing_is_refused(self, folder: Path, tmp_path: Path) -> None:
        # What is imported on first use is imported now: without rights the libraries may be out of reach.
        with open_store(tmp_path / "cases.db") as store:
            store.create("mine", "kuhn", "two-seats")
            store.append("mine", kuhn_hands(40))
            Library(store, vocabulary=lambda game: kuhn_words()).open("mine")
        with powerless(folder):
            before = everything(folder)
            with open_store(folder / "cases.db") as store:
                assert len(contents(store, "mine")) == 40
                base = Library(store, vocabulary=lambda game: kuhn_words()).open("mine")
                assert base.cases.episodes() > 0
                with pytest.raises(StoreError, match=r"cases\.db is read-only"):
                    store.append("mine", kuhn_hands(1))
                with pytest.raises(StoreError, match=r"cases\.db is read-only"):
                    library_of(store).open("baseline")
            assert everything(folder) == before

    def test_a_new_store_cannot_be_made_there(self, folder: Path) -> None:
        with powerless(folder):
            for place in ("other.db", "deeper/cases.db"):
                with pytest.raises(StoreError, match="cannot be opened: Permission denied"):
                    open_store(folder / place)
        assert [file.name for file in folder.iterdir()] == ["cases.db"]

    def test_a_file_alone_that_is_read_only(self, folder: Path) -> None:
        with powerless(folder, folder_too=False), open_store(folder / "cases.db") as store:
            assert store.read_only
            assert store.facts("mine").hands == 40
