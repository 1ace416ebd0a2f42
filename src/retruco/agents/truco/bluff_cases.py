"""Calls of Truco as cases: how many of those made in a like situation were bluffs.

A case is a call that somebody had to answer, as that seat saw it, and whether the caller's cards, once they were
known, made it a bluff. Calls whose cards never became known are no cases. Those that come with the program were made by
agents against a solution (`tools/make_opponent_styles.py`); a study brings those of people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case import Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Adaptive
from retruco.games.truco.observation import TrucoObservation
from retruco.vocab.truco.questions import questions
from retruco.vocab.truco.scenarios import VOCABULARY

FILE: Final = "call_cases.npz"
ENOUGH: Final = 40
"""The threshold of similarity is lowered until there are so many cases."""
USUAL_CASES: Final = 8.0
"""For how many cases the share of bluffs among all calls of the scenario counts."""
MODE: Final = Adaptive(at_least=ENOUGH)
ANSWER: Final = "quero"
"""Rows need an answer; here only what lay behind the call counts."""


class CallCase(NamedTuple):
    """A call as the seat that had to answer it saw it, and whether it was a bluff."""

    problem: Problem
    is_bluff: bool


class CaseShare(NamedTuple):
    """The share of bluffs among the calls of like situations, and how many they were."""

    share: float
    cases: int


class CallCases:
    """Calls whose cards became known."""

    def __init__(self, cases: Iterable[CallCase]) -> None:
        self.base = CaseBase(VOCABULARY)
        self.base.add(row_of(case, number) for number, case in enumerate(cases))

    def share_of_bluffs(self, problem: Problem) -> CaseShare:
        """How many of the most similar calls were bluffs, towards the share of the whole scenario where they are few."""
        found = self.base.retrieve(problem, MODE).summary.whole
        everything = self.base.census(problem.scenario).whole
        usual = (everything.wins + 0.5) / (everything.rows + 1)
        share = (found.wins + USUAL_CASES * usual) / (found.rows + USUAL_CASES)
        return CaseShare(share, found.rows)


def row_of(case: CallCase, number: int) -> Row:
    """A call as a row of a case base; a bluff is credited with 1."""
    nothing = (0,) * len(VOCABULARY[case.problem.scenario].hindsight)
    return Row(case.problem, ANSWER, int(case.is_bluff), nothing, number, 0)


def problem_of_call(seen: TrucoObservation) -> Problem | None:
    """The question that the call which waits asks; `None` if none waits."""
    kind = "envido" if seen.envido.pending else "truco" if seen.bet.call is not None else None
    return next(
        (asked.problem for asked in questions(seen) if asked.scenario.partition("-")[0] == kind), None
    )


# The cases that come with the program


def pack_cases(cases: Iterable[CallCase]) -> dict[str, Any]:
    """Cases as one table for each scenario: the codes of what was seen, and whether it was a bluff."""
    tables = dict[str, list[tuple[int, ...]]]()
    for case in cases:
        tables.setdefault(case.problem.scenario, []).append((*case.problem.values, int(case.is_bluff)))
    return {scenario: np.array(rows, dtype=np.uint8) for scenario, rows in sorted(tables.items())}


@cache
def shipped_calls() -> CallCases:
    """The calls that come with the program."""
    with (files("retruco.agents.truco") / FILE).open("rb") as file, np.load(file) as tables:
        return CallCases(case for scenario in tables.files for case in unpack(scenario, tables[scenario]))


def unpack(scenario: str, table: NDArray[np.uint8]) -> Iterator[CallCase]:
    """The cases of a table."""
    for *values, is_bluff in table.tolist():
        yield CallCase(Problem(scenario, tuple(values)), bool(is_bluff))
