"""The file of the web table: private, known by its kind, refused by name when damaged, tidied whatever happens."""

import logging
import os
import resource
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from serving import GENEROUS, cases_of, free_port, registry_of
from visitors import Visitor

from places import powerless
from retruco.storage.errors import StoreError
from retruco.storage.files import WEB_TABLE
from retruco.storage.store import open_store
from retruco.web.core import group_commit
from retruco.web.core.admin_key import new_key
from retruco.web.core.app import create_app
from retruco.web.core.server import TableServer
from retruco.web.core.settings import Settings
from retruco.web.core.store import Store
from shell import typed
from waiting import wait_until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The store of a web table, closed."""
    Store(tmp_path / "table.sqlite").close()
    return tmp_path / "table.sqlite"


def refused(file: Path, words: str) -> None:
    """The command says in one line what is wrong, and leaves the file as it is."""
    before = file.read_bytes() if file.is_file() else None
    done = typed("serve", "--store", str(file), "--no-browser", "--port", str(free_port()))
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 2, lines
    assert len(lines) == 1
    assert f"retruco: {file} {words}" in lines[0]
    assert (file.read_bytes() if file.is_file() else None) == before


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of the test's own, and no server that would start."""
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(TableServer, "run", lambda server: pytest.fail("it was opened"))
    before = os.umask(0o022)
    yield tmp_path / "home"
    os.umask(before)


# What is refused


def test_a_text_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("truco! " * 100)
    refused(tmp_path / "notes", "is not an SQLite database, or it is damaged: restore it from a copy")


@pytest.mark.parametrize("size", [0, 7, 50])
def test_a_file_with_almost_nothing_left_is_refused(file: Path, size: int) -> None:
    file.write_bytes(file.read_bytes()[:size])
    refused(file, f"is truncated to {size} bytes")


def test_a_truncated_file_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:9000])
    refused(file, f"is truncated: it has 9000 of {len(whole)} bytes")


def test_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "folder", "cannot be opened: it is a folder")
    refused(tmp_path / "pipe", "cannot be opened: it is not a file")


def test_a_case_base_is_refused_and_gets_no_tables(tmp_path: Path) -> None:
    open_store(tmp_path / "cases.db").close()
    refused(
        tmp_path / "cases.db", "is a store of case bases, not the store of a web table: name another file"
    )


def test_a_case_base_without_an_application_id_is_refused(tmp_path: Path) -> None:
    open_store(tmp_path / "cases.db").close()
    change(tmp_path / "cases.db", "PRAGMA application_id = 0")
    refused(tmp_path / "cases.db", "is a store of case bases")


def test_the_place_of_the_case_bases_is_refused_even_when_empty(own_home: Path) -> None:
    refused(own_home / "cases.db", "is where case bases are kept: --store takes another file")


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    change(tmp_path / "recipes", "CREATE TABLE recipes (name TEXT)")
    refused(tmp_path / "recipes", "is a database of another program: it has recipes")


def test_a_store_of_a_newer_version_is_refused(file: Path) -> None:
    change(file, "PRAGMA user_version = 99")
    refused(file, "was made by a newer Retruco: its matches are of version 99, this one knows")


def test_damaged_pages_are_noticed_at_the_start(file: Path) -> None:
    spoil(file, 3)
    refused(file, "is damaged: restore it from a copy")


def test_a_read_only_file_is_refused() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.sqlite"
        Store(file).close()
        with powerless(file.parent), pytest.raises(StoreError) as error:
            Store(file)
    assert str(error.value) == f"{file} is read-only: a web table must write to it and into its folder"


def test_a_store_without_an_application_id_is_adopted(file: Path) -> None:
    change(file, "PRAGMA application_id = 0")
    Store(file).close()
    with closing(sqlite3.connect(file)) as base:
        assert base.execute("PRAGMA application_id").fetchone() == (WEB_TABLE.application_id,)


def change(file: Path, command: str) -> None:
    with closing(sqlite3.connect(file)) as base:
        base.execute(command)
        base.commit()


def spoil(file: Path, first: int) -> None:
    """Overwrite all pages from one on."""
    whole = file.read_bytes()
    file.write_bytes(whole[: first * 4096] + b"\xaa" * (len(whole) - first * 4096))


