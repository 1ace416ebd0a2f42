"""A visitor's own rating: OpenSkill against the measured levels of a game and against other people, match by match.

The rating follows from the visitor's finished matches alone, each counted once in the order in which they ended; whoever
is forgotten has none. Levels stand where the matches of docs/ladder.md put them (`tools/rate_levels.py` writes
`level_ratings.json`), and do not move. A person counts with the skill that was stored when the match began.
Matches count that are played for real, to the rules' own target: against one agent whose strength is measured, or against
one person if both agreed before the first hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from retruco.games.registry import find_game, game_names
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
    """A match that counted, with the skills before and after it."""

    match: str
    at: float
    opponent: str
    """An agent, or nothing for a person."""
    against: Skill
    """How skilled the opponent was."""
    won: bool
    before: Skill
    skill: Skill
    """The visitor's own skill before the match, and after it."""

    def as_json(self) -> dict[str, object]:
        """The match as plain data."""
        return {
            "match": self.match,
            "opponent": self.opponent or "person",
            "opponent_rating": self.against.rating,
            "won": self.won,
            "rating": self.skill.rating,
            "change": self.skill.rating - self.before.rating,
        }


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
            against, before = _opponent_skill(match, visitor), skill
            skill = skill_after(before, against.mu, won, against.sigma)
            assert match.end is not None
            rated.append(RatedMatch(match.id, match.end.at, opponent, against, won, before, skill))
    return rated


def rated_by_game(matches: Sequence[StoredMatch], visitor: str) -> dict[str, list[RatedMatch]]:
    """A visitor's rated matches of every game that has measured levels, or in which people played rated matches."""
    people = (match.game for match in matches if is_rated_between_people(match))
    games = dict.fromkeys((*level_skills(), *people))
    return {game: rate_matches(matches, visitor, game) for game in games if game in game_names()}


def current_skill(matches: Sequence[StoredMatch], visitor: str, game: str) -> Skill:
    """A visitor's skill after all matches that count."""
    rated = rate_matches(matches, visitor, game)
    return rated[-1].skill if rated else Skill()


def _opponent_skill(match: StoredMatch, visitor: str) -> Skill:
    """How skilled the opponent of a rated match was: a level as measured, a person as when the match began."""
    if match.kind == "people":
        return next(
            Skill(*skill)
            for sitter, skill in zip(match.sitters, match.skills, strict=True)
            if sitter.visitor != visitor
        )
    return Skill(level_skills()[match.game][others_at(match, visitor)[0]], LEVEL_SIGMA)


def is_rated(match: StoredMatch, visitor: str) -> bool:
    """Whether a match counts for the rating."""
    if match.kind == "people":
        return is_rated_between_people(match)
    others, known = others_at(match, visitor), level_skills().get(match.game, {})
    if match.kind != "match" or match.end is None or match.end.winner is None:
        return False
    if match.end.ending not in ("played", "resigned") or len(others) != 1 or others[0] not in known:
        return False
    return match.target == find_game(match.game, match.rules).goal


def is_rated_between_people(match: StoredMatch) -> bool:
    """Whether a match of two people counts: both agreed, and it has a winner.

    It was played out, given up, or left by one and claimed by the other. One that nobody finished or claimed does not count.
    """
    end = match.end
    has_winner = end is not None and end.winner is not None and end.ending in ("played", "resigned", "left")
    return bool(match.skills) and has_winner


def skill_after(skill: Skill, level: float, won: bool, deviation: float = LEVEL_SIGMA) -> Skill:
    """The skill after a match against a level or a person, by OpenSkill's Plackett-Luce model."""
    from openskill.models import PlackettLuce  # slow to import, and few ask

    model = PlackettLuce()
    player, opponent = model.rating(*skill), model.rating(level, deviation)
    ranks = [0.0, 1.0] if won else [1.0, 0.0]
    [[after], _] = model.rate([[player], [opponent]], ranks=ranks)
    return Skill(after.mu, after.sigma)


def expected_share(skill: Skill, level: float) -> float:
    """The share of matches that a skill wins against a level.

    >>> expected_share(Skill(25), 25)
    0.5
    """
    return 1 / (1 + exp((level - skill.mu) / SCALE))
