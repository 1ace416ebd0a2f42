"""PV: what won most often, a draw counting half."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Pick
from retruco.cbr.reuse.criterion import Item, Supported, best
from retruco.cbr.reuse.majority import Majority
from retruco.cbr.summary import Summary, Tally
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class Victory(Supported):
    """Pick the item with the greatest share of victories; without support the majority decides."""

    code: ClassVar[str] = "PV"
    by_chance: ClassVar[bool] = False

    def __call__(self, items: Mapping[Item, Tally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and say by which rule."""
        whole = summary.whole
        part = self.taking_part(items, whole)
        if not part:
            return Majority()(items, summary, stream)
        halves = 2 * whole.wins + whole.draws
        scores = {
            item: self.shrunk(2 * tally.wins + tally.draws, tally.rows, halves, whole.rows) / 2
            for item, tally in part.items()
        }
        return Pick(best(part, scores), self.code, scores)
