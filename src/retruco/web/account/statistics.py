"""A visitor's own matches, counted: only those that were played out for real."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from retruco.arena.stats import share_interval
from retruco.web.core.store import StoredMatch

Json = dict[str, Any]


def statistics(matches: Sequence[StoredMatch], visitor: str) -> Json:
    """Count wins by opponent, and list the matches; open practice is left out altogether."""
    own = [one for one in matches if one.kind != "practice"]
    counted = [one for one in own if one.kind in ("match", "people") and one.end is not None]
    wins = [has_won(one, visitor) for one in counted]
    by_opponent: dict[str, list[bool]] = defaultdict(list)
    for match in counted:
        by_opponent[opponent(match, visitor)].append(has_won(match, visitor))
    return {
        "played": len(counted),
        "won": sum(wins),
        "share": _share(wins),
        "streak": _streak(wins),
        "opponents": [
            {"name": name, "played": len(against), "won": sum(against)}
            for name, against in sorted(by_opponent.items())
        ],
        "matches": [_line(one, visitor) for one in own],
    }


def _share(wins: Sequence[bool]) -> Json | None:
    """The share of matches won, and between which shares it lies with 95 % confidence.

    >>> _share([True] * 10)["low"]
    0.7
    """
    if not wins:
        return None
    share, (low, high) = share_interval([float(won) for won in wins])
    return {"mean": round(share, 3), "low": round(low, 2), "high": round(high, 2)}


def _streak(newest_first: Sequence[bool]) -> int:
    """Count the matches won in a row, up to the last one.

    >>> _streak([True, True, False, True])
    2
    """
    return next((place for place, won in enumerate(newest_first) if not won), len(newest_first))


def opponent(match: StoredMatch, visitor: str) -> str:
    """Name who sits opposite."""
    other = next(one for one in match.sitters if one.visitor != visitor)
    return other.agent or ""


def has_won(match: StoredMatch, visitor: str) -> bool:
    """Whether the visitor won a finished match."""
    return match.end is not None and match.end.winner == match.seat_of(visitor)


def _line(match: StoredMatch, visitor: str) -> Json:
    return {
        "match": match.id,
        "opponent": opponent(match, visitor),
        "rules": match.rules,
        "target": match.target,
        "kind": match.kind,
        "started": match.started,
        "over": match.end is not None,
        "won": has_won(match, visitor) if match.end else None,
        "ending": match.end.ending if match.end else None,
    }
