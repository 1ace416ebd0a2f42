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
    rules: Array
    """[questions] The rule that picked it."""
    scores: Array
    """[questions, items]"""
    eligible: Array
    """[questions, items]"""

    def pick(self, question: int, names: Sequence[Item]) -> Pick:
        """Return what was picked for one question."""
        scores = zip(names, self.scores[question].tolist(), self.eligible[question].tolist(), strict=False)
        eligible = {name: score for name, score, is_eligible in scores if is_eligible}
        return Pick(names[self.chosen[question]], str(self.rules[question]), eligible)

    def or_else(self, others: Callable[[], Picks]) -> Picks:
        """Return these picks, and others for the questions without an eligible item."""
        has_any = self.eligible.any(axis=1)
        if has_any.all():
            return self
        picks = others()
        if has_any.any():
            both = zip(self, picks, strict=True)
            picks = Picks(*[np.where(has_any, own.T, other.T).T for own, other in both])
        return picks


# Criteria

Ties: TypeAlias = Literal["similarity", "cases", "order"]
"""What decides between equal scores: the greater summed similarity, the more cases, or the first in order."""

Guard: TypeAlias = Literal["won", "not-lost", "none"]
"""Which items a guarded majority counts: those that won on balance, those that did not lose, or all."""

LEAST_POINTS: Final[Mapping[Guard, float]] = {"won": 1, "not-lost": 0, "none": float("-inf")}


class Criterion(Protocol):
    """Picks one of some items, clusters or actions, for each question.

    A question may have no rows at all: what is picked for it does not count.
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
    scored = np.where(eligible, scores, -np.inf)
    best = scored == scored.max(axis=1, keepdims=True)
    if ties != "order":
        best = np.where(best, items.closeness if ties == "similarity" else items.rows, -1)
    return Picks(best.argmax(axis=1), np.full(len(scores), rules), scores, eligible)


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
        rows, total = items.rows, items.rows.sum(axis=1, keepdims=True)
        enough = np.minimum(self.least * total, rows.max(axis=1, keepdims=True))
        chosen = streams.weighted(np.where(rows >= enough, rows, 0))
        return Picks(chosen, np.full(len(rows), self.code), rows / total, rows > 0)


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
        whole, wins_only = tallies.whole.select(np.s_[:, None]), tallies.wins_only[:, None]
        pull = self.prior * self.gains(whole, wins_only)
        # Whole and half numbers, and one division for each score: equal scores are equal.
        scores = (self.gains(items, wins_only) * whole.rows + pull) / (whole.rows * (items.rows + self.prior))
        enough = np.maximum(self.support, -(-self.percent * whole.rows // 100)) if self.support else 1
        rules = np.where(tallies.wins_only, Victory.code, self.code)
        best = pick_best(scores, items.rows >= enough, items, rules, self.ties)
        return best.or_else(lambda: Majority(self.ties).pick_many(items, tallies, streams))

    def gains(self, items: Items, wins_only: Array) -> Array:
        """What the rows of items have gained."""
        return np.where(wins_only, items.victories, items.points)


@dataclass(frozen=True, slots=True)
class Victory(Points):
    """PV: pick the item with the greatest share of victories; support and prior are those of `Points`."""

    code: ClassVar[str] = "PV"

    def gains(self, items: Items, wins_only: Array) -> Array:
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
        present, balance = items.rows > 0, items.points / items.rows
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
    with np.errstate(divide="ignore", invalid="ignore"):  # items without rows
        picks = criterion.pick_many(items, tallies, streams)
    return picks._replace(chosen=np.where(items.rows.any(axis=1), picks.chosen, -1))


def pick_one_by_one(
    criterion: PlainCriterion, by: By, items: Items, tallies: Tallies, streams: Streams
) -> Picks:
    """Let a criterion in plain Python pick question by question."""
    count, width = items.rows.shape
    scores, eligible = np.zeros((count, width), object), np.zeros((count, width), bool)
    picks = Picks(np.full(count, -1), np.full(count, "", object), scores, eligible)
    for question in np.flatnonzero(items.rows.any(axis=1)).tolist():
        summary = tallies.summary(question)
        pick = criterion(getattr(summary, by), summary, streams[question])
        names: Sequence[Any] = range(width) if by == "by_cluster" else summary.actions
        places = [names.index(item) for item in pick.scores]
        picks.chosen[question], picks.rules[question] = names.index(pick.chosen), pick.rule
        scores[question, places], eligible[question, places] = list(pick.scores.values()), True
    return picks
