"""Reuse: how retrievals become answers.

A *criterion* picks one item, a cluster or an action, by the tallies of the retrieved rows:

| criterion | code | picks |
|---|---|---|
| `Majority` | MJ | the item with the most rows |
| `Lottery` | PL | an item at random, in proportion to its rows |
| `Victory` | PV | the item that won most often |
| `Points` | NP | the item with the best mean balance of points |
| `GuardedMajority` | GM | the item with the most rows among those that won on balance |

A *model* applies criteria: `Conventional` picks an action, `TwoStep` first a cluster and then an action
within it. Many questions are answered at once: tallies are arrays of questions by items.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case import Choice, Pick
from retruco.cbr.summary import CaseTally, Summary
from retruco.cbr.tallies import Items, Tallies
from retruco.compiled_streams import Streams
from retruco.compiler import compiled_loop, fixed_types
from retruco.streams import Stream

Array: TypeAlias = NDArray[Any]
Item = TypeVar("Item", int, str)
"""A cluster, by its number, or an action, by its name."""

By: TypeAlias = Literal["by_cluster", "by_action"]
"""What the items are, clusters or actions: the name of the tallies of each."""


class Picks(NamedTuple):
    """What a criterion picked for each question, and the scores of the items that were eligible."""

    chosen: Array
    """[questions] The place of an item; -1 for none."""
    rules: Array | str
    """[questions] The rule that picked it; a single one for all."""
    scores: Array
    """[questions, items]"""
    eligible: Array
    """[questions, items]"""

    def pick(self, question: int, names: Sequence[Item]) -> Pick:
        """Return what was picked for one question."""
        scores = zip(names, self.scores[question].tolist(), self.eligible[question].tolist(), strict=False)
        eligible = {name: score for name, score, is_eligible in scores if is_eligible}
        rule = self.rules if isinstance(self.rules, str) else str(self.rules[question])
        return Pick(names[self.chosen[question]], rule, eligible)

    def or_else(self, others: Callable[[], Picks]) -> Picks:
        """Return these picks, and others for the questions without one."""
        lacking = self.chosen < 0
        if not lacking.any():
            return self
        picks = others()
        if not lacking.all():
            both = zip(map(np.transpose, self), map(np.transpose, picks), strict=True)
            picks = Picks(*[np.where(lacking, other, own).T for own, other in both])
        return picks


# Criteria

Ties: TypeAlias = Literal["similarity", "cases", "order"]
"""What decides between equal scores: the greater summed similarity, the more cases, or the first in order."""

Guard: TypeAlias = Literal["won", "not-lost", "none"]
"""Which items a guarded majority counts: those that won on balance, those that did not lose, or all."""

LEAST_POINTS: Final[Mapping[Guard, float]] = {"won": 1, "not-lost": 0, "none": float("-inf")}


class Criterion(Protocol):
    """Picks one of some items, clusters or actions, for each question.

    Items without rows hold zeros. A question may have no rows at all: what is picked for it does not count.
    """

    code: ClassVar[str]
    by_chance: ClassVar[bool]

    def pick_many(self, items: Items, tallies: Tallies, streams: Streams, /) -> Picks:
        """Pick one item for each question and name the rule that picked it."""


class PlainCriterion(Protocol):
    """A criterion in plain Python: it is asked question by question, with the tallies by item."""

    code: ClassVar[str]
    by_chance: ClassVar[bool]

    def __call__(self, items: Mapping[Item, CaseTally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and name the rule that picked it."""


def pick_best(scores: Array, eligible: Array, items: Items, rules: Array | str, ties: Ties) -> Picks:
    """Pick the highest score; ties go to the greater closeness, or to more cases, then to the first in order.

    >>> once, never = np.ones((1, 3), int), np.zeros((1, 3), int)
    >>> items = Items(rows=once, wins=never, draws=never, points=never, closeness=np.array([[50, 60, 60]]))
    >>> pick_best(np.array([[0.5, 0.5, 0.5]]), items.rows > 0, items, "MJ", "similarity").chosen
    array([1])
    """
    preferred = items.closeness if ties == "similarity" else items.rows
    if ties == "order":
        preferred = np.zeros_like(items.rows)
    chosen = np.empty(len(scores), np.int64)
    find_best(np.ascontiguousarray(scores, np.float64), np.ascontiguousarray(eligible), preferred, chosen)
    return Picks(chosen, rules, scores, eligible)


