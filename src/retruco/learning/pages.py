"""What a learner writes after every match, and where it writes it.

The loop knows no database: it is handed a sink. A sink either takes a page whole or not at all,
and a page that was taken is never lost; so a learner that stops, however it stops, goes on with
the match after the last page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from retruco.learning.looks import Elbow

WHOLE = "hand"
"""Under this name entries are counted that are kept for all stages."""


class Kept(NamedTuple):
    """An entry to keep: the record, whose view it is, where it comes from."""

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
class Page:
    """One match: what it adds to the base, what it takes out, and how things stand after it."""

    match: int
    """The number of the match, from 0."""
    first: int
    """The number of the first entry kept."""
    kept: Sequence[Kept]
    removed: Sequence[int]
    uses: Mapping[int, int]
    standing: Mapping[str, Any]
    watches: Mapping[str, Any]
    elbows: Mapping[str, Elbow]
    journal: Sequence[Mapping[str, Any]]


class Sink(Protocol):
    """Takes pages."""

    def commit(self, page: Page, /) -> None:
        """Take a page, whole; it is safe when this returns."""


class Memory:
    """A sink that keeps pages in memory, for experiments and tests."""

    def __init__(self) -> None:
        self.pages: list[Page] = []

    def commit(self, page: Page, /) -> None:
        """Keep a page."""
        self.pages.append(page)

    @property
    def journal(self) -> list[Mapping[str, Any]]:
        """All that was looked at."""
        return [line for page in self.pages for line in page.journal]


@dataclass(slots=True)
class Draft:
    """A page while its match is played."""

    first: int
    kept: list[Kept] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    uses: Counter[int] = field(default_factory=Counter)

    @property
    def next(self) -> int:
        """The number of the next entry."""
        return self.first + len(self.kept)
