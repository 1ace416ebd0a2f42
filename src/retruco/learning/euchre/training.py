"""Self-play at Euchre: four players of one kind, cases of what they tried and what it brought.

The first generation answers by lot. Each later one plays by the cases of the one before and tries
another answer now and then; its own cases take their place, since a case is worth what the partner
and the opponents of its time made of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.euchre.policies import DISCARDING, NPS
from retruco.cbr.case import Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.games.core import Match, Seat
from retruco.games.euchre import Euchre, EuchreObservation
from retruco.games.euchre.tricks import SEATS, TEAMS
from retruco.games.euchre.words import DISCARD
from retruco.streams import Stream
from retruco.vocab.euchre.questions import Question, turn
from retruco.vocab.euchre.scenarios import ALONE, EUCHRE, TOGETHER


@dataclass(frozen=True, slots=True)
class Generation:
    """How many hands are played, and how often another answer is tried."""

    hands: int
    tries: float


PLAN = (Generation(6000, 1.0), Generation(8000, 0.35), Generation(12000, 0.25))
"""The generations that the embedded cases come from."""


def learn(seed: int, plan: tuple[Generation, ...] = PLAN, rules: str = "stick") -> CaseBase:
    """Play generation after generation; give the cases of the last."""
    game, cases = Euchre.named(rules), CaseBase(EUCHRE)
    for number, generation in enumerate(plan):
        grown = CaseBase(EUCHRE)
        grown.add(rows_of(game, cases, generation, Stream("self-play", seed, number)))
        cases = grown
    return cases


def rows_of(game: Euchre, cases: CaseBase, generation: Generation, chance: Stream) -> Iterator[Row]:
    """Play hands and give a row for every question that had more than one answer."""
    player = CaseBasedAgent(NPS, cases)
    for episode in range(generation.hands):
        state = game.start(game.deal(chance), Match((0, 0), chance.below(SEATS)))
        asked: list[tuple[Seat, Problem, str]] = []
        while state.outcome is None:
            assert state.to_act is not None
            seen = state.observe(state.to_act)
            if len(seen.legal) == 1:
                state = state.play(seen.legal[0])
            elif seen.legal[0].startswith(DISCARD):
                state = state.play(DISCARDING.discard(seen, chance).action)
            else:
                state = state.play(_tried(player, seen, generation.tries, chance, asked))
        points = state.outcome.points
        won = [state.tricks_of(team) for team in (0, 1)]
        for number, (seat, problem, answer) in enumerate(asked):
            team = TEAMS[seat]
            yield Row(problem, answer, points[team] - points[1 - team], (won[team],), episode, number)


def _tried(
    player: CaseBasedAgent,
    seen: EuchreObservation,
    tries: float,
    chance: Stream,
    asked: list[tuple[Seat, Problem, str]],
) -> str:
    """Take a turn, now and then with another answer than experience would give, and note it."""

    def answer(question: Question) -> str:
        answers = list(question.answers)
        if len(answers) == 1:
            return answers[0]
        if chance.chance(tries):
            lone = ALONE in answers and not chance.chance(0.25)  # going alone is for few hands
            chosen = TOGETHER if lone else chance.choice(answers)
        else:
            chosen = str(player.answer(question, chance).answer)
        asked.append((seen.seat, question.problem, chosen))
        return chosen

    return turn(seen, answer)
