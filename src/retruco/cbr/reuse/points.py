"""NP: what brought the most points on average."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Pick
from retruco.cbr.reuse.criterion import Item, Supported, best
from retruco.cbr.reuse.majority import Majority
from retruco.cbr.reuse.victory import Victory
from retruco.cbr.summary import Summary, Tally
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class Points(Supported):
    """Pick the item with the best mean balance of points; where answers only win or lose, by PV."""

    code: ClassVar[str] = "NP"
    by_chance: ClassVar[bool] = False

    def __call__(self, items: Mapping[Item, Tally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and say by which rule."""
        if summary.wins_only:
            return Victory(self.support, self.percent, self.prior)(items, summary, stream)
        whole = summary.whole
        part = self.taking_part(items, whole)
        if not part:
            return Majority()(items, summary, stream)
        scores = {
            item: self.shrunk(tally.points, tally.rows, whole.points, whole.rows)
            for item, tally in part.items()
        }
        return Pick(best(part, scores), self.code, scores)
