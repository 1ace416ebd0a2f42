"""Real faults on real databases: servers killed, disks full, connections cut, others at the same base.

After each of them: what was acknowledged is there, nothing is half there, nothing is there twice.
`docs/faults.md` lists them.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import inspect, make_url, text
from store_hands import contents, go, kuhn_hands, read_to_end, start, truco_hands
from test_store_processes import WRITE

from places import Database, Place
from requirements import is_there
from retruco.cli.commands.learning import LearnOptions
from retruco.cli.learn import begin_run, open_learner
from retruco.learning.checkpoints import Checkpoint, Retained
from retruco.storage import errors, runs
from retruco.storage.errors import StoreError
from retruco.storage.library import Library
from retruco.storage.schema import DEALS, JOURNAL, METADATA, MIGRATIONS, RUNS, STEPS, migrate, taken
from retruco.storage.server import engine_of
from retruco.storage.store import Store, open_store
from retruco.web.core import group_commit
from retruco.web.core.store import Store as Tables
from servers import KINDS, Server, running
from waiting import wait_until

HAND = kuhn_hands(1)[0]
BATCH = 20
ROOM = 3 << 20
"""Bytes left on a disk that is about to be full."""
GONE = f"{errors.AWAY}|cannot be reached|is starting or stopping"


# A server of these tests' own, on a small disk


@contextmanager
def small_disk(size: str) -> Iterator[Path]:
    """A disk that can be filled, where one can be mounted; a folder elsewhere."""
    with tempfile.TemporaryDirectory(prefix="retruco-") as folder:
        disk = Path(folder) / "disk"
        disk.mkdir()
        disk.parent.chmod(0o755)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(disk)]
        mounted = is_there("small_disk")
        if mounted:
            subprocess.run(mount, check=True)
        try:
            yield disk
        finally:
            if mounted:
                subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture(
    scope="module", params=[pytest.param(kind, marks=getattr(pytest.mark, kind)) for kind in KINDS]
)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that may be killed."""
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk("192m"))
        yield stack.enter_context(running(request.param, disk))


@pytest.fixture
def at_server(server: Server, tmp_path: Path) -> Iterator[Place]:
    """A new database at it."""
    database = Database(server.url)
    yield Place(server.name, database.address, tmp_path)
    if server.process is None or server.process.poll() is not None:
        server.start()
    database.drop()


def back_again(server: Server) -> None:
    """Start a server that has ended, and wait for one that recovers by itself."""

    def back() -> bool:
        if server.process is None or server.process.poll() is not None:
            server.start()
        return server.welcome()

    wait_until(back, f"{server.name} comes back")


def check_whole(store: Store, acknowledged: int) -> None:
    """All that was acknowledged is there, once; one more batch may be, whole."""
    numbers = [number for number, _ in contents(store, "mine")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) in (acknowledged, acknowledged + BATCH)
    assert store.facts("mine").hands == len(numbers)
    assert store.append("mine", [HAND]) == range(len(numbers) + 1, len(numbers) + 2)


# The server


def test_a_server_killed_while_somebody_writes(server: Server, at_server: Place) -> None:
    with at_server.open() as store:
        store.create("mine", "kuhn", "two-seats")
    writer = start(WRITE, at_server, HAND.text, str(BATCH), "1000000")
    go(writer)
    assert writer.stdout is not None
    for _ in range(30):
        writer.stdout.readline()
    server.kill()
    out, err = read_to_end(writer)
    acknowledged = BATCH * (30 + sum(line.count(" ") for line in out.splitlines(True) if "\n" in line))
    assert writer.returncode == 1
    assert any(words in err.splitlines()[-1] for words in GONE.split("|")), err
    assert Server.password not in err
    server.start()
    with at_server.open() as store:
        check_whole(store, acknowledged)


def test_a_server_that_goes_away_and_comes_back_is_found_again_by_the_same_store(
    server: Server, at_server: Place
) -> None:
    with at_server.open() as store:
        store.create("mine", "kuhn", "two-seats")
        store.append("mine", [HAND] * BATCH)
        server.kill()
        for attempt in (lambda: store.append("mine", [HAND]), lambda: contents(store, "mine")):
            with pytest.raises(StoreError, match=GONE) as error:
                attempt()
            assert "127.0.0.1" in str(error.value)
            assert Server.password not in str(error.value)
        server.start()
        check_whole(store, BATCH)


