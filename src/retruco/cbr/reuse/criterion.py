"""What criteria and models have in common: their form, ties, support and shrinking."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from retruco.cbr.case import Choice, Pick
from retruco.cbr.summary import Summary, Tally
from retruco.streams import Stream

Item = TypeVar("Item", int, str)


class Criterion(Protocol):
    """Picks one of some items, clusters or actions; there is at least one."""

    code: ClassVar[str]
    by_chance: ClassVar[bool]

    def __call__(self, items: Mapping[Item, Tally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and say by which rule."""


class Model(Protocol):
    """Turns a retrieval's summary into an answer among the available ones."""

    @property
    def by_chance(self) -> bool:
        """Whether the same summary can lead to different answers."""

    def __hash__(self) -> int: ...

    def __call__(self, summary: Summary, available: Collection[str], stream: Stream, /) -> Choice:
        """Choose an answer; none if there is no experience with an available one."""


def best(items: Mapping[Item, Tally], scores: Mapping[Item, float]) -> Item:
    """Pick the highest score; ties go to the greater closeness, then to the first in order.

    >>> alike = {"low": Tally(1, 0, 0, 0, 50), "high": Tally(1, 0, 0, 0, 60), "down": Tally(1, 0, 0, 0, 60)}
    >>> best(alike, {"low": 0.5, "high": 0.5, "down": 0.5})
    'high'
    """
    highest = max(scores.values())
    tied = [item for item, score in scores.items() if score == highest]
    return tied[0] if len(tied) == 1 else max(tied, key=lambda item: items[item].closeness)


@dataclass(frozen=True, slots=True)
class Supported:
    """The fields of a criterion that wants support: enough rows, and scores shrunk to the mean.

    An item takes part with at least `support` rows and `percent` of the retrieved ones; its
    score is (sum + prior * mean) / (count + prior), where mean is that of the whole retrieval.
    `support=0, prior=0` reads the criterion literally.
    """

    support: int = 3
    percent: int = 5
    prior: int = 4

    def taking_part(self, items: Mapping[Item, Tally], whole: Tally) -> dict[Item, Tally]:
        """Keep the items that have support."""
        if not self.support:
            return dict(items)
        wanted = max(self.support, -(-self.percent * whole.rows // 100))
        return {item: tally for item, tally in items.items() if tally.rows >= wanted}

    def shrunk(self, gain: int, count: int, whole_gain: int, whole_count: int) -> float:
        """Shrink a mean to the retrieval's; a single division, so that equal scores are equal.

        >>> Supported().shrunk(gain=4, count=4, whole_gain=5, whole_count=10)
        0.75
        """
        return (gain * whole_count + self.prior * whole_gain) / (whole_count * (count + self.prior))
