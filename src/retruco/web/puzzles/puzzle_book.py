"""The puzzles that come with the package, what people answered, and their streaks.

`tools/make_puzzles.py` makes `truco_puzzles.json` from agents' matches.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from retruco.games.core import Action
from retruco.games.truco import TrucoObservation, TrucoState
from retruco.games.truco.notation import read
from retruco.web.core.store import Store

FILE: Final = Path(__file__).with_name("truco_puzzles.json")
POSITION: Final = ("rules", "target", "scores", "mao", "hands", "actions")
STARS: Final = 5


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its best move, and what every move is worth."""

    id: str
    state: TrucoState
    best: Action
    points: Mapping[Action, float]
    chances: Mapping[Action, float]
    """What each action is worth in points and in match-winning chance, the best first."""
    answers: int
    missed: float
    """How many answers agents gave, and which share of them was not the best move."""

    @property
    def seen(self) -> TrucoObservation:
        """What the seat sees that is asked."""
        assert self.state.to_act is not None
        return self.state.observe(self.state.to_act)


@cache
def puzzles() -> dict[str, Puzzle]:
    """All puzzles by their names."""
    return {puzzle["id"]: _puzzle(puzzle) for puzzle in json.loads(FILE.read_text(encoding="utf-8"))}


def _puzzle(facts: Mapping[str, Any]) -> Puzzle:
    state = read({"game": "truco", **{name: facts[name] for name in POSITION}})
    return Puzzle(
        facts["id"],
        state,
        facts["best"],
        facts["points"],
        facts["chances"],
        facts["answers"],
        facts["missed"],
    )


def today() -> date:
    """The day by which the puzzle of the day changes."""
    return datetime.now(UTC).date()


def daily_puzzle(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody."""
    return list(puzzles().values())[day.toordinal() % len(puzzles())]


def stars(missed: float) -> int:
    """How hard a puzzle is that such a share misses, from 1 to 5.

    >>> stars(0.0), stars(0.5), stars(1.0)
    (1, 3, 5)
    """
    return 1 + min(STARS - 1, int(missed * STARS))


def streak(days: Collection[date], now: date) -> int:
    """On how many days in a row the puzzle of the day was solved, up to today or yesterday.

    >>> monday = date(2026, 11, 16)
    >>> streak({monday, monday - timedelta(1), monday - timedelta(3)}, monday), streak(set(), monday)
    (2, 0)
    """
    day = now if now in days else now - timedelta(1)
    count = 0
    while day - timedelta(count) in days:
        count += 1
    return count


class PuzzleAnswer(NamedTuple):
    """What a visitor answered first."""

    puzzle: str
    action: Action
    solved: bool
    day: date | None
    """The day on which it was the puzzle of the day."""


class PuzzleAnswers:
    """What people answered; only the first answer to a puzzle counts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, visitor: str, puzzle: Puzzle, action: Action, now: date) -> None:
        """Write down an answer, unless there is one."""
        day = now.isoformat() if daily_puzzle(now) is puzzle else None
        row = (visitor, puzzle.id, action, action == puzzle.best, day, time.time())
        self._store.change(
            lambda base: base.execute("INSERT OR IGNORE INTO puzzle_answer VALUES (?,?,?,?,?,?)", row)
        )

    def of(self, visitor: str) -> list[PuzzleAnswer]:
        """A visitor's answers in their order."""
        query = "SELECT puzzle, action, solved, day FROM puzzle_answer WHERE visitor = ? ORDER BY at"
        return [
            PuzzleAnswer(puzzle, action, bool(solved), date.fromisoformat(day) if day else None)
            for puzzle, action, solved, day in self._store.rows(query, visitor)
        ]

    def missed(self, puzzle: Puzzle) -> tuple[float, int]:
        """Which share of agents and people missed a puzzle, and how many people have answered it."""
        query = "SELECT count(*), coalesce(sum(NOT solved), 0) FROM puzzle_answer WHERE puzzle = ?"
        people, wrong = self._store.rows(query, puzzle.id)[0]
        return (puzzle.missed * puzzle.answers + wrong) / (puzzle.answers + people), people


def solved_in_a_row(answers: Sequence[PuzzleAnswer]) -> int:
    """How many of the last answers were right, up to the last wrong one."""
    wrong = [place for place, answer in enumerate(answers) if not answer.solved]
    return len(answers) - 1 - (wrong[-1] if wrong else -1)


def next_puzzle(answers: Sequence[PuzzleAnswer]) -> Puzzle | None:
    """The easiest puzzle without an answer; none when all have one."""
    answered = {answer.puzzle for answer in answers}
    left = [puzzle for puzzle in puzzles().values() if puzzle.id not in answered]
    return min(left, key=lambda puzzle: puzzle.missed, default=None)
