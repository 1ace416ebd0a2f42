"""Work in pieces: a block is a run of duplicate sets between the same entrants.

Blocks are cut the same way however many workers there are, so results can be put together in one
order whoever played what; `play_blocks` is a plain function of plain data, fit for any executor.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from itertools import combinations, islice
from typing import Any, Final, TypeAlias

from retruco.agents.core import Agent
from retruco.arena.match import Condemned, Fault
from retruco.arena.records import lines_of
from retruco.arena.seatings import members_of
from retruco.arena.sets import DealsFor, PlayedSet, Score, play_set
from retruco.arena.table import Table
from retruco.arena.tally import Tally, too_late, where
from retruco.games.core import Game, Seat
from retruco.games.euchre import Euchre
from retruco.games.truco import Truco

SETS_IN_A_BLOCK: Final = 5

log = logging.getLogger("retruco.arena")


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
    """Blocks that a worker plays in one go, and the decisions in them that an earlier attempt did not survive."""

    blocks: tuple[Block, ...]
    doomed: Mapping[Moment, Fault] = field(default_factory=dict)


def tasks_of(blocks: Iterable[Block], at_once: int, workers: int = 1) -> Iterator[Task]:
    """Put blocks together into tasks: at most so many, and of a list no more than leave work for everybody.

    Where nobody knows how many blocks there will be, tasks begin small and double.

    >>> blocks = blocks_of([(0, 1)], 40)
    >>> [len(task.blocks) for task in tasks_of(blocks, 100, workers=2)], [len(task.blocks) for task in tasks_of(iter(blocks), 4)]
    ([4, 4], [1, 2, 4, 1])
    """
    size = min(at_once, -(-len(blocks) // workers)) if isinstance(blocks, Sequence) else 1
    left = iter(blocks)
    while some := tuple(islice(left, size)):
        yield Task(some)
        size = size if isinstance(blocks, Sequence) else min(at_once, 2 * size)


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


LANES: Final = 2000
"""So many matches are played side by side at the most."""


def blocks_at_once(job: Job, players: Iterable[Agent]) -> int:
    """How many blocks make a task: many where everybody answers many situations at once, else one."""
    in_batches = is_batched(job.game) and not (job.records or job.decisions)
    if in_batches and all(hasattr(player, "decide_many") for player in players):
        return LANES // (2 * SETS_IN_A_BLOCK)
    return 1


@lru_cache(maxsize=16)
def is_batched(game: Game) -> bool:
    """Whether the matches of a game are played side by side: Euchre, and Truco unless its tables cannot hold the rules."""
    if not isinstance(game, Truco):
        return isinstance(game, Euchre)
    from retruco.games.truco.compiled.automaton import CannotCompile
    from retruco.games.truco.compiled.tables import tables_for

    try:
        tables_for(game)
    except CannotCompile as error:
        log.info("%r is played match by match: %s", game, error)
        return False
    return True


def play_blocks(job: Job, players: Mapping[str, Agent], task: Task, post: Post = NO_POST) -> list[Played]:
    """Play blocks; after a crash that ends the run, nothing more is played."""
    started = time.process_time()
    play = _play_side_by_side if is_batched(job.game) else _play_match_by_match
    played = []
    for block, scores, sets in play(job, players, task, post):
        names = [job.names[place] for place in block.entrants]
        lines = [line for one in sets for line in lines_of(one, names)] if job.records else []
        crash = sets[-1].crash if sets else None
        played.append(Played([score.as_json() for score in scores], "".join(lines), crash=crash))
        if crash:
            break
    post.end()
    seconds = (time.process_time() - started) / len(played)
    return [replace(one, seconds=seconds) for one in played]


BlockResult: TypeAlias = tuple[Block, list[Score], list[PlayedSet]]
"""A block with the scores of its sets; the sets as they were played, where somebody asks for them or one crashed."""


def _entrants_of(job: Job, players: Mapping[str, Agent], block: Block) -> list[list[Agent]]:
    names = [job.names[place] for place in block.entrants]
    return [[players[name] for name in members_of(entrant, job.game)] for entrant in names]


def _play_side_by_side(
    job: Job, players: Mapping[str, Agent], task: Task, post: Post
) -> Iterator[BlockResult]:
    """Play all matches of some blocks in one batch."""
    from retruco.arena.batch import Batch, LaneMatch, matches_of_pair  # other games do without numba

    matches = list[LaneMatch]()
    for block in task.blocks:
        entrants = _entrants_of(job, players, block)
        for number in range(block.start, block.stop):
            matches += matches_of_pair(job.game, entrants, job.seed, number, job.deals_for)

    def tally_for(match: LaneMatch) -> Tally:
        return Watched(job, task, post, match.pair, match.order)

    batch = Batch(job.game, matches, job.most_hands, tally_for, one_by_one=job.decisions)
    batch.play()
    scores, place = batch.scores(), 0
    for block in task.blocks:
        places = range(place, place := place + block.stop - block.start)
        crashed = next((at for at in places if batch.crash(at, job.stops_at)), None)
        whole = places if crashed is None else range(places.start, crashed)
        shown = whole if job.records else range(0)
        sets = [batch.played_set(at) for at in shown]
        if crashed is not None:
            sets.append(batch.played_set(crashed, job.stops_at))
        yield block, scores[whole.start : whole.stop], sets


def _play_match_by_match(
    job: Job, players: Mapping[str, Agent], task: Task, post: Post
) -> Iterator[BlockResult]:
    """Play the sets of some blocks, one after the other."""
    for block in task.blocks:
        entrants, sets = _entrants_of(job, players, block), list[PlayedSet]()
        for number in range(block.start, block.stop):
            tallies = partial(Watched, job, task, post, number)
            sets.append(
                play_set(
                    job.game, entrants, job.seed, number, tallies, job.most_hands, job.deals_for, job.stops_at
                )
            )
            if sets[-1].crash:
                break
        yield block, [one.score() for one in sets if not one.crash], sets
