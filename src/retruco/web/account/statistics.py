"""A visitor's own matches, counted: only those that were played out for real."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from retruco.arena.stats import share_interval
from retruco.games.registry import find_game, game_names
from retruco.web.core.store import StoredMatch

Json = dict[str, Any]


def statistics(matches: Sequence[StoredMatch], visitor: str) -> Json:
    """Count wins by opponent, and list the matches; open practice is left out altogether."""
    own = [match for match in matches if match.kind != "practice"]
    counted = [match for match in own if match.kind in ("match", "people") and _has_result(match)]
    wins = [has_won(match, visitor) for match in counted]
    by_opponent: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for match, won in zip(counted, wins, strict=True):
        by_opponent[match.game, opponent(match, visitor)].append(won)
    return {
        "played": len(counted),
        "won": sum(wins),
        "share": _share(wins),
        "streak": _streak(wins),
        "opponents": [
            {"game": game, "name": name, "played": len(against), "won": sum(against)}
            for (game, name), against in sorted(
                by_opponent.items(), key=lambda line: (line[0][0] != "truco", line[0])
            )
        ],
        "matches": [_line(match, visitor) for match in own],
    }


def _has_result(match: StoredMatch) -> bool:
    """Whether a match is over with a result: who just leaves a table of agents has neither won nor lost."""
    return match.end is not None and (match.end.winner is not None or match.end.ending == "played")


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


def others_at(match: StoredMatch, visitor: str) -> list[str]:
    """Name the agents that sit at a visitor's table; a person's name is empty."""
    return [sitter.agent or "" for sitter in match.sitters if sitter.visitor != visitor]


def opponent(match: StoredMatch, visitor: str) -> str:
    """Name who else sits at the table, in one line."""
    return ", ".join(others_at(match, visitor))


def has_won(match: StoredMatch, visitor: str) -> bool:
    """Whether the visitor, or its team, won a finished match."""
    seat = match.seat_of(visitor)
    if match.end is None or match.end.winner is None or seat is None:
        return False
    if match.game not in game_names():
        return False
    return match.end.winner == find_game(match.game, match.rules, match.target).teams[seat]


def _line(match: StoredMatch, visitor: str) -> Json:
    return {
        "match": match.id,
        "game": match.game,
        "opponent": opponent(match, visitor),
        "others": others_at(match, visitor),
        "rules": match.rules,
        "target": match.target,
        "kind": match.kind,
        "started": match.started,
        "over": match.end is not None,
        "won": has_won(match, visitor) if _has_result(match) else None,
        "ending": match.end.ending if match.end else None,
    }
