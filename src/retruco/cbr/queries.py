"""Many questions at once, as arrays: what `CaseBase.look_up` is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case import Problem
from retruco.cbr.vocabulary import Vocabulary


class Queries(NamedTuple):
    """Questions to a case base, one per row.

    Rows are padded to the widest scenario: `codes` with 0, `answers` with False, `counts_as` with anything.
    """

    scenario: NDArray[np.uint8]
    """[n] The place of the question's scenario in the vocabulary."""
    codes: NDArray[np.uint8]
    """[n, most visible features of a scenario] The problem."""
    answers: NDArray[np.bool_]
    """[n, most actions of a scenario] Which actions can be given."""
    counts_as: NDArray[np.uint8]
    """[n, most actions of a scenario] What each action of a case counts as here: itself, unless it is adapted."""

    def select(self, questions: NDArray[Any]) -> Queries:
        """Return some of the questions, given by a mask or by their numbers."""
        return Queries(
            self.scenario[questions],
            self.codes[questions],
            self.answers[questions],
            self.counts_as[questions],
        )


def check_queries(vocabulary: Vocabulary, queries: Queries) -> Queries:
    """Refuse queries of another width than the vocabulary's, and lay the others out as compiled code reads them."""
    features, actions = vocabulary.most_features, vocabulary.most_actions
    if queries.codes.shape[1] != features or not (
        queries.answers.shape[1] == queries.counts_as.shape[1] == actions
    ):
        raise ValueError(f"queries of {vocabulary.name} have {features} features and {actions} actions")
    return Queries(
        np.ascontiguousarray(queries.scenario, np.uint8),
        np.ascontiguousarray(queries.codes, np.uint8),
        np.ascontiguousarray(queries.answers, np.bool_),
        np.ascontiguousarray(queries.counts_as, np.uint8),
    )


QuestionInWords: TypeAlias = tuple[Problem, Collection[str], Mapping[str, str]]
"""A problem, the actions that can be given, and what actions count as others."""


def encode_queries(vocabulary: Vocabulary, questions: Sequence[QuestionInWords]) -> Queries:
    """Turn questions in words into arrays.

    >>> from retruco.cbr.vocabulary import Scenario, equal
    >>> play = Scenario("play", (equal("lead", ("no", "yes")),), (), ("high", "medium", "low"))
    >>> question = (play.problem({"lead": "yes"}), ("high", "low"), {"medium": "low"})
    >>> queries = encode_queries(Vocabulary("cards", 1, (play,)), [question])
    >>> queries.codes.tolist(), queries.answers.tolist(), queries.counts_as.tolist()
    ([[1]], [[True, False, True]], [[0, 2, 2]])
    """
    count, features, actions = len(questions), vocabulary.most_features, vocabulary.most_actions
    queries = Queries(
        np.zeros(count, np.uint8),
        np.zeros((count, features), np.uint8),
        np.zeros((count, actions), np.bool_),
        np.arange(actions, dtype=np.uint8)[None].repeat(count, axis=0),
    )
    for i, (problem, answers, counts_as) in enumerate(questions):
        scenario = vocabulary[problem.scenario]
        queries.scenario[i] = vocabulary.places[scenario.name]
        queries.codes[i, : len(problem.values)] = problem.values
        queries.answers[i, [scenario.action_code(action) for action in answers]] = True
        for action, other in counts_as.items():
            queries.counts_as[i, scenario.action_code(action)] = scenario.action_code(other)
    return queries
