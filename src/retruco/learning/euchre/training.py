"""How Euchre is trained: four players of one kind, cases of what they tried and what it brought.

The embedded cases come from three generations (`learn`). The first answers by lot. Each later one
plays by the cases of the one before and tries another answer now and then; its own cases take their
place, since a case is worth what the partner and the opponents of its time made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent
from retruco.agents.euchre.policies import NPS
from retruco.cbr.case import Decision, Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.games.core import Game, Seat
from retruco.games.euchre import Euchre, EuchreObservation
from retruco.games.euchre.tricks import SEATS, TEAMS
from retruco.learning.case_bases import base_named
from retruco.learning.checkpoints import Discard
from retruco.learning.learners import EVERYTHING, Plan
from retruco.learning.loop import LearningLoop
from retruco.learning.training import Experience, Exploring, GameTraining, Notes, Seating
from retruco.streams import Stream
from retruco.vocab.euchre.scenarios import ALONE, TOGETHER, VOCABULARY
from retruco.vocab.question import Question

ALONE_TRIES: Final = 0.25
"""How often going alone is tried where another answer is: it is for few hands."""


class EuchreExploring(Exploring):
    """Goes alone less often than it tries other answers."""

    def explore(self, question: Question, chance: Stream) -> str:
        """Draw an answer; mostly keep the partner where going alone is asked."""
        answers = list(question.answers)
        lone = ALONE in answers and not chance.chance(ALONE_TRIES)
        return TOGETHER if lone else chance.choice(answers)


class AnswerNotes(Notes):
    """The questions that a seat answered in a hand."""

    def __init__(self) -> None:
        self.given: list[tuple[Problem, str]] = []

    def turn(self, seen: EuchreObservation, decision: Decision) -> None:
        """Note the answers of a turn."""
        self.given += [(asked.problem, str(asked.answer)) for asked in decision.asked]


class EuchreTraining(GameTraining):
    """Trains one generation: a match is one hand, and all four seats learn from it.

    The players go by the cases of the generation before, which do not change; without any, by the usual
    base.
    """

    plays_by_start = True
    chance: Stream | None = None
    """One stream for all hands, as the embedded cases were played; else every hand has its own."""

    def __init__(
        self, plan: Plan, game: Game, cases: CaseBase, frozen: CaseBase | None = None, tutor: Any = None
    ) -> None:
        self._before = base_named(None, game.name).cases if frozen is None else frozen
        GameTraining.__init__(self, plan, game, cases, frozen, tutor)

    def player(self, name: str, tutor: Any) -> Agent:
        """Make a player that explores."""
        if name != NPS.name:
            raise ValueError(f"Euchre is learnt by {NPS.name}, not by {name!r}")
        return EuchreExploring(CaseBasedAgent(NPS, self._before), self.plan.tries)

    def seating(self, match: int) -> Seating:
        """Deal one hand, and draw who deals."""
        chance = self.chance or Stream("learn", "hand", self.plan.seed, match)
        deal = self.game.deal(chance)
        first = chance.below(SEATS)
        player = self.players[self.plan.policies[0]]
        return Seating([player] * SEATS, range(SEATS), lambda _: deal, first, 0, chance, hands=1)

    def notes(self) -> AnswerNotes:
        """Begin the notes of a hand."""
        return AnswerNotes()

    def experiences(self, end: Any, notes: AnswerNotes, seat: Seat) -> Iterable[Experience]:
        """Give a seat's answers what the hand brought its team."""
        points, team = end.outcome.points, TEAMS[seat]
        credit, tricks = points[team] - points[1 - team], end.tricks_of(team)
        rows = tuple(
            Row(problem, answer, credit, (tricks,), 0, number)
            for number, (problem, answer) in enumerate(notes.given)
        )
        return [Experience(seat, rows, end.record)] if rows else []


# The embedded cases


@dataclass(frozen=True, slots=True)
class Generation:
    """How many hands are played, and how often another answer is tried."""

    hands: int
    tries: float


TRIES: Final = (1.0, 0.35, 0.25)
"""How often each generation tries another answer: the first answers by lot."""


def plan_of(hands: Sequence[int]) -> tuple[Generation, ...]:
    """Three generations of so many hands.

    >>> plan_of((6000, 8000, 12000))[0]
    Generation(hands=6000, tries=1.0)
    """
    return tuple(Generation(count, tries) for count, tries in zip(hands, TRIES, strict=True))


PLAN: Final = plan_of((54_000, 72_000, 108_000))
"""The generations that the embedded cases come from."""


def learn(seed: int, plan: tuple[Generation, ...] = PLAN, rules: str = "stick") -> CaseBase:
    """Play generation after generation; give the cases of the last."""
    cases = CaseBase(VOCABULARY)
    for number, generation in enumerate(plan):
        cases = play_generation(seed, number, generation, cases, rules)
    return cases


def play_generation(
    seed: int, number: int, generation: Generation, before: CaseBase, rules: str = "stick"
) -> CaseBase:
    """Play one generation by the cases of the one before; give its own."""
    game, cases = Euchre.named(rules), CaseBase(VOCABULARY)
    plan = Plan(NPS.name, EVERYTHING, (NPS.name,), seed=seed, game=game.name, tries=generation.tries)
    loop = LearningLoop(plan, game, cases, Discard(), number=0, frozen=before)
    assert isinstance(loop.training, EuchreTraining)
    loop.training.chance = Stream("self-play", seed, number)
    loop.run(matches=generation.hands)
    return cases
