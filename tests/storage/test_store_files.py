"""Files that are not what they should be: named, refused, and left as they are."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text
from store_hands import contents, everything, kuhn_hands, kuhn_words

from places import powerless
from retruco.learning.case_bases import library_of
from retruco.storage import schema, sqlite
from retruco.storage.errors import StoreError
from retruco.storage.files import CASE_BASES
from retruco.storage.library import Library
from retruco.storage.store import open_store
from retruco.web.core.store import Store as WebStore

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
        refused(folder, "not an SQLite database, or it is damaged: restore it from a copy")

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

    def test_the_store_of_a_web_table(self, tmp_path: Path) -> None:
        WebStore(tmp_path / "cases.db").close()
        refused(tmp_path, "is the store of a web table, not a store of case bases: name another file")

    def test_the_store_of_a_web_table_without_an_application_id(self, tmp_path: Path) -> None:
        WebStore(tmp_path / "cases.db").close()
        set_application_id(tmp_path / "cases.db", 0)
        refused(tmp_path, "is the store of a web table, not a store of case bases: name another file")

    def test_a_database_with_our_tables_and_the_application_id_of_another_program(self, folder: Path) -> None:
        set_application_id(folder / "cases.db", 77)
        refused(folder, "another program")

    def test_a_case_base_without_an_application_id_is_adopted(self, folder: Path) -> None:
        file = folder / "cases.db"
        set_application_id(file, 0)
        with open_store(file) as store:
            assert store.facts("mine").hands == 40
        with closing(sqlite3.connect(file)) as base:
            assert base.execute("PRAGMA application_id").fetchone() == (CASE_BASES.application_id,)

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


def set_application_id(file: Path, number: int) -> None:
    with closing(sqlite3.connect(file)) as base:
        base.execute(f"PRAGMA application_id = {number}")


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


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A user whose files everybody may read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
class TestPrivacy:
    def test_a_new_store_is_private_from_its_first_moment(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whatever has the right mode in the end, and was never given another one, was made with it."""
        monkeypatch.setattr(os, "chmod", pytest.fail)
        with open_store(tmp_path / "new" / "deeper" / "cases.db") as store:
            store.create("mine", "kuhn", "two-seats")
            store.append("mine", kuhn_hands(1))
            assert modes(tmp_path / "new") == {
                "deeper": 0o700,
                "deeper/cases.db": 0o600,
                "deeper/cases.db-wal": 0o600,
                "deeper/cases.db-shm": 0o600,
            }
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700

    def test_an_old_store_is_closed_to_others_with_its_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        monkeypatch.delenv("RETRUCO_HOME", raising=False)
        monkeypatch.delenv("RETRUCO_DATABASE", raising=False)
        folder = tmp_path / "retruco"
        open_store(folder / "cases.db").close()
        (folder / "cases.db").chmod(0o644)
        folder.chmod(0o755)
        open_store().close()
        assert modes(tmp_path) == {"retruco": 0o700, "retruco/cases.db": 0o600}

    def test_a_folder_that_the_user_named_and_a_file_named_by_address_keep_their_modes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RETRUCO_HOME", str(tmp_path / "home"))
        monkeypatch.delenv("RETRUCO_DATABASE", raising=False)
        (tmp_path / "home").mkdir(0o755)
        open_store().close()
        open_store(f"sqlite:///{tmp_path / 'shared.db'}").close()
        (tmp_path / "shared.db").chmod(0o640)
        open_store(f"sqlite:///{tmp_path / 'shared.db'}").close()
        assert modes(tmp_path) == {"home": 0o755, "home/cases.db": 0o600, "shared.db": 0o640}


def modes(folder: Path) -> dict[str, int]:
    """The rights on everything in a folder."""
    return {str(one.relative_to(folder)): one.stat().st_mode & 0o777 for one in folder.rglob("*")}
