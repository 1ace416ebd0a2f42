"""A training: a learner plays match after match, and its base is kept in a file as it grows.

    Training("BOT1", plan_for("BOT1"), Start(base.cases, 513, {}), folder, matches=300)

The file is written every few matches and at marks along the way; a training that was stopped goes
on from it and gives the same base, row by row, as one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from retruco.arena.blocks import Block, Played, Post, Task
from retruco.cbr.casebase import CaseBase
from retruco.experiments.base_file import StoredBase, read_base, write_base
from retruco.experiments.study import ReportProgress
from retruco.games.truco import Truco
from retruco.learning.checkpoints import Checkpoint, Standing
from retruco.learning.learners import Plan
from retruco.learning.loop import LearningLoop
from retruco.learning.reclustering import Elbow, Groups
from retruco.learning.starting import frozen_cases, in_memory, scripted_tutor

EVERY: Final = 25
"""Every so many matches the base is kept."""
POINTS: Final = 50
"""About how many points the curve of growth has."""
HEAVY: Final = 3.0
"""How many matches of a contest a match of a training is worth, in time."""


@dataclass(frozen=True, eq=False)
class TrainingStart:
    """What a learner begins with."""

    cases: CaseBase
    hands: int
    elbows: Mapping[str, Elbow]


class Reclusterings:
    """A sink that keeps what became of the clusters, and nothing else."""

    wants_records = False

    def __init__(self, anew: Sequence[Mapping[str, Any]] = ()) -> None:
        self.anew = list(anew)

    def commit(self, page: Checkpoint, /) -> None:
        """Note the clusters that were made anew."""
        self.anew += [line for line in page.journal if line["anew"]]


@dataclass(frozen=True)
class Training:
    """Who learns, from what, and how long: so many matches, or until the base has so many cases."""

    name: str
    plan: Plan
    game: Truco
    start: TrainingStart = field(compare=False, repr=False)
    folder: Path
    matches: int | None = None
    until: int | None = None
    marks: int = 5
    """At how many places along the way the base is kept, to be measured later."""

    def blocks(self) -> list[Block]:
        """It is one piece: every match needs the one before."""
        return [Block(0, (), 0, 1)]

    def weight(self, block: Block) -> float:
        """A case more takes about a seventh of a match."""
        matches = self.matches or (self._goal - self.start.hands) / 7
        return HEAVY * matches

    def found(self, played: Sequence[Sequence[Mapping[str, Any]]]) -> Mapping[str, Any]:
        """How the learner stood in the end, and on the way."""
        return played[0][0]

    @property
    def _goal(self) -> int:
        goal = self.matches if self.matches is not None else self.until
        assert goal is not None, "a training needs an end"
        return goal

    def _place(self, standing: Standing) -> int:
        return standing.match if self.matches is not None else sum(standing.cases.values())

    # Files

    def file(self, mark: int | None = None) -> Path:
        """Where the base is kept: the last, or that of a mark from 1 on."""
        return self.folder / "bases" / (f"{self.name}.npz" if mark is None else f"{self.name}@{mark}.npz")

    def learnt(self, mark: int | None = None) -> CaseBase:
        """The base that was learnt, or as it was at a mark, with its clusters."""
        base = read_base(self.file(mark), self.start.cases)
        Groups.resume(base.cases, base.elbows, base.state["watches"])
        return base.cases

    # Learning

    def play(self, task: Task, post: Post, tell: ReportProgress) -> list[Played]:
        """Learn, from the beginning or from where it was left."""
        started = time.process_time()
        self.file().parent.mkdir(parents=True, exist_ok=True)
        base = read_base(self.file(), self.start.cases) if self.file().exists() else None
        reclusterings = Reclusterings(base.state["anew"] if base else ())
        learner = self._seated(base, reclusterings)
        growth = list(base.state["growth"]) if base else [learner.standing.as_json()]
        begun = self._place(Standing.of(growth[0]))

        def share(standing: Standing) -> float:
            return (self._place(standing) - begun) / max(1, self._goal - begun)

        def after(standing: Standing) -> None:
            done, before = share(standing), share(Standing.of(growth[-1]))
            ended = done >= 1
            if int(done * POINTS) > int(before * POINTS) or ended:
                growth.append(standing.as_json())
            mark = int(done * self.marks)
            if mark > int(before * self.marks):
                self._keep(learner, reclusterings, growth, mark)
            if standing.match % EVERY == 0 or ended:
                self._keep(learner, reclusterings, growth)
            tell(min(1.0, done))

        learner.run(self.matches, self.until, after)
        return [
            Played([self._summary(learner, reclusterings, growth)], seconds=time.process_time() - started)
        ]

    def _seated(self, base: StoredBase | None, reclusterings: Reclusterings) -> LearningLoop:
        start = self.start
        if base is None:
            elbows = start.elbows if not self.plan.staged else None
            return in_memory(self.plan, self.game, start.cases, start.hands, elbows, reclusterings)
        return LearningLoop(
            self.plan,
            self.game,
            base.cases,
            reclusterings,
            base.state["next"],
            frozen_cases(start.cases, min(self.plan.first or start.hands, start.hands)),
            Standing.of(base.state["standing"]),
            Groups.resume(base.cases, base.elbows, base.state["watches"]),
            scripted_tutor(self.plan),
        )

    def _keep(
        self,
        learner: LearningLoop,
        reclusterings: Reclusterings,
        growth: Sequence[Any],
        mark: int | None = None,
    ) -> None:
        state = {
            "standing": learner.standing.as_json(),
            "next": learner.next_number,
            "watches": learner.groups.watches,
            "anew": reclusterings.anew,
            "growth": growth,
        }
        write_base(self.file(mark), StoredBase(learner.cases, learner.groups.groups, state))

    def _summary(
        self, learner: LearningLoop, reclusterings: Reclusterings, growth: Sequence[Any]
    ) -> dict[str, Any]:
        return {
            "standing": learner.standing.as_json(),
            "clusters": learner.groups.ks,
            "anew": reclusterings.anew,
            "growth": [*growth],
        }
