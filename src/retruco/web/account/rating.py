"""A visitor's own rating: OpenSkill against the measured levels of a game, match by match.

The rating follows from the visitor's finished matches alone, so nothing is stored: whoever is forgotten has none. Levels
stand where the matches of docs/ladder.md put them (`tools/rate_levels.py` writes `level_ratings.json`), and do not move.
Matches count that are played for real, to the rules' own target, against one agent whose strength is measured.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from retruco.games.registry import find_game
from retruco.web.account.statistics import has_won, others_at
from retruco.web.core.store import StoredMatch

LEVEL_FILE: Final = Path(__file__).with_name("level_ratings.json")
NEW_MU: Final = 25.0
NEW_SIGMA: Final = 25 / 3
"""OpenSkill's skill of a player nobody knows, and its deviation."""
LEVEL_SIGMA: Final = 1.0
"""The deviation of a level: about what the intervals of the ladder come to."""
SCALE: Final = sqrt(2) * 25 / 6
"""The difference of skills at which the odds are e to 1, when both are known."""
CENTRE: Final = 1500
ELO: Final = 400 / log(10)
"""Ratings are shown on Elo's scale, a new player in the centre."""


class Skill(NamedTuple):
    """A skill on OpenSkill's scale."""

    mu: float = NEW_MU
    sigma: float = NEW_SIGMA

    @property
    def rating(self) -> int:
        """The skill as it is shown.

        >>> Skill().rating
        1500
        """
        return round(CENTRE + ELO * (self.mu - NEW_MU) / SCALE)

    @property
    def reach(self) -> int:
        """How far the rating may be off, either way, with 95 % confidence."""
        return round(ELO * 1.96 * self.sigma / SCALE)


class RatedMatch(NamedTuple):
    """A match that counted, and the rating after it."""

    match: str
    at: float
    opponent: str
    won: bool
    skill: Skill


@cache
def level_skills() -> dict[str, dict[str, float]]:
    """The measured skills of agents, by game."""
    found: dict[str, dict[str, float]] = json.loads(LEVEL_FILE.read_text(encoding="utf-8"))
    return found


def rate_matches(matches: Sequence[StoredMatch], visitor: str, game: str) -> list[RatedMatch]:
    """A visitor's rated matches of a game, the oldest first."""
    rated, skill = [], Skill()
    for match in sorted(matches, key=lambda match: match.end.at if match.end else 0.0):
        if match.game == game and is_rated(match, visitor):
            opponent, won = others_at(match, visitor)[0], has_won(match, visitor)
            skill = skill_after(skill, level_skills()[game][opponent], won)
            assert match.end is not None
            rated.append(RatedMatch(match.id, match.end.at, opponent, won, skill))
    return rated


def is_rated(match: StoredMatch, visitor: str) -> bool:
    """Whether a match counts for the rating."""
    others, known = others_at(match, visitor), level_skills().get(match.game, {})
    if match.kind != "match" or match.end is None or match.end.winner is None:
        return False
    if match.end.ending not in ("played", "resigned") or len(others) != 1 or others[0] not in known:
        return False
    return match.target == find_game(match.game, match.rules).goal


def skill_after(skill: Skill, level: float, won: bool) -> Skill:
    """The skill after a match against a level, by OpenSkill's Plackett-Luce model."""
    from openskill.models import PlackettLuce  # slow to import, and few ask

    model = PlackettLuce()
    player, opponent = model.rating(*skill), model.rating(level, LEVEL_SIGMA)
    ranks = [0.0, 1.0] if won else [1.0, 0.0]
    [[after], _] = model.rate([[player], [opponent]], ranks=ranks)
    return Skill(after.mu, after.sigma)


def expected_share(skill: Skill, level: float) -> float:
    """The share of matches that a skill wins against a level.

    >>> expected_share(Skill(25), 25)
    0.5
    """
    return 1 / (1 + exp((level - skill.mu) / SCALE))
