"""Imports and the study as a user types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from shell import typed

# The tables of hands are made in one place, for the tests of several rooms.
sys.path.insert(0, str(Path(__file__).parent.parent / "storage"))
from trucogame_tables import lines, write_all


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_all(tmp_path_factory.mktemp("tables"), lines(matches=4))


def retruco(home: Path, *args: object) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, on a machine without the published hands."""
    with mock.patch.dict(os.environ, {"RETRUCO_HOME": str(home)}):
        os.environ.pop("RETRUCO_TRUCOGAME", None)
        done = typed(*map(str, args))
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_an_import_is_told_in_counts_and_reported_in_full(
    home: Path, files: dict[str, Path], tmp_path: Path
) -> None:
    report = tmp_path / "report.jsonl"
    done = retruco(home, "cases", "import", files["dump"], "--into", "mine", "--report", report)
    assert done.returncode == 0, done.stderr
    assert "rules trucogame" in done.stdout.splitlines()[0]
    assert "0 refused" in done.stdout.splitlines()[1]
    counts = json.loads(report.read_text().splitlines()[-1])
    assert counts["hands"] == counts["rows"] > 0


def test_the_report_can_be_a_table(home: Path, files: dict[str, Path], tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    done = retruco(
        home,
        "cases",
        "import",
        files["32"],
        "--into",
        "poor",
        "--complete-from",
        files["141"],
        "--report",
        report,
    )
    assert done.returncode == 0, done.stderr
    assert "| mirrored |" in report.read_text()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("cases", "import", "/no/such/file", "--into", "x"), "No such file"),
        (("cases", "import", "/dev/null", "--into", "x"), "the file is empty"),
        (("cases", "import", "/dev/null", "--into", "a name"), "cannot name a case base"),
        (("cases", "import-deals", "/dev/null"), "is not JSON"),
        (("duel", "random", "random", "--deals", "nothing", "--matches", "1"), "unknown deals 'nothing'"),
        (("study", "agreement", "--cases", "human"), "there is no case base 'human': set RETRUCO_TRUCOGAME"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_code_2(home: Path, args: tuple[str, ...], message: str) -> None:
    done = retruco(home, *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_duel_says_which_cases_and_deals_it_used(home: Path, tmp_path: Path) -> None:
    cards = {f"carta{n}": code for n, code in enumerate((24, 16, 1, 12, 7, 2), 1)}
    suits = {f"naipeCarta{n}": "OURO" for n in range(1, 7)}
    (tmp_path / "few.json").write_text(json.dumps([cards | suits]))
    assert retruco(home, "cases", "import-deals", tmp_path / "few.json").returncode == 0
    done = retruco(
        home, "duel", "random", "random", "--matches", 1, "--deals", "few", "--workers", 1, "--json"
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["rules"], told["cases"], told["deals"]) == ("trucogame", None, "few")
