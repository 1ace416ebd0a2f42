"""Weights of features, learnt from a case base: which of them make cases alike where it counts.

The rows of a scenario are split by episode: most are cases, some are questions to tune by, some are questions to
measure by. A question is answered by its nearest cases. Weights go up and down, one feature after the other, as long
as the questions to tune by are answered better; the questions to measure by say what that is worth.

*Answers* counts how probable the nearest cases make what was done; *results* how well those of them that did the
same predict what it won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case_index import Batch
from retruco.cbr.casebase import CaseBase
from retruco.cbr.vocabulary import Scenario, Weights
from retruco.compiler import compiled

Floats: TypeAlias = NDArray[np.float64]

ANSWERS, RESULTS = "answers", "results"
GOALS: Final = (ANSWERS, RESULTS)
SHARES: Final = (0.7, 0.15)
"""The share of episodes that are cases, and the share that are questions to tune by."""
MOST_CASES, MOST_QUESTIONS = 20_000, 600
FEWEST_QUESTIONS: Final = 100
"""Fewer questions to tune by say nothing."""
NEAREST: Final = 12
"""By how many cases a question is answered."""
FACTORS: Final = (2.0, 0.5)
LEAST, MOST = 1, 64
PASSES: Final = 3
PRIOR: Final = 0.5
"""The rows that every answer is thought to have beside those found."""


@dataclass(frozen=True, slots=True)
class ScenarioWeights:
    """What was learnt of one scenario."""

    weights: Mapping[str, int]
    cases: int
    questions: int
    """How many questions were measured by."""
    before: float
    """How good the answers to them are with equal weights."""
    after: float
    error: float
    """The standard error of the difference."""


@dataclass(frozen=True, slots=True)
class Split:
    """The rows of a scenario as cases and questions."""

    cases: Batch
    tuning: Batch
    measuring: Batch


def weigh_cases(cases: CaseBase, weights: Weights) -> CaseBase:
    """The same cases, compared with these weights."""
    copy = CaseBase(cases.vocabulary.weigh(weights))
    for scenario in cases.vocabulary.scenarios:
        batch = cases.columns(scenario.name)
        if len(batch.actions):
            copy.add_columns(scenario.name, *batch)
    return copy


# Learn


def learn_weights(
    cases: CaseBase, scenario: str, goal: str = ANSWERS, seed: int = 1
) -> ScenarioWeights | None:
    """Learn the weights of a scenario; none if it has too few rows."""
    if goal not in GOALS:
        raise ValueError(f"weights are learnt from {' or '.join(GOALS)}, not from {goal!r}")
    description = cases.vocabulary[scenario]
    split = split_rows(cases.columns(scenario), np.random.default_rng(seed))
    if len(split.cases.actions) < NEAREST or len(split.tuning.actions) < FEWEST_QUESTIONS:
        return None
    search = WeightSearch(description, split, goal)
    weights = search.climb()
    before, after = search.measure(search.equal), search.measure(weights)
    error = float(np.std(after - before, ddof=1) / np.sqrt(len(before)))
    names = [feature.name for feature in description.visible]
    return ScenarioWeights(
        dict(zip(names, whole_weights(weights), strict=True)),
        len(split.cases.actions),
        len(before),
        float(before.mean()),
        float(after.mean()),
        error,
    )


def whole_weights(weights: Floats) -> list[int]:
    """Weights as whole numbers, the least of them 1.

    >>> whole_weights(np.array([0.5, 1.0, 4.0]))
    [1, 2, 8]
    """
    scaled = weights / weights.min()
    return [int(np.clip(round(weight), LEAST, MOST)) for weight in scaled]


def split_rows(batch: Batch, chance: np.random.Generator) -> Split:
    """Split rows by episode, so that no hand is case and question at once."""
    episodes = np.unique(batch.episodes)
    place = chance.permutation(len(episodes))[np.searchsorted(episodes, batch.episodes)] / len(episodes)
    is_case, is_tuning = place < SHARES[0], (place >= SHARES[0]) & (place < sum(SHARES))

    def some(chosen: NDArray[np.bool_], most: int) -> Batch:
        found = np.flatnonzero(chosen)
        return batch.part(np.sort(chance.permutation(found)[:most]))

    measuring = ~is_case & ~is_tuning
    return Split(
        some(is_case, MOST_CASES), some(is_tuning, MOST_QUESTIONS), some(measuring, 2 * MOST_QUESTIONS)
    )


class WeightSearch:
    """Looks for weights by which the nearest cases answer better."""

    def __init__(self, scenario: Scenario, split: Split, goal: str) -> None:
        self.split, self.goal, self.actions = split, goal, len(scenario.actions)
        widest = max(len(feature.values) for feature in scenario.visible)
        self.distances = np.zeros((len(scenario.visible), widest, widest))
        for place, feature in enumerate(scenario.visible):
            values = feature.values
            table = [[1 - float(feature.local(query, case)) for case in values] for query in values]
            self.distances[place, : len(values), : len(values)] = table
        self.equal = np.ones(len(scenario.visible))

    def climb(self) -> Floats:
        """Change one weight after the other while that helps."""
        weights, best = self.equal.copy(), self.score(self.equal)
        for _ in range(PASSES):
            before = best
            for place in range(len(weights)):
                weights, best = self.climb_feature(weights, place, best)
            if best <= before:
                break
        return weights

    def climb_feature(self, weights: Floats, place: int, best: float) -> tuple[Floats, float]:
        """Double or halve one weight as long as that helps."""
        for factor in FACTORS:
            while True:
                changed = weights.copy()
                changed[place] *= factor
                if changed.max() / changed.min() > MOST or (score := self.score(changed)) <= best:
                    break
                weights, best = changed, score
        return weights, best

    def score(self, weights: Floats) -> float:
        """How well the questions to tune by are answered."""
        return float(self.answer(weights, self.split.tuning).mean())

    def measure(self, weights: Floats) -> Floats:
        """How well each of the other questions is answered."""
        return self.answer(weights, self.split.measuring)

    def answer(self, weights: Floats, questions: Batch) -> Floats:
        """How well each question is answered: log-likelihood, or the squared error of the result with its sign turned."""
        cases = self.split.cases
        nearest = find_nearest(self.distances, weights, cases.visible, questions.visible, NEAREST)
        same = cases.actions[nearest] == questions.actions[:, None]
        if self.goal == ANSWERS:
            found = same.sum(axis=1)
            likelihood: Floats = np.log((found + PRIOR) / (NEAREST + PRIOR * self.actions))
            return likelihood
        mean = cases.credits.mean()
        predicted = (np.where(same, cases.credits[nearest], 0).sum(axis=1) + mean) / (same.sum(axis=1) + 1)
        error: Floats = (predicted - questions.credits) ** 2
        return -error


@compiled
def find_nearest(distances: Any, weights: Any, cases: Any, questions: Any, count: int) -> Any:
    """The places of the nearest cases of every question."""
    found = np.zeros((len(questions), count), np.int64)
    near = np.zeros(count)
    for question in range(len(questions)):
        near[:] = np.inf
        for case in range(len(cases)):
            distance, limit = 0.0, near[count - 1]
            for place in range(len(weights)):
                distance += weights[place] * distances[place, questions[question, place], cases[case, place]]
                if distance >= limit:
                    break
            if distance < limit:
                at = count - 1
                while at > 0 and near[at - 1] > distance:
                    near[at], found[question, at] = near[at - 1], found[question, at - 1]
                    at -= 1
                near[at], found[question, at] = distance, case
    return found
