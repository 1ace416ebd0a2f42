"""Carrying out an experiment: stage by stage on all cores, each piece kept before the next is told.

The folder of a run holds a journal of the pieces that are finished and the bases that were learnt;
the same command takes an unfinished run up again. What was found is the same, byte for byte, on
any number of workers, in one go or in many.
"""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from itertools import chain
from multiprocessing.sharedctypes import RawArray
from typing import Any, Final, TypeAlias

import numpy as np

from retruco.arena.blocks import Block, Played, Post, Task
from retruco.arena.journal import JOURNAL, Journal, write_whole
from retruco.arena.pool import LOCAL, pool_for, run_tasks
from retruco.arena.report import write_page
from retruco.arena.running import MANIFEST, RESULTS, BlockPlayer, commit
from retruco.arena.tournament import round_numbers
from retruco.experiments.contest import Contest
from retruco.experiments.study import Experiment, Stage, Study, Work

DIGITS: Final = 5
"""Results are rounded to a hundred-thousandth: more is noise."""
STAGE: Final = 1_000_000
"""The pieces of the n-th stage are numbered from n times this on."""

Progress: TypeAlias = Callable[[float, str], None]
"""Takes the share of the experiment that is done, and what is going on."""


def silent(done: float, text: str) -> None:
    """Tell nobody."""


