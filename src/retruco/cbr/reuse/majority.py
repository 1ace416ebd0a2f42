"""MJ: what most of the retrieved rows did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Pick
from retruco.cbr.reuse.criterion import Item, best
from retruco.cbr.summary import Summary, Tally
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class Majority:
    """Pick the item with the most rows."""

    code: ClassVar[str] = "MJ"
    by_chance: ClassVar[bool] = False

    def __call__(self, items: Mapping[Item, Tally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and say by which rule."""
        scores = {item: tally.rows for item, tally in items.items()}
        return Pick(best(items, scores), self.code, scores)
