"""`retruco reproduce`: run published experiments on all cores; resume an interrupted run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from retruco.agents.holdem.policies import policy_named
from retruco.arena.pool import pool_for
from retruco.arena.report import duration
from retruco.arena.running import Stopwatch
from retruco.cli.cases import open_library
from retruco.cli.commands.experiments import ReproduceOptions
from retruco.cli.entrants import workers_or_all
from retruco.cli.interrupts import if_interrupted
from retruco.cli.report import write_index
from retruco.experiments.casey_readings import ENOUGH_RUNS
from retruco.experiments.conclusions import ENOUGH_TRAININGS
from retruco.experiments.registry import ALL, find_experiments
from retruco.experiments.running import Progress as ReportProgress
from retruco.experiments.running import expected_seconds, reproduce
from retruco.experiments.study import TRUCO, Experiment, Study, Taught
from retruco.learning.tutor import PERSON
from retruco.storage import runs
from retruco.storage.human import FOLDER, HUMAN
from retruco.storage.library import Base
from retruco.storage.reading import EMBEDDED

CASEY: Final = "sandven2006"
"""The experiment in which Casey learns."""
PUPILS: Final = "moral2020"
"""The experiment with a bot that a person may teach."""
PEOPLE: Final = "people"
"""The experiment of the web table."""
WHERE: Final = "reproduction"
"""The folder of the runs, if none is named."""


def run_folder(options: ReproduceOptions, experiment: Experiment, base: Base | None) -> Path:
    """Where a run is stored."""
    if options.out is not None:
        return Path(options.out) / experiment.name if options.name == ALL else Path(options.out)
    parts = [experiment.name, *([base.name] if base else []), *(["quick"] if options.quick else [])]
    return Path(WHERE) / "-".join(parts)


def run_reproduce(options: ReproduceOptions) -> int:
    """Run one experiment or all; return the exit code."""
    experiments, workers = find_experiments(options.name), workers_or_all(options.workers)
    pool_for(options.on, workers)
    check_people_options(options, experiments)
    needed_base = open_base(options.cases) if any(each.needs_cases for each in experiments) else None
    taught = open_taught_base(options.taught) if options.taught else None
    check_casey_sizes(options, experiments)
    if taught and all(each.name != PUPILS for each in experiments):
        raise ValueError(f"--taught is for {PUPILS}, not for {options.name}")
    trainings = trainings_of(options)
    done: list[str] = []
    with experiment_progress(experiments, options.quick) as progress_of:
        for experiment in experiments:
            base = needed_base if experiment.needs_cases else None
            pupil = taught if experiment.name == PUPILS else None
            folder = run_folder(options, experiment, base)
            study = Study(
                options.seed,
                options.quick,
                folder,
                base,
                pupil,
                trainings=trainings,
                **(casey_sizes(options) if experiment.name == CASEY else {}),
                **(people_options(options) if experiment.name == PEOPLE else {}),
            )
            watch = Stopwatch()
            with if_interrupted(partial(_what_is_stored, study.folder)):
                reproduce(experiment, study, workers, progress_of(experiment), options.on)
            done.append(f"{experiment.name} in {duration(watch.seconds)}: {study.folder / 'report.html'}")
    print(*done, sep="\n")
    if options.name == ALL:
        write_index(options.out or WHERE)
    return 0


def casey_sizes(options: ReproduceOptions) -> dict[str, Any]:
    """The sizes and readings of Casey's experiment; `--full` has as many runs as verdicts need."""
    return {
        "runs": ENOUGH_RUNS if options.runs is None and options.full else options.runs,
        "hands": options.hands,
        "readings": tuple(options.readings.split(",")) if options.readings else (),
    }


def check_casey_sizes(options: ReproduceOptions, experiments: Sequence[Experiment]) -> None:
    """Refuse sizes that cannot be, readings that there are not, and both for other experiments."""
    given = [name for name in ("runs", "hands", "readings") if getattr(options, name) is not None]
    if given and all(each.name != CASEY for each in experiments):
        raise ValueError(f"--{given[0]} is for {CASEY}, not for {options.name}")
    for name, value, least in (("runs", options.runs, 1), ("hands", options.hands, 5)):
        if value is not None and value < least:
            raise ValueError(f"--{name} must be at least {least}, not {value}")
    for name in casey_sizes(options)["readings"]:
        policy_named(name)


def people_options(options: ReproduceOptions) -> dict[str, Any]:
    """How many simulated people play, and where real ones have played."""
    return {"simulated": options.simulated, "table": Path(options.store) if options.store else None}


def check_people_options(options: ReproduceOptions, experiments: Sequence[Experiment]) -> None:
    """Refuse fewer people than none, a web table that is not there, and both for other experiments."""
    given = [name for name in ("simulated", "store") if getattr(options, name) is not None]
    if given and all(each.name != PEOPLE for each in experiments):
        raise ValueError(f"--{given[0]} is for {PEOPLE}, not for {options.name}")
    if options.simulated is not None and options.simulated < 0:
        raise ValueError(f"--simulated must be at least 0, not {options.simulated}")
    if options.store and not Path(options.store).exists():
        raise ValueError(f"--store {options.store}: there is no such file")


def trainings_of(options: ReproduceOptions) -> int:
    """How often everybody is trained."""
    if options.trainings < 1:
        raise ValueError(f"--trainings must be at least 1, not {options.trainings}")
    if options.quick and (options.full or options.trainings > 1):
        raise ValueError("--quick trains once and judges nothing: leave out --full and --trainings")
    return max(options.trainings, ENOUGH_TRAININGS) if options.full else options.trainings


def _what_is_stored(folder: Path) -> str:
    return f"what was played is kept in {folder}: the same command goes on"


def open_base(cases: str | None) -> Base:
    """Open the case base: the one named, or the human one if it can be had, else the embedded one."""
    with open_library() as library:
        name = cases or (HUMAN if HUMAN in library.names() or os.environ.get(FOLDER) else EMBEDDED)
        base = library.open(name, "truco")
    if base.facts.rules != TRUCO.rules_name:
        raise ValueError(
            f"case base {name!r} has hands by {base.facts.rules}: the published experiments went by {TRUCO.rules_name}"
        )
    if not base.hands:
        raise ValueError(f"case base {name!r} has no hands")
    return base


def open_taught_base(name: str) -> Taught:
    """Open a base that a person has taught with `retruco teach`."""
    with open_library() as library:
        base = library.open(name, "truco")
        run = runs.progress(library.store, name)
    tutor = run.settings["plan"]["tutor"]
    if tutor != PERSON or not run.standing:
        raise ValueError(f"case base {name!r} was not taught by a person: see `retruco teach`")
    return Taught(base, run.standing)


@contextmanager
def experiment_progress(
    experiments: Sequence[Experiment], quick: bool
) -> Iterator[Callable[[Experiment], ReportProgress]]:
    """Show how far the whole plan is, and how long it will still take."""
    console = Console(stderr=True)
    seconds = {
        each.name: sum(expected_seconds(stage, quick) for stage in each.stages) for each in experiments
    }
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("", total=sum(seconds.values()))

        def progress_of(experiment: Experiment) -> ReportProgress:
            earlier = experiments[: experiments.index(experiment)]
            before = sum(seconds[other.name] for other in earlier)
            last = [""]

            def report(done: float, text: str) -> None:
                if text != last[0] and not console.is_terminal:
                    print(text, file=sys.stderr, flush=True)
                last[0] = text
                progress.update(task, completed=before + seconds[experiment.name] * done, description=text)
                progress.refresh()

            return report

        yield progress_of
