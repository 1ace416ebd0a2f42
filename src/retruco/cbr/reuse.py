"""Reuse: how a retrieval becomes one answer.

A *criterion* picks one item, a cluster or an action, by the tallies of the retrieved rows:

| criterion | code | picks |
|---|---|---|
| `Majority` | MJ | the item with the most rows |
| `Lottery` | PL | an item at random, in proportion to its rows |
| `Victory` | PV | the item that won most often |
| `Points` | NP | the item with the best mean balance of points |
| `GuardedMajority` | GM | the item with the most rows among those that won on balance |

A *model* applies criteria: `Conventional` picks an action, `TwoStep` first a cluster and then an action
within it. `GeneralisedCase` compares whole strategies by their mean result instead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar

from retruco.cbr.case import Choice, Json, Pick
from retruco.cbr.summary import EMPTY, CaseTally, Summary, sum_tallies
from retruco.streams import Stream

Item = TypeVar("Item", int, str)
"""A cluster, by its number, or an action, by its name."""


# Criteria

Ties: TypeAlias = Literal["similarity", "cases", "order"]
"""What decides between equal scores: the greater summed similarity, the more cases, or the first in order."""

Guard: TypeAlias = Literal["won", "not-lost", "none"]
"""Which items a guarded majority counts: those that won on balance, those that did not lose, or all."""


class Criterion(Protocol):
    """Picks one of some items, clusters or actions; there is at least one."""

    code: ClassVar[str]
    by_chance: ClassVar[bool]

    def __call__(self, items: Mapping[Item, CaseTally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and name the rule that picked it."""


def pick_best(
    items: Mapping[Item, CaseTally], scores: Mapping[Item, float], ties: Ties = "similarity"
) -> Item:
    """Pick the highest score; ties go to the greater closeness, or to more cases, then to the first in order.

    >>> tied = {"low": CaseTally(1, 0, 0, 0, 50), "high": CaseTally(1, 0, 0, 0, 60), "down": CaseTally(1, 0, 0, 0, 60)}
    >>> pick_best(tied, {"low": 0.5, "high": 0.5, "down": 0.5})
    'high'
    """
    highest = max(scores.values())
    tied = [item for item, score in scores.items() if score == highest]
    if len(tied) == 1 or ties == "order":
        return tied[0]
    return max(tied, key=lambda item: items[item].closeness if ties == "similarity" else items[item].rows)


