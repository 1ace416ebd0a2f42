"""Judges decisions of Truco by the solution that comes with the package, at any target.

A match to another target than the solution's is judged where both sides lack as many points, or are as far in the
match; see `shipped_solver.at_target_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from retruco.agents.truco.shipped_solver import at_target_of, open_shipped, scores_at_target
from retruco.games.core import Action, Seat
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.solver.truco.analysis import GRADE_NAMES, Judge, Judgement

__all__ = ["GRADE_NAMES", "Judgement", "judge_turn", "match_chance"]


@cache
def shipped_judge(rules: str) -> Judge:
    """The judge of the solution for some rules; the agent `solver` shares it."""
    judge = open_shipped(rules).judge
    if judge is None:
        raise ValueError(f"the solution for {rules} has no values beside it; make them with `retruco values`")
    return judge


def judge_turn(seen: TrucoObservation, action: Action) -> Judgement | None:
    """Judge what the seat to act did; nothing where there was no choice, or where there are not enough samples."""
    if len(seen.legal) < 2:
        return None
    judge = shipped_judge(seen.game.rules_name)
    return judge.judge(at_target_of(judge.game, seen), action)


def match_chance(game: Truco, scores: Sequence[int], mao: Seat, seat: Seat) -> float:
    """A seat's chance to win the match before a hand is dealt, both sides playing the solution."""
    if max(scores) >= game.target:
        return float(scores[seat] >= game.target)
    judge = shipped_judge(game.rules_name)
    there = scores_at_target(judge.game, game, (scores[0], scores[1]))
    chance = float(judge.values.match[there[mao], there[1 - mao]])
    return chance if seat == mao else 1 - chance
