"""An agent that fails in a duel or at a table: its traceback and its hand are shown, what was played is kept."""

import json
from pathlib import Path

import pytest

from shell import typed

OWN = """
import os, time
class Ready:
    def decide(self, seen, chance):
        if len(seen.history) == 2 or self.is_table(seen):
            self.fail()
        return seen.legal[0]
    def is_table(self, seen):
        return not hasattr(seen, "held") and seen.card == "J" and "bet" in seen.actions
class Broken(Ready):
    def fail(self):
        raise RuntimeError("out of ideas")
class Deadly(Ready):
    def fail(self):
        os._exit(3)
class Forking(Ready):
    def fail(self):
        os.fork()
class Hanging(Ready):
    def fail(self):
        time.sleep(3600)
class Pretender(str):
    def __eq__(self, other):
        return True
    __hash__ = str.__hash__
class Cheat:
    def decide(self, seen, chance):
        return Pretender("1e")
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN)
    return str(tmp_path / "own.py")


def duel(*args: str) -> tuple[int, str, str]:
    done = typed("duel", "random", *args, "--matches", "20", "--json")
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("workers", ["1", "3"])
def test_a_duel_shows_the_first_traceback_with_the_hand_and_keeps_the_records(
    own: str, workers: str, tmp_path: Path
) -> None:
    hands = tmp_path / "hands.jsonl"
    code, out, said = duel(f"{own}:Broken", "--records", str(hands), "--workers", workers)
    assert code == 1
    assert out == ""
    assert said.count("Traceback") == 1
    assert 'raise RuntimeError("out of ideas")' in said
    assert "(deal 0, match 1, hand 3, seat 0)" in said
    assert "  rules: trucogame\n" in said
    assert "  hands: (11e 10o 2b) (5e 11b 10e)\n" in said
    assert "  actions: 11b\n" in said
    assert said.splitlines()[-1].endswith(f"the hands up to here are kept in {hands}")
    ids = [json.loads(line)["id"].rpartition(", ")[2] for line in hands.read_text().splitlines()]
    assert ids == ["0.0.0", "0.1.0", "0.1.1"]  # the hands before the failure, and none after it


def test_the_hand_of_a_failure_can_be_replayed(own: str) -> None:
    _, _, said = duel(f"{own}:Broken")
    record = next(line for line in said.splitlines() if "as a record: " in line).partition("record: ")[2]
    replayed = typed("replay", stdin=record.encode())
    assert replayed.returncode == 0
    assert json.loads(replayed.stdout)["turn"] == 0


@pytest.mark.parametrize(("agent", "why"), [("Deadly", "process of the agent died"), ("Forking", "forked")])
def test_an_agent_that_ends_or_doubles_its_process_is_shown_too(own: str, agent: str, why: str) -> None:
    code, _, said = duel(f"{own}:{agent}", "--workers", "1")
    assert code == 1
    assert why in said
    assert "  actions: 11b\n" in said


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_that_hangs_stops_the_duel_at_the_limit_that_nobody_asked_for(
    own: str, workers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retruco.cli.entrants.MOVE_TIME", 0.5)
    code, _, said = duel(f"{own}:Hanging", "--workers", workers)
    assert code == 1
    assert "no answer within 0.5 s at decision 1 of hand 3" in said


def test_a_limit_that_was_asked_for_costs_the_match_and_the_duel_goes_on(own: str) -> None:
    done = typed("duel", "random", f"{own}:Hanging", "--matches", "1", "--move-time", "0.5", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["late"][1] > 0
    assert b"no answer within 0.5 s" in done.stderr


def test_a_text_that_pretends_to_equal_everything_loses_every_match(own: str) -> None:
    code, out, said = duel(f"{own}:Cheat")
    assert code == 0
    found = json.loads(out)
    assert found["wins"] == [40, 0]
    assert found["illegal"] == [0, 40]
    assert "of type Pretender, not str" in said


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_table_shows_the_first_traceback_and_keeps_the_records(
    own: str, workers: str, tmp_path: Path
) -> None:
    hands = tmp_path / "hands.jsonl"
    args = ("random", "random", f"{own}:Broken", "--game", "kuhn", "--rules", "three-seats")
    done = typed("table", *args, "--hands", "300", "--records", str(hands), "--workers", workers)
    said = done.stderr.decode()
    assert done.returncode == 1
    assert done.stdout == b""
    assert said.count("out of ideas") >= 1
    assert said.count("Traceback") == 1
    assert f"kept in {hands}" in said
    kept = [json.loads(line) for line in hands.read_text().splitlines()]
    failed = json.loads(
        next(line for line in said.splitlines() if "record: " in line).partition("record: ")[2]
    )
    assert failed["actions"][-1] == "bet"
    assert all(len(one["actions"]) > 1 for one in kept)
    same = typed("table", *args, "--hands", "300", "--records", str(tmp_path / "again.jsonl"))
    assert same.returncode == 1
    assert (tmp_path / "again.jsonl").read_bytes() == hands.read_bytes()


def test_a_table_without_failures_keeps_every_hand(tmp_path: Path) -> None:
    hands = tmp_path / "hands.jsonl"
    done = typed(
        "table", "random", "random", "--game", "kuhn", "--hands", "150", "--records", str(hands), "--json"
    )
    assert len(hands.read_text().splitlines()) == json.loads(done.stdout)["hands"] == 300


def test_a_tournament_goes_on_and_shows_the_first_traceback(own: str) -> None:
    done = typed("tournament", "random", f"{own}:Broken", "--matches", "3", "--workers", "2")
    out = done.stdout.decode()
    assert done.returncode == 0
    assert out.count("Traceback") == 1
    assert "the hand so far" in out
    assert "out of ideas" in out
