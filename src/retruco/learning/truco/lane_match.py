"""A match of training in a lane: its agents decide by flat situations, one at a time, for the base may change after every hand.

The hands, what is noted of them and what they teach are those of a match at a readable table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import AskedMany, Decisions
from retruco.arena.batch import Batch, LaneMatch
from retruco.arena.blocks import is_batched
from retruco.arena.lanes import LENGTH, NEW, SEAT, STATUS
from retruco.cbr.case import Problem
from retruco.games.core import Game, Match, Seat, Team
from retruco.games.truco import Truco, TrucoState
from retruco.games.truco.compiled.stepper import action_text
from retruco.games.truco.state import Turn, turn_of
from retruco.learning.training import CountUses, Seating, TrainedHand
from retruco.learning.truco.stages import HandNotes
from retruco.vocab.truco.questions import AnsweredQuestion

LANE: Final = 0


def can_play_in_lane(game: Game, seating: Seating) -> bool:
    """Whether all agents of a match decide by cases and by flat situations, each with a chance of its own."""
    return (
        isinstance(game, Truco)
        and is_batched(game)
        and seating.chance is None
        and all(type(agent) is CaseBasedAgent and agent.policy.is_batched for agent in seating.agents)
    )


class TurnAsked(NamedTuple):
    """The questions of a learner's turn, and the agent that answered them."""

    seat: Seat
    agent: CaseBasedAgent
    asked: tuple[AskedMany, ...]


class TrainingBatch(Batch):
    """A batch of one match that notes what its learners were asked."""

    def __init__(
        self, game: Truco, match: LaneMatch, learners: tuple[Seat, ...], note: Callable[[TurnAsked], None]
    ) -> None:
        super().__init__(game, [match])
        self._learners, self._note = learners, note

    def _count(self, player: int, lanes: NDArray[np.intp], decisions: Decisions) -> None:
        seat = int(self.lanes.numbers[LANE, SEAT])
        agent = self.agents[player]
        if seat in self._learners and isinstance(agent, CaseBasedAgent):
            self._note(TurnAsked(seat, agent, tuple(decisions.asked)))

    def play_hand(self, number: int) -> list[int]:
        """Play on until so many hands are over; return the actions of the last one."""
        before = int(self.lanes.numbers[LANE, LENGTH])
        self.most_hands = number
        self.lanes.numbers[LANE, STATUS] = NEW
        self.play()
        return list(map(int, self.lanes.actions[LANE, before : self.lanes.numbers[LANE, LENGTH]]))


class TrainingLane:
    """A match of training in a lane."""

    def __init__(self, game: Truco, seating: Seating, notes: Callable[[], HandNotes]) -> None:
        self.game, self.seating, self.new_notes = game, seating, notes
        self.winner: Team | None = None

    def hands(self, count_uses: CountUses) -> Iterator[TrainedHand]:
        """Play hand after hand."""
        seating, game = self.seating, self.game
        turns = list[TurnAsked]()
        players: Any = tuple(seating.agents)
        lane = LaneMatch(players, seating.deals, seating.first, seating.seed)
        batch = TrainingBatch(game, lane, tuple(seating.learners), turns.append)
        match = game.opening(seating.first)
        for number in count(1):
            turns.clear()
            end = replay(game, seating.deals(match.hand), match, batch.play_hand(number))
            notes = {seat: self.new_notes() for seat in seating.learners}
            for turn in turns:
                note_turn(notes[turn.seat], turn, count_uses)
            match = game.after(match, end)
            yield end, notes
            if game.is_over(match) or number == seating.hands:
                break
        self.winner = game.winner(match) if game.is_over(match) else None


def replay(game: Truco, deal: Any, match: Match, actions: list[int]) -> TrucoState:
    """The end of a hand in the readable engine."""
    turn = Turn(game.start(deal, match))
    for action in actions:
        turn.seat = turn_of(turn.rounds, turn.envido, turn.flor, turn.bet)
        turn.take(action_text(turn.hands[turn.seat], action))
    return turn.finished()


def note_turn(notes: HandNotes, turn: TurnAsked, count_uses: CountUses) -> None:
    """Note what was asked in a turn, and count the cases by which the last question was answered."""
    scenarios = turn.agent.policy.vocabulary.VOCABULARY.scenarios
    problem: Problem | None = None
    for some in turn.asked:
        scenario = scenarios[int(some.queries.scenario[0])]
        problem = Problem(scenario.name, tuple(some.queries.codes[0, : len(scenario.visible)].tolist()))
        notes.answered.append((AnsweredQuestion(problem), scenario.actions[int(some.answers[0])]))
    if problem is not None:
        count_uses(turn.agent.cases.retrieve(problem, turn.agent.policy.mode))
