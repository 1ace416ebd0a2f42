"""Published experiments on the command line: checked, run on all cores, taken up again after a stop."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from retruco.arena.pool import LOCAL, pool_for
from retruco.arena.report import duration
from retruco.arena.running import Stopwatch
from retruco.cli.cases import opened_library
from retruco.cli.entering import workers_or_all
from retruco.cli.interrupts import if_interrupted
from retruco.cli.report import write_index
from retruco.experiments.registry import ALL, find_experiments
from retruco.experiments.running import Progress as Told
from retruco.experiments.running import expected_seconds, reproduce
from retruco.experiments.study import TRUCO, Experiment, Study, Taught
from retruco.learning.tutor import PERSON
from retruco.storage import runs
from retruco.storage.human import FOLDER, HUMAN
from retruco.storage.library import Base
from retruco.storage.reading import EMBEDDED

PUPILS: Final = "moral2020"
"""The experiment with a bot that a person may teach."""
WHERE: Final = "reproduction"
"""The folder of the runs, if none is named."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asked for."""

    name: str
    quick: bool = False
    cases: str | None = None
    out: str | None = None
    seed: int = 1
    workers: int | None = None
    taught: str | None = None
    on: str = LOCAL

    def folder(self, experiment: Experiment, base: Base | None) -> Path:
        """Where a run is kept."""
        if self.out is not None:
            return Path(self.out) / experiment.name if self.name == ALL else Path(self.out)
        parts = [experiment.name, *([base.name] if base else []), *(["quick"] if self.quick else [])]
        return Path(WHERE) / "-".join(parts)


def run_reproduce(wanted: Wanted) -> int:
    """Run one experiment or all; return the exit code."""
    some, workers = find_experiments(wanted.name), workers_or_all(wanted.workers)
    pool_for(wanted.on, workers)
    opened = opened_base(wanted.cases) if any(one.needs_cases for one in some) else None
    taught = taught_base(wanted.taught) if wanted.taught else None
    if taught and all(one.name != PUPILS for one in some):
        raise ValueError(f"--taught is for {PUPILS}, not for {wanted.name}")
    done: list[str] = []
    with shown(some, wanted.quick) as tell:
        for one in some:
            base = opened if one.needs_cases else None
            pupil = taught if one.name == PUPILS else None
            study = Study(wanted.seed, wanted.quick, wanted.folder(one, base), base, pupil)
            watch = Stopwatch()
            with if_interrupted(partial(_kept, study.folder)):
                reproduce(one, study, workers, tell(one), wanted.on)
            done.append(f"{one.name} in {duration(watch.seconds)}: {study.folder / 'report.html'}")
    print(*done, sep="\n")
    if wanted.name == ALL:
        write_index(wanted.out or WHERE)
    return 0


def _kept(folder: Path) -> str:
    return f"what was played is kept in {folder}: the same command goes on"


def opened_base(cases: str | None) -> Base:
    """Open the case base: the one named, or the human one if it can be had, else the embedded one."""
    with opened_library() as library:
        name = cases or (HUMAN if HUMAN in library.names() or os.environ.get(FOLDER) else EMBEDDED)
        base = library.open(name, "truco")
    if base.facts.rules != TRUCO.rules_name:
        raise ValueError(
            f"case base {name!r} has hands by {base.facts.rules}: the published experiments went by {TRUCO.rules_name}"
        )
    if not base.hands:
        raise ValueError(f"case base {name!r} has no hands")
    return base


def taught_base(name: str) -> Taught:
    """Open a base that a person has taught with `retruco teach`."""
    with opened_library() as library:
        base = library.open(name, "truco")
        run = runs.progress(library.store, name)
    tutor = run.settings["plan"]["tutor"]
    if tutor != PERSON or not run.standing:
        raise ValueError(f"case base {name!r} was not taught by a person: see `retruco teach`")
    return Taught(base, run.standing)


@contextmanager
def shown(some: Sequence[Experiment], quick: bool) -> Iterator[Callable[[Experiment], Told]]:
    """Show how far the whole plan is, and how long it will still take."""
    console = Console(stderr=True)
    seconds = {one.name: sum(expected_seconds(stage, quick) for stage in one.stages) for one in some}
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("", total=sum(seconds.values()))

        def telling(one: Experiment) -> Told:
            before = sum(seconds[other.name] for other in some[: some.index(one)])
            last = [""]

            def tell(done: float, text: str) -> None:
                if text != last[0] and not console.is_terminal:
                    print(text, file=sys.stderr, flush=True)
                last[0] = text
                progress.update(task, completed=before + seconds[one.name] * done, description=text)
                progress.refresh()

            return tell

        yield telling
