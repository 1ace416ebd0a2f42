"""Maintenance: which episodes a base keeps when it may not keep all, and how competent it stays.

| way | keeps the episodes |
|---|---|
| `use` | that were retrieved most often |
| `competence` | whose cases solve most problems of the base that the other episodes kept do not solve |
| `harm` | whose answers lost least: by a judge where there is one, else by the results of similar cases |
| `chance` | that a stream draws |

Competence follows coverage and reachability (Smyth and Keane 1995) and the footprint (Smyth and McKenna 1999).
A problem is *solved* by a near case that gives the answer the whole base gives. The *coverage* of an episode are
the problems its cases solve, the *reachability* of a problem the cases that solve it. Players take votes, so one
solver is not enough and a near case with another answer harms: each problem has a weight that falls with every
vote for its answer and rises with every vote against it, and the episode with the greatest weight of solved less
spoilt problems is chosen next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case import NOTHING_ADAPTED, Problem
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Adaptive
from retruco.cbr.queries import encode_queries
from retruco.cbr.reuse import Conventional, Majority
from retruco.cbr.similarity import Amount, Scale
from retruco.compiled_streams import Streams
from retruco.streams import Stream

Longs = NDArray[np.int64]

NEAREST: Final = 10
"""A problem is answered by about so many of its nearest cases, and by all as similar as `NEAR`."""
NEAR: Final[Amount] = 0.98
STEP: Final = 0.5
"""By how much a vote changes the logarithm of a problem's weight."""
SUPPORT: Final = 3
"""How many near cases an answer needs before its results count."""
CHANCE: Final = Stream("no choice is drawn")


def list_episodes(cases: CaseBase) -> Longs:
    """List the episodes that have rows, oldest first."""
    columns = [cases.columns(scenario.name).episodes for scenario in cases.vocabulary.scenarios]
    return np.unique(np.concatenate(columns)).astype(np.int64)


def keep_most_used(episodes: Iterable[int], uses: Mapping[int, int], keep: int) -> list[int]:
    """Keep the episodes that were used most, the younger ones where equally often.

    >>> keep_most_used([1, 2, 3, 4], {2: 5, 3: 1}, 3)
    [2, 3, 4]
    """
    return sorted(sorted(episodes, key=lambda episode: (-uses.get(episode, 0), -episode))[:keep])


def keep_least_harmful(episodes: Iterable[int], losses: Mapping[int, float], keep: int) -> list[int]:
    """Keep the episodes that lost least; one without a judgement counts as an average one.

    >>> keep_least_harmful([1, 2, 3, 4], {1: 0.5, 2: 0.0, 4: 0.4}, 3)
    [2, 3, 4]
    """
    usual = sum(losses.values()) / len(losses) if losses else 0.0
    return sorted(sorted(episodes, key=lambda episode: (losses.get(episode, usual), -episode))[:keep])


def keep_by_chance(episodes: Iterable[int], keep: int, stream: Stream) -> list[int]:
    """Keep episodes that are drawn."""
    shuffled = sorted(episodes)
    stream.shuffle(shuffled)
    return sorted(shuffled[:keep])


# Competence


class Neighbourhoods(NamedTuple):
    """The distinct states of all scenarios, and for each state the problems that it is near to.

    Every state is a problem too. State s is near to problems[starts[s]:starts[s + 1]].
    """

    episodes: Longs
    """The episode of each row."""
    states: Longs
    actions: NDArray[np.uint8]
    credits: Longs
    rows: Longs
    """How many rows each state has."""
    starts: Longs
    problems: NDArray[np.int32]
    answers: NDArray[np.uint8]
    """The answer of the whole base to each problem."""


def find_neighbourhoods(cases: CaseBase, nearest: int = NEAREST, at_least: Amount = NEAR) -> Neighbourhoods:
    """Find what is near to what, scenario by scenario; states are numbered through."""
    found = [
        _scenario_neighbourhoods(cases, scenario.name, nearest, at_least)
        for scenario in cases.vocabulary.scenarios
        if cases.count(scenario.name)
    ]
    offsets = np.cumsum([0, *(len(part.rows) for part in found)])
    places = np.cumsum([0, *(len(part.problems) for part in found)])
    return Neighbourhoods(
        np.concatenate([part.episodes for part in found]),
        np.concatenate([part.states + offset for part, offset in zip(found, offsets, strict=False)]),
        np.concatenate([part.actions for part in found]),
        np.concatenate([part.credits for part in found]),
        np.concatenate([part.rows for part in found]),
        np.concatenate(
            [*(part.starts[:-1] + place for part, place in zip(found, places, strict=False)), places[-1:]]
        ),
        np.concatenate(
            [part.problems + np.int32(offset) for part, offset in zip(found, offsets, strict=False)]
        ),
        np.concatenate([part.answers for part in found]),
    )


def _scenario_neighbourhoods(
    cases: CaseBase, scenario: str, nearest: int, at_least: Amount
) -> Neighbourhoods:
    from retruco.cbr.competence_kernel import find_radii, list_problems  # numba is slow to load

    batch = cases.columns(scenario)
    codes, states = np.unique(batch.visible, axis=0, return_inverse=True)
    rows = np.bincount(states.ravel(), minlength=len(codes))
    scale = Scale.of(cases.measure, cases.vocabulary[scenario].visible)
    costs = cost_tables(scale)
    radii, near_to = find_radii(codes, costs, rows, nearest, scale.max_distance(at_least))
    starts = np.concatenate([[0], np.cumsum(near_to)])
    problems = np.empty(starts[-1], np.int32)
    list_problems(codes, costs, radii, starts, problems)
    answers = answer_problems(cases, scenario, codes).astype(np.uint8)
    numbers = (batch.episodes.astype(np.int64), states.ravel().astype(np.int64), batch.actions)
    return Neighbourhoods(*numbers, batch.credits.astype(np.int64), rows, starts, problems, answers)


