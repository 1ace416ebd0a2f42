"""A finished hand, taken apart for retention: what its seat was asked, stage by stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from retruco.cbr.case import Decision, Row
from retruco.cbr.retain import Episode
from retruco.games.core import Seat
from retruco.games.truco import TrucoObservation, TrucoState
from retruco.games.truco.state import STAGES
from retruco.learning.training import Experience, Notes
from retruco.learning.truco.bluffing import TRIED
from retruco.learning.tutor import SHOWN, stages_by_rule
from retruco.vocab.truco import Question, questions, rows_of
from retruco.vocab.truco.questions import AnsweredQuestion, Ask, answers_given, stage_of
from retruco.vocab.truco.rows import for_stage


class HandNotes(Notes):
    """What a seat notes down while it plays a hand."""

    def __init__(self, ask: Ask = questions) -> None:
        self._ask = ask
        self.answered: list[tuple[Question | AnsweredQuestion, str]] = []
        self.shown: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()
        """How many bluffs were tried, by stage."""

    def turn(self, seen: TrucoObservation, decision: Decision) -> None:
        """Note the questions that a decision answered, and whether a tutor showed it or a bluff was tried."""
        self.answered.extend(answers_given(seen, decision.action, self._ask))
        self.shown.update(stages_by_rule(decision, SHOWN))
        self.tried.update(stages_by_rule(decision, TRIED))


@dataclass(frozen=True, slots=True)
class StageExperience(Experience):
    """One stage of a hand, or the whole of it."""

    @property
    def episode(self) -> Episode:
        """What a retention strategy judges: every stage counts its balance once."""
        balances = {stage_of(row.problem.scenario): row.credit for row in self.rows}
        problems, answers = zip(*((row.problem, row.action) for row in self.rows), strict=True)
        return Episode(problems, sum(balances.values()), self.shown, answers, self.tried)


def experiences_of(end: TrucoState, notes: HandNotes, seat: Seat, staged: bool) -> Iterator[StageExperience]:
    """Take a hand apart; a stage that was not played, or that the match cut off, is not there."""
    rows = rows_of(end, notes.answered, seat, 0)
    if not staged:
        if rows:
            shown, tried = notes.shown.total(), notes.tried.total()
            yield StageExperience(seat, tuple(rows), end.record, shown=shown, tried=tried)
        return
    for stage in STAGES:
        if some := _of_stage(rows, stage):
            record = partial(_record_for, end, seat, stage)
            yield StageExperience(seat, some, record, stage, notes.shown[stage], notes.tried[stage])


def _record_for(end: TrucoState, seat: Seat, stage: str) -> dict[str, object]:
    return for_stage(end.record(), seat, stage)


def _of_stage(rows: Sequence[Row], stage: str) -> tuple[Row, ...]:
    return tuple(row for row in rows if stage_of(row.problem.scenario) == stage)
