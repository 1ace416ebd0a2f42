"""Retain: the strategies that decide whether an episode enters the case base.

A strategy compares the episode with the cases there are, and returns a verdict with its reason before
anything is stored. Moral (2020) and Paulus (2020) name them by the agents that learn by them:

| strategy | agent | keeps an episode |
|---|---|---|
| `never` | BOT0 | never |
| `new` | BOT1 | if a question has too few similar cases |
| `substitution` | BOT2 | as `new`, or in place of similar episodes that earned less |
| `substitution-one` | | as `new`, or in place of the one similar episode that earned least |
| `imitation` | | while a question has fewer than a hundred very similar cases |
| `expert` | | if a question has too few similar cases, or none with this answer |
| `taught` | BOT5 | if a tutor gave an answer |

`TriedAnswers` wraps any of them and keeps every episode in which an answer was tried on purpose besides.
`SizeLimit` wraps any of them: it keeps what the other keeps, and when the base has reached its limit it
replaces the episodes that matter least, by use, competence or harm (see `maintenance`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Protocol

from retruco.cbr.case import Match, Problem, Verdict
from retruco.cbr.casebase import CaseBase
from retruco.cbr.maintenance import (
    keep_least_harmful,
    keep_most_competent,
    keep_most_used,
    list_episodes,
    losses_by_result,
)
from retruco.cbr.modes import Top
from retruco.cbr.similarity import Amount

FEW: Final = 10
NEAR: Final = 0.90
"""Fewer than ten cases of at least 90 % similarity are too few (Moral 2020)."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One stage of a finished hand, as one seat played it."""

    problems: tuple[Problem, ...]
    """The questions of the stage, in order."""
    credit: int
    """The balance of points of the stage."""
    shown: int = 0
    """How many of the answers a tutor gave."""
    answers: tuple[str, ...] = ()
    """What was answered to the questions."""
    tried: int = 0
    """How many of the answers were tried on purpose."""


class Strategy(Protocol):
    """Judges an episode against the cases there are; changes nothing."""

    @property
    def name(self) -> str:
        """The name by which `find_strategy` finds it."""

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Decide whether to keep the episode, and give the reason."""


def count_if_too_few(episode: Episode, cases: CaseBase, fewer_than: int, at_least: Amount) -> int | None:
    """Return how many similar cases the first question with too few has; `None` if each has enough."""
    for problem in episode.problems:
        found = cases.count_similar(problem, at_least, fewer_than)
        if found < fewer_than:
            return found
    return None


@dataclass(frozen=True, slots=True)
class NoRetention:
    """Keep nothing."""

    name: ClassVar[str] = "never"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Reject the episode."""
        return Verdict(False, "never")


@dataclass(frozen=True, slots=True)
class NewCases:
    """Keep an episode if one of its questions has too few similar cases."""

    fewer_than: int = FEW
    at_least: Amount = NEAR
    name: ClassVar[str] = "new"
    enough: ClassVar[str] = "known"
    similar: ClassVar[str] = "similar"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep an episode with a question that is unknown, or still rare."""
        found = count_if_too_few(episode, cases, self.fewer_than, self.at_least)
        return Verdict(False, self.enough) if found is None else Verdict(True, f"only {found} {self.similar}")


@dataclass(frozen=True, slots=True)
class Substitution:
    """Keep as `new` does; where the first question has enough cases, replace those that earned less."""

    new: NewCases = field(default_factory=NewCases)
    name: ClassVar[str] = "substitution"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep an unknown episode, or one that is better than some of the nearest."""
        if not episode.problems:
            return Verdict(False, "known")
        verdict = self.new(episode, cases)
        nearest = cases.retrieve(episode.problems[0], Top(self.new.fewer_than, self.new.at_least)).matches
        if len(nearest) < self.new.fewer_than:
            return verdict
        worse = self.replaced([match for match in nearest if match.credit < episode.credit])
        return Verdict(True, f"better than {len(worse)}", worse) if worse else verdict

    def replaced(self, worse: Sequence[Match]) -> tuple[int, ...]:
        """Choose the episodes that go, of those that earned less: all."""
        return tuple(sorted({match.episode for match in worse}))


@dataclass(frozen=True, slots=True)
class SubstitutionOne(Substitution):
    """As `substitution`, but one comes for one (Moral 2020, section III: the example of case 243)."""

    name: ClassVar[str] = "substitution-one"

    def replaced(self, worse: Sequence[Match]) -> tuple[int, ...]:
        """Choose the one that earned least, the nearest of them."""
        return (min(worse, key=lambda match: match.credit).episode,) if worse else ()


