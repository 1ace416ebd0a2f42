"""Ctrl-C in the middle of every kind of command: exit code 130, one plain line, no traceback."""

import contextlib
import json
import os
import pty
import signal
import socket
import subprocess
from itertools import islice
from pathlib import Path

import pytest

import waiting
from retruco.cli.interrupts import if_interrupted
from retruco.learning.truco.embedded import baseline_hands
from retruco.storage.store import open_store
from shell import start, wait_until

pytestmark = [pytest.mark.loopback, pytest.mark.slow]

KUHN = ("random", "random", "--game", "kuhn")
HAND = {"game": "kuhn", "cards": ["J", "Q"], "first": 0, "actions": []}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own for everything that is stored, where commands are started too."""
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stopped(process: subprocess.Popen[bytes]) -> str:
    """Press Ctrl-C, which all processes of the terminal hear; give the line that the command ends with."""
    said = pressed(process).decode()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said
    lines = [line for line in said.splitlines() if "stopped; " in line]
    assert len(lines) == 1, said
    return lines[0].strip().removeprefix("retruco: stopped; ")


def pressed(process: subprocess.Popen[bytes]) -> bytes:
    """Press Ctrl-C until the command ends, and give what it said.

    Once is enough, unless it comes just before the call of the system in which Python waits for input: then
    Python hears of it only when the call returns.
    """
    for _ in range(10):
        let_it_fall_asleep(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        try:
            return process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    raise AssertionError("Ctrl-C does not stop it")


def let_it_fall_asleep(pid: int) -> None:
    """Give a process a second to come to where it waits for something, if it is about to."""

    def is_asleep() -> bool:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"

    with contextlib.suppress(AssertionError):
        waiting.wait_until(is_asleep, "busy", seconds=1)


def lines_in(*files: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in files if file.exists())


@pytest.mark.parametrize(
    ("command", "workers"),
    [(("duel", *KUHN, "--matches", "1000000"), "2"), (("table", *KUHN, "--hands", "10000000"), "1")],
    ids=["duel", "table"],
)
def test_a_duel_and_a_table_keep_their_records(command: tuple[str, ...], workers: str, home: Path) -> None:
    hands = home / "hands.jsonl"
    process = start(*command, "--records", str(hands), "--workers", workers, stderr=subprocess.PIPE)
    wait_until(lambda: lines_in(hands) > 10, process)
    assert str(hands) in stopped(process)
    assert len(list(map(json.loads, hands.read_text().splitlines()))) > 10


def test_a_tournament_says_how_to_go_on(home: Path) -> None:
    command = ("tournament", "random", "first.py:First", "--game", "kuhn", "--matches", "1000000")
    Path("first.py").write_text("class First:\n    def decide(self, seen, chance): return seen.legal[0]\n")
    process = start(*command, "--out", "run", "--workers", "2", stderr=subprocess.PIPE)
    wait_until(lambda: lines_in(home / "run" / "played.jsonl") > 3, process)
    said = stopped(process)
    assert "are kept in run: go on with --resume" in said


def test_an_experiment_says_how_to_go_on(home: Path) -> None:
    process = start("reproduce", "seelbinder2012", "--out", "run", stderr=subprocess.PIPE)
    wait_until(lambda: lines_in(*(home / "run").rglob("played.jsonl")) > 1, process)
    assert stopped(process) == "what was played is kept in run: the same command goes on"


def test_an_experiment_that_has_not_begun_to_play_ends_the_same_way(home: Path) -> None:
    """The case bases are made in this process: compiled code makes errors of its own of Ctrl-C."""
    process = start("reproduce", "paulus2019", "--quick", "--out", "run", stderr=subprocess.PIPE)
    wait_until((home / "home").exists, process)
    assert stopped(process)


def test_a_server_says_where_the_matches_are(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = start("serve", "--port", str(port), "--no-browser", "--store", "t.db", stderr=subprocess.PIPE)

    def listens() -> bool:
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", port)) == 0

    wait_until(listens, process)
    assert stopped(process) == "every match is kept in t.db: the next start goes on with them"


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        (("bot", "--server", "http://127.0.0.1:{port}"), "nothing was kept"),
        (("acpc", "--connect", "127.0.0.1:{port}", "--agent", "random", "--log", "log"), "are in log"),
    ],
    ids=["bot", "acpc"],
)
def test_a_player_far_away_does_not_wait_for_the_other_side(
    command: tuple[str, ...], kept: str, home: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(120)
        port = silent.getsockname()[1]
        process = start(*(one.format(port=port) for one in command), stderr=subprocess.PIPE)
        caller, _ = silent.accept()
        with caller:
            caller.recv(1)
            assert kept in stopped(process)


def test_a_dealer_that_waits_for_players(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = f"{one.getsockname()[1]},{other.getsockname()[1]}"
    process = start("acpc", "--listen", ports, stderr=subprocess.PIPE)
    assert process.stderr is not None
    assert b"waiting for players" in process.stderr.readline()
    assert "nothing was kept" in stopped(process)


@pytest.mark.parametrize("command", [("replay",), ("decide", "--game", "kuhn", "--agent", "random")])
def test_a_command_that_reads_standard_input(command: tuple[str, ...], home: Path) -> None:
    pipe = subprocess.PIPE
    process = start(
        *command, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(HAND).encode() + b"\n")
    process.stdin.flush()
    assert process.stdout.readline()
    assert "nothing was kept" in stopped(process)


def test_an_import_leaves_nothing(home: Path) -> None:
    os.mkfifo("hands.jsonl")
    process = start("cases", "import", "hands.jsonl", "--into", "mine", stderr=subprocess.PIPE)
    with Path("hands.jsonl").open("wb") as feeding:
        feeding.write(b"{")
        feeding.flush()
        assert "nothing was kept" in stopped(process)
    with open_store() as store, store.reading() as reader:
        assert "mine" not in reader.names()


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        (("play", "random"), "nothing was kept"),
        (("teach", "--into", "mine", "--from", "few", "--first", "40"), "go on with --resume"),
    ],
    ids=["play", "teach"],
)
def test_a_person_at_the_terminal_presses_ctrl_c(command: tuple[str, ...], kept: str, home: Path) -> None:
    with open_store() as store:
        store.create("few", "truco", "trucogame")
        store.append("few", islice(baseline_hands(), 60))
    master, slave = pty.openpty()
    env = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    process = start(*command, stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=env)
    os.close(slave)
    screen = b""
    while not screen.rstrip().endswith(b">"):
        screen += os.read(master, 65536)
    assert kept in stopped(process)
    os.close(master)


def test_an_error_that_is_no_interrupt_is_not_taken_for_one() -> None:
    with pytest.raises(ZeroDivisionError), if_interrupted(lambda: "everything"):
        raise ZeroDivisionError
