"""Casey learns at the table: hand after hand, each kept with what its stages brought.

    sitting = Sitting(Holdem.named("casey-4"), "casey", ["rulebot"] * 3, seed=1)
    for hand in sitting.play(50_000):
        print(hand.points)

Cases are held back while a hand is played and stored at its end. The same seed gives the same
hands, the same cases and the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.match import ask
from retruco.arena.sets import deals_from
from retruco.arena.table import Table
from retruco.cbr.case import Decision, Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.games.core import Seat
from retruco.games.holdem import Holdem, HoldemObservation, HoldemState
from retruco.streams import key_number
from retruco.vocab.holdem import VOCABULARY
from retruco.vocab.holdem.reading import aggression
from retruco.vocab.holdem.rows import stage_results

LEARNER: Final[Seat] = 0


@dataclass(frozen=True, slots=True)
class LearntHand:
    """A hand that the learner played, and what it keeps of it."""

    number: int
    end: HoldemState
    points: int
    rows: tuple[Row, ...]
    unknown: int
    """In how many stages it knew too little and played at random."""
    decisions: int
    seen: tuple[HoldemObservation, ...] = ()
    """What the learner saw when it made each plan."""

    def record(self) -> dict[str, Any]:
        """The hand as it is stored: with the learner's plans and reads, which its actions do not show."""
        plans = {str(LEARNER): [row.action for row in self.rows]}
        reads = {str(LEARNER): [aggression(seen) for seen in self.seen]}
        return {**self.end.record(), "plans": plans, "reads": reads}


@dataclass
class Plans:
    """What the learner decided in a hand, one plan a stage, held back until its end."""

    by_stage: dict[int, tuple[Problem, str]] = field(default_factory=dict)
    seen: list[HoldemObservation] = field(default_factory=list)
    unknown: int = 0
    decisions: int = 0

    def note(self, seen: HoldemObservation, decision: Decision) -> None:
        """Take a decision down; only the first of a stage is a plan."""
        self.decisions += 1
        stage = seen.stage
        if stage not in self.by_stage:
            self.seen.append(seen)
            asked = decision.asked[-1]
            self.by_stage[stage] = asked.problem, str(asked.answer)
            self.unknown += asked.choice.answer is None

    def rows(self, end: HoldemState, episode: int) -> tuple[Row, ...]:
        """Give every plan what its stage brought."""
        results = stage_results(end, LEARNER)
        return tuple(
            Row(problem, strategy, results[stage], (), episode, number)
            for number, (stage, (problem, strategy)) in enumerate(self.by_stage.items())
        )


class Sitting:
    """A learner among others, always in the same seat; the deal goes round."""

    def __init__(
        self,
        game: Holdem,
        learner: str,
        others: Sequence[str],
        seed: int,
        cases: CaseBase | None = None,
        keeps: bool = True,
    ) -> None:
        if len(others) != game.seats - 1:
            raise ValueError(
                f"{game.rules_name} has {game.seats - 1} seats beside the learner, not {len(others)}"
            )
        self.game, self.seed, self.keeps = game, seed, keeps
        self.cases = CaseBase(VOCABULARY) if cases is None else cases
        self.agents: list[Agent] = [
            find_agent(name, game.name, lambda _: self.cases) for name in (learner, *others)
        ]
        self.played = 0

    def play(self, hands: int) -> Iterator[LearntHand]:
        """Play so many hands more, in matches as long as the game's."""
        until = self.played + hands
        while self.played < until:
            match, hand = divmod(self.played, self.game.hands)
            if hand:
                raise ValueError(
                    f"the last match was left after {hand} hands: a new sitting begins a new one"
                )
            yield from self._match(match, min(self.game.hands, until - self.played))

    def _match(self, number: int, hands: int) -> Iterator[LearntHand]:
        seats = self.game.seats
        table = Table(self.game, deals_from(self.game, self.seed, number), number * self.game.hands % seats)
        seed = key_number("sitting", self.seed, number)
        plans = Plans()
        while (seat := table.to_act) is not None:
            decision = ask(self.agents[seat], table, seat, seed)
            if seat == LEARNER and decision.asked:
                seen = table.observe(seat)
                assert isinstance(seen, HoldemObservation)
                plans.note(seen, decision)
            before = len(table.hands)
            table.act(seat, decision.action)
            if len(table.hands) > before:
                yield self._learnt(table.hands[-1].state, plans)
                plans = Plans()
                if len(table.hands) == hands:
                    return

    def _learnt(self, end: Any, plans: Plans) -> LearntHand:
        """Keep a finished hand."""
        assert isinstance(end, HoldemState)
        assert end.outcome is not None
        rows = plans.rows(end, self.played)
        if rows and self.keeps:
            self.cases.add(rows)
        points, seen = end.outcome.points[LEARNER], tuple(plans.seen)
        hand = LearntHand(self.played, end, points, rows, plans.unknown, plans.decisions, seen)
        self.played += 1
        return hand
