"""Files that the program reads back, damaged: each is named in one line, with what can be done about it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from retruco.arena.blocks import Block, Played, Post, Task
from retruco.arena.journal import JOURNAL
from retruco.arena.pool import run_tasks
from retruco.arena.running import MANIFEST, RESULTS
from retruco.cbr.case_file import read_cases
from retruco.cbr.casebase import CaseBase
from retruco.damage import DamagedFile
from retruco.experiments.base_file import StoredBase, read_base, write_base
from retruco.learning.curve import read_points
from retruco.storage import runs
from retruco.storage.library import Library
from retruco.storage.schema import RUNS
from retruco.storage.store import Store, open_store
from retruco.vocab.truco import VOCABULARY
from shell import typed

GARBAGE = {
    "garbage": b"\x00\xff\xfegarbage" * 50,
    "text": b"hello world\n" * 20,
    "nothing": b"",
    "deep": b"[" * 100_000,
    "a number": b"7\n",
    "a list": b"[7]\n",
    "an object": b"{}\n",
}
some_garbage = pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)

TOURNAMENT = ("tournament", "random", "novice", "--matches", "2", "--target", "4", "--workers", "1")


def refused(file: Path, *command: str) -> None:
    """A command says in one line which file cannot be used."""
    done = typed(*command)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 2, lines
    assert len(lines) == 1
    assert lines[0].startswith("retruco: ")
    assert str(file) in lines[0]


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert typed(*TOURNAMENT, "--out", str(folder)).returncode == 0
    return folder


@pytest.fixture
def run(finished_run: Path, tmp_path: Path) -> Path:
    """A finished run that a test may spoil."""
    shutil.copytree(finished_run, tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path / "home"))


# Runs


@some_garbage
def test_a_manifest_that_is_damaged_is_named(run: Path, garbage: bytes) -> None:
    (run / MANIFEST).write_bytes(garbage)
    refused(run, "report", str(run))


@pytest.mark.parametrize(
    "garbage",
    [
        *(one for name, one in GARBAGE.items() if name != "an object"),
        *(b'{"standing": []}', b'{"experiment": "unknown"}'),
    ],
)
def test_results_that_are_damaged_are_named(run: Path, garbage: bytes) -> None:
    (run / RESULTS).write_bytes(garbage)
    refused(run, "report", str(run))


def test_a_folder_in_the_place_of_results_is_named(run: Path) -> None:
    (run / RESULTS).unlink()
    (run / RESULTS).mkdir()
    refused(run / RESULTS, "report", str(run))


def test_scores_that_are_damaged_are_named_by_their_block(run: Path) -> None:
    (run / JOURNAL).write_text((run / JOURNAL).read_text().replace('"counts"', '"couNts"'))
    refused(run / JOURNAL, *TOURNAMENT, "--out", str(run), "--resume")


# Bases in files, and curves


@some_garbage
def test_a_base_in_a_file_that_is_damaged_is_named(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / "BOT1.npz").write_bytes(garbage)
    with pytest.raises(DamagedFile, match=r"BOT1\.npz is damaged.*restore it from a copy"):
        read_base(tmp_path / "BOT1.npz", CaseBase(VOCABULARY))
    with pytest.raises(DamagedFile, match=r"BOT1\.npz is damaged.*install Retruco again"):
        read_cases(tmp_path / "BOT1.npz", VOCABULARY)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_base_in_a_file_is_named(tmp_path: Path, share: float) -> None:
    file = tmp_path / "BOT1.npz"
    write_base(file, StoredBase(CaseBase(VOCABULARY), {}, {}))
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(DamagedFile, match=r"BOT1\.npz is damaged"):
        read_base(file, CaseBase(VOCABULARY))


def read_in_worker(task: Task, post: Post) -> list[Played]:
    raise DamagedFile("BOT1.npz is damaged: restore it")


def test_a_damaged_file_that_a_worker_reads_is_told_as_one_line_and_not_as_a_traceback() -> None:
    with pytest.raises(DamagedFile, match=r"^BOT1\.npz is damaged: restore it$"):
        list(run_tasks(read_in_worker, [Task((Block(0, (), 0, 1),))], 1))


@pytest.mark.parametrize("name", ["garbage", "nothing", "deep", "a number", "a list", "text"])
def test_a_curve_that_is_damaged_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "curve.json").write_bytes(GARBAGE[name])
    with pytest.raises(DamagedFile, match=r"curve\.json is damaged.*move it away to begin a new curve"):
        read_points(tmp_path / "curve.json")


# Files that a user hands in


@some_garbage
def test_hands_and_deals_that_cannot_be_read_are_named(tmp_path: Path, garbage: bytes) -> None:
    file = tmp_path / "hands"
    file.write_bytes(garbage)
    refused(file, "cases", "import", str(file), "--into", "mine")
    refused(file, "cases", "import-deals", str(file), "--into", "mine")
    if garbage:
        refused(file, "replay", str(file))


# Runs of learning in the store


@pytest.fixture
def learning(tmp_path: Path) -> Iterator[Store]:
    """A store with a run of learning that has begun."""
    with open_store(tmp_path / "cases.db") as store:
        store.create("few", "truco", "trucogame")
        settings = {"plan": {}, "source": "few", "digest": "", "rules": "trucogame"}
        start = runs.Start("few", "mine", settings, "")
        runs.begin(Library(store), start, lambda record, seat, stage: dict(record))
        yield store


@pytest.mark.parametrize(
    "values", [{"settings": "{"}, {"settings": "{}"}, {"settings": "7"}, {"state": b"garbage"}]
)
def test_a_run_of_learning_that_is_damaged_is_named(learning: Store, values: dict[str, object]) -> None:
    assert runs.progress(learning, "mine").match == 0
    with learning.writing() as writer:
        writer.connection.execute(RUNS.update().values(**values))
    with pytest.raises(
        DamagedFile, match=r"cases\.db: the run of case base 'mine' is damaged.*learn into another"
    ):
        runs.progress(learning, "mine")