@fixed_types
@compiled_loop
def find_best(scores: Array, eligible: Array, preferred: Array, chosen: Array) -> None:
    """Write down the eligible item with the highest score for each question, -1 for none; of equal ones the preferred."""
    for question in range(scores.shape[0]):
        best = -1
        for item in range(scores.shape[1]):
            if eligible[question, item]:
                rank = scores[question, item], preferred[question, item]
                if best < 0 or rank > (scores[question, best], preferred[question, best]):
                    best = item
        chosen[question] = best


@dataclass(frozen=True, slots=True)
class Majority:
    """MJ: pick the item with the most rows."""

    ties: Ties = field(default="similarity", repr=False)
    code: ClassVar[str] = "MJ"
    by_chance: ClassVar[bool] = False

    def pick_many(self, items: Items, tallies: Tallies, streams: Streams, /) -> Picks:
        return pick_best(items.rows, items.rows > 0, items, self.code, self.ties)


@dataclass(frozen=True, slots=True)
class Lottery:
    """PL: draw an item in proportion to its rows, from the stream of the decision.

    An item with less than the share `least` of the rows is not drawn, unless no other has more.
    """

    least: float = 0.0
    code: ClassVar[str] = "PL"
    by_chance: ClassVar[bool] = True

    def pick_many(self, items: Items, tallies: Tallies, streams: Streams, /) -> Picks:
        rows, total = items.rows, np.maximum(items.rows.sum(axis=1, keepdims=True), 1)
        enough = np.minimum(self.least * total, rows.max(axis=1, keepdims=True))
        chosen = streams.weighted(np.where(rows >= enough, rows, 0))
        return Picks(chosen, self.code, rows / total, rows > 0)


@dataclass(frozen=True, slots=True)
class Points:
    """NP: pick the item with the best mean balance of points; by victories where answers only win or lose.

    An item is eligible with at least `support` rows and `percent` of the retrieved ones; if none is, the majority
    decides. Its score is (gains + prior * mean) / (rows + prior), where mean is that of the whole retrieval. With
    `support=0, prior=0` all items are eligible and scores are plain means.
    """

    support: int = 3
    percent: int = 5
    prior: int = 4
    ties: Ties = field(default="similarity", repr=False)
    code: ClassVar[str] = "NP"
    by_chance: ClassVar[bool] = False

    def pick_many(self, items: Items, tallies: Tallies, streams: Streams, /) -> Picks:
        whole, rows = tallies.whole, items.rows
        gains, whole_gains = self.gains(items, tallies), self.gains(whole, tallies)
        scores, eligible = np.empty(rows.shape), np.empty(rows.shape, np.bool_)
        shrink(gains, rows, whole_gains, whole.rows, self.support, self.percent, self.prior, scores, eligible)
        rules = np.where(tallies.wins_only, Victory.code, self.code)
        best = pick_best(scores, eligible, items, rules, self.ties)
        return best.or_else(lambda: Majority(self.ties).pick_many(items, tallies, streams))

    def gains(self, items: Items, tallies: Tallies) -> Array:
        """What the rows of items have gained."""
        by_victories = tallies.wins_only[:, None]
        points = items.points.astype(float)
        return np.where(by_victories, items.victories, points) if by_victories.any() else points


@compiled_loop
def shrink(
    gains: Array, rows: Array, whole_gains: Array, whole_rows: Array, support: int, percent: int, prior: int,
    scores: Array, eligible: Array,
) -> None:  # fmt: skip
    """Write down each item's mean gain, pulled to that of the whole retrieval, and whether it has support."""
    for question in range(rows.shape[0]):
        whole, retrieved = whole_gains[question, 0], whole_rows[question, 0]
        for item in range(rows.shape[1]):
            count = rows[question, item]
            eligible[question, item] = count >= max(support, 1) and (
                support == 0 or count * 100 >= retrieved * percent
            )
            # One division of whole or half numbers for each score, so that equal scores are equal.
            gained = gains[question, item] * float(retrieved) + prior * whole
            scores[question, item] = gained / max(retrieved * (count + prior), 1)


@dataclass(frozen=True, slots=True)
class Victory(Points):
    """PV: pick the item with the greatest share of victories; support and prior are those of `Points`."""

    code: ClassVar[str] = "PV"

    def gains(self, items: Items, tallies: Tallies) -> Array:
        """What the rows of items have won."""
        return items.victories


