"""`new`: keep what was not known (BOT1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.retain.strategy import ENOUGH, NEAR, Episode, unknown
from retruco.cbr.similarity import Amount


@dataclass(frozen=True, slots=True)
class New:
    """Keep an episode if some question of it found too few similar cases."""

    fewer_than: int = ENOUGH
    at_least: Amount = NEAR
    name: ClassVar[str] = "new"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep what has a question with fewer cases than enough."""
        found = unknown(episode, cases, self.fewer_than, self.at_least)
        return Verdict(False, "known") if found is None else Verdict(True, f"only {found} similar")