def cut(store: Store, other: Store, kind: str) -> None:
    """Begin a change, have its connection cut from outside, and try to go on with it."""
    postgresql = kind == "postgresql"
    who = text(f"SELECT {'pg_backend_pid()' if postgresql else 'CONNECTION_ID()'}")
    with store.writing() as writer:
        writer.append("mine", [HAND] * BATCH)
        number = int(writer.connection.scalar(who) or 0)
        with other.writing() as master:
            end = f"SELECT pg_terminate_backend({number})" if postgresql else f"KILL {number}"
            master.connection.execute(text(end))
        writer.append("mine", [HAND] * BATCH)


def test_a_connection_cut_in_the_middle_of_a_change_leaves_nothing_of_it(at_server: Place) -> None:
    with at_server.open() as store, at_server.open() as other:
        store.create("mine", "kuhn", "two-seats")
        with pytest.raises(StoreError, match=errors.AWAY):
            cut(store, other, at_server.kind)
        check_whole(store, 0)


LEARN = "import sys; from retruco.cli import main; sys.argv[1:] = {args}; main()"


def learner(place: Place, *args: str) -> subprocess.Popen[str]:
    env = {**os.environ, **place.variables}
    command = [sys.executable, "-c", LEARN.format(args=["learn", *args])]
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def wait_for(store: Store, match: int, process: subprocess.Popen[str]) -> None:
    def reached() -> bool:
        try:
            return runs.progress(store, "killed").match >= match
        except StoreError:
            return False  # it has not begun

    wait_until(lambda: process.poll() is not None or reached(), f"the learner reaches match {match}")


@pytest.mark.slow
def test_a_learner_whose_server_is_killed_and_who_is_killed_ends_as_if_nothing_had_happened(
    server: Server, at_server: Place
) -> None:
    """Nothing of what was learnt is lost, and no hand is learnt twice."""
    with at_server.open() as store:
        store.create("few", "truco", "trucogame")
        store.append("few", truco_hands(60))
        first = learner(
            at_server,
            *("--strategy", "BOT4", "--from", "few", "--first", "40", "--seed", "5"),
            *("--into", "killed", "--matches", "5000"),
        )
        wait_for(store, 1, first)
        server.kill()
        _, err = first.communicate(timeout=120)
        assert first.returncode == 2, err
        assert any(words in err for words in GONE.split("|")), err
        server.start()
        second = learner(at_server, "--resume", "--into", "killed", "--matches", "5000")
        wait_for(store, 3, second)
        second.send_signal(signal.SIGKILL)
        second.communicate(timeout=120)
        reached = runs.progress(store, "killed").match
        options = LearnOptions(into="undisturbed", strategy="BOT4", source="few", first=40, seed=5)
        begin_run(Library(store), options)
        for name in ("killed", "undisturbed"):
            open_learner(Library(store), name).run(matches=reached + 1)
        assert store.facts("killed").digest == store.facts("undisturbed").digest
        assert contents(store, "killed") == contents(store, "undisturbed")
        assert runs.progress(store, "killed").standing == runs.progress(store, "undisturbed").standing


# The disk


def fill_up(store: Store, disk: Path) -> tuple[int, str]:
    """Fill a disk but for a little, and write until that is full too; say what was acknowledged and told."""
    ballast = disk / "ballast"
    with ballast.open("wb") as out:
        while (free := os.statvfs(disk)).f_bavail * free.f_frsize > ROOM:
            out.write(bytes(1 << 18))
            out.flush()
    acknowledged = store.facts("mine").hands
    try:
        for _ in range(5_000):
            acknowledged = store.append("mine", [HAND] * BATCH * 50).stop - 1
    except StoreError as error:
        return acknowledged, str(error)
    finally:
        ballast.unlink()
    raise AssertionError("the disk was to be full")


def check_after_full_disk(store: Store, acknowledged: int) -> None:
    numbers = [number for number, _ in contents(store, "mine")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) in (acknowledged, acknowledged + BATCH * 50)
    assert store.append("mine", [HAND]) == range(len(numbers) + 1, len(numbers) + 2)


