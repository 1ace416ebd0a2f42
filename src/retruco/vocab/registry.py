"""The vocabularies there are: one module or folder per game, found by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol, TypeAlias, cast

from retruco.cbr.case import Problem, Row
from retruco.cbr.vocabulary import Scenario, Vocabulary
from retruco.games.core import Action
from retruco.parts import find_part


class Question(Protocol):
    """One question that a turn asks."""

    @property
    def problem(self) -> Problem:
        """What is seen."""

    @property
    def answers(self) -> Mapping[str, Action]:
        """The answers there are, and what each of them does."""

    @property
    def adapted(self) -> Mapping[str, str]:
        """Answers that cases may have given but that cannot be given here, and what they become."""


Answer: TypeAlias = Callable[[Any], str]
"""Answers one question."""


class RowsOf(Protocol):
    """Replays a record and gives a row for every question that a seat answered."""

    def __call__(self, record: Mapping[str, object], seat: int, episode: int) -> list[Row]: ...


class GameVocabulary(Protocol):
    """What a game's part of `vocab` offers: its scenarios, the questions of a turn, the rows of a hand."""

    @property
    def VOCABULARY(self) -> Vocabulary: ...  # noqa: N802  a constant of the module

    @property
    def rows(self) -> RowsOf: ...

    def turn(self, seen: Any, answer: Answer, /) -> Action:
        """Ask the questions of a turn, one after the other, and give the action they come to."""

    def fallback(self, question: Any, /) -> str:
        """Answer a question without any experience."""


@cache
def find_vocabulary(game: str, version: int | None = None) -> GameVocabulary | None:
    """Find the vocabulary of a game, its first version if none is named; none if its hands cannot be remembered.

    A game with later versions lists their modules in `LATER_VERSIONS`.

    >>> find_vocabulary("euchre").VOCABULARY.name, find_vocabulary("whist")
    ('euchre', None)
    >>> find_vocabulary("euchre", 2)
    Traceback (most recent call last):
    ...
    ValueError: euchre has no vocabulary 2: one of 1
    """
    first = cast("GameVocabulary | None", find_part("vocab", game))
    if first is None or version in (None, first.VOCABULARY.version):
        return first
    later = later_versions(first)
    if version not in later:
        known = ", ".join(map(str, (first.VOCABULARY.version, *later)))
        raise ValueError(f"{game} has no vocabulary {version}: one of {known}")
    return cast("GameVocabulary", import_module(later[version]))


def later_versions(first: GameVocabulary) -> Mapping[int, str]:
    """The modules of a game's later vocabularies by version."""
    found: Mapping[int, str] = getattr(first, "LATER_VERSIONS", {})
    return found


def find_versions(game: str) -> list[GameVocabulary]:
    """Every vocabulary of a game."""
    first = find_vocabulary(game)
    if first is None:
        return []
    later = [find_vocabulary(game, version) for version in later_versions(first)]
    return [first, *filter(None, later)]


def find_scenario(game: str, problem: Problem) -> Scenario:
    """The scenario of a problem, in whichever vocabulary of its game.

    >>> find_scenario("kuhn", Problem("open", (2, 0, 0))).actions
    ('check', 'bet')
    """
    return _scenarios(game)[problem.scenario, len(problem.values)]


@cache
def _scenarios(game: str) -> Mapping[tuple[str, int], Scenario]:
    """The scenarios of all vocabularies; versions that share a name differ in the number of attributes."""
    scenarios = [scenario for words in find_versions(game) for scenario in words.VOCABULARY.scenarios]
    found = {(scenario.name, len(scenario.visible)): scenario for scenario in scenarios}
    assert len(found) == len(scenarios), f"two vocabularies of {game} have a scenario in common"
    return found