def reproduce(
    experiment: Experiment, study: Study, workers: int, progress: Progress = silent, on: str = LOCAL
) -> None:
    """Run an experiment, or what is left of it, and write its results and reports."""
    with Journal(study.folder, settings_of(experiment, study), _has_begun(study)) as journal:
        found = play_stages(experiment, study, workers, journal, progress, on)
        results = round_numbers(
            {**settings_of(experiment, study), **experiment.results(study, found)}, DIGITS
        )
        write_whole(study.folder / RESULTS, lined(results))
        manifest = {**_manifest(study, experiment, workers, journal), "on": on}
        write_whole(study.folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    # A report is made of what is written, so that it can be made again.
    write_page(study.folder, experiment.page(json.loads(json.dumps(results)), manifest))


def _has_begun(study: Study) -> bool:
    file = study.folder / JOURNAL
    return file.exists() and file.stat().st_size > 0


def settings_of(experiment: Experiment, study: Study) -> dict[str, Any]:
    """What a run must keep when it is taken up again."""
    taught = {"taught": study.taught.as_json()} if study.taught else {}
    sizes = {"runs": study.runs, "hands": study.hands, "reading_names": list(study.readings)}
    trainings = {"trainings": study.trainings} if study.trainings > 1 else {}
    people = {"simulated_people": study.simulated} if study.simulated is not None else {}
    return {
        "experiment": experiment.name,
        "quick": study.quick,
        "seed": study.seed,
        "cases": study.cases,
        "game": experiment.game.name,
        "rules": experiment.game.rules_name,
        "target": experiment.game.goal,
        "version": experiment.game.version,
        **taught,
        **{name: value for name, value in sizes.items() if value},
        **trainings,
        **people,
    }


def _manifest(study: Study, experiment: Experiment, workers: int, journal: Journal) -> dict[str, Any]:
    """How it was found; nothing here has to be the same next time."""
    return {
        "retruco": version("retruco"),
        "commit": commit(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": settings_of(experiment, study),
        "workers": workers,
        "seconds": round(journal.seconds, 1),
        "processor_seconds": round(journal.processor_seconds, 1),
    }


# Stages


def play_stages(
    experiment: Experiment,
    study: Study,
    workers: int,
    journal: Journal,
    progress: Progress = silent,
    on: str = LOCAL,
) -> dict[str, Any]:
    """Play all stages; give what every work has found."""
    found: dict[str, Any] = {}
    expected = [expected_seconds(stage, study.quick) for stage in experiment.stages]
    for place, stage in enumerate(experiment.stages):
        before, share = sum(expected[:place]) / sum(expected), expected[place] / sum(expected)
        works = stage.works(study, found)
        pieces = list(_pieces(works, STAGE * place))

        def tell(done: float, *, before: float = before, share: float = share, stage: Stage = stage) -> None:
            progress(before + share * done, f"{experiment.name}: {stage.name}")

        _play(pieces, workers, journal, tell, on)
        for work in works:
            numbers = [piece.block.number for piece in pieces if piece.work is work]
            found[work.name] = work.found([journal.played[number] for number in numbers])
    return found


def expected_seconds(stage: Stage, quick: bool) -> float:
    """About how long a stage takes on two cores."""
    return stage.quick_seconds if quick else stage.seconds


@dataclass(frozen=True)
class Piece:
    """A block of a work, under its number in the whole experiment."""

    work: Work
    block: Block
    weight: float


def _pieces(works: Sequence[Work], first: int) -> list[Piece]:
    both = [(work, block) for work in works for block in work.blocks()]
    return [
        Piece(work, replace(block, number=number), work.weight(block))
        for number, (work, block) in enumerate(both, first)
    ]


def _play(
    pieces: Sequence[Piece], workers: int, journal: Journal, tell: Callable[[float], None], on: str
) -> None:
    """Play what is left of a stage: contests where it is wanted, all else on this machine."""
    left = [piece for piece in pieces if piece.block.number not in journal.played]
    left.sort(key=lambda piece: -piece.weight)  # a long piece at the end would leave other workers idle
    for work in {id(piece.work): piece.work for piece in left}.values():
        if isinstance(work, Contest):
            assert work.players  # called before the workers are forked, who share them
    shares = RawArray("d", len(pieces))
    places = {piece.block.number: place for place, piece in enumerate(pieces)}
    for number in journal.played.keys() & places.keys():
        shares[places[number]] = 1.0
    weights, done = np.array([piece.weight for piece in pieces]), np.frombuffer(shares)

    def meanwhile() -> None:
        tell(float((weights * done).sum() / weights.sum()))

    meanwhile()
    play = partial(_play_piece, {piece.block.number: piece.work for piece in left}, shares, places)
    there = [piece for piece in left if _can_go(piece, on)]
    here = _tasks([piece for piece in left if not _can_go(piece, on)], workers)
    results = run_tasks(play, here, min(workers, len(here)), meanwhile=meanwhile)
    for block, played in chain(results, _elsewhere(there, workers, on)):
        journal.add(block, played)
        shares[places[block.number]] = 1.0
        meanwhile()
    tell(1.0)


def _tasks(pieces: Sequence[Piece], workers: int) -> list[Task]:
    """Put the pieces of a contest together into what a worker plays in one go; all else is played piece by piece."""
    tasks, contests = list[Task](), dict[int, list[Piece]]()
    for piece in pieces:
        if isinstance(piece.work, Contest):
            contests.setdefault(id(piece.work), []).append(piece)
        else:
            tasks.append(Task((piece.block,)))
    for some in contests.values():
        contest = some[0].work
        assert isinstance(contest, Contest)
        tasks += contest.player.tasks([piece.block for piece in some], workers)
    return tasks


@dataclass(frozen=True)
class ContestPieces:
    """The pieces of several contests, by number; fit to be sent to another machine."""

    players: Mapping[int, BlockPlayer]

    def __call__(self, task: Task, post: Post) -> list[Played]:
        return self.players[task.blocks[0].number](task, post)

    def warm_up(self) -> None:
        """Let everybody play a hand, uncounted."""
        for player in {id(player): player for player in self.players.values()}.values():
            player.warm_up()


def _can_go(piece: Piece, on: str) -> bool:
    """Whether a piece is played elsewhere: a training keeps its base in a file of this machine."""
    return on != LOCAL and isinstance(piece.work, Contest)


def _elsewhere(pieces: Sequence[Piece], workers: int, on: str) -> Iterator[tuple[Block, Played]]:
    """Have the pieces of contests played on other machines, if there are any."""
    players = {piece.block.number: piece.work.player for piece in pieces if isinstance(piece.work, Contest)}
    if players:
        yield from pool_for(on, workers)(ContestPieces(players), _tasks(pieces, workers), None)


def _play_piece(
    works: Mapping[int, Work], shares: Any, places: Mapping[int, int], task: Task, post: Post
) -> Sequence[Played]:
    """Play a task in a worker, who tells through shared memory how far it is."""
    number = task.blocks[0].number

    def tell(share: float) -> None:
        shares[places[number]] = share

    return works[number].play(task, post, tell)


INNER: Final = re.compile(r"\[[^\[\]{}]*\]|\{[^{}]*\}")


def lined(value: Any) -> str:
    """Write plain data so that people can read it too: what holds no object stands on one line.

    >>> print(lined({"a": {"share": 0.5, "ci95": [0.4, 0.6]}}), end="")
    {
     "a": {"share": 0.5, "ci95": [0.4, 0.6]}
    }
    """
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return (
        INNER.sub(lambda found: re.sub(r"(?<=[\[{])\s+|\s+(?=[\]}])|(?<=,)\n\s*", _space, found[0]), text)
        + "\n"
    )


def _space(found: re.Match[str]) -> str:
    return " " if found.string[found.start() - 1] == "," else ""
