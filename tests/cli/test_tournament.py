"""Tournaments, tables and reports as a user runs them: real processes, killed for real."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from retruco.cli import main
from shell import hear_ctrl_c, typed
from waiting import wait_until

COMMAND = [sys.executable, "-c", "from retruco.cli import main; main()"]

OWN = """
import pathlib, time
HERE = pathlib.Path(__file__).parent
class Patient:
    def decide(self, observation, chance):
        return observation.legal[0]
class Hasty:
    def decide(self, observation, chance):
        return observation.legal[-1]
class Waiting(Patient):
    # Decides nothing while the journal has more lines than the file `limit` allows.
    def decide(self, observation, chance):
        limit, journal = HERE / "limit", HERE / "rough" / "played.jsonl"
        while limit.exists() and len(journal.read_bytes().splitlines()) > len(limit.read_bytes()):
            time.sleep(0.01)
        return observation.legal[0]
class Asleep:
    def decide(self, observation, chance):
        time.sleep(60)
class Broken:
    def decide(self, observation, chance):
        raise RuntimeError("out of ideas")
"""


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Run a command that must fail, in this process, and give what it complains of."""
    with mock.patch.object(sys, "argv", ["retruco", *args]), pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


def retruco(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=120, check=False)


def alone(*args: str) -> subprocess.CompletedProcess[str]:
    """The same in this process, on one worker: to be quick, where it does not matter."""
    done = typed(*args, "--workers", "1")
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    return str(file)


@pytest.fixture
def field(own: str) -> list[str]:
    """A tournament that can be held up, so that it is not over when it is disturbed."""
    return ["random", f"{own}:Waiting", f"{own}:Hasty", "--game", "kuhn", "--matches", "20", "--seed", "3"]


def results(folder: Path) -> bytes:
    return (folder / "results.json").read_bytes()


def wait_for_blocks(folder: Path, count: int) -> None:
    """Let a tournament play a few blocks more than so many, and wait until it has."""
    (folder.parent / "limit").write_bytes(b"|" * (count + 2))
    journal = folder / "played.jsonl"
    wait_until(
        lambda: journal.exists() and journal.read_bytes().count(b"\n") > count,
        f"the run plays {count} blocks",
    )


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(one) for one in listed.split()]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class TestSameBytes:
    @pytest.mark.slow
    def test_killed_workers_a_killed_run_and_ctrl_c_leave_the_bytes_of_an_undisturbed_run(
        self, tmp_path: Path, field: list[str]
    ) -> None:
        calm, rough = tmp_path / "calm", tmp_path / "rough"
        assert retruco("tournament", *field, "--workers", "1", "--out", str(calm)).returncode == 0

        # A worker is killed, then the whole run, as by the kernel.
        (tmp_path / "limit").write_bytes(b"")
        run = subprocess.Popen([*COMMAND, "tournament", *field, "--workers", "2", "--out", str(rough)])
        wait_for_blocks(rough, 1)
        workers = children(run.pid)
        os.kill(workers[0], signal.SIGKILL)
        wait_for_blocks(rough, 4)
        workers = children(run.pid)
        run.send_signal(signal.SIGKILL)
        run.wait()
        kept = (rough / "played.jsonl").read_bytes()
        assert not (rough / "results.json").exists()

        # It is taken up, and stopped again by Ctrl-C.
        again = [*COMMAND, "tournament", *field, "--workers", "3", "--out", str(rough), "--resume"]
        stopped = subprocess.Popen(again, stderr=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c)
        wait_for_blocks(rough, kept.count(b"\n") + 2)
        stopped.send_signal(signal.SIGINT)
        (tmp_path / "limit").unlink()
        assert "--resume" in stopped.communicate()[1]
        assert stopped.returncode == 130

        done = retruco(*again[3:])
        assert done.returncode == 0, done.stderr
        assert results(rough) == results(calm)
        numbers = [
            json.loads(line)["block"]["number"]
            for line in (rough / "played.jsonl").read_text().splitlines()[1:]
        ]
        assert sorted(numbers) == list(range(len(numbers)))

        # The workers of the killed run have noticed that they are orphans.
        wait_until(lambda: not any(map(is_alive, workers)), "the orphans end")

    def test_a_finished_run_taken_up_again_plays_nothing_and_stays_the_same(
        self, tmp_path: Path, own: str
    ) -> None:
        args = ["tournament", "random", f"{own}:Patient", "--game", "kuhn", "--matches", "3", "--out"]
        assert alone(*args, str(tmp_path / "run")).returncode == 0
        before, played = results(tmp_path / "run"), (tmp_path / "run" / "played.jsonl").read_bytes()
        assert alone(*args, str(tmp_path / "run"), "--resume").returncode == 0
        assert (results(tmp_path / "run"), (tmp_path / "run" / "played.jsonl").read_bytes()) == (
            before,
            played,
        )

    @pytest.mark.slow
    def test_a_duel_is_the_same_on_any_number_of_workers(self) -> None:
        told = [
            json.loads(
                retruco("duel", "random", "novice", "--matches", "7", "--json", "--workers", count).stdout
            )
            for count in ("1", "2")
        ]
        for one in told:
            del one["seconds"], one["thinking"]
        assert told[0] == told[1]


