"""The vocabularies there are: one module or folder per game, found by the game's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, cast

from retruco.cbr.case import Row
from retruco.cbr.vocabulary import Vocabulary
from retruco.parts import find_part


class RowsOf(Protocol):
    """Replays a record and gives a row for every question that a seat answered."""

    def __call__(self, record: Mapping[str, object], seat: int, episode: int) -> list[Row]: ...


class GameVocabulary(Protocol):
    """What a game's part of `vocab` offers: its scenarios, and how a recorded hand becomes rows."""

    @property
    def VOCABULARY(self) -> Vocabulary: ...  # noqa: N802  a constant of the module

    @property
    def rows(self) -> RowsOf: ...


def find_vocabulary(game: str) -> GameVocabulary | None:
    """Find the vocabulary of a game; none if its hands cannot be remembered.

    >>> find_vocabulary("euchre").VOCABULARY.name, find_vocabulary("whist")
    ('euchre', None)
    """
    return cast("GameVocabulary | None", find_part("vocab", game))
