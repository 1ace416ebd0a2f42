"""The store of live matches of every game: deals and actions, written down before anybody sees them.

What is stored is enough to go on after a crash, since agents are functions of what they see and
of a keyed stream: deals and actions give the same table again. A visitor is kept as the hash of
the token in the browser's cookie; addresses are not kept.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from retruco.storage.errors import DAMAGED, StoreError, spoken_of_file
from retruco.storage.files import (
    WEB_TABLE,
    check_kind,
    check_whole,
    close_database,
    drafting,
    is_writable,
)
from retruco.web.core.group_commit import Change, GroupWriter, T, WalCheckpointer
from retruco.web.tables.fairness import SealedDeal, Share

Kind: TypeAlias = Literal["match", "practice", "guided", "again", "people", "bots", "watched", "lesson"]
"""A match of one person with agents, open practice, the same deals once more with the seats swapped, several people,
a bot from elsewhere, agents that somebody watches, or an agent that is taught."""

Ending: TypeAlias = Literal["played", "resigned", "failed", "left", "late", "illegal"]
"""Whether the last card decided, somebody gave up, an agent broke down, a person left the table, or a bot
answered too late or not by the rules."""

SCHEMA: Final = """
CREATE TABLE secret (value BLOB NOT NULL);
CREATE TABLE match (
    id TEXT PRIMARY KEY, rules TEXT NOT NULL, target INTEGER NOT NULL, first INTEGER NOT NULL,
    seed INTEGER NOT NULL, kind TEXT NOT NULL, origin TEXT, skipped INTEGER NOT NULL DEFAULT 0,
    started REAL NOT NULL, ended REAL, winner INTEGER, ending TEXT
);
CREATE TABLE seat (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, seat INTEGER NOT NULL, agent TEXT, visitor TEXT,
    PRIMARY KEY (match, seat)
);
CREATE INDEX seat_visitor ON seat (visitor);
CREATE TABLE hand (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, hand INTEGER NOT NULL,
    salt TEXT NOT NULL, deal TEXT NOT NULL, PRIMARY KEY (match, hand)
);
CREATE TABLE action (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, hand INTEGER NOT NULL, number INTEGER NOT NULL,
    action TEXT NOT NULL, PRIMARY KEY (match, hand, number)
);
"""

PEOPLE_AND_BOTS: Final = """
ALTER TABLE match ADD COLUMN clock REAL;
CREATE TABLE person (
    visitor TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', is_bot INTEGER NOT NULL DEFAULT 0,
    asked REAL, agreed REAL
);
CREATE TABLE invitation (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, rules TEXT NOT NULL, target INTEGER NOT NULL, clock REAL,
    origin TEXT, made REAL NOT NULL
);
CREATE INDEX invitation_origin ON invitation (origin);
CREATE TABLE shown (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, hand INTEGER NOT NULL, number INTEGER NOT NULL,
    scenario TEXT NOT NULL, PRIMARY KEY (match, hand, number)
);
CREATE TABLE kept (
    id TEXT PRIMARY KEY, base TEXT NOT NULL, number INTEGER, visitor TEXT NOT NULL, match TEXT NOT NULL,
    hand INTEGER NOT NULL, seat INTEGER NOT NULL, stage TEXT, at REAL NOT NULL
);
CREATE INDEX kept_visitor ON kept (visitor);
CREATE INDEX kept_match ON kept (match, hand, seat);
CREATE TABLE opinion (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, visitor TEXT NOT NULL, competence INTEGER NOT NULL,
    coherence INTEGER NOT NULL, predictability INTEGER NOT NULL, fun INTEGER NOT NULL, years INTEGER,
    at REAL NOT NULL, PRIMARY KEY (match, visitor)
);
CREATE TABLE owner (digest TEXT NOT NULL);
CREATE TABLE job (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, settings TEXT NOT NULL, state TEXT NOT NULL, started REAL NOT NULL,
    ended REAL, told TEXT NOT NULL DEFAULT ''
);
"""

OTHER_GAMES: Final = """
ALTER TABLE match ADD COLUMN game TEXT NOT NULL DEFAULT 'truco';
"""

FAIR_TO_PEOPLE: Final = """
CREATE TABLE study_match (
    match TEXT PRIMARY KEY REFERENCES match ON DELETE CASCADE, agent TEXT NOT NULL, difference INTEGER NOT NULL
);
CREATE TABLE share (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, place INTEGER NOT NULL, secret TEXT NOT NULL,
    contribution TEXT NOT NULL, PRIMARY KEY (match, place)
);
ALTER TABLE invitation ADD COLUMN secret TEXT NOT NULL DEFAULT '';
ALTER TABLE invitation ADD COLUMN contribution TEXT NOT NULL DEFAULT '';
ALTER TABLE kept ADD COLUMN whole INTEGER NOT NULL DEFAULT 1;
"""
"""Matches of the study with their results; what the deals of a match are drawn from; whether a hand is kept with the
cards of both seats."""

NOBODY: Final = -1
"""The place of a share that the server has drawn alone."""

TOKENS: Final = """
CREATE TABLE token (bot TEXT PRIMARY KEY, owner TEXT NOT NULL, made REAL NOT NULL, expires REAL NOT NULL);
INSERT INTO token SELECT visitor, '', asked, asked + 30 * 86400 FROM person WHERE is_bot AND asked IS NOT NULL;
"""

ONE_TABLE: Final = """
UPDATE match SET kind = 'match' WHERE kind = 'sitting';
ALTER TABLE invitation ADD COLUMN game TEXT NOT NULL DEFAULT 'truco';
CREATE TABLE invitation_seat (
    invitation TEXT NOT NULL REFERENCES invitation ON DELETE CASCADE, seat INTEGER NOT NULL, agent TEXT, visitor TEXT,
    secret TEXT NOT NULL DEFAULT '', contribution TEXT NOT NULL DEFAULT '', PRIMARY KEY (invitation, seat)
);
INSERT INTO invitation_seat SELECT id, 0, NULL, host, secret, contribution FROM invitation;
INSERT INTO invitation_seat (invitation, seat) SELECT id, 1 FROM invitation;
ALTER TABLE invitation DROP COLUMN secret;
ALTER TABLE invitation DROP COLUMN contribution;
"""
"""Tables of all games are stored alike, and an invitation says who sits in each seat."""

PUZZLES: Final = """
CREATE TABLE puzzle_answer (
    visitor TEXT NOT NULL, puzzle TEXT NOT NULL, action TEXT NOT NULL, solved INTEGER NOT NULL, day TEXT,
    at REAL NOT NULL, PRIMARY KEY (visitor, puzzle)
);
"""
"""What people answered to puzzles; the day is that on which it was the puzzle of the day."""

PUBLIC_INVITATIONS: Final = """
ALTER TABLE invitation ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0;
"""
"""An invitation may be shown to everybody in the lobby."""

STUDIES: Final = """
CREATE TABLE study (name TEXT PRIMARY KEY, setup TEXT NOT NULL);
CREATE TABLE study_seating (
    match TEXT PRIMARY KEY REFERENCES match ON DELETE CASCADE, study TEXT NOT NULL
);
"""
"""The set-up of every study, and the matches that its page has opened."""

SPECTATORS_AND_RATED_MATCHES: Final = """
CREATE TABLE watch_permission (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, seat INTEGER NOT NULL, PRIMARY KEY (match, seat)
);
CREATE TABLE rated_seat (
    match TEXT NOT NULL REFERENCES match ON DELETE CASCADE, seat INTEGER NOT NULL, mu REAL NOT NULL,
    sigma REAL NOT NULL, PRIMARY KEY (match, seat)
);
ALTER TABLE invitation ADD COLUMN is_rated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invitation ADD COLUMN may_watch INTEGER NOT NULL DEFAULT 0;
"""
"""Which people let others watch their match; how skilled each was when a rated match began."""

STEPS: Final = (
    SCHEMA,
    PEOPLE_AND_BOTS,
    OTHER_GAMES,
    FAIR_TO_PEOPLE,
    TOKENS,
    ONE_TABLE,
    PUBLIC_INVITATIONS,
    PUZZLES,
    STUDIES,
    SPECTATORS_AND_RATED_MATCHES,
)
"""How a file of any age comes to have all tables; a step, once published, is never changed."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat: an agent by name, or a person or a bot by the hash of a token.

    An agent with a visitor beside it is taught by that person.
    """

    agent: str | None = None
    visitor: str | None = None

    @property
    def is_pupil(self) -> bool:
        """Whether an agent sits here with its teacher beside it."""
        return self.agent is not None and self.visitor is not None


class MatchTerms(NamedTuple):
    """What people have agreed on before their match begins."""

    skills: tuple[tuple[float, float], ...] = ()
    """The skill of each seat, as mean and deviation, if the match is rated."""
    watch_seats: frozenset[int] = frozenset()
    """The seats whose people let others watch."""


USUAL_TERMS: Final = MatchTerms()


@dataclass(frozen=True, slots=True)
class End:
    """How a match ended."""

    winner: int | None
    ending: Ending
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it stands in the store."""

    id: str
    rules: str
    target: int
    first: int
    seed: int
    kind: Kind
    sitters: tuple[Sitter, ...]
    started: float = 0.0
    origin: str | None = None
    """The match whose deals are played again."""
    skipped: int = 0
    """How many move numbers were used up by taking moves back."""
    end: End | None = None
    deals: tuple[SealedDeal, ...] = ()
    actions: tuple[tuple[str, ...], ...] = ()
    """The actions of every hand."""
    clock: float | None = None
    """Seconds that a person or a bot has for a move."""
    game: str = "truco"
    shares: tuple[Share, ...] = ()
    """What its deals are drawn from; none if it was begun before deals were drawn together."""
    skills: tuple[tuple[float, float], ...] = ()
    """The skill of each seat when a rated match began, as mean and deviation; empty if the match is not rated."""
    watch_seats: frozenset[int] = frozenset()
    """The seats whose people let others watch."""

    @property
    def is_watchable(self) -> bool:
        """Whether others may watch: a match of people who all agree, and have not been forgotten."""
        people = [seat for seat, sitter in enumerate(self.sitters) if sitter.agent is None]
        return self.kind == "people" and all(
            seat in self.watch_seats and self.sitters[seat].visitor is not None for seat in people
        )

    def seat_of(self, visitor: str) -> int | None:
        """Find the seat of a visitor."""
        return next((seat for seat, one in enumerate(self.sitters) if one.visitor == visitor), None)


