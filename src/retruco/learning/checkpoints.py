"""Checkpoints: what a learner hands in after every match, and where it hands it in.

The loop knows no database: it is handed a sink. A sink takes a checkpoint whole or not at all, and
one that was taken is never lost; so an interrupted run, however it was interrupted, resumes after
the match of its last checkpoint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from retruco.learning.reclustering import Elbow

WHOLE = "hand"
"""Under this name entries are counted that are kept for all stages."""


class Retained(NamedTuple):
    """An entry to retain: the record, whose view it is, where it comes from."""

    record: Mapping[str, object]
    seat: int
    origin: str


@dataclass(slots=True)
class Standing:
    """How far a learner has come; plain numbers, from which it can go on."""

    match: int = 0
    """How many matches it has played."""
    hands: int = 0
    """How many hands it has played."""
    won: int = 0
    """How many matches it has won."""
    kept: int = 0
    replaced: int = 0
    shown: int = 0
    """How many answers a tutor gave."""
    cases: dict[str, int] = field(default_factory=dict)
    """How many entries the base has, by stage."""

    def as_json(self) -> dict[str, Any]:
        """The standing as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """Read a standing from plain data.

        >>> Standing.of(Standing(match=3, cases={"truco": 513}).as_json()).cases
        {'truco': 513}
        """
        return cls(**{**plain, "cases": dict(plain["cases"])})


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One match: what it adds to the base, what it takes out, and how things stand after it."""

    match: int
    """The number of the match, from 0."""
    first: int
    """The number of the first entry retained."""
    retained: Sequence[Retained]
    removed: Sequence[int]
    uses: Mapping[int, int]
    standing: Mapping[str, Any]
    watches: Mapping[str, Any]
    elbows: Mapping[str, Elbow]
    journal: Sequence[Mapping[str, Any]]


class Sink(Protocol):
    """Takes checkpoints."""

    @property
    def wants_records(self) -> bool:
        """Whether the hands are to be written down."""

    def commit(self, checkpoint: Checkpoint, /) -> None:
        """Take a checkpoint, whole; it is safe when this returns."""


class Memory:
    """A sink that holds checkpoints in memory, for experiments and tests."""

    wants_records = True

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []

    def commit(self, checkpoint: Checkpoint, /) -> None:
        """Hold a checkpoint."""
        self.checkpoints.append(checkpoint)

    @property
    def journal(self) -> list[Mapping[str, Any]]:
        """What every review of the clusters found."""
        return [line for checkpoint in self.checkpoints for line in checkpoint.journal]


class Discard:
    """A sink that holds nothing: the growing base itself is all that is wanted."""

    wants_records = False

    def commit(self, checkpoint: Checkpoint, /) -> None:
        """Let a checkpoint go."""


@dataclass(slots=True)
class Draft:
    """A checkpoint while its match is played."""

    first: int
    retained: list[Retained] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    uses: Counter[int] = field(default_factory=Counter)

    @property
    def next(self) -> int:
        """The number of the next entry."""
        return self.first + len(self.retained)
