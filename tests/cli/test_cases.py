"""Case bases as users type them: what is printed, what is written, what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from retruco.cli import main
from retruco.learning.euchre.embedded import EUCHRE
from retruco.learning.truco.embedded import baseline_hands
from retruco.storage.library import Library
from retruco.storage.reading import Facts
from retruco.storage.store import open_store


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two bases of Truco and an empty one."""
    folder = tmp_path_factory.mktemp("home")
    hands = list(islice(baseline_hands(), 90))
    with open_store(folder / "cases.db") as store:
        store.create("mine", "truco", "trucogame", "for the tests", "today")
        store.append("mine", hands[:60])
        store.create("more", "truco", "trucogame")
        store.append("more", hands[60:])
        store.create("empty", "truco", "cbtg")
        Library(store).open("mine")
        store.create("cards", "kuhn", "two-seats")
    return folder


class Run(NamedTuple):
    """What a command did."""

    returncode: object
    stdout: str
    stderr: str


class Shell(Protocol):
    """Runs a command in a data folder."""

    def __call__(self, home: Path, *args: str) -> Run: ...


@pytest.fixture
def retruco(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    """The command line as a user starts it in an empty folder, but in this process, to be quick."""

    def run(home: Path, *args: str) -> Run:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("RETRUCO_HOME", str(home))
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setattr(sys, "argv", ["retruco", *args])
        with pytest.raises(SystemExit) as left:
            main()
        return Run(left.value.code or 0, *capfd.readouterr())

    return run


def bases(home: Path) -> tuple[Facts, ...]:
    with open_store(home / "cases.db") as store, store.reading() as reader:
        return reader.bases()


@pytest.mark.slow
def test_the_command_is_there_for_users(home: Path) -> None:
    """A real process: a list takes no time, nothing heavy is imported for it."""
    code = (
        "import sys, atexit; from retruco.cli import main; "
        "atexit.register(lambda: print([one for one in ('numba', 'sklearn') if one in sys.modules])); main()"
    )
    env = {**os.environ, "RETRUCO_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", code, "cases", "list"], env=env, text=True, capture_output=True, check=True
    )
    assert done.stdout.startswith("cases ")
    assert done.stdout.endswith("[]\n")


def test_list_names_every_base_and_the_embedded_ones_without_making_them(home: Path, retruco: Shell) -> None:
    done = retruco(home, "cases", "list")
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == [
        "cases",
        "baseline",
        "cards",
        "casey",
        "casey-tables",
        "empty",
        "euchre",
        "kuhn",
        "maestro",
        "mine",
        "more",
    ]
    assert "made on first use" in " ".join(done.stdout.split())
    assert max(map(len, lines)) <= 80


def test_a_base_that_comes_with_the_program_is_described_and_never_stored(home: Path, retruco: Shell) -> None:
    before = bases(home)
    info = json.loads(retruco(home, "cases", "info", "euchre", "--json").stdout)
    assert (info["game"], info["rules"], info["hands"], info["synthetic"]) == (
        "euchre",
        "stick",
        EUCHRE.hands,
        True,
    )
    assert info["rows"]["lead"] == 4 * EUCHRE.hands
    assert info["fixed"] is True
    assert bases(home) == before


@pytest.mark.slow
def test_info_says_how_many_rows_and_clusters(home: Path, retruco: Shell) -> None:
    info = json.loads(retruco(home, "cases", "info", "mine", "--json").stdout)
    assert info["name"] == "mine"
    assert (info["game"], info["rules"], info["hands"]) == ("truco", "trucogame", 60)
    assert info["synthetic"] is True
    assert info["origin"] == {"synthetic": 60}
    assert info["vocabulary"] == 1
    assert len(info["rows"]) == len(info["clusters"]) == 15
    for scenario, rows in info["rows"].items():
        clusters = info["clusters"][scenario]
        assert len(clusters["sizes"]) == clusters["k"]
        assert sum(clusters["sizes"]) == (0 if scenario == "flor" else rows)
    shown = retruco(home, "cases", "info", "mine").stdout
    assert "60 synthetic hands of truco, rules trucogame: for the tests" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


def test_an_empty_base_can_be_described(home: Path, retruco: Shell) -> None:
    assert json.loads(retruco(home, "cases", "info", "empty", "--json").stdout)["hands"] == 0
    assert "no hands" in retruco(home, "cases", "info", "empty").stdout
    assert "has no hands" in retruco(home, "cases", "clusters", "empty").stderr


