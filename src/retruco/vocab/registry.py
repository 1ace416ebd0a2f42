"""The vocabularies there are: one module or folder per game, found by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Protocol, TypeAlias, cast

from retruco.cbr.case import Problem, Row
from retruco.cbr.vocabulary import Vocabulary
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
def find_vocabulary(game: str) -> GameVocabulary | None:
    """Find the vocabulary of a game; none if its hands cannot be remembered.

    >>> find_vocabulary("euchre").VOCABULARY.name, find_vocabulary("whist")
    ('euchre', None)
    """
    return cast("GameVocabulary | None", find_part("vocab", game))