@dataclass(frozen=True, slots=True)
class Imitation(NewCases):
    """Keep an episode while one of its questions has few very similar cases (Paulus 2020)."""

    fewer_than: int = 100
    at_least: Amount = 0.98
    name: ClassVar[str] = "imitation"
    enough: ClassVar[str] = "plenty"
    similar: ClassVar[str] = "alike"


@dataclass(frozen=True, slots=True)
class ExpertDecisions:
    """Keep an expert's hand with a decision that the base does not know yet, or has never seen answered like this."""

    fewer_than: int = 24
    at_least: Amount = 0.99
    name: ClassVar[str] = "expert"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep a hand with an unknown decision, or an unknown answer."""
        for problem, answer in zip(episode.problems, episode.answers, strict=True):
            found = cases.retrieve(problem, Top(self.fewer_than, self.at_least))
            if len(found) < self.fewer_than:
                return Verdict(True, f"only {len(found)} similar")
            if answer not in found.summary.by_action:
                return Verdict(True, f"never {answer}")
        return Verdict(False, "known")


@dataclass(frozen=True, slots=True)
class TutorAnswers:
    """Keep an episode in which a tutor gave an answer."""

    name: ClassVar[str] = "taught"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep an episode with a tutor's answer."""
        return Verdict(episode.shown > 0, f"{episode.shown} shown" if episode.shown else "nothing shown")


STRATEGIES: Final[Mapping[str, Strategy]] = {
    strategy.name: strategy
    for strategy in (
        NoRetention(),
        NewCases(),
        Substitution(),
        SubstitutionOne(),
        Imitation(),
        ExpertDecisions(),
        TutorAnswers(),
    )
}


def find_strategy(name: str) -> Strategy:
    """Find a strategy by its name.

    >>> find_strategy("always")
    Traceback (most recent call last):
    ...
    ValueError: unknown strategy 'always': one of never, new, substitution, substitution-one, imitation, expert, taught
    """
    if name not in STRATEGIES:
        raise ValueError(f"unknown strategy {name!r}: one of {', '.join(STRATEGIES)}")
    return STRATEGIES[name]


# Forgetting

Judge = Callable[[Episode, CaseBase], Verdict]
"""Judges an episode, as a strategy does."""


@dataclass(frozen=True, slots=True)
class TriedAnswers:
    """Keep what another strategy keeps, and what came of answers that were tried on purpose, good or bad."""

    inner: Judge

    @property
    def name(self) -> str:
        """What it is called."""
        return "tried"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep an episode in which something was tried; leave others to the other strategy."""
        verdict = self.inner(episode, cases)
        return verdict if verdict.keep or not episode.tried else Verdict(True, f"{episode.tried} tried")


FORGOTTEN: Final = 10
"""A base at its limit forgets a tenth of it at once, for choosing takes a while."""


def _most_used(cases: CaseBase, keep: int, uses: Mapping[int, int]) -> Sequence[int]:
    return keep_most_used(list_episodes(cases).tolist(), uses, keep)


def _most_competent(cases: CaseBase, keep: int, uses: Mapping[int, int]) -> Sequence[int]:
    return keep_most_competent(cases, keep)


def _least_harmful(cases: CaseBase, keep: int, uses: Mapping[int, int]) -> Sequence[int]:
    return keep_least_harmful(list_episodes(cases).tolist(), losses_by_result(cases), keep)


FORGETTING: Final[Mapping[str, Callable[[CaseBase, int, Mapping[int, int]], Sequence[int]]]] = {
    "use": _most_used,
    "competence": _most_competent,
    "harm": _least_harmful,
}
"""The ways to forget by name: each chooses the episodes to keep."""


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """Keep what another strategy keeps, and replace the episodes that matter least when the base is full."""

    inner: Judge
    limit: int
    way: str
    uses: Mapping[int, int] = field(default_factory=dict)
    """How often each episode was used; it may grow."""

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise ValueError(f"a base holds at least 1 case, not {self.limit}")
        if self.way not in FORGETTING:
            raise ValueError(f"unknown way to forget {self.way!r}: one of {', '.join(FORGETTING)}")

    @property
    def name(self) -> str:
        """What it is called."""
        return f"limit-{self.way}"

    def __call__(self, episode: Episode, cases: CaseBase, /) -> Verdict:
        """Keep what the other strategy keeps; name what it replaces if the base is full."""
        verdict = self.inner(episode, cases)
        if not verdict.keep or cases.episodes() - len(verdict.replaces) < self.limit:
            return verdict
        keep = max(0, self.limit - max(1, self.limit // FORGOTTEN))
        kept = set(FORGETTING[self.way](cases, keep, self.uses))
        replaced = sorted({*set(list_episodes(cases).tolist()) - kept, *verdict.replaces})
        return Verdict(True, f"{verdict.why}, {len(replaced)} forgotten by {self.way}", tuple(replaced))
