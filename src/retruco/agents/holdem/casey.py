"""Casey, the case-based learner of Sandven and Tessem (2006), and two that mend its weaknesses.

In each stage Casey asks its cases what similar situations brought, strategy by strategy. Knowing
too little it plays at random, but never folds, and so fills its base; else it takes what paid
best, now and then bluffs where nothing pays, and folds the rest. What it keeps of a hand is
written down by `retruco.arena.sitting`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from retruco.agents.core import Agent, CasesFor, Entry
from retruco.cbr.case import Choice, Decision, Json, Pick, QuestionRecord
from retruco.cbr.modes import Top
from retruco.cbr.reuse import GeneralisedCase
from retruco.cbr.revise import Replacement, Rule, revise
from retruco.games.holdem import HoldemObservation
from retruco.streams import Stream
from retruco.vocab.holdem.drawing import chance_of
from retruco.vocab.holdem.strategies import NOT_FOLD, PLAY, carried_out
from retruco.vocab.holdem.view import View, percent, view_of

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

UNKNOWN, PAYS, STEALS, NOTHING_PAYS = "too-few-cases", "pays-best", "bluff", "nothing-pays"
"""The rules that decide, in the order in which they are tried."""


class PotOdds:
    """Revision: no fold where the pot pays for the chance to win or to improve.

    Casey throws away strong drawing hands because its cases count what a stage brings, not what
    already lies in the pot. The chance is that of being ahead against hands that bet, or else the
    chance that the next card puts one ahead.
    """

    name = "pot-odds"

    def __call__(self, view: View, proposed: str, /) -> Replacement | None:
        """Call instead of folding when the price is right."""
        betting, seen = view.betting, view.strength
        if proposed != "FOLD" or not betting.to_call:
            return None
        if seen is None:
            worth = view.chance * 0.8 ** (betting.bets_to_call - 1)
        else:
            worth = max(seen.now ** (betting.opponents + betting.bets_to_call), seen.positive)
        if worth <= view.price:
            return None
        return Replacement("CALL-ANY", {"chance": percent(worth), "price": percent(view.price)})


@dataclass(frozen=True, slots=True)
class Manner:
    """How one kind of Casey decides, as plain data that prints itself."""

    name: str
    mode: Top = Top(100, 0.95)  # noqa: RUF009  a frozen record, the same for all
    enough: int = 20
    """With fewer similar cases it plays at random."""
    bluffs: float = 0.1
    """How often it bluffs where it may."""
    most_bets: int = 1
    most_opponents: int = 2
    """Where a bluff is possible: so many bets to call and opponents at the most."""
    rules: tuple[Rule[View], ...] = ()
    reads: bool = False
    """Whether the opponents' aggression is a feature."""

    def may_bluff(self, view: View) -> bool:
        """Whether this is a possible bluff."""
        betting = view.betting
        return betting.bets_to_call <= self.most_bets and betting.opponents <= self.most_opponents


@dataclass(frozen=True, slots=True)
class Casey:
    """A player that chooses a strategy for each stage by its generalised case."""

    manner: Manner
    cases: CaseBase = field(repr=False)

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Choose the strategy of this stage, the same each time it is asked, and carry it out."""
        view, again = view_of(seen, self.manner.reads)
        problem = view.problem(self.manner.reads)
        retrieval = self.cases.retrieve(problem, self.manner.mode)
        table = GeneralisedCase.of(retrieval.summary, PLAY)
        pick = self.chosen(table, view, chance_of(self.manner.name, view))
        strategy, fired = revise(self.manner.rules, view, str(pick.chosen))
        answer = None if pick.rule == UNKNOWN else strategy
        asked = QuestionRecord(problem, strategy, Choice(answer, (pick,)), retrieval)
        values: dict[str, Json] = {"strategy": strategy, "cases": table.rows, "generalised": table.as_json()}
        action = carried_out(strategy, again, seen.legal)
        return Decision(action, pick.rule, values, (asked,), fired)

    def chosen(self, table: GeneralisedCase, view: View, chance: Stream) -> Pick:
        """Pick a strategy by the generalised case."""
        means = table.means()
        if table.rows < self.manner.enough:
            return Pick(chance.choice(NOT_FOLD), UNKNOWN, means)
        best = table.best()
        if best is not None and best[1] > 0:
            return Pick(best[0], PAYS, means)
        if self.manner.may_bluff(view) and chance.chance(self.manner.bluffs):
            return Pick("BLUFF", STEALS, means)
        return Pick("FOLD", NOTHING_PAYS, means)


MANNERS: Final = {
    "casey": Manner("casey"),
    "casey-odds": Manner("casey-odds", rules=(PotOdds(),)),
    "casey-reads": Manner("casey-reads", reads=True),
}
STYLES: Final = {
    "casey": "Remembers what each strategy brought in similar situations and plays what paid (Sandven 2006).",
    "casey-odds": "As casey, but it does not fold where the pot pays for the chance to win.",
    "casey-reads": "As casey, with how aggressive its opponents have been as one more feature.",
}


def make(manner: Manner, cases_for: CasesFor) -> Agent:
    """Give a Casey its case base."""
    return Casey(manner, cases_for("holdem"))


ROSTER = tuple(Entry(name, "holdem", style, partial(make, MANNERS[name])) for name, style in STYLES.items())
