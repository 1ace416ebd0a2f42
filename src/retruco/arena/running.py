"""Carrying out a plan on all cores: blocks out, scores in, each kept before the next is told."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from retruco.agents.core import Agent
from retruco.arena.blocks import Block, Job, Played, Post, Task, blocks_at_once, play_blocks, tasks_of
from retruco.arena.journal import Journal, write_whole
from retruco.arena.pool import LOCAL, pool_for
from retruco.arena.seatings import members_of
from retruco.arena.tournament import Scores, TournamentPlan, results
from retruco.games.core import Game

RESULTS, MANIFEST = "results.json", "manifest.json"


def warm_up(game: Game, agents: Sequence[Agent]) -> None:
    """Let each agent play a hand with itself, uncounted: what is made on first use is made once.

    Workers are forked afterwards, so compiled code is shared, and no first move is late for it.
    """
    names = tuple(map(str, range(len(agents))))
    for name, agent in zip(names, agents, strict=True):
        job = Job(game, (name,), 0, most_hands=1)
        everywhere = (0,) * len(set(game.teams))
        play_blocks(job, {name: agent}, Task((Block(0, everywhere, 0, 1),)))


def play_plan(
    plan: TournamentPlan,
    players: Mapping[str, Agent],
    workers: int,
    journal: Journal | None = None,
    after_block: Callable[[Block, Played], None] = lambda block, played: None,
    on: str = LOCAL,
) -> Scores:
    """Play what is left of a plan and give all its scores."""
    done = journal.played if journal else {}
    left = [block for block in plan.blocks() if block.number not in done]
    needed = min(workers, len(left))
    spread, player = pool_for(on, needed), BlockPlayer(plan.job, players)
    for block, played in spread(player, player.tasks(left, needed), plan.move_time) if left else ():
        if journal:
            journal.add(block, played)
        else:
            done[block.number] = played.scores
        after_block(block, played)
    return plan.scores(done)


@dataclass(frozen=True, slots=True)
class BlockPlayer:
    """What a worker does with a block of a job; fit to be sent to another machine."""

    job: Job
    players: Mapping[str, Agent]

    def __call__(self, task: Task, post: Post) -> list[Played]:
        return play_blocks(self.job, self.players, task, post)

    def tasks(self, blocks: Iterable[Block], workers: int) -> Iterator[Task]:
        """Put blocks together into what a worker plays in one go."""
        return tasks_of(blocks, blocks_at_once(self.job, self.players.values()), workers)

    def warm_up(self) -> None:
        """Let the house's own agents play a hand, uncounted."""
        warm_up(self.job.game, [agent for name, agent in self.players.items() if ".py:" not in name])


def members_in(names: Sequence[str], game: Game) -> list[str]:
    """Every agent that some entrants need, each once."""
    return list(dict.fromkeys(member for name in names for member in members_of(name, game)))


def write_results(folder: Path, plan: TournamentPlan, scores: Scores) -> dict[str, Any]:
    """Write what was found, byte for byte the same whenever the same was played."""
    found = results(plan, scores)
    write_whole(folder / RESULTS, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    return found


def write_manifest(folder: Path, plan: TournamentPlan, scores: Scores, **facts: object) -> dict[str, Any]:
    """Write how it was found: when, where, how fast; nothing here has to be the same next time."""
    manifest = {
        "retruco": version("retruco"),
        "commit": commit(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": plan.settings(),
        "microseconds_per_decision": thinking(plan, scores),
        **facts,
    }
    write_whole(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return manifest


def thinking(plan: TournamentPlan, scores: Scores) -> dict[str, int]:
    """How long each entrant thought about a decision, in microseconds."""
    seconds, decisions = dict.fromkeys(plan.names, 0.0), dict.fromkeys(plan.names, 0)
    for pairing, played in scores.items():
        for side, entrant in enumerate(pairing):
            name = plan.names[entrant]
            seconds[name] += sum(pair.seconds[side] for pair in played)
            decisions[name] += sum(pair.counts[side].get("decisions", 0) for pair in played)
    return {name: round(1e6 * seconds[name] / max(1, decisions[name])) for name in plan.names}


def commit(start: Path = Path(__file__)) -> str | None:
    """The commit this program was checked out at, if it was."""
    for folder in start.parents:
        if (git := folder / ".git").exists():
            return read_commit(git)
    return None


def read_commit(git: Path) -> str | None:
    """The commit that a folder of Git is at; a work tree has a file that says where its folder is."""
    own = git if git.is_dir() else git.parent / git.read_text().removeprefix("gitdir:").strip()
    common = own / "commondir"
    shared = own / common.read_text().strip() if common.is_file() else own
    head = (own / "HEAD").read_text().strip() if (own / "HEAD").is_file() else None
    if head is None or not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    if (ref := shared / name).is_file():
        return ref.read_text().strip()
    packed = shared / "packed-refs"
    lines = packed.read_text().splitlines() if packed.is_file() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), None)


class Stopwatch:
    """How long something has taken."""

    def __init__(self) -> None:
        self._started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since it was made."""
        return round(time.perf_counter() - self._started, 3)