def cost_tables(scale: Scale) -> Longs:
    """Lay out the costs of a scale as one table of codes by codes for each feature."""
    most = max(len(table) for table in scale.costs)
    tables = np.zeros((len(scale.costs), most, most), np.int64)
    for table, costs in zip(tables, scale.costs, strict=True):
        table[: len(costs), : len(costs)] = costs
    return tables


def answer_problems(cases: CaseBase, scenario: str, codes: NDArray[np.uint8]) -> Longs:
    """Answer problems by the majority of the cases that the usual retrieval finds; -1 where there are none."""
    actions = cases.vocabulary[scenario].actions
    questions = [(Problem(scenario, tuple(values)), actions, NOTHING_ADAPTED) for values in codes.tolist()]
    tallies = cases.look_up(encode_queries(cases.vocabulary, questions), Adaptive())
    return Conventional(Majority()).choose_many(tallies, Streams.of(CHANCE)).answers


def keep_most_competent(
    cases: CaseBase, keep: int, nearest: int = NEAREST, at_least: Amount = NEAR, step: float = STEP
) -> list[int]:
    """Keep the episodes that together solve most of the base's problems; time grows with the square of the states."""
    from retruco.cbr.competence_kernel import choose_episodes

    near = find_neighbourhoods(cases, nearest, at_least)
    order = np.argsort(near.episodes, kind="stable")
    episodes, first_rows = np.unique(near.episodes[order], return_index=True)
    chosen = choose_episodes(
        min(keep, len(episodes)),
        np.append(first_rows, len(order)),
        near.states[order],
        near.actions[order],
        near.starts,
        near.problems,
        near.answers,
        near.rows.astype(np.float64),
        step,
    )
    return sorted(episodes[chosen].tolist())


# Harm by results


def losses_by_result(cases: CaseBase, nearest: int = NEAREST, at_least: Amount = NEAR) -> dict[int, float]:
    """Estimate what each episode lost by its answers: what the best answer earned nearby, less its own answer."""
    near = find_neighbourhoods(cases, nearest, at_least)
    kinds = int(near.actions.max()) + 1
    keys = near.states * kinds + near.actions
    counts = np.bincount(keys, minlength=len(near.rows) * kinds).reshape(-1, kinds)
    points = np.bincount(keys, near.credits, minlength=len(near.rows) * kinds).reshape(-1, kinds)
    sources = np.repeat(np.arange(len(near.rows)), np.diff(near.starts))
    around, earned = np.zeros(counts.shape), np.zeros(points.shape)
    for action in range(kinds):
        around[:, action] = np.bincount(near.problems, counts[sources, action], len(near.rows))
        earned[:, action] = np.bincount(near.problems, points[sources, action], len(near.rows))
    means = np.where(around >= SUPPORT, earned / np.maximum(around, 1), np.nan)
    best = np.nanmax(np.where(np.isnan(means).all(1, keepdims=True), 0.0, means), axis=1)
    lost = np.nan_to_num(best[near.states] - means[near.states, near.actions])
    episodes, which = np.unique(near.episodes, return_inverse=True)
    return dict(zip(episodes.tolist(), np.bincount(which.ravel(), lost).tolist(), strict=True))


# What a smaller base can do


def reduce_base(cases: CaseBase, kept: Sequence[int]) -> CaseBase:
    """Copy the rows of some episodes to a new base with the same clusters."""
    smaller = CaseBase(cases.vocabulary, cases.measure)
    episodes = np.asarray(kept, np.int64)
    for scenario in cases.vocabulary.scenarios:
        batch = cases.columns(scenario.name)
        batch = batch.part(np.flatnonzero(np.isin(batch.episodes, episodes)))
        smaller.cluster(scenario.name, cases.clustering(scenario.name))
        if len(batch.actions):
            smaller.add_columns(scenario.name, *batch)
    return smaller


@dataclass(frozen=True, slots=True)
class CompetenceCounts:
    """How the cases of one episode fare: how many there are, and how many are solved."""

    cases: int = 0
    same: int = 0
    """Cases to whose problem the smaller base gives the answer of the whole base."""
    solved: int = 0
    """Cases whose own answer the smaller base gives."""
    solved_by_whole: int = 0
    """Cases whose own answer the whole base gives."""

    def plus(self, other: CompetenceCounts) -> CompetenceCounts:
        """Add up two counts."""
        return CompetenceCounts(
            self.cases + other.cases,
            self.same + other.same,
            self.solved + other.solved,
            self.solved_by_whole + other.solved_by_whole,
        )


def measure_competence(whole: CaseBase, smaller: CaseBase) -> dict[int, CompetenceCounts]:
    """Count by episode which cases of the whole base the smaller one still solves."""
    found: dict[int, CompetenceCounts] = {}
    for scenario in whole.vocabulary.scenarios:
        batch = whole.columns(scenario.name)
        if not len(batch.actions):
            continue
        codes, states = np.unique(batch.visible, axis=0, return_inverse=True)
        before = answer_problems(whole, scenario.name, codes)[states.ravel()]
        after = answer_problems(smaller, scenario.name, codes)[states.ravel()]
        checks = np.column_stack([before == after, after == batch.actions, before == batch.actions])
        for episode, marks in zip(batch.episodes.tolist(), checks.tolist(), strict=True):
            found[episode] = found.get(episode, CompetenceCounts()).plus(
                CompetenceCounts(1, *map(int, marks))
            )
    return found