class TestTournament:
    @pytest.mark.slow
    def test_it_prints_and_keeps_everything(self, tmp_path: Path, own: str) -> None:
        names = ["random", f"{own}:Patient", f"{own}:Broken"]
        done = retruco(
            "tournament", *names, "--game", "kuhn", "--matches", "3", "--out", str(tmp_path), "--records"
        )
        assert done.returncode == 0, done.stderr
        assert "forfeit:" in done.stdout
        assert "out of ideas" in done.stdout
        kept = {path.name for path in tmp_path.iterdir()}
        assert {"results.json", "manifest.json", "report.md", "report.html", "hands.jsonl", "plots"} <= kept
        replayed = typed("replay", str(tmp_path / "hands.jsonl"))
        assert replayed.returncode == 0
        told = [json.loads(line)["result"] for line in (tmp_path / "hands.jsonl").read_text().splitlines()]
        again = [json.loads(line) for line in replayed.stdout.splitlines()]
        assert [{key: one[key] for key in told[0]} for one in again] == told
        manifest = json.loads((tmp_path / "manifest.json").read_text())
        assert manifest["seconds"] >= 0
        assert "seconds" not in (tmp_path / "results.json").read_text()

    def test_json_is_one_object_on_standard_output(self) -> None:
        done = alone("tournament", "random", "novice", "--matches", "2", "--target", "2", "--json")
        assert json.loads(done.stdout)["matches"] == 4
        assert done.stderr == ""

    @pytest.mark.parametrize(
        ("args", "told"),
        [
            (["random", "nobody"], "unknown agent 'nobody'"),
            (["random"], "at least 2 agents"),
            (["random", "novice", "random"], "'random' is entered twice"),
            (["random", "novice", "--workers", "0"], "--workers must be at least 1"),
            (["random", "novice", "--matches", "0"], "--matches must be at least 1"),
            (["random", "novice", "--move-time", "-1"], "--move-time must be above 0"),
            (["random", "novice", "--move-time", "nan"], "--move-time must be above 0"),
            (["random", "novice", "--rules", "mineiro"], "unknown rules 'mineiro'"),
            (["random", "novice", "--out", "/dev/null/run"], "/dev/null/run"),
            (["random", "novice", "--resume"], "--out DIR"),
            (["random", "novice", "--records"], "--out DIR"),
            (["random", "novice", "--out", "{folder}", "--resume"], "no run to resume"),
            (["random", "random.py:Agent"], "no agent file"),
            (["random", "x", "--game", "kuhn", "--rules", "three-seats"], "`retruco table`"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_what_makes_no_sense_is_refused_before_anything_runs(
        self, args: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert told in refused(capsys, "tournament", *(one.format(folder=tmp_path) for one in args))
        assert not any(tmp_path.iterdir()) or "resume" in told

    def test_a_run_is_not_taken_up_with_other_settings_or_a_changed_agent(
        self, tmp_path: Path, own: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        args = ["tournament", "random", f"{own}:Patient", "--game", "kuhn", "--out", str(tmp_path / "run")]
        assert alone(*args, "--matches", "2").returncode == 0
        assert "started with pairs 2, not 3" in refused(capsys, *args, "--matches", "3", "--resume")
        Path(own).write_text(OWN + "\n")
        assert "started with files" in refused(capsys, *args, "--matches", "2", "--resume")
        assert "already holds a run" in refused(capsys, *args, "--matches", "2")

    @pytest.mark.slow
    def test_a_move_that_takes_too_long_loses_the_match(self, own: str) -> None:
        done = retruco(
            "duel",
            "random",
            f"{own}:Asleep",
            "--game",
            "kuhn",
            "--matches",
            "2",
            "--move-time",
            "0.2",
            "--json",
        )
        told = json.loads(done.stdout)
        assert told["late"][1] > 0


class TestDuelUntilSure:
    def test_it_stops_by_itself_and_says_what_it_tested(self) -> None:
        done = alone("duel", "random", "balanced", "--until-sure", "--effect", "0.5", "--json")
        told = json.loads(done.stdout)
        assert told["sure"] == {"better": "B", "effect": 0.5, "alpha": 0.05, "beta": 0.05}
        assert 20 <= told["pairs"] < 1000
        text = alone("duel", "random", "random", "--game", "kuhn", "--until-sure", "--effect", "0.3").stdout
        assert "no difference of 0.3 points per hand" in text
        assert "error rates 5% and 5%" in text

    def test_it_is_not_sure_when_it_may_not_play_enough(self) -> None:
        done = alone("duel", "random", "random", "--until-sure", "--matches", "5", "--game", "kuhn", "--json")
        assert json.loads(done.stdout)["sure"]["better"] is None

    def test_records_are_those_of_the_pairs_that_counted(self, tmp_path: Path) -> None:
        file = tmp_path / "hands.jsonl"
        done = alone(
            "duel", "random", "random", "--game", "kuhn", "--until-sure", "--records", str(file), "--json"
        )
        assert len(file.read_text().splitlines()) == json.loads(done.stdout)["hands"]


class TestTableAndReport:
    @pytest.mark.slow
    def test_three_sit_at_a_table(self, own: str) -> None:
        names = ["random", f"{own}:Patient", f"{own}:Hasty"]
        done = retruco(
            "table", *names, "--game", "kuhn", "--rules", "three-seats", "--hands", "250", "--json"
        )
        told = json.loads(done.stdout)
        assert told["hands"] == 750
        assert sum(one["points_per_hand"] for one in told["entrants"]) == pytest.approx(0)
        text = alone("table", *names, "--game", "kuhn", "--rules", "three-seats", "--hands", "20").stdout
        assert "each in 3 seatings" in text

    @pytest.mark.parametrize(
        ("args", "told"),
        [
            (["random", "random"], "is for 3 agents, not 2"),
            (["random", "random", "random", "--hands", "0"], "--hands must be at least 1"),
        ],
    )
    def test_a_table_that_cannot_be_set_is_refused(
        self, args: list[str], told: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert told in refused(capsys, "table", *args, "--game", "kuhn", "--rules", "three-seats")

    def test_an_index_leads_to_every_run(
        self, tmp_path: Path, own: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        runs = tmp_path / "runs"
        args = ["random", f"{own}:Patient", "--game", "kuhn", "--matches", "2", "--out", str(runs / "one")]
        assert alone("tournament", *args).returncode == 0
        shutil.copytree(runs / "one", runs / "two")
        assert typed("report", str(runs)).returncode == 0
        page = (runs / "index.html").read_text()
        assert 'href="one/report.html"' in page
        assert 'href="two/report.html"' in page
        assert "no folder" in refused(capsys, "report", str(tmp_path / "nowhere"))
        (tmp_path / "empty").mkdir()
        assert "no finished run" in refused(capsys, "report", str(tmp_path / "empty"))
