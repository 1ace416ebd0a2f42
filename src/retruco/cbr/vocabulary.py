"""The vocabulary that describes a game: features, scenarios and their codes.

A *visible* feature is known when the question is asked and can enter a query. A *hindsight* feature
is known only when the episode is over, and serves clusters. They are different types, so that a query
cannot hold what nobody could see. Each value has a code of one byte.

>>> opening = Scenario(
...     "opening",
...     visible=(interval("high", 1, 52, span=52), equal("is_mao", ("no", "yes"))),
...     hindsight=(hindsight("played", 46, 16, 4),),
...     actions=("high", "low"),
... )
>>> problem = opening.problem({"high": 24, "is_mao": "yes"})
>>> problem.values, opening.decode(problem)
((23, 1), {'high': 24, 'is_mao': 'yes'})
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, NoReturn

from retruco.cbr.case import Problem
from retruco.cbr.similarity import (
    MEAN,
    Amount,
    Equal,
    Interval,
    Local,
    Measure,
    SimilarityTable,
    Value,
    WeightedMean,
)

if TYPE_CHECKING:  # lists of scenarios do without
    import numpy as np
    from numpy.typing import NDArray

Weights = Mapping[str, Mapping[str, int]]
"""Weights by scenario and feature."""

Labels = Mapping[Value, str]
"""How to print values that are not printed as themselves."""


@dataclass(frozen=True, slots=True)
class _Feature:
    """A named list of values; the code of a value is its place in the list."""

    name: str
    values: tuple[Value, ...]
    labels: tuple[tuple[Value, str], ...] = ()
    _codes: dict[Value, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 < len(self.values) <= 256:
            raise ValueError(f"feature {self.name!r} has {len(self.values)} values: it needs 1 to 256")
        object.__setattr__(self, "_codes", {value: code for code, value in enumerate(self.values)})
        if len(self._codes) < len(self.values):
            raise ValueError(f"feature {self.name!r} lists a value twice: {list(self.values)}")

    def encode(self, value: Value) -> int:
        """Turn a value into its code.

        >>> equal("winner", ("tie", "me", "other")).encode("nobody")
        Traceback (most recent call last):
        ...
        ValueError: winner cannot be 'nobody': it is one of tie, me, other
        """
        try:
            return self._codes[value]
        except KeyError:
            raise ValueError(f"{self.name} cannot be {value!r}: it is one of {self.alternatives}") from None

    def decode(self, code: int) -> Value:
        """Turn a code back into its value."""
        if not 0 <= code < len(self.values):
            raise ValueError(f"{self.name} has no code {code}: codes run from 0 to {len(self.values) - 1}")
        return self.values[code]

    def show(self, code: int) -> str:
        """Return the value of a code as it is printed."""
        value = self.decode(code)
        return dict(self.labels).get(value, str(value))

    @property
    def alternatives(self) -> str:
        """All values in one line, with ranges of numbers shortened.

        >>> interval("card", 1, 52, special=("absent", "down")).alternatives
        '1 to 52, absent, down'
        """
        numbers = [value for value in self.values if isinstance(value, int)]
        words = [value for value in self.values if isinstance(value, str)]
        is_range = len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1))
        texts = [f"{numbers[0]} to {numbers[-1]}"] if is_range else [str(number) for number in numbers]
        return ", ".join(texts + words)


@dataclass(frozen=True, slots=True)
class VisibleFeature(_Feature):
    """A feature known when the question is asked, with the measure that compares its values."""

    local: Local = field(default_factory=Equal)
    weight: int = 1

    def __post_init__(self) -> None:
        _Feature.__post_init__(self)
        if self.weight < 1:
            raise ValueError(f"feature {self.name!r} has weight {self.weight}: weights are 1 or more")


@dataclass(frozen=True, slots=True)
class HindsightFeature(_Feature):
    """A feature known when the episode is over; clusters are made of its values, which are numbers."""

    def __post_init__(self) -> None:
        _Feature.__post_init__(self)
        words = [value for value in self.values if not isinstance(value, int)]
        if words:
            raise ValueError(f"hindsight feature {self.name!r} holds numbers only, not {words}")


def _pairs(labels: Labels | None) -> tuple[tuple[Value, str], ...]:
    return tuple((labels or {}).items())


def interval(
    name: str,
    low: int,
    high: int,
    *,
    span: int | None = None,
    special: Sequence[str] = (),
    weight: int = 1,
    labels: Labels | None = None,
) -> VisibleFeature:
    """Make a feature of numbers from low to high, similar by 1 - difference / span, and of special words.

    >>> card = interval("card", 1, 52, span=52, special=("absent", "down"))
    >>> card.encode(1), card.encode(52), card.encode("down")
    (0, 51, 53)
    """
    span = high - low if span is None else span
    if low >= high or span < high - low:
        raise ValueError(f"{name!r} needs low < high and a span of high - low or more: {low}, {high}, {span}")
    values = (*range(low, high + 1), *special)
    return VisibleFeature(name, values, _pairs(labels), Interval(span), weight)


def equal(
    name: str, values: Iterable[Value], *, weight: int = 1, labels: Labels | None = None
) -> VisibleFeature:
    """Make a feature of categories, similar only if equal."""
    return VisibleFeature(name, tuple(values), _pairs(labels), Equal(), weight)


def table(
    name: str,
    values: Iterable[Value],
    similar: Mapping[tuple[Value, Value], Amount],
    *,
    weight: int = 1,
    labels: Labels | None = None,
) -> VisibleFeature:
    """Make a feature of categories whose similarities a table lists.

    >>> style = table("style", ("calm", "wild", "mad"), {("wild", "mad"): 0.5})
    >>> style.local("mad", "wild")
    Fraction(1, 2)
    """
    values = tuple(values)
    unknown = sorted({str(value) for pair in similar for value in pair if value not in values})
    if unknown:
        raise ValueError(f"the table of {name!r} names {', '.join(unknown)}: it has {list(values)}")
    return VisibleFeature(name, values, _pairs(labels), SimilarityTable.of(similar), weight)


def hindsight(name: str, *values: int, labels: Labels | None = None) -> HindsightFeature:
    """Make a hindsight feature from its possible numbers."""
    return HindsightFeature(name, values, _pairs(labels))


@dataclass(frozen=True)
class Scenario:
    """One kind of question: its visible features, its hindsight features, and the actions that answer it.

    `wins_only` marks questions whose answers only win or lose, so that points add no information.
    """

    name: str
    visible: tuple[VisibleFeature, ...]
    hindsight: tuple[HindsightFeature, ...]
    actions: tuple[str, ...]
    wins_only: bool = False

    def __post_init__(self) -> None:
        for what, names in (
            ("visible features", [feature.name for feature in self.visible]),
            ("actions", list(self.actions)),
        ):
            if not names or len(set(names)) < len(names) or len(names) > 255:
                raise ValueError(f"scenario {self.name!r} needs 1 to 255 different {what}, not {names}")

    def weigh(self, weights: Mapping[str, int]) -> Scenario:
        """The same scenario with other weights; features that are not named keep theirs."""
        unknown = sorted(set(weights) - {feature.name for feature in self.visible})
        if unknown:
            raise ValueError(f"weights of {self.name} name features it does not have: {', '.join(unknown)}")
        visible = [
            replace(feature, weight=weights.get(feature.name, feature.weight)) for feature in self.visible
        ]
        return replace(self, visible=tuple(visible))

    @cached_property
    def _action_codes(self) -> dict[str, int]:
        return {action: code for code, action in enumerate(self.actions)}

    def problem(self, values: Mapping[str, Value]) -> Problem:
        """Encode values by name as a problem of this scenario."""
        try:
            codes = tuple([known[values[name]] for name, known in self._encoders])
        except KeyError:
            codes = ()
        if len(codes) != len(values) or not codes:
            self._raise_encoding_error(values)
        return Problem(self.name, codes)

    @cached_property
    def _encoders(self) -> tuple[tuple[str, dict[Value, int]], ...]:
        return tuple((feature.name, feature._codes) for feature in self.visible)

    def _raise_encoding_error(self, values: Mapping[str, Value]) -> NoReturn:
        """Raise an error that tells why the values cannot be encoded."""
        for feature in self.visible:
            if feature.name in values:
                feature.encode(values[feature.name])
        names = [feature.name for feature in self.visible]
        raise ValueError(f"{self.name} asks for {names}, not {list(values)}")

    def hindsight_codes(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Encode the values of the hindsight features."""
        missing = [feature.name for feature in self.hindsight if feature.name not in values]
        if missing:
            raise ValueError(f"hindsight on {self.name} lacks {missing}")
        return tuple(feature.encode(values[feature.name]) for feature in self.hindsight)

    def decode(self, problem: Problem) -> dict[str, Value]:
        """Return the values of a problem by name."""
        pairs = zip(self.visible, problem.values, strict=True)
        return {feature.name: feature.decode(code) for feature, code in pairs}

    def show(self, problem: Problem) -> dict[str, str]:
        """Return the values of a problem by name, as they are printed."""
        pairs = zip(self.visible, problem.values, strict=True)
        return {feature.name: feature.show(code) for feature, code in pairs}

    def action_code(self, action: str) -> int:
        """Return the place of an action in this scenario's order."""
        try:
            return self._action_codes[action]
        except KeyError:
            known = ", ".join(self.actions)
            raise ValueError(f"{self.name} has no action {action!r}: it has {known}") from None


