"""The words a game is described in: features, scenarios and their codes.

A *visible* feature is known when the question is asked and can enter a query; a *hindsight*
feature is known only once the episode is over and serves clusters. They are different types,
so that a query cannot hold what nobody could see. Every value has a code of one byte.

>>> opening = Scenario(
...     "opening",
...     visible=(interval("high", 1, 52, span=52), equal("is_mao", ("no", "yes"))),
...     hindsight=(hindsight("played", 46, 16, 4),),
...     actions=("high", "low"),
... )
>>> problem = opening.problem({"high": 24, "is_mao": "yes"})
>>> problem.values, opening.named(problem)
((23, 1), {'high': 24, 'is_mao': 'yes'})
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import NoReturn

from retruco.cbr.case import Problem
from retruco.cbr.similarity import MEAN, Amount, Equal, Interval, Local, Measure, Table, Value

Labels = Mapping[Value, str]
"""How values are printed, where not as themselves."""


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
        """Give the value of a code as it is printed."""
        value = self.decode(code)
        return dict(self.labels).get(value, str(value))

    @property
    def alternatives(self) -> str:
        """All values in one line, long runs of numbers shortened.

        >>> interval("card", 1, 52, special=("absent", "down")).alternatives
        '1 to 52, absent, down'
        """
        numbers = [value for value in self.values if isinstance(value, int)]
        words = [value for value in self.values if isinstance(value, str)]
        run = len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1))
        shown = [f"{numbers[0]} to {numbers[-1]}"] if run else [str(number) for number in numbers]
        return ", ".join(shown + words)


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
    """A feature known once the episode is over; its values are the numbers clusters are made of."""

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
    """Make a number from low to high, alike as 1 - difference / span, with special words beside it.

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
    """Make a category: alike only when the same."""
    return VisibleFeature(name, tuple(values), _pairs(labels), Equal(), weight)


def table(
    name: str,
    values: Iterable[Value],
    similar: Mapping[tuple[Value, Value], Amount],
    *,
    weight: int = 1,
    labels: Labels | None = None,
) -> VisibleFeature:
    """Make a category whose values are alike as a table says.

    >>> style = table("style", ("calm", "wild", "mad"), {("wild", "mad"): 0.5})
    >>> style.local("mad", "wild")
    Fraction(1, 2)
    """
    values = tuple(values)
    unknown = sorted({str(one) for pair in similar for one in pair if one not in values})
    if unknown:
        raise ValueError(f"the table of {name!r} names {', '.join(unknown)}: it has {list(values)}")
    return VisibleFeature(name, values, _pairs(labels), Table.of(similar), weight)


def hindsight(name: str, *values: int, labels: Labels | None = None) -> HindsightFeature:
    """Make a hindsight feature from the numbers it can be."""
    return HindsightFeature(name, values, _pairs(labels))


@dataclass(frozen=True)
class Scenario:
    """One kind of question: what is visible, what hindsight adds, and the actions that answer it.

    `wins_only` marks questions whose answer only wins or loses, so that points say nothing more.
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

    @cached_property
    def _action_codes(self) -> dict[str, int]:
        return {action: code for code, action in enumerate(self.actions)}

    def problem(self, values: Mapping[str, Value]) -> Problem:
        """Encode what is seen as a problem of this scenario."""
        try:
            codes = tuple([known[values[name]] for name, known in self._encoders])
        except KeyError:
            codes = ()
        if len(codes) != len(values) or not codes:
            self._complain(values)
        return Problem(self.name, codes)

    @cached_property
    def _encoders(self) -> tuple[tuple[str, dict[Value, int]], ...]:
        return tuple((one.name, one._codes) for one in self.visible)

    def _complain(self, values: Mapping[str, Value]) -> NoReturn:
        """Say what is wrong with values that could not be encoded."""
        for one in self.visible:
            if one.name in values:
                one.encode(values[one.name])
        raise ValueError(f"{self.name} asks for {[one.name for one in self.visible]}, not {list(values)}")

    def hindsight_codes(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Encode what hindsight adds."""
        missing = [one.name for one in self.hindsight if one.name not in values]
        if missing:
            raise ValueError(f"hindsight on {self.name} lacks {missing}")
        return tuple(one.encode(values[one.name]) for one in self.hindsight)

    def named(self, problem: Problem) -> dict[str, Value]:
        """Show a problem's values by name."""
        pairs = zip(self.visible, problem.values, strict=True)
        return {feature.name: feature.decode(code) for feature, code in pairs}

    def labelled(self, problem: Problem) -> dict[str, str]:
        """Show a problem's values by name, as they are printed."""
        pairs = zip(self.visible, problem.values, strict=True)
        return {feature.name: feature.show(code) for feature, code in pairs}

    def action_code(self, action: str) -> int:
        """Give the place of an action in this scenario's order."""
        try:
            return self._action_codes[action]
        except KeyError:
            known = ", ".join(self.actions)
            raise ValueError(f"{self.name} has no action {action!r}: it has {known}") from None


@dataclass(frozen=True)
class Vocabulary:
    """A game described as scenarios; rows of different versions do not mix."""

    name: str
    version: int
    scenarios: tuple[Scenario, ...]
    measure: Measure = MEAN
    """How the similarities of features are joined."""

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

    @cached_property
    def digest(self) -> str:
        """A short text that changes whenever a name, value, measure, weight or action does."""
        plain = [
            [one.name, repr(one.visible), repr(one.hindsight), one.actions, one.wins_only]
            for one in self.scenarios
        ]
        joined = [] if self.measure == MEAN else [repr(self.measure)]
        text = json.dumps([self.name, self.version, plain, *joined])
        return blake2b(text.encode(), digest_size=8).hexdigest()