class Store:
    """One SQLite file; every change is a transaction that is on disk when the call returns."""

    def __init__(self, path: Path) -> None:
        base = _ready(path)
        self._writer, self._tidier = GroupWriter(base), WalCheckpointer(_open_connection(path))
        self._base = base
        self._reading, self._lock = _open_connection(path), Lock()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()
        self._tidier.close()
        with self._lock:
            self._reading.close()
            self._base.close()

    def change(self, change: Change[T]) -> T:
        """Carry out a change; it is on disk when this returns."""
        return self._writer.write(change)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask for rows."""
        with self._lock, closing(self._reading.execute(query, values)) as found:
            return found.fetchall()

    def secret(self) -> bytes:
        """The key by which forms are signed; it stays the same over restarts."""
        value: bytes = self.rows("SELECT value FROM secret")[0][0]
        return value

    # Writing

    def add(self, match: StoredMatch) -> None:
        """Write down a new match with its first deal."""
        self.change(lambda base: _add(base, match))

    def append(
        self,
        match: str,
        hand: int,
        number: int,
        action: str,
        deals: Sequence[SealedDeal],
        end: End | None,
        shown: str | None = None,
    ) -> None:
        """Write down an action, with the deal and the end of the match that followed from it.

        `shown` is the scenario that an agent asked its teacher about, who then chose the action.
        """

        def change(base: sqlite3.Connection) -> None:
            base.execute("INSERT INTO action VALUES (?,?,?,?)", (match, hand, number, action))
            if shown is not None:
                base.execute("INSERT INTO shown VALUES (?,?,?,?)", (match, hand, number, shown))
            _add_deals(base, match, hand + 1, deals)
            if end is not None:
                _end(base, match, end)

        self.change(change)

    def deal(self, match: str, hand: int, deal: SealedDeal) -> None:
        """Write down a deal that was asked for, and did not follow from an action."""
        self.change(lambda base: _add_deals(base, match, hand, [deal]))

    def end(self, match: str, end: End) -> None:
        """Write down that a match ended before it was played out."""
        self.change(lambda base: _end(base, match, end))

    def take_back(self, match: str, hand: int, number: int, skipped: int) -> None:
        """Forget the actions from this one on."""

        def change(base: sqlite3.Connection) -> None:
            base.execute(
                "DELETE FROM action WHERE match = ? AND (hand, number) >= (?, ?)", (match, hand, number)
            )
            base.execute("DELETE FROM hand WHERE match = ? AND hand > ?", (match, hand))
            base.execute("UPDATE match SET skipped = ? WHERE id = ?", (skipped, match))

        self.change(change)

    def delete(self, match: str) -> None:
        """Forget a match."""
        self.change(lambda base: base.execute("DELETE FROM match WHERE id = ?", (match,)))

    def delete_practice(self, before: float) -> None:
        """Forget open practice that was begun and left, and what was only watched."""
        old = "DELETE FROM match WHERE kind IN ('practice', 'watched') AND started < ?"
        self.change(lambda base: base.execute(old, (before,)))

    def allow_watching(self, match: str, seat: int, is_allowed: bool) -> None:
        """Write down whether the person in a seat lets others watch."""
        allow = "INSERT OR IGNORE INTO watch_permission VALUES (?, ?)"
        withdraw = "DELETE FROM watch_permission WHERE match = ? AND seat = ?"
        self.change(lambda base: base.execute(allow if is_allowed else withdraw, (match, seat)))

    # Reading

    def load(self, match: str) -> StoredMatch | None:
        """Read a match with all its deals and actions."""
        found = self._matches("id = ?", match)
        if not found:
            return None
        rows = self.rows("SELECT salt, deal FROM hand WHERE match = ? ORDER BY hand", match)
        deals = tuple(SealedDeal(str(salt), str(deal)) for salt, deal in rows)
        hands: list[list[str]] = [[] for _ in deals]
        for hand, action in self.rows(
            "SELECT hand, action FROM action WHERE match = ? ORDER BY hand, number", match
        ):
            assert isinstance(hand, int)
            hands[hand].append(str(action))
        shares = self.rows(
            "SELECT secret, contribution, place FROM share WHERE match = ? ORDER BY place", match
        )
        return replace(
            found[0],
            deals=deals,
            actions=tuple(tuple(one) for one in hands),
            shares=tuple(_share(*one) for one in shares),
        )

    def of_visitor(self, visitor: str) -> list[StoredMatch]:
        """List the matches of a visitor, the newest first, without their deals and actions."""
        return self._matches("id IN (SELECT match FROM seat WHERE visitor = ?)", visitor)

    def open_matches(self, *visitors: str) -> int:
        """Count the matches that a visitor, or several together, have going on."""
        places = ",".join("?" * len(visitors))
        where = f"ended IS NULL AND id IN (SELECT match FROM seat WHERE visitor IN ({places}))"  # noqa: S608  as below
        count = self.rows(f"SELECT count(*) FROM match WHERE {where}", *visitors)[0][0]  # noqa: S608  no outside text
        assert isinstance(count, int)
        return count

    def _matches(self, where: str, *values: object) -> list[StoredMatch]:
        rows = self.rows(f"SELECT * FROM match WHERE {where} ORDER BY started DESC", *values)  # noqa: S608  as above
        matches = [_match(row, self._sitters(str(row[0]))) for row in rows]
        return [self._with_agreements(match) if match.kind == "people" else match for match in matches]

    def _with_agreements(self, match: StoredMatch) -> StoredMatch:
        """Add what the people of a match have agreed on."""
        skills = self.rows("SELECT mu, sigma FROM rated_seat WHERE match = ? ORDER BY seat", match.id)
        seats = self.rows("SELECT seat FROM watch_permission WHERE match = ?", match.id)
        return replace(match, skills=tuple(skills), watch_seats=frozenset(seat for (seat,) in seats))

    def _sitters(self, match: str) -> tuple[Sitter, ...]:
        rows = self.rows("SELECT agent, visitor FROM seat WHERE match = ? ORDER BY seat", match)
        return tuple(Sitter(*(None if one is None else str(one) for one in row)) for row in rows)


def _open_connection(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "busy_timeout = 5000",
            "wal_autocheckpoint = 0",
        ):
            base.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        base.close()
        raise
    return base


def _ready(path: Path) -> sqlite3.Connection:
    """Open a file that is made, checked and up to date."""
    with spoken_of_file(path):
        _prepare(path)
        base = _open_connection(path)
        try:
            _set_up(base, path)
        except (sqlite3.Error, StoreError):
            base.close()
            raise
    return base


def _prepare(path: Path) -> None:
    """Make the file if it is not there; refuse one that is damaged, read-only or not a web table's."""
    if not path.exists():
        with drafting(path) as draft, closing(_open_connection(draft)) as base:
            _set_up(base, path)
    check_whole(path)
    if not (is_writable(path) and is_writable(path.parent)):
        raise StoreError(f"{path} is read-only: a web table must write to it and into its folder")
    with closing(sqlite3.connect(path)) as base:
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        check_kind(path, WEB_TABLE, _application_id(base), tables)
    close_database(path)


