"""How Casey is trained: it sits always in the same seat among fixed opponents, and the deal goes round.

    loop = casey_loop(Holdem.named("casey-4"), "casey", ["rulebot"] * 3, seed=1)
    for hand in loop.hands(50_000):
        print(points_of(hand))

Cases are held back while a hand is played and stored at its end. The same seed gives the same
hands, the same cases and the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.holdem.policies import CaseyPolicy
from retruco.agents.registry import find_agent
from retruco.arena.sets import deal_key, deals_from
from retruco.cbr.case import Decision, Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.games.core import Seat
from retruco.games.holdem import Holdem, HoldemObservation, HoldemState
from retruco.learning.checkpoints import Discard, Sink
from retruco.learning.learners import EVERYTHING, Plan
from retruco.learning.loop import LearningLoop, LearntHand
from retruco.learning.training import Experience, GameTraining, Notes, Seating, TrainingMatch
from retruco.streams import key_number
from retruco.vocab.holdem import VOCABULARY
from retruco.vocab.holdem.reading import aggression
from retruco.vocab.holdem.rows import stage_results

if TYPE_CHECKING:
    from retruco.learning.holdem.sitting import Sitting

LEARNER: Final[Seat] = 0


@dataclass
class StagePlans(Notes):
    """What the learner decided in a hand, one plan a stage, held back until its end."""

    by_stage: dict[int, tuple[Problem, str]] = field(default_factory=dict)
    reads: list[int] = field(default_factory=list)
    """How aggressive the others had been by then."""
    unknown: int = 0
    decisions: list[int] = field(default_factory=list)
    """The stage of each decision."""

    def turn(self, seen: HoldemObservation, decision: Decision) -> None:
        """Note a decision; only the first of a stage is a plan."""
        if not decision.asked:
            return
        stage = seen.stage
        self.decisions.append(stage)
        if stage not in self.by_stage:
            self.reads.append(aggression(seen))
            asked = decision.asked[-1]
            self.by_stage[stage] = asked.problem, str(asked.answer)
            self.unknown += asked.choice.answer is None

    def rows(self, end: HoldemState) -> tuple[Row, ...]:
        """Give every plan what its stage brought."""
        results = stage_results(end, LEARNER)
        return tuple(
            Row(problem, strategy, results[stage], (), 0, number)
            for number, (stage, (problem, strategy)) in enumerate(self.by_stage.items())
        )

    def record(self, end: HoldemState) -> dict[str, Any]:
        """The hand as it is stored: with the learner's plans and reads, which its actions do not show."""
        plans = {str(LEARNER): [strategy for _, strategy in self.by_stage.values()]}
        return {**end.record(), "plans": plans, "reads": {str(LEARNER): self.reads}}


def check_others(game: Holdem, others: Sequence[str]) -> Sequence[str]:
    """Refuse too few or too many opponents for the seats of a table."""
    if len(others) != game.seats - 1:
        raise ValueError(
            f"{game.rules_name} has {game.seats - 1} seats beside the learner, not {len(others)}"
        )
    return others


def others_of(plan: Plan, game: Holdem) -> Sequence[str]:
    """Name the opponents of a plan, one a seat; a single one takes all the other seats."""
    named = (plan.against or plan.policies[0]).split(",")
    return check_others(game, named * (game.seats - 1) if len(named) == 1 else named)


class HoldemTraining(GameTraining):
    """Trains hold'em: the learner against the opponents that the plan names, one a seat or one for all seats."""

    game: Holdem
    keeps_folds = True
    """Whether cases of FOLD are retained: they are never compared, but take places among the most similar."""

    def __init__(
        self,
        plan: Plan,
        game: Holdem,
        cases: CaseBase,
        frozen: CaseBase | None = None,
        tutor: Any = None,
    ) -> None:
        self.others = others_of(plan, game)
        GameTraining.__init__(self, replace(plan, against=None), game, cases, frozen, tutor)
        self.plan = plan
        self._hands, self._match = game.hands, 0
        self._sitting: Sitting | None = None
        self.agents = [
            self.players[plan.policies[0]],
            *(find_agent(name, game.name, lambda *_: cases) for name in self.others),
        ]

    @classmethod
    def check_table(cls, plan: Plan, game: Any) -> None:
        """Refuse opponents that do not fill the seats."""
        others_of(plan, game)

    def seating(self, match: int) -> Seating:
        """Everybody keeps the same seat; who deals goes on from match to match."""
        game, seed = self.game, self.plan.seed
        first = match * self._hands % game.seats
        self._match = match
        return Seating(
            self.agents, (LEARNER,), deals_from(game, seed, match), first, key_number("sitting", seed, match)
        )

    def match(self, seating: Seating) -> TrainingMatch:
        """Play at a compiled table, where everybody can sit at one."""
        from retruco.learning.holdem.sitting import Sitting, SittingMatch

        learner = self.agents[LEARNER]
        if type(learner) is not CaseBasedAgent or not Sitting.can_seat(self.others):
            return GameTraining.match(self, seating)
        if type(learner.policy) is not CaseyPolicy or learner.policy.reads:
            return GameTraining.match(self, seating)
        if self._sitting is None:
            self._sitting = Sitting(self.game, learner.policy, self.others, self.cases)
        return SittingMatch(self._sitting, seating, deal_key(self.plan.seed, self._match))

    def notes(self) -> StagePlans:
        """Begin the plans of a hand."""
        return StagePlans()

    def experiences(self, end: Any, notes: StagePlans, seat: Seat) -> Iterable[Experience]:
        """Give the plans of a hand; a hand in which nothing was decided teaches nothing."""
        rows = tuple(row for row in notes.rows(end) if self.keeps_folds or row.action != "FOLD")
        return [Experience(seat, rows, partial(notes.record, end))] if rows else []


def casey_loop(
    game: Holdem,
    learner: str,
    others: Sequence[str],
    seed: int,
    cases: CaseBase | None = None,
    sink: Sink | None = None,
    number: int = 0,
) -> LearningLoop:
    """Let a Casey learn among others, from nothing or from a base that grows; its entries are numbered from `number` on."""
    against = ",".join(check_others(game, others))
    plan = Plan(learner, EVERYTHING, (learner,), against, seed=seed, game="holdem")
    live = CaseBase(VOCABULARY) if cases is None else cases
    return LearningLoop(plan, game, live, sink or Discard(), number)


def points_of(hand: LearntHand) -> int:
    """What a hand brought the learner."""
    assert hand.end.outcome is not None
    return hand.end.outcome.points[LEARNER]
