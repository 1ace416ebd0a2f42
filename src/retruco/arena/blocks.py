"""Work in pieces: a block is a run of duplicate sets between the same entrants.

Blocks are cut the same way however many workers there are, so results can be put together in one
order whoever played what; `play_block` is a plain function of plain data, fit for any executor.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, Final

from retruco.agents.core import Agent
from retruco.arena.compiled import Asking, compiled_scores
from retruco.arena.match import Condemned, Fault
from retruco.arena.records import lines_of
from retruco.arena.seatings import members_of
from retruco.arena.sets import DealsFor, Score, play_set
from retruco.arena.table import Table
from retruco.arena.tally import Tally, too_late, where
from retruco.games.core import Game, Seat

SETS_IN_A_BLOCK: Final = 5


@dataclass(frozen=True, slots=True)
class Block:
    """The sets from `start` up to `stop` between some entrants, who are named by their places."""

    number: int
    entrants: tuple[int, ...]
    start: int
    stop: int

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Block:
        """Read a block back."""
        return cls(data["number"], tuple(data["entrants"]), data["start"], data["stop"])

    def as_json(self) -> dict[str, Any]:
        """The block as plain data."""
        return asdict(self)


def blocks_of(entrants: Sequence[Sequence[int]], sets: int, size: int = SETS_IN_A_BLOCK) -> list[Block]:
    """Cut a plan into blocks: everybody's first sets come first, so an early stop is a fair one.

    >>> [(block.entrants, block.start, block.stop) for block in blocks_of(pairings(3), 8)][2:5]
    [((1, 2), 0, 5), ((0, 1), 5, 8), ((0, 2), 5, 8)]
    """
    cuts = [(start, min(start + size, sets)) for start in range(0, sets, size)]
    pieces = [(tuple(who), start, stop) for start, stop in cuts for who in entrants]
    return [Block(number, *piece) for number, piece in enumerate(pieces)]


def pairings(entrants: int) -> list[tuple[int, int]]:
    """All against all.

    >>> pairings(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(entrants), 2))


@dataclass(frozen=True, slots=True)
class Job:
    """All that the blocks of one run have in common."""

    game: Game
    names: tuple[str, ...]
    """The entrants; `members_of` says which agents each is."""
    seed: int
    move_time: float | None = None
    """How many seconds a decision may take."""
    records: bool = False
    decisions: bool = False
    """Whether the hands are kept, and the decisions with them."""
    most_hands: int | None = None
    """How many hands of a match are played; all, if nothing is said."""
    deals_for: DealsFor | None = None
    """Fixed deals, in the place of those that the seed names."""
    stops_at: tuple[Fault, ...] = ()
    """The faults that end a run, where others lose a match and the run goes on."""
    readable: bool = False
    """Whether the readable engine plays everything; the scores are the same."""

    @property
    def wants_only_scores(self) -> bool:
        """Whether neither hands nor decisions are kept."""
        return not (self.records or self.decisions)


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision of a block: where a worker was when it was last heard of."""

    number: int
    match: int
    hand: int
    decision: int
    seat: int


class Post:
    """Where a player tells which decision it is at; a worker's is read by its master."""

    def begin(self, moment: Moment) -> None:
        """A decision begins."""

    def end(self) -> None:
        """A decision has been made."""


NO_POST: Final = Post()


@dataclass(frozen=True, slots=True)
class Task:
    """A block, and the decisions in it that an earlier attempt did not survive."""

    block: Block
    doomed: Mapping[Moment, Fault] = field(default_factory=dict)


class Watched(Tally):
    """A tally that reports every decision to a post, and lets doomed ones forfeit unasked."""

    def __init__(self, job: Job, task: Task, post: Post, number: int, match: int) -> None:
        super().__init__(job.game.seats, job.move_time, job.decisions)
        self._job, self._task, self._post = job, task, post
        self._number, self._match = number, match

    def asking(self, table: Table, seat: Seat) -> None:
        """Report the decision, unless it is known to have no end."""
        moment = Moment(self._number, self._match, table.match.hand, table.decisions[seat], seat)
        fault = self._task.doomed.get(moment)
        if fault == "late" and self.move_time is not None:
            raise too_late(self.move_time, table, seat)
        if fault is not None:
            raise Condemned(fault, f"the process of the agent died each time {where(table, seat)}")
        self._post.begin(moment)
        super().asking(table, seat)

    def note_decision(self, table: Table, seat: Seat, decision: Any) -> None:
        """Report that the decision was made; to write it down may run the agent's code too."""
        super().note_decision(table, seat, decision)
        self._post.end()


@dataclass(frozen=True, slots=True)
class Played:
    """A finished block: its scores as plain data and, if asked for, its hands as lines of JSON."""

    scores: list[dict[str, Any]]
    records: str = ""
    seconds: float = 0.0
    """Of a processor's time."""
    crash: Mapping[str, Any] | None = None
    """The forfeit that ended the block and with it the run; its set has no score."""


def play_block(job: Job, players: Mapping[str, Agent], task: Task, post: Post = NO_POST) -> Played:
    """Play the sets of a block, one after the other."""
    names = [job.names[place] for place in task.block.entrants]
    entrants = [[players[name] for name in members_of(entrant, job.game)] for entrant in names]
    scores, lines, started = list[dict[str, Any]](), list[str](), time.process_time()
    compiled = _play_compiled(job, entrants, task, post)
    if compiled is not None:
        return Played([score.as_json() for score in compiled], seconds=time.process_time() - started)
    for number in range(task.block.start, task.block.stop):
        played = play_set(
            job.game,
            entrants,
            job.seed,
            number,
            lambda match, number=number: Watched(job, task, post, number, match),  # type: ignore[misc]
            job.most_hands,
            job.deals_for,
            job.stops_at,
        )
        post.end()
        if job.records:
            lines += lines_of(played, names)
        if played.crash:
            return Played(scores, "".join(lines), time.process_time() - started, played.crash)
        scores.append(played.score().as_json())
    return Played(scores, "".join(lines), time.process_time() - started)


def _play_compiled(
    job: Job, entrants: Sequence[Sequence[Agent]], task: Task, post: Post
) -> list[Score] | None:
    """Play a block in compiled code; nothing where somebody wants to see more than scores, or it cannot be done."""
    if job.readable or task.doomed or not job.wants_only_scores:
        return None
    asking = Asking(lambda *moment: post.begin(Moment(*moment)), post.end, job.move_time)
    numbers = range(task.block.start, task.block.stop)
    agents = [members[0] for members in entrants]
    return compiled_scores(job.game, agents, job.seed, numbers, job.most_hands, job.deals_for, asking)
