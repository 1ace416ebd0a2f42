"""Workers may die, hang or be killed: nothing is lost, nothing is counted twice."""

import os
import signal
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from players import Broken, Cheat, Deadly, First, Nothing, Quitter, Sleepy

from retruco.agents.chance import RandomAgent
from retruco.agents.core import Agent
from retruco.arena.blocks import Job, Played, Post, Task, blocks_of, pairings, play_blocks, tasks_of
from retruco.arena.pool import Pool, in_order, run_tasks
from retruco.games.kuhn import Kuhn

Players = Mapping[str, Agent]


def scores(
    players: Players, workers: int, pairs: int = 12, move_time: float | None = None
) -> list[list[dict[str, Any]]]:
    job = Job(Kuhn(), tuple(players), 1, move_time)
    tasks = tasks_of(blocks_of(pairings(len(players)), pairs), 1)
    results = run_tasks(partial(play_blocks, job, players), tasks, workers, move_time)
    return [[{**one, "seconds": None} for one in played.scores] for _, played in in_order(results)]


def faults(found: list[list[dict[str, Any]]]) -> list[tuple[int, str]]:
    return [
        (lost["entrant"], lost["fault"]) for block in found for score in block for lost in score["forfeits"]
    ]


@pytest.mark.slow
def test_any_number_of_workers_plays_the_same() -> None:
    players: Players = {"random": RandomAgent(), "first": First(), "second": First()}
    alone = scores(players, 1)
    assert alone == scores(players, 2) == scores(players, 5)
    assert [score["number"] for block in alone[::3] for score in block] == list(range(12))


def test_a_killed_worker_is_replaced_and_its_block_played_again(tmp_path: Path) -> None:
    """Every worker is killed in its first block, in the middle of a set."""
    job = Job(Kuhn(), ("random", "first"), 1)
    players: Players = {"random": RandomAgent(), "first": First()}

    def play(task: Task, post: Post) -> list[Played]:
        marker = tmp_path / str(task.blocks[0].number)
        played = play_blocks(job, players, task, post)
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return played

    blocks = blocks_of(pairings(2), 20)
    found = list(in_order(run_tasks(play, tasks_of(blocks, 1), 2)))
    assert [block for block, _ in found] == blocks
    untouched = play_blocks(job, players, Task(tuple(blocks)))
    for (_, one), two in zip(found, untouched, strict=True):
        assert [{**score, "seconds": 0} for score in one.scores] == [
            {**score, "seconds": 0} for score in two.scores
        ]


def test_a_block_that_kills_every_worker_is_given_up_with_a_message() -> None:
    def play(task: Task, post: Post) -> list[Played]:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    with pytest.raises(RuntimeError, match="3 workers died"):
        list(run_tasks(play, tasks_of(blocks_of(pairings(2), 1), 1), 1))


@pytest.mark.slow
def test_an_agent_that_takes_its_process_down_forfeits_and_the_rest_goes_on() -> None:
    players: Players = {"random": RandomAgent(), "deadly": Deadly()}
    found = scores(players, 2)
    assert set(faults(found)) == {(1, "failed")}
    assert found == scores(players, 1)
    lost = next(lost for block in found for score in block for lost in score["forfeits"])
    assert "died each time at decision" in lost["why"]
    assert lost["hand"]["game"] == "kuhn"


@pytest.mark.slow
def test_an_agent_that_hangs_forfeits_and_the_rest_goes_on() -> None:
    players: Players = {"random": RandomAgent(), "sleepy": Sleepy()}
    move_time = 3.0  # no decision takes as long on a busy machine, but for those that sleep
    found = scores(players, 2, move_time=move_time)
    assert set(faults(found)) == {(1, "late")}
    assert len(faults(found)) < sum(len(score["winners"]) for block in found for score in block)
    assert found == scores(players, 1, move_time=move_time)
    assert "no answer within 3 s at decision" in str(found)


@pytest.mark.parametrize(
    ("player", "fault"), [(Cheat, "illegal"), (Broken, "failed"), (Quitter, "failed"), (Nothing, "illegal")]
)
def test_an_agent_that_breaks_the_rules_forfeits_every_match(player: type, fault: str) -> None:
    found = scores({"bad": player(), "random": RandomAgent()}, 1, pairs=2)
    assert faults(found) == [(0, fault)] * 4
    assert all(score["winners"] == (1, 1) for block in found for score in block)


def test_a_forfeit_keeps_the_hand_and_the_traceback() -> None:
    found = scores({"bad": Broken(), "random": RandomAgent()}, 1, pairs=1)
    lost = found[0][0]["forfeits"][0]
    assert "out of ideas" in lost["why"]
    assert "Traceback" in lost["why"]
    assert lost["hand"]["cards"]


def test_what_an_agent_prints_does_not_reach_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    class Talker(First):
        def decide(self, observation: Any, chance: Any) -> str:
            sys.stdout.write("look at me\n")
            sys.stdout.flush()
            return super().decide(observation, chance)

    scores({"talker": Talker(), "random": RandomAgent()}, 1, pairs=1)
    assert "look at me" not in capfd.readouterr().out


def test_workers_are_gone_when_the_pool_is_closed() -> None:
    pool = Pool(lambda task, post: [Played([])], 2)
    pids = [worker.process.pid for worker in pool.workers]
    pool.close()
    for pid in pids:
        assert pid is not None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
