"""A model that answers a bet by lot where it finds too few similar cases (Moral 2020: BOT3 and BOT4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.modes import Top
from retruco.cbr.reuse import Choices, Model, Picks
from retruco.cbr.tallies import Tallies
from retruco.compiled_streams import Streams
from retruco.vocab.truco.questions import stage_of

if TYPE_CHECKING:
    from retruco.agents.case_based import CaseBasedAgent
    from retruco.vocab.truco import Question

TEN: Final = Top(10, 0.90)
"""Fewer than ten cases at ninety per cent: that is what a bot calls not knowing."""

BETS: Final = ("quero", "nao-quero")
LOT: Final = "lot"
"""The rule that decided when the answer was drawn by lot."""


def knows(agent: CaseBasedAgent, question: Question) -> bool:
    """Whether an agent finds enough similar cases to answer a question by."""
    return len(agent.cases.retrieve(question.problem, TEN)) >= TEN.k


@dataclass(frozen=True, slots=True)
class Guessing:
    """Accepts or declines by lot a bet of which too little is known; all else is left to another model."""

    model: Model
    by_chance: ClassVar[bool] = True

    def choose_many(self, tallies: Tallies, streams: Streams, /) -> Choices:
        """Choose an answer to each question."""
        choices = self.model.choose_many(tallies, streams)
        replies = find_replies(tallies)
        unknown = np.flatnonzero((replies >= 0).all(axis=1) & (tallies.rows < TEN.k))
        chosen, eligible = np.full(len(tallies), -1), np.zeros_like(tallies.queries.answers)
        chosen[unknown] = replies[unknown, streams.select(unknown).below(len(BETS))]
        eligible[unknown[:, None], replies[unknown]] = True
        lots = Picks(chosen, np.full(len(tallies), LOT), np.full(eligible.shape, 1 / len(BETS)), eligible)
        picks = lots.or_else(lambda: choices.picks[-1])
        return Choices(picks.chosen, (*choices.picks[:-1], picks))


def find_replies(tallies: Tallies) -> NDArray[np.int64]:
    """[questions, 2] The places of the replies to a bet; -1 where they cannot be given, and to a flor."""
    queries, places = tallies.queries, []
    for scenario in tallies.vocabulary.scenarios:
        is_bet = stage_of(scenario.name) != "flor" and set(BETS) <= set(scenario.actions)
        places.append([scenario.actions.index(reply) if is_bet else -1 for reply in BETS])
    replies = np.array(places)[queries.scenario]
    return np.where(np.take_along_axis(queries.answers, replies, axis=1), replies, -1)
