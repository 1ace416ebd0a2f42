"""Casey at a compiled table, where it learns hand after hand.

    sitting = Sitting(Holdem.named("casey-4"), "casey", ["rulebot"] * 3)
    for hand in sitting.hands(50_000, seed=1):
        print(hand.points)

The hands, the cases and all that is counted are those of readable tables. Cases are held back while a hand is played
and stored at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from retruco.agents.core import agent_key
from retruco.agents.holdem.policies import UNKNOWN as TOO_FEW_CASES
from retruco.agents.holdem.policies import CaseyPolicy, policy_named
from retruco.agents.holdem.probes import drawn_strategy
from retruco.agents.holdem.table import (
    GOES_ON,
    RULE_PLAYERS,
    UNKNOWN,
    VIEW,
    Search,
    lay_table,
    play_on,
    take_up,
)
from retruco.arena.sets import deal_key
from retruco.cbr.case import Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.revise import revise
from retruco.games.core import Team
from retruco.games.holdem import Holdem, HoldemDeal, HoldemState
from retruco.games.holdem.compiled import (
    DEALER,
    ENTERED,
    NOBODY,
    STAGE,
    STEPS,
    read_actions,
    read_cards,
    read_counts,
)
from retruco.games.holdem.deck import Hole
from retruco.games.holdem.rules import BOARD
from retruco.learning.holdem.training import LEARNER, StagePlans, check_others
from retruco.learning.loop import rare_collection
from retruco.learning.training import CountUses, Seating, TrainedHand
from retruco.streams import Stream, key_number
from retruco.vocab.holdem import VOCABULARY
from retruco.vocab.holdem.questions import KINDS, Question
from retruco.vocab.holdem.strategies import NAMES, stage_stream


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


class Sitting:
    """A Casey that sits among players by rules and random ones, from nothing or with a base that grows."""

    def __init__(
        self,
        game: Holdem,
        learner: str | CaseyPolicy,
        others: Sequence[str],
        cases: CaseBase | None = None,
        keeps_folds: bool = True,
    ) -> None:
        if not self.can_seat(check_others(game, others)):
            known = ", ".join(RULE_PLAYERS)
            raise ValueError(f"only {known} and random can sit here, not all of {', '.join(others)}")
        policy = policy_named(learner) if isinstance(learner, str) else learner
        self.game, self.policy, self.keeps_folds, self.retained = game, policy, keeps_folds, 0
        self.cases = CaseBase(VOCABULARY) if cases is None else cases
        self.kinds, self.rules = KINDS[policy.reads], (*policy.rules, *policy.safeguards)
        self.table = lay_table(game.rules, others, policy.terms, policy.reads, **self._searches())

    @staticmethod
    def can_seat(others: Sequence[str]) -> bool:
        """Whether all others can sit here."""
        return {*others} <= {*RULE_PLAYERS, "random"}

    def _searches(self) -> dict[str, Any]:
        """How Casey searches its cases, as they are now."""
        found: dict[str, Any] = {}
        for stage, kind in zip(("before", "after"), self.kinds, strict=True):
            arrays, plan, found["buffers"] = self.cases.prepare_search(kind.name, self.policy.mode)
            found[stage] = Search(arrays, plan)
        return found

    # A hand

    def begin(self, seed: int, deals: int) -> None:
        """Begin a match, whose chance has this seed and whose deals have this key."""
        self._chance, self._deals = np.uint64(agent_key(seed)), np.uint64(deals)
        self.table.bets[:] = 0

    def play(self, place: int, dealer: int) -> int:
        """Play the n-th hand of the match; give the number of stages that Casey played at random."""
        table = self.table = self.table._replace(**self._searches())
        unknown, asks, keys = 0, bool(self.rules), (self._chance, self._deals)
        while (seat := play_on(table, asks, *keys, place, dealer)) != NOBODY:
            stage, dealer = int(table.hand.now[STAGE]), GOES_ON
            if seat == LEARNER:
                strategy, rule = self._draw(stage, place)
                if rule == TOO_FEW_CASES and table.plans[stage] == UNKNOWN:
                    unknown += 1
                take_up(table.strategies, table.plans, stage, NAMES.index(strategy))
            else:
                stream = self._stream(seat, stage, place, None, "random")
                table.strategies[seat, stage] = drawn_strategy(stream)
        return unknown

    def _draw(self, stage: int, place: int) -> tuple[str, str]:
        """Draw what is left to chance, and let the rules of revision look at it."""
        stream = partial(self._stream, LEARNER, stage, place, int(self.table.steps[stage]))
        strategy, rule = self.policy.draw(int(self.table.chosen[0]), stream)
        if self.rules:
            question = Question(self.problem(stage), self.table.situations[VIEW], stream)
            strategy, _ = revise(self.rules, question, strategy)
        return strategy, rule

    def _stream(self, seat: int, stage: int, place: int, before: int | None, who: str) -> Stream:
        """The chance by which somebody draws a strategy who first acted in the stage after so many actions."""
        hand, seats = self.table.hand, self.game.seats
        hole, board = self.hole(seat), read_cards(hand, 2 * seats, BOARD[stage])
        return stage_stream(who, hole, board, read_actions(hand)[:before], place, seats)

    # A finished hand

    def hole(self, seat: int = LEARNER) -> Hole:
        """The cards of a seat."""
        first, second = read_cards(self.table.hand, 2 * seat, 2)
        return first, second

    def problem(self, stage: int) -> Problem:
        """What Casey asked in a stage."""
        kind = self.kinds[stage > 0]
        return Problem(kind.name, tuple(self.table.codes[stage, : len(kind.visible)].tolist()))

    def plans(self) -> list[tuple[int, str]]:
        """The stages in which Casey acted, with its strategies."""
        plans = self.table.plans.tolist()
        return [(stage, NAMES[place]) for stage, place in enumerate(plans) if place != UNKNOWN]

    def notes(self, unknown: int) -> StagePlans:
        """What Casey decided, as it is noted at a readable table."""
        hand, plans = self.table.hand, self.plans()
        own = (LEARNER - int(hand.now[DEALER]) - 1) % self.game.seats
        return StagePlans(
            {stage: (self.problem(stage), strategy) for stage, strategy in plans},
            [int(self.table.reads[stage]) for stage, _ in plans],
            unknown,
            [stage for position, stage, _ in hand.steps[: hand.now[STEPS]].tolist() if position == own],
        )

    def end(self) -> HoldemState:
        """The hand in the readable engine."""
        hand, seats = self.table.hand, self.game.seats
        holes, board = map(self.hole, range(seats)), read_cards(hand, 2 * seats, BOARD[-1])
        state = self.game.begin(HoldemDeal(tuple(holes), board), int(hand.now[DEALER]))
        for action in read_actions(hand):
            state = state.play(action)
        return state

    # Learning

    def hands(self, count: int, seed: int) -> Iterator[SittingHand]:
        """Play so many hands, match after match, and retain what they teach; the deal goes round."""
        table, hands = self.table, self.game.hands
        for match in range(-(-count // hands)):
            self.begin(key_number("sitting", seed, match), deal_key(seed, match))
            with rare_collection():
                for number in range(match * hands, min(count, (match + 1) * hands)):
                    entered = int(table.counts[0, ENTERED])
                    unknown = self.play(number % hands, number % self.game.seats)
                    has_entered = bool(table.counts[0, ENTERED] > entered)
                    points = int(table.hand.points[LEARNER])
                    yield SittingHand(number, points, self.hole(), has_entered, unknown, self._retain())

    def _retain(self) -> int:
        """Store what a finished hand has taught; give the number of cases."""
        profits = self.table.profits.tolist()
        rows = [
            Row(self.problem(stage), strategy, profits[stage], (), self.retained, question)
            for question, (stage, strategy) in enumerate(self.plans())
            if self.keeps_folds or strategy != "FOLD"
        ]
        if rows:
            self.cases.add(rows)
            self.retained += 1
        return len(rows)

    def take_counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """What Casey, and what all others did since they were last counted."""
        learner, others = map(read_counts, self.table.counts)
        self.table.counts[:] = 0
        return learner, others


class SittingMatch:
    """A match of training at a compiled table."""

    def __init__(self, sitting: Sitting, seating: Seating, deals: int) -> None:
        self.sitting, self.first = sitting, seating.first
        self.winner: Team | None = None
        sitting.begin(seating.seed, deals)

    def hands(self, count_uses: CountUses) -> Iterator[TrainedHand]:
        """Play hand after hand."""
        sitting, game = self.sitting, self.sitting.game
        match = game.opening(self.first)
        while not game.is_over(match):
            notes = sitting.notes(sitting.play(match.hand, match.first))
            for stage in notes.decisions:
                count_uses(sitting.cases.retrieve(notes.by_stage[stage][0], sitting.policy.mode))
            end = sitting.end()
            match = game.after(match, end)
            yield end, {LEARNER: notes}
        self.winner = game.winner(match)
