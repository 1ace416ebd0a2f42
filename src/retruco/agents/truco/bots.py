"""The six bots of Moral (2020): one way to decide, six ways to learn.

All take the guarded majority of the ten nearest cases at 90 %. What sets them apart is what they
keep (see `retruco.learning.learners`), and that BOT3 and BOT4 answer truco and envido bets by lot
where they find fewer than ten cases; cards and openings are still reused. BOT5 asks its tutor
there; without one it reuses what it has found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.cbr.case import Choice, Pick
from retruco.cbr.modes import Top
from retruco.cbr.reuse import Conventional, GuardedMajority
from retruco.games.truco.rules import PRESETS
from retruco.streams import Stream
from retruco.vocab.registry import Question as AnyQuestion
from retruco.vocab.truco import Question
from retruco.vocab.truco.revision import ALL_RULES, ALWAYS_ON

if TYPE_CHECKING:
    from retruco.cbr.casebase import Retrieval

TEN: Final = Top(10, 0.90)
"""Fewer than ten cases at ninety per cent: that is what a bot calls not knowing."""

BETS: Final = ("quero", "nao-quero")
LOT: Final = "lot"
"""The rule that decided when the answer was drawn by lot."""

STYLES: Final = {
    "BOT0": "Takes the guarded majority of the ten nearest hands and never learns (Moral 2020).",
    "BOT1": "As BOT0; in training it keeps hands with a situation it did not know.",
    "BOT2": "As BOT1; in training better hands also take the place of worse ones.",
    "BOT3": "As BOT1, and answers bets it does not know by lot.",
    "BOT4": "As BOT2, and answers bets it does not know by lot.",
    "BOT5": "As BOT0; in training it asks a tutor what it does not know and keeps what was shown.",
}
GUESSING: Final = ("BOT3", "BOT4")
RAW: Final = "-raw"
"""Ends the name of a bot without our rules of revision, which its paper does not know."""


def knows(agent: CaseBasedAgent, question: Question) -> bool:
    """Whether an agent finds enough similar cases to answer a question by."""
    return len(agent.cases.retrieve(question.problem, TEN)) >= TEN.k


@dataclass(frozen=True, slots=True)
class Guessing(Policy):
    """The policy of a bot that answers a bet by lot when it does not know the situation."""

    by_chance = True

    def reuse(self, found: Retrieval, question: AnyQuestion, chance: Stream) -> Choice:
        """Accept or decline by lot what is not known; reuse everything else."""
        assert isinstance(question, Question)
        is_bet = all(reply in question.answers for reply in BETS)
        if not is_bet or question.stage == "flor" or len(found) >= TEN.k:
            return Policy.reuse(self, found, question, chance)
        drawn = chance.choice(BETS)
        return Choice(drawn, (Pick(drawn, LOT, dict.fromkeys(BETS, 0.5)),))


def policy_of(name: str) -> Policy:
    """Give a bot its policy: they all decide alike, the raw ones without revision."""
    kind = Guessing if name.removesuffix(RAW) in GUESSING else Policy
    rules = ALWAYS_ON if name.endswith(RAW) else ALL_RULES
    return kind(name, "truco", TEN, rules, Conventional(GuardedMajority()))


def make(name: str, cases_for: CasesFor) -> Agent:
    """Give a bot its case base."""
    return CaseBasedAgent(policy_of(name), cases_for("truco"))


ROSTER = tuple(
    Entry(name + raw, "truco", style + " No revision." * bool(raw), partial(make, name + raw), tuple(PRESETS))
    for raw in ("", RAW)
    for name, style in STYLES.items()
)
