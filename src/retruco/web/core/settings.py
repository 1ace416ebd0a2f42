"""How the server is set up: where matches are kept, who may reach it, what is too much."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from retruco.web.core.paths import DOCUMENTATION

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names under which a machine reaches itself."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one visitor, and all together, may ask for."""

    body_bytes: int = 16_384
    body_seconds: float = 10.0
    """How long the body of a request may take to arrive, all of it."""
    header_bytes: int = 32_768
    header_count: int = 100
    header_seconds: float = 10.0
    """How large the headers of a request may be, and how long they may take to arrive."""
    first_request_seconds: float = 10.0
    idle_seconds: float = 15.0
    """How long a connection may wait before its first request, and between two."""
    answer_seconds: float = 60.0
    """How long a client may stop reading what it is sent."""
    pipelined: int = 16
    """Requests that a client may send ahead on one connection."""
    connections: int = 1024
    """Open connections, as far as the system lets us open files; the oldest idle ones make room."""
    connections_per_address: int = 128
    connections_per_second: float = 60.0
    connections_burst: int = 256
    """New connections from one address: so many at once, then so many a second."""
    per_second: float = 30.0
    burst: int = 150
    """Requests from one address, its bots included: so many at once, then so many a second; large answers count
    as several."""
    refusal_seconds: float = 1.0
    """How long whoever asks too often waits to be told so."""
    matches_per_minute: int = 30
    """New matches from one address, its bots included."""
    open_matches: int = 50
    """Matches that one browser, or all bots of one address, may have going on at a time."""
    streams: int = 1024
    streams_per_visitor: int = 8
    streams_per_address: int = 64
    spectators: int = 256
    spectators_per_match: int = 50
    spectators_per_visitor: int = 4
    spectators_per_address: int = 32
    """Lines of those who watch people play; they are not among the streams above."""
    bots_per_minute: int = 10
    bots_per_address: int = 20
    """New bots from one address, and bots with a valid token."""
    bot_days: float = 30.0
    """How long the token of a bot is valid."""
    bot_per_second: float = 20.0
    bot_burst: int = 60
    """Requests of one bot, or of all bots of one owner: so many at once, then so many a second."""
    bot_polls: int = 2048
    bot_polls_per_address: int = 64
    """Bots that wait for their turn at a time."""
    builders: int = 2
    builds_waiting: int = 16
    """Threads that build large answers, and answers of one address that may wait for them."""
    bot_seconds: float = 30.0
    """How long a bot may take for a move."""
    bot_errors: int = 3
    """How many refused answers lose a bot its match."""
    live_matches: int = 1024
    live_bytes: int = 64 * 2**20
    """Matches held in memory, by number and by size; the others are read back from the store when somebody looks."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the server is told when it starts."""

    store: Path
    names: frozenset[str] = LOOPBACK
    """The host names that requests may be addressed to."""
    behind_proxy: bool = False
    """Whether a proxy speaks HTTPS to the world for us."""
    limits: Limits = field(default_factory=Limits)
    thinkers: int = 4
    """How many threads let agents decide."""
    away_seconds: float = 60.0
    """Seconds without a sign of life after which a person counts as gone from a table."""
    heartbeat: float = 15.0
    """Seconds after which a silent stream says that it is still there."""
    cases: Path | None = None
    """The file with the case bases; beside the matches if not said."""
    documentation: Path = DOCUMENTATION
    """The folder with the built documentation site."""

    @property
    def job_folder(self) -> Path:
        """Where the jobs of the laboratory work."""
        return self.store.parent / "laboratory"

    @property
    def case_file(self) -> Path:
        """Where kept hands go, and where the laboratory looks for case bases."""
        return self.cases or self.store.parent / "cases.db"
