"""The conventional model: one criterion, applied to the actions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from retruco.cbr.case import Choice
from retruco.cbr.reuse.criterion import Criterion
from retruco.cbr.summary import Summary
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class Conventional:
    """Pick an action among all retrieved rows."""

    actions: Criterion

    @property
    def by_chance(self) -> bool:
        """Whether the criterion draws."""
        return self.actions.by_chance

    def __call__(self, summary: Summary, available: Collection[str], stream: Stream, /) -> Choice:
        """Choose an answer; none if there is no experience with an available one."""
        usable = summary.only(available)
        if not usable.items:
            return Choice(None)
        pick = self.actions(usable.by_action, usable, stream)
        return Choice(str(pick.chosen), (pick,))
