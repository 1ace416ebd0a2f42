"""What an experiment is: stages of work, results as plain data, a page that tells them.

    class Mine:
        name, title, paper = "mine2030", "...", "..."
        game, needs_cases = Truco.named("trucogame"), True
        stages = (Stage("the tournament", works, seconds=60, quick_seconds=3),)
        def results(self, study, found): ...
        def page(self, results, manifest): ...

A stage names its works when it begins, so that one may depend on what the stages before have found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from retruco.arena.blocks import Block, Played, Post, Task
from retruco.arena.page import Page
from retruco.games.core import Game
from retruco.games.truco import Truco
from retruco.storage.library import Base

TRUCO: Final = Truco.named("trucogame")
"""Truco by the rules of the published experiments."""

Results: TypeAlias = Mapping[str, Any]
Found: TypeAlias = Mapping[str, Any]
"""What the works of a study have found so far, by their names."""
ReportProgress: TypeAlias = Callable[[float], None]
"""Takes the share of a piece of work that is done."""


@dataclass(frozen=True, eq=False)
class Taught:
    """A base that a person has taught, and how far they came."""

    base: Base
    standing: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """What names it."""
        return {"name": self.base.name, "digest": self.base.digest, "hands": self.base.hands}


@dataclass(frozen=True, eq=False)
class Study:
    """What an experiment is run with."""

    seed: int
    quick: bool
    folder: Path
    """Where everything is kept that was played or learnt."""
    opened: Base | None = None
    """The case base to begin with, if the experiment needs one."""
    taught: Taught | None = None
    """Somebody's own pupil, who takes the place of the one with a scripted tutor."""
    runs: int | None = None
    """How many learning runs each table has, where an experiment has several."""
    hands: int | None = None
    """How many hands a learning run has, if not as many as published."""
    readings: tuple[str, ...] = ()
    """The readings to run; the experiment's own choice if none is named."""
    trainings: int = 1
    """How often everybody is trained, where a verdict rests on what was learnt."""
    simulated: int | None = None
    """How many simulated people play, if not as many as the experiment has by itself."""
    table: Path | None = None
    """The file with the matches of the web table, if not the usual one."""

    @property
    def base(self) -> Base:
        """The case base of an experiment that needs one."""
        assert self.opened is not None, "an experiment without cases has no base"
        return self.opened

    def size(self, full: int, quick: int) -> int:
        """How much of something: as much as published, or enough to see that it works."""
        return quick if self.quick else full

    def pairs_in_unit(self, pairs: int) -> int:
        """How many duplicate pairs are one observation: one, or all that follow one of several trainings."""
        return pairs if self.trainings > 1 else 1

    @property
    def cases(self) -> dict[str, Any] | None:
        """What names the case base, for results."""
        if self.opened is None:
            return None
        facts = self.base.facts
        return {
            "name": self.base.name,
            "hands": self.base.hands,
            "synthetic": facts.synthetic,
            "digest": self.base.digest,
            "description": self.base.description,
        }


class Work(Protocol):
    """Something that is played in pieces, on any core."""

    @property
    def name(self) -> str:
        """What it is called, among all works of the experiment."""

    def blocks(self) -> list[Block]:
        """Cut it into pieces, each with its place in the list as number."""

    def weight(self, block: Block) -> float:
        """How long a piece takes, in matches of a contest."""

    def play(self, task: Task, post: Post, tell: ReportProgress) -> Sequence[Played]:
        """Play the pieces of a task, in some process."""

    def found(self, played: Sequence[Sequence[Mapping[str, Any]]]) -> Any:
        """Put the pieces together, in their order."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Works that can be played at the same time."""

    name: str
    works: Callable[[Study, Found], Sequence[Work]]
    seconds: float
    """About how long it takes on two cores, so that the time left can be told from the beginning."""
    quick_seconds: float


class Experiment(Protocol):
    """A published experiment that can be run anew."""

    @property
    def name(self) -> str:
        """How it is asked for: author and year."""

    @property
    def title(self) -> str:
        """What it is about."""

    @property
    def paper(self) -> str:
        """Where it was published."""

    @property
    def game(self) -> Game:
        """What is played, by which rules."""

    @property
    def needs_cases(self) -> bool:
        """Whether it begins with a case base that the user may choose."""

    @property
    def stages(self) -> Sequence[Stage]:
        """The works, stage by stage."""

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """Sum up what was found: plain data, the same bytes whenever the same was played."""

    def page(self, results: Results, manifest: Results) -> Page:
        """Tell the results, beside what was published."""
