"""Runs a laboratory job as a program of its own: `python -m retruco.web.lab.job_runner FOLDER`.

The folder holds `settings.json`; the program writes how far it is into `progress.json`, and at the
end a report. It runs beside the server and below it in priority, so that nobody at a table waits.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from retruco.agents.case_based import readings_of
from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.blocks import Block, Played
from retruco.arena.journal import Journal, write_whole
from retruco.arena.page import Page, Part, Table, Text
from retruco.arena.report import write_page, write_reports
from retruco.arena.running import Stopwatch, play_plan, warm_up, write_manifest, write_results
from retruco.arena.sets import Score
from retruco.arena.stats import share_interval
from retruco.arena.tournament import TournamentPlan as Duel
from retruco.games.truco import Truco
from retruco.learning.case_bases import library_of
from retruco.learning.checkpoints import WHOLE, Checkpoint, Standing
from retruco.learning.learners import Plan
from retruco.learning.loop import LearningLoop
from retruco.learning.reclustering import Groups
from retruco.storage.library import Base
from retruco.storage.reading import Hand
from retruco.storage.store import Store, open_store
from retruco.web.lab.job_config import LEARNING, PROGRESS, SETTINGS, JobConfig, JobSide

NICE: Final = 10
RULES: Final = "trucogame"
"""Agents meet by the rules of the published experiments."""


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job in its folder, and the server that waits for it."""

    folder: Path
    server: int
    """The process that has started this one."""

    def report_progress(self, done: int, whole: int, text: str) -> None:
        """Write down how far the work is; nobody works on for a server that is gone."""
        if os.getppid() != self.server:
            raise SystemExit("the server is gone")
        write_whole(self.folder / PROGRESS, json.dumps({"done": done, "all": whole, "told": text}))


def main(folder: Path) -> None:
    """Do what the settings say."""
    os.nice(NICE)
    plain = json.loads((folder / SETTINGS).read_text())
    config, cases = JobConfig.of(plain["work"]), Path(plain["cases"])
    job = RunningJob(folder, os.getppid())
    job.report_progress(0, config.matches, "opening the case bases")
    with open_store(cases) as store:
        if config.first.learning == "none":
            duel(job, config, store)
        else:
            learn(job, config, store, plain["into"])


def open_base(store: Store, side: JobSide) -> Base | None:
    """Open the case base of a side, if it needs one."""
    return library_of(store).open(side.base, "truco", side.vocabulary) if side.remembers else None


def find_side_agent(store: Store, side: JobSide) -> Agent:
    """Call the agent of a side to the table."""
    base = open_base(store, side)
    if base is None:
        return find_agent(side.agent, "truco")
    return find_agent(side.agent, "truco", lambda *_: base.cases)


# Two sets against each other


def duel(job: RunningJob, config: JobConfig, store: Store) -> None:
    """Play duplicate pairs between the two sides, and report."""
    game = Truco.named(RULES)
    names = (f"1: {config.first.label}", f"2: {config.second.label}")
    players = dict(
        zip(names, (find_side_agent(store, config.first), find_side_agent(store, config.second)), strict=True)
    )
    warm_up(game, list(players.values()))
    plan = Duel(
        game,
        names,
        config.matches,
        config.seed,
        readings=readings_of(players),
    )
    watch, won = Stopwatch(), list[float]()
    with Journal(job.folder, plan.settings(), resume=False) as journal:

        def after(block: Block, played: Played) -> None:
            won.extend(Score.from_json(one).share for one in played.scores)
            share, (low, high) = share_interval(won)
            text = f"{names[0]} {share:.0%} ({100 * low:.0f}-{100 * high:.0f})"
            job.report_progress(len(won), config.matches, text)

        scores = play_plan(plan, players, 1, journal, after)
        found = write_results(job.folder, plan, scores)
        times = {"seconds": watch.seconds, "processor_seconds": round(journal.processor_seconds, 1)}
        manifest = write_manifest(job.folder, plan, scores, workers=1, **times)
        write_reports(job.folder, found, manifest)


# One set learns


class CheckpointWriter:
    """Writes what a learner keeps into its case base, match by match."""

    wants_records = True

    def __init__(self, store: Store, base: str) -> None:
        self._store, self._base = store, base

    def commit(self, page: Checkpoint, /) -> None:
        """Write the hands of a match down."""
        if page.retained:
            hands = [Hand.of(one.record, one.seat, one.origin) for one in page.retained]
            self._store.append(self._base, hands)


def learn(job: RunningJob, config: JobConfig, store: Store, into: str) -> None:
    """Let the first side learn against the second, into a base of its own, and report."""
    library_of(store).copy(config.first.base, into, f"from {config.first.base}, laboratory")
    base = library_of(store).open(into, "truco")
    against = open_base(store, config.second)
    origin = LEARNING[config.first.learning]
    plan = Plan(
        "laboratory",
        config.first.learning,
        (config.first.agent,),
        config.second.agent,
        origin,
        seed=config.seed,
    )
    learner = LearningLoop(
        plan,
        Truco.named(RULES),
        base.cases,
        CheckpointWriter(store, into),
        base.facts.next_number,
        against.cases if against else base.cases,
        Standing(cases={WHOLE: base.hands}),
        Groups.begin(base.cases, base.elbows),
    )
    learner.watching = learner.watching and config.first.auto_k
    watch = Stopwatch()

    def after(standing: Standing) -> None:
        text = (
            f"{standing.cases[WHOLE]:,} cases, {standing.kept:,} kept, {standing.won} of {standing.match} won"
        )
        job.report_progress(standing.match, config.matches, text)

    learner.run(config.matches, after=after)
    write_page(job.folder, learning_page(config, into, learner, watch.seconds))


def learning_page(config: JobConfig, into: str, learner: LearningLoop, seconds: float) -> Page:
    """What came of learning, with the share of matches won while it learnt."""
    standing = learner.standing
    share, (low, high) = share_interval([1.0] * standing.won + [0.0] * (standing.match - standing.won))
    facts = {
        "case base": into,
        "cases": f"{standing.cases[WHOLE]:,}, of which {standing.kept:,} new",
        "hands played": f"{standing.hands:,}",
        "matches won while learning": f"{standing.won} of {standing.match} ({share:.0%}, 95 % interval {low:.0%} to {high:.0%})",
        "clusters": "made anew as the base grew" if learner.watching else "as they were",
        "seconds": f"{seconds:.1f}",
    }
    parts: list[Part] = [
        Table(["", ""], [[name, value] for name, value in facts.items()]),
        Table(["scenario", "K"], [[name, str(k)] for name, k in learner.groups.ks.items()]),
        Text(f"Seed {config.seed}; the same settings on the same bases give the same base."),
    ]
    title = f"{config.first.label} learns by {config.first.learning}"
    return Page(
        title, f"Against {config.second.label}, {config.matches} matches by the rules {RULES}.", parts
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
