"""Learning from an expert: hands of teachers who play themselves and others, in vocabulary 2.

The plan names the teachers as its policies. In half of the matches two of them meet and both seats are learnt from; in the
others somebody else sits opposite, often one who plays anything, so that the base knows answers to play that no expert shows.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.cbr.case import Decision
from retruco.games.core import Action, Seat
from retruco.games.truco import TrucoObservation, TrucoState
from retruco.learning.training import Experience, Notes, Seating
from retruco.streams import Stream, key_number
from retruco.vocab.truco.v2 import turn_rows

if TYPE_CHECKING:
    from retruco.learning.truco.training import TrucoTraining

OTHERS: Final = ("balanced", "aggressive", "bluffer", "random", "random", "random")
"""Who sits opposite if the plan names nobody: who plays anything shows the expert's answers to anything."""
AGAINST_OTHERS: Final = 0.5
"""The share of matches against them."""


@cache
def other_player(name: str, game: str) -> Agent:
    """A player without cases."""
    return find_agent(name, game)


def draw_expert_seating(training: TrucoTraining, match: int) -> Seating:
    """Draw who plays a match: two teachers, or one and somebody else."""
    plan, game = training.plan, training.game
    draw = Stream("learn", "seats", plan.seed, match)
    seat, first = draw.below(game.seats), draw.below(game.seats)
    agents = [training.players[draw.choice(plan.policies)] for _ in range(game.seats)]
    learners: tuple[Seat, ...] = tuple(range(game.seats))
    if plan.against or draw.chance(AGAINST_OTHERS):
        others = plan.against.split(",") if plan.against else OTHERS
        agents[1 - seat], learners = other_player(draw.choice(others), game.name), (seat,)
    return Seating(
        agents, learners, training.deals(match), first, key_number("learn", "match", plan.seed, match)
    )


class TurnNotes(Notes):
    """The turns of a seat in one hand."""

    def __init__(self) -> None:
        self.turns: list[tuple[TrucoObservation, Action]] = []

    def turn(self, seen: TrucoObservation, decision: Decision) -> None:
        """Note a turn."""
        self.turns.append((seen, decision.action))

    def experiences(self, end: TrucoState, seat: Seat) -> list[Experience]:
        """The hand as one experience; none if there was nothing to choose."""
        rows = tuple(turn_rows(end.observe(seat), self.turns, 0))
        return [Experience(seat, rows, end.record)] if rows else []