@dataclass(frozen=True)
class Vocabulary:
    """The description of a game as scenarios; rows of different versions do not mix."""

    name: str
    version: int
    scenarios: tuple[Scenario, ...]
    measure: Measure = MEAN
    """The measure that combines the similarities of features."""

    def __post_init__(self) -> None:
        names = [scenario.name for scenario in self.scenarios]
        if len(set(names)) < len(names):
            raise ValueError(f"vocabulary {self.name!r} lists a scenario twice: {names}")

    @cached_property
    def _by_name(self) -> dict[str, Scenario]:
        return {scenario.name: scenario for scenario in self.scenarios}

    def __getitem__(self, name: str) -> Scenario:
        try:
            return self._by_name[name]
        except KeyError:
            known = ", ".join(self._by_name)
            raise ValueError(f"{self.name} has no scenario {name!r}: it has {known}") from None

    def weigh(self, weights: Weights) -> Vocabulary:
        """The same vocabulary with other weights, which its measure then counts."""
        unknown = sorted(set(weights) - set(self._by_name))
        if unknown:
            raise ValueError(f"weights name scenarios that {self.name} does not have: {', '.join(unknown)}")
        scenarios = tuple(scenario.weigh(weights.get(scenario.name, {})) for scenario in self.scenarios)
        return replace(self, scenarios=scenarios, measure=WeightedMean())

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each scenario, by its name."""
        return {scenario.name: place for place, scenario in enumerate(self.scenarios)}

    @cached_property
    def wins_only(self) -> NDArray[np.bool_]:
        """Whether the answers of each scenario only win or lose."""
        import numpy as np

        return np.array([scenario.wins_only for scenario in self.scenarios])

    @cached_property
    def most_features(self) -> int:
        """The number of visible features of the widest scenario."""
        return max(len(scenario.visible) for scenario in self.scenarios)

    @cached_property
    def most_actions(self) -> int:
        """The number of actions of the scenario that has the most."""
        return max(len(scenario.actions) for scenario in self.scenarios)

    @cached_property
    def digest(self) -> str:
        """A short hash that changes with each name, value, measure, weight and action."""
        plain = [
            [
                scenario.name,
                repr(scenario.visible),
                repr(scenario.hindsight),
                scenario.actions,
                scenario.wins_only,
            ]
            for scenario in self.scenarios
        ]
        measure = [] if self.measure == MEAN else [repr(self.measure)]
        text = json.dumps([self.name, self.version, plain, *measure])
        return blake2b(text.encode(), digest_size=8).hexdigest()
