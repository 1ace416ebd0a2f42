"""Casey's sitting at a compiled table: only Casey's own questions are asked in Python.

The hands, the cases and all that is counted are those of `LearningLoop` with the same training, some three
times as fast. Nothing is recorded: who wants the hands plays them in the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import agent_key
from retruco.agents.holdem.compiled_players import (
    TWINS,
    count_hand,
    play_on,
    start_hand,
    table_arrays,
)
from retruco.agents.holdem.policies import CaseyPolicy
from retruco.arena.sets import deal_key
from retruco.cbr.case import Problem, Row
from retruco.games.holdem.compiled import (
    COUNTS,
    ENTERED,
    NOBODY,
    STAGE,
    read_actions,
    read_betting,
    read_cards,
    read_counts,
)
from retruco.games.holdem.deck import Hole
from retruco.games.holdem.rules import BOARD
from retruco.learning.holdem.training import LEARNER, HoldemTraining
from retruco.learning.loop import rare_collection
from retruco.streams import Stream, key_number
from retruco.vocab.holdem.questions import Question
from retruco.vocab.holdem.rows import HALVES
from retruco.vocab.holdem.strategies import STRATEGIES
from retruco.vocab.holdem.view import View

STRATEGY_NUMBERS: Final = {name: number for number, name in enumerate(STRATEGIES)}


class StagePlan(NamedTuple):
    """What Casey decided for a stage, and whether it knew too few cases to decide."""

    stage: int
    problem: Problem
    strategy: str
    unknown: bool


class SittingHand(NamedTuple):
    """A finished hand of a sitting."""

    number: int
    points: int
    """What it brought Casey."""
    hole: Hole
    entered: bool
    unknown: int
    """How many stages Casey played at random."""
    plans: int
    """How many cases were retained."""


def can_compile(training: HoldemTraining) -> bool:
    """Whether all others have a compiled twin, and the learner is a Casey that looks at this hand alone."""
    learner = training.agents[LEARNER]
    return (
        isinstance(learner, CaseBasedAgent)
        and isinstance(learner.policy, CaseyPolicy)
        and not learner.policy.reads
        and set(training.others) <= set(TWINS)
    )


class CompiledSitting:
    """A Casey that learns hand after hand, as its training says."""

    def __init__(self, training: HoldemTraining) -> None:
        self.game, self.cases, self.training = training.game, training.cases, training
        agent = training.agents[LEARNER]
        assert isinstance(agent, CaseBasedAgent)
        self.agent = agent
        self.table = table_arrays(self.game.rules, [training.plan.policies[0], *training.others])
        self.counts = np.zeros((2, len(COUNTS)), np.int64)
        self.retained = 0
        self._profits = np.zeros(len(BOARD), np.int64)

    def take_counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """What Casey, and what all others did since they were last counted."""
        learner, others = map(read_counts, self.counts)
        self.counts[:] = 0
        return learner, others

    def hands(self, count: int) -> Iterator[SittingHand]:
        """Play so many hands, match after match."""
        seed, hands = self.training.plan.seed, self.game.hands
        for match in range(-(-count // hands)):
            deals = np.uint64(deal_key(seed, match))
            chance = np.uint64(agent_key(key_number("sitting", seed, match)))
            with rare_collection():
                for number in range(match * hands, min(count, (match + 1) * hands)):
                    start_hand(self.table, deals, number % hands, number % self.game.seats)
                    yield self._finish(number, self._play(chance, number % hands))

    def _play(self, chance: np.uint64, place: int) -> list[StagePlan]:
        """Play a hand; give the plans that Casey had in it."""
        table, plans = self.table, []
        while (seat := play_on(table, chance, place)) != NOBODY:
            question = self._question(place)
            given = self.agent.answer(question, Stream())
            stage = question.view.betting.stage
            table.strategies[seat, stage] = STRATEGY_NUMBERS[given.answer]
            plans.append(StagePlan(stage, question.problem, given.answer, given.asked.choice.answer is None))
        return plans

    def _question(self, place: int) -> Question:
        """What Casey sees as it first acts in a stage."""
        hand, rules = self.table.hand, self.game.rules
        first, second = read_cards(hand, 2 * LEARNER, 2)
        board = read_cards(hand, 2 * rules.seats, BOARD[hand.now[STAGE]])
        view = View((first, second), board, read_betting(hand, rules), read_actions(hand), place)
        return Question(view.problem(), view)

    def _finish(self, number: int, plans: list[StagePlan]) -> SittingHand:
        """Count the hand, and retain what it has taught."""
        hand, entered = self.table.hand, self.counts[0, ENTERED]
        count_hand(self.table, LEARNER, HALVES, self.counts, self._profits)
        profits = self._profits.tolist()
        rows = [
            Row(plan.problem, plan.strategy, profits[plan.stage], (), self.retained, question)
            for question, plan in enumerate(plans)
            if self.training.keeps_folds or plan.strategy != "FOLD"
        ]
        if rows:
            self.cases.add(rows)
            self.retained += 1
        first, second = read_cards(hand, 2 * LEARNER, 2)
        return SittingHand(
            number,
            int(hand.points[LEARNER]),
            (first, second),
            bool(self.counts[0, ENTERED] > entered),
            sum(plan.unknown for plan in plans),
            len(rows),
        )
