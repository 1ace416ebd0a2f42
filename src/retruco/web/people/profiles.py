"""Who sits here: the name a visitor gives, if any, and whether its hands may be kept.

A visitor is known by the hash of its token. Bots are visitors too; theirs is the token they were given.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from retruco.web.core.store import Store

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of a visitor, by its own word."""

    name: str = ""
    is_bot: bool = False
    asked: float | None = None
    """When it answered whether its hands may be kept."""
    agreed: float | None = None
    """Since when they may."""


class People:
    """The visitors who have said something about themselves."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._bots: set[str] = {
            visitor for (visitor,) in store.rows("SELECT visitor FROM person WHERE is_bot")
        }

    def find(self, visitor: str) -> Person:
        """Tell what is known of a visitor; of most, nothing."""
        found = self._store.rows("SELECT name, is_bot, asked, agreed FROM person WHERE visitor = ?", visitor)
        if not found:
            return Person()
        name, is_bot, asked, agreed = found[0]
        return Person(name, bool(is_bot), asked, agreed)

    def agreed_by(self, visitor: str, when: float) -> bool:
        """Whether a visitor lets its hands be kept, and has done so since before some time."""
        agreed = self.find(visitor).agreed
        return agreed is not None and agreed < when

    def name(self, visitor: str, name: str) -> None:
        """Call a visitor by a name from now on."""
        self._say(visitor, "name", clean_name(name))

    def answer(self, visitor: str, agrees: bool) -> None:
        """Write down whether a visitor's hands may be kept; those played from now on."""
        now = time.time()

        def change(base: sqlite3.Connection) -> None:
            base.execute(
                "INSERT INTO person (visitor, asked, agreed) VALUES (?1, ?2, ?3) "
                "ON CONFLICT DO UPDATE SET asked = ?2, agreed = ?3",
                (visitor, now, now if agrees else None),
            )

        self._store.change(change)

    def add_bot(self, visitor: str, name: str, agrees: bool) -> None:
        """Write down a new bot."""
        now = time.time()
        line = (visitor, clean_name(name), now, now if agrees else None)
        self._store.change(
            lambda base: base.execute(
                "INSERT INTO person (visitor, name, is_bot, asked, agreed) VALUES (?, ?, 1, ?, ?)", line
            )
        )
        self._bots.add(visitor)

    def is_bot(self, visitor: str) -> bool:
        """Whether somebody is a bot that was given its token here."""
        return visitor in self._bots

    def forget(self, visitor: str) -> None:
        """Forget what a visitor has said of itself."""
        self._store.change(lambda base: base.execute("DELETE FROM person WHERE visitor = ?", (visitor,)))
        self._bots.discard(visitor)

    def _say(self, visitor: str, column: str, value: object) -> None:
        line = (
            f"INSERT INTO person (visitor, {column}) VALUES (?1, ?2) "  # noqa: S608  a column of ours
            f"ON CONFLICT DO UPDATE SET {column} = ?2"
        )
        self._store.change(lambda base: base.execute(line, (visitor, value)))


def clean_name(name: str) -> str:
    r"""Make a name fit for a page: one line, not too long, nothing that cannot be seen.

    >>> clean_name("  Ana\n María ")
    'Ana María'
    """
    seen = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(seen.split())[:LONGEST_NAME].strip()
