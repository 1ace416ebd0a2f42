"""Agents that remember: a policy, a case base, a way to retrieve, and rules that revise.

Their names follow Paulus (2020): MJ majority, PL lottery, PV share of victories, NP points; `S`
picks the solution, `C` a cluster first. PVCNPS picks a cluster by PV, then the solution by NP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from retruco.agents.core import Agent, CasesFor, Entry
from retruco.cbr.case import Choice, Decision, QuestionRecord, Revision
from retruco.cbr.modes import Adaptive, Mode, Threshold, Top
from retruco.cbr.reuse import (
    Conventional,
    Criterion,
    GuardedMajority,
    Lottery,
    Majority,
    Model,
    Points,
    TwoStep,
    Victory,
)
from retruco.cbr.revise import Rule, revise
from retruco.games.truco import TrucoObservation
from retruco.streams import Stream
from retruco.vocab.truco import Question, questions
from retruco.vocab.truco.questions import NONE
from retruco.vocab.truco.revision import ALL_RULES, ALWAYS_ON
from retruco.vocab.truco.sense import plain_sense

if TYPE_CHECKING:  # numpy and numba are loaded when a case base is opened, not to list agents
    from retruco.cbr.casebase import CaseBase


@dataclass(frozen=True, slots=True)
class Policy:
    """How a remembering agent decides, as plain data that prints itself."""

    name: str
    model: Model
    mode: Mode = Adaptive()  # noqa: RUF009  a frozen record, the same for all
    rules: tuple[Rule[Question], ...] = ALL_RULES


class Answered(NamedTuple):
    """A question answered: how, on what evidence, and what revision did."""

    answer: str
    asked: QuestionRecord
    fired: tuple[Revision, ...] = ()


MEMO: Final = 20_000
"""How many answers an agent remembers to have given; they are the same until the base changes."""

SINCE: Final = "since"
"""The place of the first of them, which tells since when they hold."""


@dataclass(frozen=True, slots=True)
class Remembering:
    """A Truco player that decides by similar hands of its case base."""

    policy: Policy
    cases: CaseBase = field(repr=False)
    memo: int = field(default=MEMO, repr=False, compare=False)
    """How many answers it remembers to have given, each with its evidence: some 5 kB."""
    _given: dict[object, tuple[int, Answered]] = field(default_factory=dict, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[Remembering], tuple[Policy, CaseBase, int]]:
        # To another process, without the answers it has given here.
        return type(self), (self.policy, self.cases, self.memo)

    def decide(self, seen: TrucoObservation, chance: Stream) -> Decision:
        """Ask what the turn asks, one question after the other, until an answer is an action."""
        asked: list[QuestionRecord] = []
        revised: tuple[Revision, ...] = ()
        for question in questions(seen):
            answer, one, fired = self.answer(question, chance)
            asked.append(one)
            revised += fired
            if answer != NONE:
                action = question.answers[answer]
                return Decision(action, one.choice.rule, {"answer": answer}, tuple(asked), revised)
        raise AssertionError("a turn always ends in an action")

    def answer(self, question: Question, chance: Stream) -> Answered:
        """Answer one question; unless the policy draws, the same question has the same answer."""
        if self.policy.model.by_chance:
            return self._answer(question, chance)
        key = (question.problem.scenario, question.problem.values, *question.answers)
        generation, given = self._given.get(key, (-1, None))
        if given is None or generation != self.cases.generation:
            given = self._answer(question, chance)
            if len(self._given) >= self.memo or self._is_outdated():
                self._given.clear()
            self._given.setdefault(SINCE, (self.cases.generation, given))
            self._given[key] = self.cases.generation, given
        return given

    def _is_outdated(self) -> bool:
        """Whether the base has changed since the answers were given: then none of them holds.

        Threads share an agent, so the answers are never gone through, only looked up.
        """
        first = self._given.get(SINCE)
        return first is not None and first[0] != self.cases.generation

    def _answer(self, question: Question, chance: Stream) -> Answered:
        """Answer from experience, or by plain sense without any, and let the rules revise."""
        if len(question.answers) == 1:
            only = next(iter(question.answers))
            return Answered(only, QuestionRecord(question.problem, only, Choice(only)))
        retrieval = self.cases.retrieve(question.problem, self.policy.mode)
        choice = retrieval.choose(self.policy.model, question.answers, chance, question.adapted)
        proposed = choice.answer if choice.answer is not None else plain_sense(question)[0]
        answer, fired = revise(self.policy.rules, question, proposed)
        return Answered(answer, QuestionRecord(question.problem, answer, choice, retrieval), fired)


CRITERIA: Final[dict[str, Callable[..., Criterion]]] = {
    "MJ": Majority,
    "PL": Lottery,
    "PV": Victory,
    "NP": Points,
}

TWENTY: Final = (
    "MJS", "PLS", "PVS", "NPS", "MJCS", "PLCS", "PVCS", "NPCS", "NPCMJS", "NPCPVS", "NPCPLS", "MJCNPS", "MJCPVS",
    "MJCPLS", "PLCNPS", "PLCMJS", "PLCPVS", "PVCNPS", "PVCMJS", "PVCPLS",
)  # fmt: skip
"""The twenty policies of Paulus (2020), tables 13 to 15."""

OF_2019: Final = {
    "MJS-2019": "MJS",
    "PS-2019": "PLS",
    "CNPS-2019": "NPS",
    "MJC-2019": "MJCS",
    "PC-2019": "PLCS",
    "CNPC-2019": "NPCS",
}
"""The six policies of Paulus (2019), by what they are among the twenty; they retrieve at 75 %."""


def model_of(name: str, literal: bool = False) -> Model:
    """Read a policy's name as its model; `literal` leaves out support and prior.

    >>> model_of("PVCMJS")
    TwoStep(clusters=Victory(support=3, percent=5, prior=4), actions=Majority())
    >>> model_of("MJCS") == model_of("MJCMJS")
    True
    """
    first, _, rest = name.removesuffix("S").partition("C")
    clusters = _criterion(first, literal)
    if "C" not in name:
        return Conventional(clusters)
    return TwoStep(clusters, _criterion(rest or first, literal))


def _criterion(code: str, literal: bool) -> Criterion:
    return CRITERIA[code](support=0, prior=0) if literal and code in ("PV", "NP") else CRITERIA[code]()


STYLES: Final = {
    "MJ": "what most did",
    "PL": "a draw among what was done",
    "PV": "what won most often",
    "NP": "what brought the most points",
}


def style_of(name: str) -> str:
    """Say in a sentence how a policy of the twenty decides.

    >>> style_of("PVCMJS")
    'Remembers similar hands; among groups of them takes what won most often, in it what most did.'
    """
    first, _, rest = name.removesuffix("S").partition("C")
    if "C" not in name:
        return f"Remembers similar hands and takes {STYLES[first]}."
    return (
        f"Remembers similar hands; among groups of them takes {STYLES[first]}, in it {STYLES[rest or first]}."
    )


def policies() -> dict[str, Policy]:
    """All policies by name: the twenty, their literal readings, those of 2019, the guarded majority."""
    found = [Policy(name, model_of(name)) for name in TWENTY]
    found += [Policy(f"{name}-raw", model_of(name, literal=True), rules=ALWAYS_ON) for name in TWENTY]
    found += [Policy(name, model_of(of), Threshold(0.75)) for name, of in OF_2019.items()]
    found += [
        Policy(f"{name}-raw", model_of(of, literal=True), Threshold(0.75), ALWAYS_ON)
        for name, of in OF_2019.items()
    ]
    found.append(Policy("guarded-majority", Conventional(GuardedMajority()), Top(10, 0.90)))
    return {policy.name: policy for policy in found}


def _style(policy: Policy) -> str:
    name = policy.name
    if name == "guarded-majority":
        return "Takes the most voted move of the ten nearest hands, unless it lost (Moral 2020)."
    plain = name.removesuffix("-raw")
    told = style_of(OF_2019.get(plain, plain))
    if plain in OF_2019:
        told = told.replace("similar hands", "hands at least 75 % similar")
    return told if name == plain else told.removesuffix(".") + ", read literally: no support, no revision."


def make(policy: Policy, cases_for: CasesFor) -> Agent:
    """Give a policy its case base."""
    return Remembering(policy, cases_for("truco"))


ROSTER = tuple(
    Entry(policy.name, "truco", _style(policy), partial(make, policy)) for policy in policies().values()
)
