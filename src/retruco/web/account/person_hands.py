"""The hands of one person at the web table, as far as everybody who sat there agreed to have them kept.

For a profile of that person (`retruco study opponents --person`). A hand whose other side is a person who did not agree is
kept as one seat saw it, and is left out here. Nothing is changed, and the server may go on meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from retruco.games.truco.notation import read
from retruco.games.truco.state import TrucoState
from retruco.storage.store import open_store
from retruco.web.people.profiles import clean_name


class PersonHand(NamedTuple):
    """A finished hand, and the seat that the person had."""

    match: str
    seat: int
    end: TrucoState


def hands_of_person(table: Path, cases: Path, name: str) -> list[PersonHand]:
    """All Truco hands of a person that everybody at the table agreed to have kept, in the order they were played."""
    if not table.is_file():
        raise ValueError(f"no web table at {table}: name its file with --table")
    with closing(sqlite3.connect(f"{table.resolve().as_uri()}?mode=ro", uri=True)) as store:
        rows = store.execute(KEPT, (find_person(store, clean_name(name)),)).fetchall()
    numbers = {(base, number): (match, seat) for base, number, match, seat in rows}
    ends = dict(read_ends(cases, sorted({base for base, *_ in rows}), set(numbers)))
    return [PersonHand(*numbers[key], ends[key]) for key in numbers if key in ends]


KEPT = (
    "SELECT base, number, match, seat FROM kept JOIN match ON match.id = kept.match "
    "WHERE visitor = ? AND whole AND number > 0 AND stage IS NULL AND game = 'truco' ORDER BY started, match, hand"
)


def find_person(store: sqlite3.Connection, name: str) -> str:
    """Who is called so and has agreed to have hands kept; raise `ValueError` if that is nobody, or not one."""
    found = store.execute("SELECT visitor, agreed FROM person WHERE name = ?", (name,)).fetchall()
    agreed = [visitor for visitor, since in found if since is not None]
    if not found:
        raise ValueError(f"nobody at this table is called {name!r}")
    if not agreed:
        raise ValueError(f"{name} has not agreed to have hands kept, so there is no profile to make")
    if len(agreed) > 1:
        raise ValueError(
            f"{len(agreed)} people at this table are called {name!r}: a profile is of one person"
        )
    return str(agreed[0])


def read_ends(
    cases: Path, bases: list[str], wanted: set[tuple[str, int]]
) -> Iterator[tuple[tuple[str, int], TrucoState]]:
    """The hands of these numbers, played to their ends."""
    with open_store(cases) as store:
        for base in bases:
            for number, hand in store.hands(base):
                if (base, number) in wanted:
                    yield (base, number), read(hand.record)
