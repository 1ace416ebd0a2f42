"""The levels of Truco: a ladder of players, each of whom beats the one below, and one who stands beside it.

A level is called by a person; the sentences on who that is stand in `explain/sentences/truco` under `level`, for
the web and the terminal. Which agent plays at a level is chosen by measurement: `python benchmarks/ladder.py`
plays neighbours and writes docs/ladder.md.
"""

from __future__ import annotations

from typing import Final

LADDER: Final = {
    "bia": "first-timer",
    "nico": "forgetful",
    "rosa": "sunday-player",
    "juca": "regular",
    "elena": "balanced",
    "amaro": "solver",
}
"""Who plays at each level, from the bottom up."""

BESIDE: Final = {"memo": "maestro"}
"""Who does not stand on the ladder: a player that remembers hands and shows which."""

LEVELS: Final = {**LADDER, **BESIDE}

OLD_LEVELS: Final = {"easy": "novice", "medium": "cautious", "hard": "balanced", "memory": "NPCS"}
"""Levels of earlier versions; whoever still asks for one gets the agent that played there."""


def agent_at(name: str) -> str:
    """The agent that plays at a level, new or old; any other name is that of an agent.

    >>> agent_at("elena"), agent_at("easy"), agent_at("bluffer")
    ('balanced', 'novice', 'bluffer')
    """
    return LEVELS.get(name) or OLD_LEVELS.get(name, name)


def level_of(agent: str) -> str | None:
    """The level at which an agent plays."""
    return next((level for level, at_level in LEVELS.items() if at_level == agent), None)
