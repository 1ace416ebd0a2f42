"""Who sits where: the same deals are played once for every seating, so that luck evens out.

With two seats the players swap; with two teams the teams do; where everybody plays alone at a
larger table, the players move on seat by seat until each has sat everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from retruco.games.core import Game

Place: TypeAlias = tuple[int, int]
"""Which entrant sits in a seat, and which of its members."""
Seating: TypeAlias = tuple[Place, ...]
"""A place for every seat of the table."""


def seatings(game: Game) -> tuple[Seating, ...]:
    """All seatings of a duplicate set: the swap, the team swap or the rotations.

    >>> from retruco.games.kuhn import Kuhn
    >>> seatings(Kuhn(players=2))
    (((0, 0), (1, 0)), ((1, 0), (0, 0)))
    >>> [[entrant for entrant, member in seating] for seating in seatings(Kuhn(players=3))]
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    teams = len(set(game.teams))
    members = [game.teams[:seat].count(team) for seat, team in enumerate(game.teams)]
    return tuple(
        tuple(((team + turn) % teams, member) for team, member in zip(game.teams, members, strict=True))
        for turn in range(teams)
    )


def members_of(name: str, game: Game) -> tuple[str, ...]:
    """Read an entrant's name as the agents of a team: `UF/HIGH!` is a mixed one, `UF` all of a kind.

    >>> from retruco.games.kuhn import Kuhn
    >>> members_of("random", Kuhn())
    ('random',)
    """
    size = game.seats // len(set(game.teams))
    if size == 1 or ".py:" in name:  # a path has slashes of its own
        return (name,) * size
    parts = tuple(name.split("/"))
    if len(parts) not in (1, size):
        raise ValueError(f"a team of {game.name} has {size} members, {name!r} names {len(parts)}")
    return parts if len(parts) == size else parts * size


def check_entrants(names: Sequence[str], game: Game) -> None:
    """Refuse a table with too few or too many entrants."""
    wanted = len(set(game.teams))
    if len(names) != wanted:
        what = "teams" if wanted < game.seats else "agents"
        raise ValueError(
            f"{game.name} with {game.rules_name} is for {wanted} {what}, not {len(names)}: {' '.join(names)}"
        )
