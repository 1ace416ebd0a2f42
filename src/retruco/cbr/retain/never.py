"""`never`: the base stays as it is (BOT0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.retain.strategy import Episode


@dataclass(frozen=True, slots=True)
class Never:
    """Keep nothing."""

    name: ClassVar[str] = "never"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Decline every episode."""
        return Verdict(False, "never")
