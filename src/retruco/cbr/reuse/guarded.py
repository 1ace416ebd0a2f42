"""Moral 2020, the guarded majority: the most voted action, unless it lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Pick
from retruco.cbr.reuse.criterion import Item, best
from retruco.cbr.summary import Summary, Tally
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class Guarded:
    """Go down the votes to the first item that won on balance; if none did, the one that lost least.

    Losses are compared per row, so that an item is not blamed for having many votes.
    """

    code: ClassVar[str] = "GM"
    by_chance: ClassVar[bool] = False

    def __call__(self, items: Mapping[Item, Tally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and say by which rule."""
        votes = {item: tally.rows for item, tally in items.items() if tally.points > 0}
        if votes:
            return Pick(best(items, votes), self.code, votes)
        balance = {item: tally.points / tally.rows for item, tally in items.items()}
        return Pick(best(items, balance), "lost-least", balance)
