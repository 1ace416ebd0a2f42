"""The order of a turn, and what nobody at this table gets wrong.

What comes first is settled first: flor, envido, truco, then the card. A style is a subclass that
says when it opens, answers and raises, and which card it plays; it is asked only when there is
something to choose:

- a hand won for certain is never given up, and a bet on a hand lost for certain never accepted;
- a hand is thrown in (`baralho`) only when no card can save it, or in place of `nao-quero` to a
  truco where the rules make it cost the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from retruco.agents.truco.sense import SURE, Situation
from retruco.cbr.case import Decision
from retruco.games.truco.deck import flor_points
from retruco.games.truco.observation import TrucoObservation
from retruco.streams import Stream

if TYPE_CHECKING:
    from retruco.agents.trees import RecordedStream

REASONS: Final = (
    "flor.sung", "flor.raised", "flor.answered", "flor.accepted", "flor.declined",
    "envido.good", "envido.bluff", "envido.first", "envido.gamble", "envido.raised",
    "envido.accepted", "envido.declined", "envido.nothing-to-lose",
    "truco.sure", "truco.strong", "truco.bluff", "truco.nothing-to-lose", "truco.raised", "truco.accepted", "truco.declined",
    "fold.lost",
    "card.only", "card.cheapest", "card.best", "card.high", "card.low", "card.kept", "card.hidden",
)  # fmt: skip
"""Every reason a scripted player gives; sentences are made where a person reads them."""

SURE_FLOR: Final = 0.95
"""From these odds on a flor goes for the rest."""
GIVES_WAY: Final = 0.15
"""Below these odds a flor gives way (`achico`) where that is allowed."""


class ScriptedPlayer(ABC):
    """A seat that plays by a page of rules."""

    contraflor_odds: ClassVar[float] = 0.75
    """How sure of the better flor it is when it raises the other's."""
    folds_lost: ClassVar[float] = 0.85
    """How often it throws in a hand that no card can save, instead of playing it out."""
    folds_for_no: ClassVar[float] = 0.1
    """How often it says `baralho` for `nao-quero` to a truco, where that costs the same."""

    waits: ClassVar[tuple[float, float, float]] = (0.0, 0.0, 0.0)
    """How often it lets a truco be in each round, to call it later."""
    minds_the_board: ClassVar[bool] = True
    """Whether it raises when losing the hand as it stands would lose the match anyway."""
    bluffs_lost: ClassVar[float] = 0.0
    """How often it calls truco on a hand that no card can save."""

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Settle what comes first: flor, envido, truco, the card."""
        return self.decide_by(Situation(observation), chance)

    def decide_by(self, situation: Situation, chance: Stream) -> Decision:
        """Decide by a situation at the table."""
        observation = situation.obs
        if observation.flor.pending:
            return self._answers_flor(situation)
        if "flor" in situation.legal:
            return Decision("flor", "flor.sung", {"points": flor_points(observation.hand)})
        if observation.envido.pending:
            return self._answers_points(situation, chance)
        opened = self.opens_envido(situation, chance) if "envido" in situation.legal else None
        if opened is not None:
            return opened
        if observation.bet.call is not None:
            return self._answers(situation, chance)
        return self._calls(situation, chance) or self._plays(situation, chance)

    # In compiled code: nothing of an observation is a key, for everything is compared in the tree.

    def key_parts(self, observation: TrucoObservation) -> Sequence[str]:
        """What its decision depends on beside what it compares: which cards are left."""
        return ()

    def decide_traced(self, observation: TrucoObservation, chance: RecordedStream) -> Decision:
        """Decide, and record what is compared beside what is drawn."""
        from retruco.agents.truco.traced import TracedSituation  # numba is not needed to play

        return self.decide_by(TracedSituation(observation, chance.steps), chance)

    # A page of rules answers these.

    @abstractmethod
    def opens_envido(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call envido, or let it pass."""

    @abstractmethod
    def answers_envido(self, situation: Situation, chance: Stream) -> Decision:
        """Accept, raise or decline the other's envido."""

    @abstractmethod
    def calls_truco(self, situation: Situation, call: str, chance: Stream) -> Decision | None:
        """Make this call (truco, retruco, vale4) in one's own turn, or let it be."""

    @abstractmethod
    def answers_truco(self, situation: Situation, chance: Stream) -> Decision:
        """Accept, raise or decline the other's truco, retruco or vale4."""

    @abstractmethod
    def plays_card(self, situation: Situation, chance: Stream) -> Decision:
        """Choose among two or three cards."""

    # What all of them know.

    def _answers_flor(self, situation: Situation) -> Decision:
        """Raise with the stronger flores, give way with the weakest, accept at a fair price."""
        odds = situation.flor_odds
        values = {"points": flor_points(situation.obs.hand), "odds": round(odds, 3)}
        if odds >= SURE_FLOR and "contraflor-resto" in situation.legal:
            return Decision("contraflor-resto", "flor.raised", values)
        if "quero" in situation.legal:
            accepts = situation.answered_flor_odds >= situation.flor_price
            answer = ("quero", "flor.accepted") if accepts else ("nao-quero", "flor.declined")
            return Decision(*answer, values)
        if odds >= self.contraflor_odds:
            return Decision("contraflor", "flor.raised", values)
        if odds < GIVES_WAY and "achico" in situation.legal:
            return Decision("achico", "flor.declined", values)
        return Decision("flor", "flor.answered", values)

    def _answers_points(self, situation: Situation, chance: Stream) -> Decision:
        """Answer an envido; where declining loses the match, there is nothing to think about."""
        if situation.points_price <= 0:
            return situation.on_points("quero", "envido.nothing-to-lose")
        return self.answers_envido(situation, chance)

    def _answers(self, situation: Situation, chance: Stream) -> Decision:
        """Answer a truco call; certain hands need no judgement."""
        if situation.lost:
            bluff = situation.raise_call if chance.chance(self.bluffs_lost) else None
            return situation.on_hand(bluff, "truco.bluff") if bluff else self._declines(situation, chance)
        if situation.hand_odds >= SURE:
            return situation.on_hand(situation.raise_call or "quero", "truco.sure")
        if situation.truco_price <= 0:
            return situation.on_hand("quero", "truco.nothing-to-lose")
        return self.answers_truco(situation, chance)

    def takes(self, yes: bool, situation: Situation, chance: Stream) -> Decision:
        """Accept or decline a truco call."""
        return situation.on_hand("quero", "truco.accepted") if yes else self._declines(situation, chance)

    def _declines(self, situation: Situation, chance: Stream) -> Decision:
        """Decline a truco call, in the one word or the other."""
        folds = "baralho" in situation.legal and chance.chance(self.folds_for_no)
        return situation.on_hand("baralho" if folds else "nao-quero", "truco.declined")

    def _calls(self, situation: Situation, chance: Stream) -> Decision | None:
        """Call or raise a truco in one's own turn, where one may."""
        call = situation.raise_call
        if call is None:
            return None
        if situation.lost:
            return situation.on_hand(call, "truco.bluff") if chance.chance(self.bluffs_lost) else None
        if situation.number > 1 and situation.faced is not None and situation.hand_odds >= SURE:
            return situation.on_hand(call, "truco.sure")
        if situation.nothing_to_lose and self.minds_the_board:
            return situation.on_hand(call, "truco.nothing-to-lose")
        if chance.chance(self.waits[situation.number - 1]):
            return None
        return self.calls_truco(situation, call, chance)

    def _plays(self, situation: Situation, chance: Stream) -> Decision:
        """Play a card; a hand that no card can save is thrown in, or played out in the dark."""
        if situation.lost:
            if chance.chance(self.folds_lost):
                return Decision("baralho", "fold.lost", {"round": situation.number})
            return situation.put_down(situation.cards[0], "card.hidden")
        if len(situation.cards) == 1:
            return situation.put(situation.cards[0], "card.only")
        return self.plays_card(situation, chance)
