"""How Truco is trained: rare situations on purpose, a tutor if there is one, hands judged stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent
from retruco.games.core import Seat
from retruco.games.truco import Truco
from retruco.learning.learners import EXPERT, Plan
from retruco.learning.training import Experience, GameTraining, Seating, TableMatch, TrainingMatch
from retruco.learning.truco.bluffing import BluffTrying
from retruco.learning.truco.dealing import check_rare, guided_deals
from retruco.learning.truco.expert import TurnNotes, draw_expert_seating
from retruco.learning.truco.lane_match import TrainingLane, can_play_in_lane
from retruco.learning.truco.stages import HandNotes, experiences_of
from retruco.learning.tutor import Pupil, Tutor
from retruco.vocab.truco.questions import stage_of
from retruco.vocab.truco.with_score import ask_in


class TrucoTraining(GameTraining):
    """Trains Truco."""

    game: Truco

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Refuse a rare situation that cannot be dealt for, and bluffs of a pupil: its tutor says what it tries."""
        check_rare(plan.rare)
        if plan.bluffs and plan.tutor:
            raise ValueError("a pupil does what its tutor shows: leave --tutor or --bluffs out")

    def player(self, name: str, tutor: Tutor | None) -> Agent:
        """Make a player with the growing base; one with a tutor asks it what it does not know."""
        agent = GameTraining.player(self, name, tutor)
        if tutor is None:
            return self.bluffing(name, agent) if self.plan.bluffs else agent
        if not isinstance(agent, CaseBasedAgent):
            raise ValueError(f"{name} does not remember, so it cannot be taught: name a policy")
        return Pupil(agent.policy, self.cases, tutor=tutor)

    def bluffing(self, name: str, agent: Agent) -> BluffTrying:
        """The same player, who tries bluffs that the base knows little of."""
        if not isinstance(agent, CaseBasedAgent):
            raise ValueError(f"{name} does not remember, so it learns nothing from bluffs: name a policy")
        return BluffTrying(agent.policy, self.cases, share=self.plan.bluffs)

    def seating(self, match: int) -> Seating:
        """Draw who plays a match, and who teaches; an expert plays itself and others."""
        if self.plan.learner == EXPERT.learner:
            return draw_expert_seating(self, match)
        found = GameTraining.seating(self, match)
        agents = [agent.in_match(match) if isinstance(agent, Pupil) else agent for agent in found.agents]
        return found._replace(agents=agents)

    def deals(self, match: int) -> Callable[[int], Any]:
        """Deal a match, with the rare situations of the plan."""
        return guided_deals(self.game, self.plan.seed, match, self.plan.rare, self.plan.every)

    def stage_of(self, scenario: str | None) -> str | None:
        """Name the stage of an entry where stages are kept apart."""
        return stage_of(scenario) if self.plan.staged and scenario is not None else None

    def match(self, seating: Seating) -> TrainingMatch:
        """Seat the agents of a match, in a lane if they all decide by flat situations."""
        if self.plan.vocabulary is None and can_play_in_lane(self.game, seating):
            return TrainingLane(self.game, seating, self._hand_notes)
        return TableMatch(self.game, seating, self.notes)

    def notes(self) -> HandNotes | TurnNotes:
        """Begin the notes of a hand."""
        return self._hand_notes() if self.plan.vocabulary is None else TurnNotes()

    def _hand_notes(self) -> HandNotes:
        return HandNotes(ask_in(self.cases.vocabulary))

    def experiences(self, end: Any, notes: HandNotes | TurnNotes, seat: Seat) -> Iterable[Experience]:
        """Give what a hand has taught, whole or stage by stage."""
        if isinstance(notes, TurnNotes):
            return notes.experiences(end, seat)
        return experiences_of(end, notes, seat, self.plan.staged)
