"""`imitation`: keep playing in until hands like this are plenty (Paulus 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from retruco.cbr.case import Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.retain.strategy import Episode, unknown
from retruco.cbr.similarity import Amount


@dataclass(frozen=True, slots=True)
class Imitation:
    """Keep an episode while some question of it finds fewer than a hundred very similar cases."""

    fewer_than: int = 100
    at_least: Amount = 0.98
    name: ClassVar[str] = "imitation"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep what is not yet plenty."""
        found = unknown(episode, cases, self.fewer_than, self.at_least)
        return Verdict(False, "plenty") if found is None else Verdict(True, f"only {found} alike")
