"""`substitution`: keep what was not known, and let better episodes take the place of worse (BOT2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from retruco.cbr.case import Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Top
from retruco.cbr.retain.new import New
from retruco.cbr.retain.strategy import Episode


@dataclass(frozen=True, slots=True)
class Substitution:
    """As `new`; where the first question found enough, those that earned less make room."""

    new: New = field(default_factory=New)
    name: ClassVar[str] = "substitution"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep the unknown; replace the worse among the nearest by the better."""
        if not episode.problems:
            return Verdict(False, "known")
        verdict = self.new(episode, cases)
        nearest = cases.retrieve(episode.problems[0], Top(self.new.fewer_than, self.new.at_least)).matches
        if len(nearest) < self.new.fewer_than:
            return verdict
        worse = tuple(sorted({match.episode for match in nearest if match.credit < episode.credit}))
        return Verdict(True, f"better than {len(worse)}", worse) if worse else verdict