@pytest.mark.small_disk
def test_a_full_disk_under_a_file() -> None:
    with small_disk("8m") as disk, open_store(disk / "cases.db") as store:
        store.create("mine", "kuhn", "two-seats")
        acknowledged, told = fill_up(store, disk)
        assert told == f"{disk / 'cases.db'} {errors.FULL}"
        check_after_full_disk(store, acknowledged)


@pytest.mark.small_disk
def test_a_full_disk_under_a_web_table(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its log goes on being tidied once there is room again, and what was acknowledged is there."""
    monkeypatch.setattr(group_commit, "TIDYING", 0.01)
    with small_disk("8m") as disk, closing(Tables(disk / "table.sqlite")) as table:
        fill_log(table, disk)
        with pytest.raises(sqlite3.OperationalError, match="full"):
            table.change(lambda base: base.execute("INSERT INTO owner VALUES (?)", ("x" * ROOM,)))
        wait_until(lambda: "cannot be written: the disk is full" in caplog.text, "the full disk is logged")
        (disk / "ballast").unlink()
        wait_until(lambda: (disk / "table.sqlite").stat().st_size > ROOM, "the log is tidied")
        table.change(lambda base: base.execute("INSERT INTO owner VALUES ('after')"))
        assert table.rows("SELECT length(digest) FROM owner") == [(ROOM,), (5,)]


def fill_log(table: Tables, disk: Path) -> None:
    """Have the log hold more than the disk has room for: it cannot be carried over while somebody reads."""
    with closing(sqlite3.connect(disk / "table.sqlite")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM owner").fetchall()
        table.change(lambda base: base.execute("INSERT INTO owner VALUES (?)", ("x" * ROOM,)))
        with (disk / "ballast").open("wb", buffering=0) as out, suppress(OSError):
            while os.statvfs(disk).f_bavail:
                out.write(bytes(4096))


@pytest.mark.small_disk
@pytest.mark.slow
def test_a_full_disk_under_a_server(server: Server, at_server: Place) -> None:
    disk = server.folder.parent
    with at_server.open() as store:
        store.create("mine", "kuhn", "two-seats")
        acknowledged, told = fill_up(store, disk)
        assert any(words in told for words in (errors.FULL, *GONE.split("|"))), told
        back_again(server)
        check_after_full_disk(store, acknowledged)


# Others at the same base


def page(match: int, first: int) -> Checkpoint:
    hand = truco_hands(1)[0]
    return Checkpoint(
        match, first, [Retained(hand.record, hand.seat, "played")], [], {}, {"match": match}, {}, {}, []
    )


def test_of_two_learners_one_is_refused_and_nothing_is_mixed(place: Place) -> None:
    """Both hand in the same match at the same moment, twenty times over."""
    with place.open() as store, place.open() as other:
        store.create("few", "truco", "trucogame")
        store.append("few", truco_hands(3))
        settings = {"plan": {}, "source": "few", "digest": "", "rules": "trucogame"}
        runs.begin(
            Library(store), runs.Start("few", "mine", settings, ""), lambda record, seat, stage: dict(record)
        )
        refused: list[str] = []
        for match in range(20):
            gate = threading.Barrier(2)

            def commit(one: Store, match: int = match, gate: threading.Barrier = gate) -> None:
                gate.wait()
                try:
                    runs.RunSink(one, "mine").commit(page(match, 4 + match))
                except StoreError as error:
                    refused.append(str(error))

            both = [threading.Thread(target=commit, args=(one,)) for one in (store, other)]
            for one in both:
                one.start()
            for one in both:
                one.join()
        assert len(refused) == 20
        assert all("somebody else learns into case base 'mine'" in told for told in refused)
        assert store.facts("mine").hands == 23
        assert runs.progress(store, "mine").match == 20


def test_two_who_want_the_same_name_get_one_base_and_a_clear_word(place: Place) -> None:
    with place.open() as store, place.open() as other:
        told: list[str] = []

        def create(one: Store, name: str, gate: threading.Barrier) -> None:
            gate.wait()
            try:
                one.create(name, "kuhn", "two-seats")
            except StoreError as error:
                told.append(str(error))

        for number in range(10):
            gate = threading.Barrier(2)
            both = [
                threading.Thread(target=create, args=(one, f"base{number}", gate)) for one in (store, other)
            ]
            for one in both:
                one.start()
            for one in both:
                one.join()
        assert len(told) == 10
        assert all("there is already a case base" in one for one in told)
        with store.reading() as reader:
            assert len(reader.bases()) == 10


# Addresses and versions


def test_a_wrong_address_or_password_is_said_without_showing_the_password(server: Server) -> None:
    right = make_url(server.url)
    wrong = {
        "refuses the user or the password|password authentication failed": right.set(password="hidden-word"),
        "has no database of this name|does not exist": right.set(database="nowhere"),
        "cannot be reached": right.set(port=1),
        "cannot be reached.*": right.set(host="nowhere.invalid"),
        "refuses the user|password authentication failed": right.set(username="nobody"),
    }
    for told, url in wrong.items():
        with pytest.raises(StoreError, match=told) as error:
            open_store(url.render_as_string(hide_password=False))
        shown = "".join(map(str, (error.value, error.value.__cause__)))
        assert not any(secret in shown for secret in ("hidden-word", Server.password))


def test_a_user_who_may_only_look_reads_and_is_told_so(server: Server, at_server: Place) -> None:
    with at_server.open() as store:
        store.create("mine", "kuhn", "two-seats")
        store.append("mine", [HAND])
    url = make_url(str(at_server.at))
    grants = (
        ["CREATE ROLE looker LOGIN PASSWORD 'look'", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker"]
        if server.name == "postgresql"
        else [
            "CREATE USER looker@'127.0.0.1' IDENTIFIED BY 'look'",
            f"GRANT SELECT ON {url.database}.* TO looker@'127.0.0.1'",
        ]
    )
    engine = engine_of(url).execution_options(writes=True)
    with engine.begin() as connection:
        for grant in grants:
            connection.execute(text(grant))
    engine.dispose()
    with open_store(url.set(username="looker", password="look").render_as_string(False)) as store:
        assert store.read_only
        assert contents(store, "mine") == [(1, HAND)]
        with pytest.raises(StoreError, match="is read-only: nothing can be changed"):
            store.append("mine", [HAND])


def test_a_store_of_a_newer_version_is_refused(new_place: Place) -> None:
    with new_place.open() as store, store.writing() as writer:
        writer.connection.execute(MIGRATIONS.insert().values(number=len(STEPS) + 1, name="from_the_future"))
    with pytest.raises(StoreError, match=f"newer Retruco: it has taken step {len(STEPS) + 1}"):
        new_place.open()


def test_a_store_of_an_older_version_takes_the_steps_it_lacks(new_place: Place) -> None:
    with new_place.open() as store:
        store.create("mine", "kuhn", "two-seats")
        store.append("mine", [HAND])
        with store.writing() as writer:
            METADATA.drop_all(writer.connection, [JOURNAL, RUNS])
            DEALS.drop(writer.connection)
            writer.connection.execute(MIGRATIONS.delete().where(MIGRATIONS.c.number > 1))
    with new_place.open() as store, store.reading() as reader:
        assert taken(reader.connection) == tuple(range(1, len(STEPS) + 1))
        assert {"deals", "runs", "run_journal"} <= set(inspect(reader.connection).get_table_names())
        assert [one.hand for one in reader.hands(reader.facts("mine"))] == [HAND]


def test_a_step_that_was_cut_off_is_taken_again(at_server: Place) -> None:
    """PostgreSQL takes back what a step has made; MariaDB cannot, and the step finds it made."""
    engine = engine_of(make_url(str(at_server.at))).execution_options(writes=True)

    def cut_off(connection: object) -> None:
        STEPS[0](connection)  # type: ignore[arg-type]
        raise RuntimeError("the lights went out")

    with pytest.raises(RuntimeError, match="lights"):
        migrate(engine, (cut_off, *STEPS[1:]))
    engine.dispose()
    with at_server.open() as store:
        store.create("mine", "kuhn", "two-seats")
        assert store.append("mine", [HAND]) == range(1, 2)


def test_a_database_of_another_program_is_refused_and_left_alone(at_server: Place) -> None:
    engine = engine_of(make_url(str(at_server.at))).execution_options(writes=True)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (name VARCHAR(20))"))
    with pytest.raises(StoreError, match="another program: it has recipes"):
        at_server.open()
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["recipes"]
    engine.dispose()
