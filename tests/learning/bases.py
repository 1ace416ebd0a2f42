"""A small base to learn from, made once."""

from __future__ import annotations

import shutil
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

from retruco.cbr.casebase import CaseBase
from retruco.learning.truco.embedded import baseline_hands
from retruco.storage.library import Library
from retruco.storage.reading import Hand
from retruco.storage.store import open_store
from retruco.vocab.truco import VOCABULARY, rows

HANDS = 150


@cache
def some_hands() -> list[Hand]:
    """The first hands of the baseline."""
    return list(islice(baseline_hands(), HANDS))


@cache
def some_cases() -> CaseBase:
    """Their rows, in memory; learners leave them as they are."""
    cases = CaseBase(VOCABULARY)
    for number, hand in enumerate(some_hands(), 1):
        cases.add(rows(hand.record, hand.seat, number))
    return cases


@cache
def _prepared() -> Path:
    """A store with the small base, its rows and clusters made."""
    file = Path(mkdtemp()) / "cases.db"
    with open_store(file) as store:
        store.create("few", "truco", "trucogame", "for the tests", "today")
        store.append("few", some_hands())
        store.create("cards", "kuhn", "two-seats")
        Library(store).open("few")
    return file


def furnish(home: Path) -> None:
    """Put into a data folder the small base, under the name `few`, and an empty one of another game."""
    shutil.copy(_prepared(), home / "cases.db")
