"""The tokens of bots: each belongs to somebody, expires, and can be revoked.

Whoever asks for a token owns it: the browser that asked, if it showed its cookie. What the bots of one
owner do is counted together, and so is what the bots of one address do. Addresses are in memory only:
a token counts for the address that used it last.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from retruco.web.core.refusals import Refused
from retruco.web.core.store import Store

A_DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token: the bot that shows it, who asked for it, and until when it is valid."""

    bot: str
    owner: str
    made: float
    expires: float


class Tokens:
    """All valid tokens."""

    def __init__(self, store: Store, days: float, most_each: int) -> None:
        self._store, self._seconds, self._most_each = store, days * A_DAY, most_each
        store.change(lambda base: base.execute("DELETE FROM token WHERE expires < ?", (time.time(),)))
        self._valid = {
            bot: Token(bot, owner, made, expires)
            for bot, owner, made, expires in store.rows("SELECT bot, owner, made, expires FROM token")
        }
        self._address_of: dict[str, str] = {}
        self._bots_at: dict[str, set[str]] = defaultdict(set)
        self._lock = Lock()

    def add(self, bot: str, owner: str, address: str) -> Token:
        """Write down a new token, unless its owner or its address has too many."""
        now = time.time()
        token = Token(bot, owner, now, now + self._seconds)
        with self._lock:
            self._drop_expired()
            if (
                len(self._bots_at.get(address, ())) >= self._most_each
                or len(self._of(owner)) >= self._most_each
            ):
                raise Refused(429, "error.too_many_bots", most=self._most_each)
            self._valid[bot] = token
            self._place(bot, address)
        row = (bot, owner, token.made, token.expires)
        self._store.change(lambda base: base.execute("INSERT INTO token VALUES (?,?,?,?)", row))
        return token

    def find(self, bot: str) -> Token | None:
        """Find a token that is still valid."""
        found = self._valid.get(bot)
        return found if found is not None and found.expires > time.time() else None

    def use(self, bot: str, address: str) -> bool:
        """Note from where a token is used; whether it is valid."""
        if self.find(bot) is None:
            return False
        if self._address_of.get(bot) != address:
            with self._lock:
                self._place(bot, address)
        return True

    def account_of(self, bot: str) -> str | None:
        """Name for whom the requests of a bot are counted: its owner, or itself."""
        found = self.find(bot)
        return None if found is None else found.owner or bot

    def siblings(self, bot: str) -> dict[str, tuple[str, ...]]:
        """List whose matches are counted together with those of a bot: by address, and by owner."""
        with self._lock:
            known, address = self._valid.get(bot), self._address_of.get(bot, "")
            owner = known.owner if known is not None else ""
            groups = {f"address {address}": (*self._bots_at.get(address, ()),)}
            return groups | ({f"owner {owner}": self._of(owner)} if owner else {})

    def revoke(self, bot: str) -> bool:
        """End a token at once; whether there was one."""
        with self._lock:
            found = self._valid.pop(bot, None)
            self._place(bot, None)
        self._store.change(lambda base: base.execute("DELETE FROM token WHERE bot = ?", (bot,)))
        return found is not None

    def all(self) -> list[Token]:
        """List the valid tokens, the newest first."""
        now = time.time()
        with self._lock:
            valid = [one for one in self._valid.values() if one.expires > now]
        return sorted(valid, key=lambda one: one.made, reverse=True)

    def _of(self, owner: str) -> tuple[str, ...]:
        return tuple(one.bot for one in self._valid.values() if owner and one.owner == owner)

    def _place(self, bot: str, address: str | None) -> None:
        """Count a bot at an address, and no longer at the one before."""
        before = self._address_of.pop(bot, None)
        if before is not None:
            self._bots_at[before].discard(bot)
            if not self._bots_at[before]:
                del self._bots_at[before]
        if address is not None:
            self._address_of[bot] = address
            self._bots_at[address].add(bot)

    def _drop_expired(self) -> None:
        now = time.time()
        for bot in [bot for bot, one in self._valid.items() if one.expires <= now]:
            del self._valid[bot]
            self._place(bot, None)
