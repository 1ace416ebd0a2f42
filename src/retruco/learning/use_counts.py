"""How often the hands of a base are used in play: matches in which nothing is learnt, only counted."""

from __future__ import annotations

from collections import Counter

from retruco.cbr.casebase import CaseBase
from retruco.games.core import Game
from retruco.learning.checkpoints import Memory
from retruco.learning.learners import Plan
from retruco.learning.loop import LearningLoop


def count_uses(cases: CaseBase, game: Game, player: str, matches: int, seed: int = 1) -> Counter[int]:
    """Let a player that remembers these cases play itself; count as `learn` does, the nearest of each decision."""
    plan = Plan("uses", "never", (player,), seed=seed, game=game.name)
    sink = Memory()
    LearningLoop(plan, game, cases, sink, number=1).run(matches)
    uses: Counter[int] = Counter()
    for checkpoint in sink.checkpoints:
        uses.update(checkpoint.uses)
    return uses
