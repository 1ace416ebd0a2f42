"""`taught`: keep what a tutor has shown (BOT5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.retain.strategy import Episode


@dataclass(frozen=True, slots=True)
class Taught:
    """Keep an episode in which at least one answer was shown."""

    name: ClassVar[str] = "taught"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep what was shown."""
        return Verdict(episode.shown > 0, f"{episode.shown} shown" if episode.shown else "nothing shown")