def test_pages_damaged_later_give_a_plain_answer_and_one_line_in_the_log(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(file, limits=GENEROUS)
    with TestClient(create_app(settings, cases_of), base_url="http://localhost") as client:
        assert client.get("/me").status_code == 200
        change(file, "PRAGMA wal_checkpoint(TRUNCATE)")
        spoil(file, 1)
        registry_of(client).store.change(lambda base: base.execute("PRAGMA user_version"))
        answer = client.get("/me", headers={"Accept-Language": "en"})
    assert answer.status_code == 503
    assert "cannot read or write its store" in answer.text
    lines = [one for one in caplog.messages if "is damaged" in one]
    assert lines[0].startswith(f"{file} is damaged: restore it from a copy")


def test_a_damaged_case_base_gives_a_plain_answer_and_one_line_in_the_log(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cases, key = file.with_name("cases.db"), new_key(file)
    cases.write_text("garbage " * 100)
    settings = Settings(file, limits=GENEROUS, cases=cases)
    with TestClient(create_app(settings, cases_of), base_url="http://localhost") as client:
        owner = Visitor(client)
        assert owner.post("/api/laboratory/key", {"key": key}).status_code == 200
        answer = owner.get("/api/laboratory/bases")
    assert answer.status_code == 503
    assert answer.json()["error"] == "storage"
    assert any(one.startswith(f"{cases} is not an SQLite database") for one in caplog.messages)


# Private files


def test_a_new_store_is_private_from_its_first_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has the right mode in the end, and was never given another one, was made with it."""
    os.umask(0)
    monkeypatch.setattr(os, "chmod", pytest.fail)
    store = Store(tmp_path / "new" / "table.sqlite")
    store.change(lambda base: base.execute("INSERT INTO owner VALUES ('x')"))
    assert modes(tmp_path) == {
        "new": 0o700,
        "new/table.sqlite": 0o600,
        "new/table.sqlite-wal": 0o600,
        "new/table.sqlite-shm": 0o600,
    }
    store.close()


def test_the_files_of_an_older_version_are_closed_to_others(tmp_path: Path) -> None:
    store = Store(tmp_path / "table.sqlite")
    store.change(lambda base: base.execute("INSERT INTO owner VALUES ('x')"))
    (tmp_path / "laboratory" / "job").mkdir(parents=True)
    tmp_path.chmod(0o755)
    for one in tmp_path.iterdir():
        one.chmod(0o755 if one.is_dir() else 0o644)
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    with TestClient(create_app(settings, cases_of), base_url="http://localhost"):
        found = modes(tmp_path)
    store.close()
    assert {name: mode for name, mode in found.items() if mode & 0o077} == {"laboratory/job": 0o755}
    assert found["table.sqlite"] == found["table.sqlite-wal"] == found["table.sqlite-shm"] == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_server_writes_for_its_owner_alone_and_closes_old_case_bases(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_a_file(server: TableServer) -> None:
        (own_home / "laboratory").mkdir()
        (own_home / "laboratory" / "log.txt").touch()

    monkeypatch.setattr(TableServer, "run", write_a_file)
    # To set up its log, a server closes all handlers of this process. OpenSpiel's, if a test before this one
    # has imported it, writes to what pytest captures, and closes that too.
    monkeypatch.setattr("logging.config.dictConfig", lambda config: None)
    open_store(own_home / "cases.db").close()
    (own_home / "cases.db").chmod(0o644)
    done = typed("serve", "--no-browser", "--port", str(free_port()))
    assert done.returncode == 0, done.stderr
    assert modes(own_home) == {
        "cases.db": 0o600,
        "table.sqlite": 0o600,
        "laboratory": 0o700,
        "laboratory/log.txt": 0o600,
    }


def modes(folder: Path) -> dict[str, int]:
    """The rights on everything in a folder."""
    return {str(one.relative_to(folder)): one.stat().st_mode & 0o777 for one in folder.rglob("*")}


# Tidying


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    """A disk on which no file can grow beyond some bytes: what is written past them fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_the_log_is_tidied_again_after_the_disk_was_full(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(group_commit, "TIDYING", 0.01)
    caplog.set_level(logging.WARNING, "retruco.web")
    size = file.stat().st_size
    store = Store(file)
    with no_file_larger_than(size):
        store.change(lambda base: base.execute("INSERT INTO owner VALUES (?)", ("x" * (size // 2),)))
        wait_until(lambda: any("the log of matches grows" in one for one in caplog.messages), "it is logged")
        assert file.stat().st_size == size
    wait_until(lambda: file.stat().st_size > size, "the log is tidied")
    wait_until(
        lambda: any("carried over into the store again" in one for one in caplog.messages), "it is logged"
    )
    assert sum("the log of matches grows" in one for one in caplog.messages) == 1
    store.close()


def test_a_change_for_which_there_is_no_room_is_taken_back_and_the_next_one_succeeds(file: Path) -> None:
    store = Store(file)
    pages = store.change(lambda base: base.execute("PRAGMA max_page_count = 1").fetchone())[0]
    with pytest.raises(sqlite3.OperationalError, match="database or disk is full"):
        store.change(lambda base: base.execute("INSERT INTO owner VALUES (?)", ("x" * 100_000,)))
    store.change(lambda base: base.execute(f"PRAGMA max_page_count = {pages + 100}").fetchone())
    store.change(lambda base: base.execute("INSERT INTO owner VALUES ('small')"))
    assert store.rows("SELECT digest FROM owner") == [("small",)]
    store.close()
