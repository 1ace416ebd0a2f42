"""What a run has played, and what is shown when an agent fails: its traceback and the hand it failed in."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

from retruco.arena.match import Fault
from retruco.arena.records import hand_lines
from retruco.arena.sets import Score
from retruco.cli.interrupts import NOTHING_KEPT

CRASHED: Final = 1
"""The exit code of a duel or a table that ended because an agent failed."""


@dataclass
class RunTally:
    """What has been played so far."""

    unit: str
    """What is counted: pairs or deals."""
    records: str | None
    scores: list[Score] = field(default_factory=list)
    crash: Mapping[str, Any] | None = None
    """The forfeit that ended the run, if an agent failed."""

    @property
    def summary(self) -> str:
        """What is left of a run that did not come to its end."""
        done = f"{len(self.scores)} {self.unit} were played to their end"
        if self.records is None:
            return f"{done}; {NOTHING_KEPT}"
        return f"{done}; the hands up to here are kept in {self.records}"


def faults_that_stop(move_time: float | None) -> tuple[Fault, ...]:
    """The faults that end a duel or a table: a late decision only if nobody asked for a limit."""
    return ("failed",) if move_time else ("failed", "late")


def print_crash(crash: Mapping[str, Any], names: Sequence[str], summary: str) -> int:
    """Print how an agent failed and what was kept before; give the exit code."""
    print_forfeit(crash, names[crash["entrant"]])
    print(f"retruco: stopped at this failure; {summary}", file=sys.stderr)
    return CRASHED


def print_first_forfeit(scores: Sequence[Score], names: Sequence[str]) -> None:
    """Print the first match that was lost by breaking the rules, if there is one."""
    lost = [forfeit for score in scores for forfeit in score.forfeits]
    if lost:
        print_forfeit(lost[0], names[int(str(lost[0]["entrant"]))])
        print(
            f"retruco: {len(lost)} matches were lost by breaking the rules, this was the first",
            file=sys.stderr,
        )


def print_forfeit(lost: Mapping[str, Any], name: str, file: TextIO | None = None) -> None:
    """Print a forfeit: who, where, the hand so far, and why with the traceback if there is one."""
    where = f"deal {lost['pair']}, match {lost['match']}, hand {lost['hand_number']}, seat {lost['seat']}"
    lines = (
        f"retruco: {name} {FAULT_WORDS[lost['fault']]} ({where})",
        *hand_lines(lost),
        str(lost["why"]).rstrip(),
    )
    print(*lines, sep="\n", file=file or sys.stderr)


FAULT_WORDS: Final[Mapping[Fault, str]] = {
    "failed": "failed",
    "illegal": "did what the rules do not allow",
    "late": "took too long",
}