@dataclass(frozen=True, slots=True)
class GuardedMajority:
    """GM (Moral 2020): the majority among items that won on balance; if none did, the one that lost least.

    Losses are compared per row, so that many rows do not count against an item. Other guards let more items
    take part: also those with a balance of zero, or all.
    """

    guard: Guard = field(default="won", repr=False)
    ties: Ties = field(default="similarity", repr=False)
    code: ClassVar[str] = "GM"
    by_chance: ClassVar[bool] = False

    def pick_many(self, items: Items, tallies: Tallies, streams: Streams, /) -> Picks:
        present, balance = items.rows > 0, items.points / np.maximum(items.rows, 1)
        voting = present & (items.points >= LEAST_POINTS[self.guard])
        votes = pick_best(items.rows, voting, items, self.code, self.ties)
        return votes.or_else(lambda: pick_best(balance, present, items, "lost-least", self.ties))


# Models


class Choices(NamedTuple):
    """What reuse proposes for each question, and the picks that led to it."""

    answers: Array
    """[questions] The place of an action; -1 without experience."""
    picks: tuple[Picks, ...]
    """Of a cluster, in a model of two steps, and of an action."""

    def choice(self, question: int, actions: Sequence[str], adapted: Mapping[str, str]) -> Choice:
        """Return what is proposed for one question, given the names of its actions."""
        if self.answers[question] < 0:
            return Choice(None, (), adapted)
        *clusters, last = self.picks
        first = [picks.pick(question, range(picks.scores.shape[1])) for picks in clusters]
        return Choice(actions[self.answers[question]], (*first, last.pick(question, actions)), adapted)


class Model(Protocol):
    """Turns the tallies of questions into answers that can be given."""

    @property
    def by_chance(self) -> bool:
        """Whether the same tallies can lead to different answers."""

    def __hash__(self) -> int: ...

    def choose_many(self, tallies: Tallies, streams: Streams, /) -> Choices:
        """Choose an answer to each question; none without experience with an answer that can be given."""


@dataclass(frozen=True, slots=True)
class Conventional:
    """Pick an action among all retrieved rows."""

    actions: Criterion | PlainCriterion

    @property
    def by_chance(self) -> bool:
        """Whether the criterion draws."""
        return self.actions.by_chance

    def choose_many(self, tallies: Tallies, streams: Streams, /) -> Choices:
        picks = pick_items(self.actions, "by_action", tallies, streams)
        return Choices(picks.chosen, (picks,))


@dataclass(frozen=True, slots=True)
class TwoStep:
    """Pick a cluster among the retrieved rows, then an action among the rows of that cluster."""

    clusters: Criterion | PlainCriterion
    actions: Criterion | PlainCriterion

    @property
    def by_chance(self) -> bool:
        """Whether one of the criteria draws."""
        return self.clusters.by_chance or self.actions.by_chance

    def choose_many(self, tallies: Tallies, streams: Streams, /) -> Choices:
        first = pick_items(self.clusters, "by_cluster", tallies, streams)
        second = pick_items(self.actions, "by_action", tallies.in_cluster(first.chosen), streams)
        return Choices(second.chosen, (first, second))


def pick_items(criterion: Criterion | PlainCriterion, by: By, tallies: Tallies, streams: Streams) -> Picks:
    """Let a criterion pick a cluster or an action for each question that has any."""
    items: Items = getattr(tallies, by)()
    if not hasattr(criterion, "pick_many"):
        return pick_one_by_one(criterion, by, items, tallies, streams)
    picks = criterion.pick_many(items, tallies, streams)
    picks.chosen[~items.rows.any(axis=1)] = -1
    return picks


def pick_one_by_one(
    criterion: PlainCriterion, by: By, items: Items, tallies: Tallies, streams: Streams
) -> Picks:
    """Let a criterion in plain Python pick question by question."""
    count, width = items.rows.shape
    scores, eligible = np.zeros((count, width), object), np.zeros((count, width), bool)
    chosen, rules = np.full(count, -1), np.full(count, "", object)
    for question in np.flatnonzero(items.rows.any(axis=1)).tolist():
        summary = tallies.summary(question)
        pick = criterion(getattr(summary, by), summary, streams[question])
        names: Sequence[Any] = range(width) if by == "by_cluster" else summary.actions
        places = [names.index(item) for item in pick.scores]
        chosen[question], rules[question] = names.index(pick.chosen), pick.rule
        scores[question, places], eligible[question, places] = list(pick.scores.values()), True
    return Picks(chosen, rules, scores, eligible)
