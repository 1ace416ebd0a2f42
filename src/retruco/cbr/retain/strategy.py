"""What retention strategies have in common: the episode they judge and the form of the judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from retruco.cbr.case import Problem, Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Top
from retruco.cbr.similarity import Amount

NEAR: Final = 0.90
ENOUGH: Final = 10
"""Fewer than ten cases at ninety per cent: Moral (2020) calls that not knowing."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One stage of a finished hand, as its seat went through it."""

    problems: tuple[Problem, ...]
    """The questions that were asked, in order."""
    credit: int
    """The balance of points of the stage."""
    shown: int = 0
    """How many of the answers a tutor gave."""


class Strategy(Protocol):
    """Judges an episode against the cases there are; changes nothing."""

    @property
    def name(self) -> str:
        """What it is called."""

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Say whether to keep the episode, and why."""


def unknown(
    episode: Episode, cases: CaseBase, fewer_than: int = ENOUGH, at_least: Amount = NEAR
) -> int | None:
    """Find the first question with too few similar cases, and how many it had; `None` if all had enough."""
    for problem in episode.problems:
        found = len(cases.retrieve(problem, Top(fewer_than, at_least)))
        if found < fewer_than:
            return found
    return None