def test_what_export_writes_replay_reads(home: Path, retruco: Shell, tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    assert retruco(home, "cases", "export", "mine", "--format", "jsonl", "--out", str(file)).returncode == 0
    assert retruco(home, "cases", "export", "mine").stdout == file.read_text()
    assert os.listdir(tmp_path) == ["hands.jsonl"]
    written = [json.loads(line) for line in file.read_text().splitlines()]
    replayed = retruco(home, "replay", str(file))
    assert replayed.returncode == 0, replayed.stderr
    played = [json.loads(line) for line in replayed.stdout.splitlines()]
    assert [hand["id"] for hand in written] == list(range(1, 61))
    for hand, end in zip(written, played, strict=True):
        assert end["over"]
        assert hand["result"]["points"] == end["points"]
        assert hand["result"]["origin"] == "synthetic"
        assert hand["result"]["seat"] in (0, 1)


@pytest.mark.slow
def test_clusters_are_shown_and_their_elbows_drawn(home: Path, retruco: Shell, tmp_path: Path) -> None:
    done = retruco(home, "cases", "clusters", "mine")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    for word in ("card-1-lead", "truco-3-follow", "what it is like", "won", "points"):
        assert word in done.stdout
    picture = (tmp_path / "clusters-mine" / "elbows.svg").read_text()
    assert picture.count("K = ") == 14
    assert "Elbows of mine (synthetic)" in picture
    retruco(home, "cases", "clusters", "mine", "--out", str(tmp_path / "again"))
    assert (tmp_path / "again" / "elbows.svg").read_text() == picture


def test_bases_are_copied_renamed_merged_and_deleted(home: Path, retruco: Shell) -> None:
    steps = [
        (("copy", "mine", "a"), "a: 60 synthetic hands"),
        (("rename", "a", "b.2"), "b.2: 60 synthetic hands"),
        (("merge", "b.2", "more", "--into", "all"), "all: 90 synthetic hands"),
        (("delete", "b.2", "--yes"), "deleted b.2, 60 synthetic hands"),
        (("delete", "all", "--yes"), "deleted all, 90 synthetic hands"),
    ]
    for args, told in steps:
        done = retruco(home, "cases", *args)
        assert done.returncode == 0, done.stderr
        assert told in done.stdout


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["info", "nobody"], "unknown case base 'nobody': one of baseline, cards, empty, mine, more"),
        (["export", "nobody"], "unknown case base 'nobody'"),
        (["export", "mine", "--format", "xml"], "unknown format 'xml': one of jsonl, csv, parquet"),
        (["export", "mine", "--out", "no/such/folder/hands.jsonl"], "no/such/folder/hands.jsonl"),
        (["export", "mine", "--out", "."], "directory"),
        (["copy", "nobody", "a"], "unknown case base 'nobody'"),
        (["copy", "mine", "more"], "already a case base 'more'"),
        (["copy", "mine", "a b"], "letters, digits and . _ -"),
        (["copy", "mine", "x" * 61], "at most 60"),
        (["copy", "mine", "baseline"], "embedded base"),
        (["rename", "mine", "more"], "already a case base 'more'"),
        (["rename", "baseline", "mine2"], "embedded base and cannot be renamed: it can only be copied"),
        (["delete", "baseline", "--yes"], "embedded base and cannot be deleted: it can only be copied"),
        (["delete", "mine"], "needs --yes"),
        (["delete", "nobody", "--yes"], "unknown case base 'nobody'"),
        (["merge", "mine", "--into", "c"], "two or more"),
        (["merge", "mine", "mine", "--into", "c"], "different"),
        (["merge", "mine", "cards", "--into", "c"], "different games"),
        (["merge", "mine", "nobody", "--into", "c"], "unknown case base 'nobody'"),
        (["merge", "mine", "more", "--into", "empty"], "already a case base 'empty'"),
        (["merge", "mine", "more", "--into", "baseline"], "embedded base"),
        (["clusters", "mine", "--out", "/dev/null/x"], "/dev/null"),
        (
            ["clusters", "euchre"],
            "'euchre' has no clusters: it comes with the program, as cases without clusters",
        ),
        (["export", "euchre"], "'euchre' comes with the program as cases without hands"),
        (["copy", "euchre", "c"], "'euchre' comes with the program"),
        (["delete", "euchre", "--yes"], "'euchre' comes with the program"),
        (["rename", "euchre", "c"], "'euchre' comes with the program"),
        (["merge", "euchre", "mine", "--into", "c"], "'euchre' comes with the program"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_input_is_named_and_refused(
    home: Path, retruco: Shell, tmp_path: Path, args: list[str], told: str
) -> None:
    before = bases(home)
    done = retruco(home, "cases", *args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert bases(home) == before
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_kept_when_the_base_is_not(
    home: Path, retruco: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text("precious\n")
    assert retruco(home, "cases", "export", "nobody", "--out", str(file)).returncode == 2
    assert file.read_text() == "precious\n"


def test_a_damaged_store_is_one_line_on_stderr(retruco: Shell, tmp_path: Path) -> None:
    (tmp_path / "cases.db").write_text("not a database, but long enough to look like one" * 10)
    for command in (["list"], ["info", "baseline"], ["delete", "mine", "--yes"]):
        done = retruco(tmp_path, "cases", *command)
        assert done.returncode == 2
        assert f"{tmp_path / 'cases.db'} is not an SQLite database" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("way", ["use", "competence", "harm"])
def test_a_smaller_base_keeps_hands_under_their_numbers_and_says_what_it_can_do(
    way: str, home: Path, retruco: Shell
) -> None:
    before, out = bases(home), f"smaller-{way}"
    arguments = ("cases", "maintain", "mine", "--by", way, "--keep", "25%", "--matches", "1", "--json")
    dry = json.loads(retruco(home, *arguments, "--dry-run").stdout)
    assert bases(home) == before
    made = json.loads(retruco(home, *arguments, "--out", out).stdout)
    assert {**made, "out": None, "seconds": 0} == {**dry, "seconds": 0}
    assert (made["hands"], made["kept"], made["by"]) == (60, 15, way)
    low, high = made["competence"]["same"]["ci95"]
    assert 0 <= low < made["competence"]["same"]["share"] < high <= 1
    with open_store(home / "cases.db") as store:
        whole, some = dict(store.hands("mine")), dict(store.hands(out))
        assert some.items() <= whole.items()
        assert len(some) == 15
        rows = {one: Library(store).open(out).cases.count(one) for one in made["rows"]}
        assert rows == {one: counts["after"] for one, counts in made["rows"].items()}
        assert store.facts(out).note == f"15 of 60 hands of mine kept by {way}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--by", "age", "--keep", "5"), "unknown way to forget 'age': one of use, competence, harm, chance"),
        (
            ("--by", "use", "--keep", "lots", "--dry-run"),
            "--keep must be a share such as 0.2 or 20%, or a number of hands, not 'lots'",
        ),
        (
            ("--by", "use", "--keep", "61", "--dry-run"),
            "--keep 61 keeps 61 hands: the base has 60, keep 1 to 60",
        ),
        (("--by", "use", "--keep", "0.001", "--dry-run"), "--keep 0.001 keeps 0 hands"),
        (("--by", "use", "--keep", "5", "--out", "more"), "there is already a case base 'more'"),
        (("--by", "use", "--keep", "5", "--out", "a b"), "'a b' cannot name a case base"),
        (("--by", "use", "--keep", "5"), "a smaller base needs a name: --out NEW, or --dry-run"),
        (("--by", "use", "--keep", "5", "--matches", "0"), "--matches must be at least 1, not 0"),
    ],
)
def test_what_cannot_be_maintained_is_refused_in_a_line(
    arguments: tuple[str, ...], message: str, home: Path, retruco: Shell
) -> None:
    done = retruco(home, "cases", "maintain", "mine", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_recorded_hands_of_a_duel_are_imported_by_agent(home: Path, retruco: Shell, tmp_path: Path) -> None:
    records = str(tmp_path / "hands.jsonl")
    retruco(home, "duel", "balanced", "novice", "--matches", "1", "--records", records, "--workers", "1")
    done = retruco(home, "cases", "import", records, "--into", "recorded", "--seat", "novice")
    hands = len(Path(records).read_text().splitlines())
    assert done.stdout == (
        f"recorded: {hands} hands of truco, rules trucogame: imported from hands.jsonl, the view of novice\n"
    )
    refused = retruco(home, "cases", "import", records, "--into", "again")
    assert (
        "whose view is the hand? Choose with --seat 0, 1, both, winner or an agent's name" in refused.stderr
    )
