"""PL: a draw in which every retrieved row is one ticket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Pick
from retruco.cbr.reuse.criterion import Item
from retruco.cbr.summary import Summary, Tally
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class Lottery:
    """Draw an item in proportion to its rows, from the decision's own stream."""

    code: ClassVar[str] = "PL"
    by_chance: ClassVar[bool] = True

    def __call__(self, items: Mapping[Item, Tally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and say by which rule."""
        counts = [tally.rows for tally in items.values()]
        tickets = sum(counts)
        scores = {item: tally.rows / tickets for item, tally in items.items()}
        return Pick(list(items)[stream.weighted(counts)], self.code, scores)