def _application_id(base: sqlite3.Connection) -> int:
    found: int = base.execute("PRAGMA application_id").fetchone()[0]
    return found


def check_pages(path: Path) -> None:
    """Read the whole file, and refuse one with damaged pages: better before anybody sits down than later."""
    with spoken_of_file(path):
        _prepare(path)
        with closing(sqlite3.connect(path)) as base:
            if base.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise StoreError(f"{path} {DAMAGED}")


def _set_up(base: sqlite3.Connection, path: Path) -> None:
    """Take the steps that this file has not taken yet, each in a transaction of its own."""
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if version > len(STEPS):
        raise StoreError(
            f"{path} was made by a newer Retruco: its matches are of version {version}, this one knows {len(STEPS)}"
        )
    for number, step in enumerate(STEPS[version:], version + 1):
        base.executescript(f"BEGIN; {step} PRAGMA user_version = {number}; COMMIT;")
    if _application_id(base) == 0:
        base.execute(f"PRAGMA application_id = {WEB_TABLE.application_id}")
    if version == 0:
        base.execute("INSERT INTO secret VALUES (?)", (secrets.token_bytes(32),))


def _add(base: sqlite3.Connection, match: StoredMatch) -> None:
    facts = (
        match.id,
        match.rules,
        match.target,
        match.first,
        match.seed,
        match.kind,
        match.origin,
        time.time(),
        match.clock,
        match.game,
    )
    columns = "id, rules, target, first, seed, kind, origin, started, clock, game"
    base.execute(f"INSERT INTO match ({columns}) VALUES (?,?,?,?,?,?,?,?,?,?)", facts)  # noqa: S608  no outside text
    sitters = [(match.id, seat, one.agent, one.visitor) for seat, one in enumerate(match.sitters)]
    base.executemany("INSERT INTO seat VALUES (?,?,?,?)", sitters)
    shares = [
        (match.id, NOBODY if share.seat is None else share.seat, share.secret, share.contribution)
        for share in match.shares
    ]
    base.executemany("INSERT INTO share VALUES (?,?,?,?)", shares)
    _add_deals(base, match.id, 0, match.deals)
    actions = [
        (match.id, hand, number, action)
        for hand, actions in enumerate(match.actions)
        for number, action in enumerate(actions)
    ]
    base.executemany("INSERT INTO action VALUES (?,?,?,?)", actions)
    skills = [(match.id, seat, *skill) for seat, skill in enumerate(match.skills)]
    base.executemany("INSERT INTO rated_seat VALUES (?,?,?,?)", skills)
    watched = [(match.id, seat) for seat in sorted(match.watch_seats)]
    base.executemany("INSERT INTO watch_permission VALUES (?,?)", watched)


def _share(secret: str, contribution: str, place: int) -> Share:
    return Share(secret, contribution, None if place == NOBODY else place)


def _add_deals(base: sqlite3.Connection, match: str, first: int, deals: Sequence[SealedDeal]) -> None:
    rows = [(match, number, deal.salt, deal.text) for number, deal in enumerate(deals, first)]
    base.executemany("INSERT INTO hand VALUES (?,?,?,?)", rows)


def _end(base: sqlite3.Connection, match: str, end: End) -> None:
    base.execute(
        "UPDATE match SET ended = ?, winner = ?, ending = ? WHERE id = ?",
        (time.time(), end.winner, end.ending, match),
    )


def _match(row: tuple[Any, ...], sitters: tuple[Sitter, ...]) -> StoredMatch:
    name, rules, target, first, seed, kind, origin, skipped, started, ended, winner, ending, clock, game = row
    end = None if ended is None else End(winner, ending, ended)
    return StoredMatch(
        name, rules, target, first, seed, kind, sitters, started, origin, skipped, end, clock=clock, game=game
    )
