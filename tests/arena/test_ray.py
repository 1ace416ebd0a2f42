"""Ray: a real cluster of two nodes, one of which is killed, plays the same bytes as one machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from retruco.arena.cluster import connect, find_ray
from retruco.arena.pool import pool_for
from shell import typed

CLUSTER = """
import json, os, subprocess, sys, tempfile
from itertools import islice
from pathlib import Path
from retruco.arena.cluster import find_ray
ray = find_ray()
from ray.cluster_utils import Cluster
from retruco.agents.registry import find_agent
from retruco.arena import blocks
from retruco.agents.truco.policies import policies
from retruco.arena.journal import Journal
from retruco.arena.running import play_plan, warm_up
from retruco.arena.tournament import TournamentPlan, results
from retruco.arena.pool import pool_for
from retruco.arena.sets import Score
from retruco.cbr.casebase import CaseBase
from retruco.experiments.contest import Contest
from retruco.experiments.running import _elsewhere, _pieces
from retruco.games.registry import find_game
from retruco.learning.truco.embedded import baseline_hands
from retruco.vocab.truco import VOCABULARY, rows

blocks.LANES = 10  # a task is a block, so that there are some left when a node is lost
cases = CaseBase(VOCABULARY)
for number, hand in enumerate(islice(baseline_hands(), 150), 1):
    cases.add(rows(hand.record, hand.seat, number))
game = find_game("truco", "trucogame", 3)
names = tuple(islice(policies(), 20))
players = {name: find_agent(name, "truco", lambda game: cases) for name in names}
warm_up(game, list(players.values()))
plan = TournamentPlan(game, names, 1, 7)

def found(workers, after=lambda block, played: None, on="local"):
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder), plan.settings(), False) as journal:
        return json.dumps(results(plan, play_plan(plan, players, workers, journal, after, on)))

one, two = found(1), found(2)
small = {"num_cpus": 1, "include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
cluster = Cluster(initialize_head=True, head_node_args=small)
second = cluster.add_node(**small)
os.environ["RAY_ADDRESS"] = cluster.address
rogue = subprocess.run([sys.executable, "-m", "retruco", *sys.argv[1:], "--on", "ray"], capture_output=True, text=True)
seen = []

def after(block, played):
    seen.append(block.number)
    if len(seen) == 60:
        alive = sum(node["Alive"] for node in ray.nodes())
        cluster.remove_node(second, allow_graceful=False)
        print(json.dumps({"nodes": alive}), flush=True)

third = found(2, after, "ray")

# The contests of an experiment go the same way.
contest = Contest("contest", game, names[:3], 1, 1, lambda: players)
pieces = _pieces([contest], 1_000_000)
shares = [
    {block.number: Score.from_json(played.scores[0]).share for block, played in results}
    for results in (_elsewhere(pieces, 1, "ray"), pool_for("local", 1)(contest.player, contest.player.tasks(contest.blocks(), 1), None))
]
contests = [[one[number] for number in sorted(one)] for one in shares] + [sorted(shares[0])]
ray.shutdown()
cluster.shutdown()
print(json.dumps({"blocks": len(seen), "distinct": len(set(seen)), "one": one, "two": two, "ray": third, "contests": contests,
                  "rogue": [rogue.returncode, rogue.stdout, rogue.stderr[-3000:]]}))
"""
"""What is asked of a cluster of two nodes, which takes long to start: a command, and what loses a node on the way."""

ROGUE = """
import os, time
class Rogue:
    def decide(self, seen, chance):
        draw = chance.below(60)
        if draw == 0: os._exit(7)
        if draw == 1: time.sleep(60)
        return chance.choice(seen.legal)
"""
MOVE_TIME = "5"  # seconds: no decision takes as long on a busy machine, but for the one that sleeps


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A tournament as a user types it, with an agent of the user's own."""
    file = tmp_path_factory.mktemp("rogue") / "mine.py"
    file.write_text(ROGUE)
    matches = ["--matches", "6", "--json", "--move-time", MOVE_TIME, "--workers", "2"]
    return ["tournament", f"{file}:Rogue", "random", *matches]


@pytest.fixture(scope="module")
def on_cluster(asked: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What a cluster of two nodes plays: a line when it loses one of them, and a line at its end."""
    # Ray gives its workers the lowest priority: on a busy machine they would hardly ever run.
    env = {**os.environ, "RAY_worker_niceness": "0", "RETRUCO_HOME": str(tmp_path_factory.mktemp("home"))}
    command = [sys.executable, "-c", CLUSTER, *asked]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.ray
@pytest.mark.loopback
def test_twenty_policies_play_the_same_bytes_on_one_worker_on_two_and_on_a_cluster_that_loses_a_node(
    on_cluster: list[Any],
) -> None:
    before, end = on_cluster
    assert before == {"nodes": 2}
    assert end["blocks"] == end["distinct"] == 190
    assert end["one"] == end["two"] == end["ray"]
    there, here, numbers = end["contests"]
    assert there == here
    assert numbers == [1_000_000, 1_000_001, 1_000_002]


@pytest.mark.ray
@pytest.mark.loopback
def test_an_agent_of_ones_own_that_dies_hangs_and_cheats_fares_there_as_here(
    asked: list[str], on_cluster: list[Any]
) -> None:
    code, there, complaints = on_cluster[-1]["rogue"]
    assert code == 0, complaints
    here = typed(*asked)
    assert here.returncode == 0, here.stderr
    assert json.loads(there) == json.loads(here.stdout)
    assert {one["fault"] for one in json.loads(there)["forfeits"]} == {"failed", "late"}


@pytest.mark.ray
def test_no_cluster_where_one_should_be_is_said_at_once() -> None:
    with pytest.raises(ValueError, match=r"no Ray cluster at ray://127\.0\.0\.1:1: .*refused"):
        connect(find_ray(), "ray://127.0.0.1:1", 1)


@pytest.mark.parametrize("place", ["", "moon", "rays", "ray:auto"])
def test_an_unknown_place_is_named_with_the_alternatives(place: str) -> None:
    with pytest.raises(ValueError, match="one of local, ray, ray://HOST:PORT"):
        pool_for(place, 1)


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'retruco\[ray\]'"):
        pool_for("ray", 1)
