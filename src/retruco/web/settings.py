"""How the server is set up: where matches are kept, who may reach it, what is too much."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names under which a machine reaches itself."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one visitor, and all together, may ask for."""

    body_bytes: int = 16_384
    body_seconds: float = 10.0
    """How long the body of a request may take to arrive."""
    per_second: float = 30.0
    burst: int = 150
    """Requests from one address: so many at once, then so many a second."""
    matches_per_minute: int = 30
    open_matches: int = 50
    """Matches that one browser may have going on at a time."""
    streams: int = 1024
    streams_per_visitor: int = 8
    bots_per_minute: int = 10
    """New bots from one address."""
    bot_per_second: float = 20.0
    bot_burst: int = 60
    """Requests of one bot: so many at once, then so many a second."""
    bot_polls: int = 2048
    """Bots that wait for their turn at a time."""
    bot_seconds: float = 30.0
    """How long a bot may take for a move."""
    bot_errors: int = 3
    """How many refused answers lose a bot its match."""
    live_matches: int = 1024
    """Matches held in memory; the others are read back from the store when somebody looks."""


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

    @property
    def job_folder(self) -> Path:
        """Where the jobs of the laboratory work."""
        return self.store.parent / "laboratory"

    @property
    def case_file(self) -> Path:
        """Where kept hands go, and where the laboratory looks for case bases."""
        return self.cases or self.store.parent / "cases.db"
