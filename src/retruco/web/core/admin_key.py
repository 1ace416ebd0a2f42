"""The admin key, by which the owner of the table is known: it is shown once and stored only as its hash.

Whoever has the key may use the laboratory. It is drawn at the first start; a lost one is replaced
by `retruco serve --new-owner-key`.
"""

from __future__ import annotations

import hmac
import secrets
import sqlite3
import time
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

from retruco.web.core.identity import TOKEN
from retruco.web.core.rate_limits import Buckets
from retruco.web.core.refusals import Refused
from retruco.web.core.store import Store

A_SESSION: Final = 12 * 3600
TRIES, SPAN = 5, 60.0
"""So many wrong keys from one address in so many seconds are answered with 403; more with 429.

The right key is always accepted, from every address. It has 128 random bits, so that guessing is hopeless at any
speed; the limit only keeps guessers from filling the line.
"""
PARTS, PART_BYTES = 4, 4
"""A key is four groups of eight hexadecimal digits: 128 bits."""


def new_key(store: Path, again: bool = False) -> str | None:
    """Draw the owner's key if there is none yet, or a new one in its place; nothing if it stays as it is."""
    opened = Store(store)
    try:
        if opened.rows("SELECT 1 FROM owner") and not again:
            return None
        key = "-".join(secrets.token_hex(PART_BYTES) for _ in range(PARTS))
        digest = _digest(key)

        def change(base: sqlite3.Connection) -> None:
            base.execute("DELETE FROM owner")
            base.execute("INSERT INTO owner VALUES (?)", (digest,))

        opened.change(change)
        return key
    finally:
        opened.close()


def _digest(key: str) -> str:
    return sha256(f"retruco owner {key.strip().lower()}".encode()).hexdigest()


class AdminKey:
    """Checks keys, and remembers the browsers that have shown the right one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sessions: dict[str, float] = {}
        self._wrong_keys = Buckets(TRIES / SPAN, TRIES)
        self._lock = Lock()

    def let_in(self, key: str, address: str) -> str:
        """Check a key; the right one gives a token for this browser. Wrong ones are counted by address."""
        now = time.monotonic()
        rows = self._store.rows("SELECT digest FROM owner")
        known = str(rows[0][0]) if rows else secrets.token_hex(32)
        is_right = hmac.compare_digest(_digest(key).encode(), known.encode())
        with self._lock:
            if not is_right and not self._wrong_keys.take(address, now):
                raise Refused(429, "laboratory.too_many_tries")
            if not is_right:
                raise Refused(403, "laboratory.wrong_key")
            token = secrets.token_urlsafe(32)
            self._sessions = {name: until for name, until in self._sessions.items() if until > now}
            self._sessions[_digest(token)] = now + A_SESSION
            return token

    def knows(self, token: str) -> bool:
        """Whether a browser has shown the key not too long ago."""
        if not TOKEN.fullmatch(token):
            return False
        with self._lock:
            return self._sessions.get(_digest(token), 0.0) > time.monotonic()

    def show_out(self, token: str) -> None:
        """Forget a browser."""
        with self._lock:
            self._sessions.pop(_digest(token), None)