@dataclass(frozen=True, slots=True)
class Majority:
    """MJ: pick the item with the most rows."""

    ties: Ties = field(default="similarity", repr=False)
    code: ClassVar[str] = "MJ"
    by_chance: ClassVar[bool] = False

    def __call__(self, items: Mapping[Item, CaseTally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and name the rule that picked it."""
        scores = {item: tally.rows for item, tally in items.items()}
        return Pick(pick_best(items, scores, self.ties), self.code, scores)


@dataclass(frozen=True, slots=True)
class Lottery:
    """PL: draw an item in proportion to its rows, from the stream of the decision.

    An item with less than the share `least` of the rows is not drawn, unless no other has more.
    """

    least: float = 0.0
    code: ClassVar[str] = "PL"
    by_chance: ClassVar[bool] = True

    def __call__(self, items: Mapping[Item, CaseTally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and name the rule that picked it."""
        counts = [tally.rows for tally in items.values()]
        total = sum(counts)
        scores = {item: tally.rows / total for item, tally in items.items()}
        enough = min(self.least * total, max(counts))
        drawn = [count if count >= enough else 0 for count in counts]
        return Pick(list(items)[stream.weighted(drawn)], self.code, scores)


@dataclass(frozen=True, slots=True)
class SupportCriterion:
    """The base of criteria that ask for support: enough rows, and scores shrunk to the mean.

    An item is eligible with at least `support` rows and `percent` of the retrieved ones. Its score is
    (sum + prior * mean) / (count + prior), where mean is that of the whole retrieval. With
    `support=0, prior=0` all items are eligible and scores are plain means.
    """

    support: int = 3
    percent: int = 5
    prior: int = 4
    ties: Ties = field(default="similarity", repr=False)
    code: ClassVar[str]
    by_chance: ClassVar[bool] = False

    def __call__(self, items: Mapping[Item, CaseTally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick the item with the best score; if none has support, the majority decides."""
        whole = summary.whole
        eligible = self.eligible(items, whole)
        if not eligible:
            return Majority(self.ties)(items, summary, stream)
        scores = self.scores(eligible, whole)
        return Pick(pick_best(eligible, scores, self.ties), self.code, scores)

    def scores(self, items: Mapping[Item, CaseTally], whole: CaseTally) -> dict[Item, float]:
        """Score items within their retrieval."""
        raise NotImplementedError

    def eligible(self, items: Mapping[Item, CaseTally], whole: CaseTally) -> dict[Item, CaseTally]:
        """Return the items that have support."""
        if not self.support:
            return dict(items)
        enough = max(self.support, -(-self.percent * whole.rows // 100))
        return {item: tally for item, tally in items.items() if tally.rows >= enough}

    def shrink(
        self, gains: Mapping[Item, tuple[int, int]], whole_gain: int, whole_count: int
    ) -> dict[Item, float]:
        """Shrink means, each a gain and a count, to that of the retrieval.

        There is one division for each, so that equal scores are equal.

        >>> SupportCriterion().shrink({"call": (4, 4)}, whole_gain=5, whole_count=10)
        {'call': 0.75}
        """
        prior, pull = self.prior, self.prior * whole_gain
        return {
            item: (gain * whole_count + pull) / (whole_count * (count + prior))
            for item, (gain, count) in gains.items()
        }


@dataclass(frozen=True, slots=True)
class Victory(SupportCriterion):
    """PV: pick the item with the greatest share of victories, a draw counting half."""

    code: ClassVar[str] = "PV"

    def scores(self, items: Mapping[Item, CaseTally], whole: CaseTally) -> dict[Item, float]:
        """The shares of victories."""
        halves = {item: (2 * tally.wins + tally.draws, tally.rows) for item, tally in items.items()}
        scores = self.shrink(halves, 2 * whole.wins + whole.draws, whole.rows)
        return {item: score / 2 for item, score in scores.items()}


@dataclass(frozen=True, slots=True)
class Points(SupportCriterion):
    """NP: pick the item with the best mean balance of points; `Victory` where answers only win or lose."""

    code: ClassVar[str] = "NP"

    def __call__(self, items: Mapping[Item, CaseTally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick the item with the best score; where answers only win or lose, by victories."""
        if summary.wins_only:
            return Victory(self.support, self.percent, self.prior, self.ties)(items, summary, stream)
        return SupportCriterion.__call__(self, items, summary, stream)

    def scores(self, items: Mapping[Item, CaseTally], whole: CaseTally) -> dict[Item, float]:
        """The mean balances of points."""
        gains = {item: (tally.points, tally.rows) for item, tally in items.items()}
        return self.shrink(gains, whole.points, whole.rows)


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

    def __call__(self, items: Mapping[Item, CaseTally], summary: Summary, stream: Stream, /) -> Pick:
        """Pick one item and name the rule that picked it."""
        votes = {item: tally.rows for item, tally in items.items() if self.counts(tally)}
        if votes:
            return Pick(pick_best(items, votes, self.ties), self.code, votes)
        balance = {item: tally.points / tally.rows for item, tally in items.items()}
        return Pick(pick_best(items, balance, self.ties), "lost-least", balance)

    def counts(self, tally: CaseTally) -> bool:
        """Whether an item takes part in the vote."""
        if self.guard == "none":
            return True
        return tally.points >= 0 if self.guard == "not-lost" else tally.points > 0


# Models


class Model(Protocol):
    """Turns the summary of a retrieval into one of the available answers."""

    @property
    def by_chance(self) -> bool:
        """Whether the same summary can lead to different answers."""

    def __hash__(self) -> int: ...

    def __call__(self, summary: Summary, available: Collection[str], stream: Stream, /) -> Choice:
        """Choose an answer; none if there is no experience with an available one."""


@dataclass(frozen=True, slots=True)
class Conventional:
    """Pick an action among all retrieved rows."""

    actions: Criterion

    @property
    def by_chance(self) -> bool:
        """Whether the criterion draws."""
        return self.actions.by_chance

    def __call__(self, summary: Summary, available: Collection[str], stream: Stream, /) -> Choice:
        """Choose an answer; none if there is no experience with an available one."""
        usable = summary.select_actions(available)
        if not usable.items:
            return Choice(None)
        pick = self.actions(usable.by_action, usable, stream)
        return Choice(str(pick.chosen), (pick,))


@dataclass(frozen=True, slots=True)
class TwoStep:
    """Pick a cluster among the retrieved rows, then an action among the rows of that cluster."""

    clusters: Criterion
    actions: Criterion

    @property
    def by_chance(self) -> bool:
        """Whether one of the criteria draws."""
        return self.clusters.by_chance or self.actions.by_chance

    def __call__(self, summary: Summary, available: Collection[str], stream: Stream, /) -> Choice:
        """Choose an answer; none if there is no experience with an available one."""
        usable = summary.select_actions(available)
        if not usable.items:
            return Choice(None)
        first = self.clusters(usable.by_cluster, usable, stream)
        in_cluster = usable.select_cluster(int(first.chosen))
        second = self.actions(in_cluster.by_action, in_cluster, stream)
        return Choice(str(second.chosen), (first, second))


# Whole strategies


@dataclass(frozen=True, slots=True)
class GeneralisedCase:
    """The results of similar cases by strategy (Sandven and Tessem 2006, table 3).

    `playing` names the strategies that are compared.
    """

    tallies: Mapping[str, CaseTally]
    playing: tuple[str, ...]

    @classmethod
    def of(cls, summary: Summary, playing: Sequence[str]) -> GeneralisedCase:
        """Build the generalised case of a retrieval."""
        return cls({name: summary.by_action.get(name, EMPTY) for name in summary.actions}, tuple(playing))

    @property
    def rows(self) -> int:
        """How many cases were found."""
        return sum(tally.rows for tally in self.tallies.values())

    def means(self, prior: int = 0) -> dict[str, float]:
        """The mean result of each playing strategy that has cases; `prior` cases at the mean of all are added to each."""
        tallies = {name: self.tallies[name] for name in self.playing if self.tallies[name].rows}
        whole = sum_tallies(tallies.values())
        pull = prior * whole.points / whole.rows if whole.rows else 0.0
        return {name: (tally.points + pull) / (tally.rows + prior) for name, tally in tallies.items()}

    def best(self, prior: int = 0) -> tuple[str, float] | None:
        """The playing strategy with the best mean result, and that mean; closer cases break ties."""
        means = self.means(prior)
        if not means:
            return None
        name = max(means, key=lambda strategy: (means[strategy], self.tallies[strategy].closeness))
        return name, means[name]

    def as_json(self) -> list[dict[str, Json]]:
        """Return the table as plain data, sums last."""
        lines = {
            **self.tallies,
            "sum of play": self._sum(self.playing),
            "sum": self._sum(self.tallies),
        }
        return [
            {
                "strategy": name,
                "result": tally.points,
                "mean": round(tally.points / tally.rows, 3) if tally.rows else None,
                "frequency": tally.rows,
                "wins": tally.wins,
                "losses": tally.rows - tally.wins - tally.draws,
            }
            for name, tally in lines.items()
        ]

    def _sum(self, names: Collection[str]) -> CaseTally:
        return sum_tallies(self.tallies[name] for name in names)
