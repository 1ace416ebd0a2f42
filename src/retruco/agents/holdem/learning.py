"""Casey that learns while it plays: the hands of the match so far are cases, beside those of its base.

An agent keeps no memory of its own. What this one has learnt follows from what its seat has seen: each
finished hand of the match is turned into cases by the plan that it had in every stage, and the
plan is what it would decide again. So it plays the same after a restart, in another process, or
when somebody asks why. Growing bases of the latest matches are cached; without the cache they are
built anew.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.holdem.policies import POLICIES, CaseyPolicy
from retruco.cbr.case import Decision, Row
from retruco.games.holdem import HoldemObservation
from retruco.streams import Stream
from retruco.vocab.holdem.rows import stage_results, stages_seen
from retruco.vocab.holdem.strategies import fits, recognised

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

MATCHES: Final = 16
"""Of how many matches the growing bases are cached."""
FIRST_EPISODE: Final = 1_000_000_000
"""Hands of a match are numbered from here on, above those of any base."""


@dataclass
class MatchCases:
    """The base of one seat in one match, and the hands that it has learnt from."""

    agent: CaseBasedAgent
    hands: tuple[HoldemObservation, ...] = ()

    def leads_to(self, history: tuple[HoldemObservation, ...]) -> bool:
        """Whether this is an earlier standing of the same match: the very same observations, not only equal ones."""
        count = len(self.hands)
        return 0 < count <= len(history) and history[count - 1] is self.hands[-1]

    def learn(self, history: tuple[HoldemObservation, ...]) -> None:
        """Turn the hands since then into cases, one after the other."""
        for number in range(len(self.hands), len(history)):
            self.agent.cases.add(match_rows(self.agent, history[number], number))
        self.hands = history


def match_rows(agent: CaseBasedAgent, hand: HoldemObservation, number: int) -> list[Row]:
    """The cases of a finished hand: what was planned in each stage, as the agent would plan it again, and what it brought."""
    policy = agent.policy
    assert isinstance(policy, CaseyPolicy)
    results, rows = stage_results(hand, hand.seat), []
    for place, (view, actions) in enumerate(stages_seen(hand)):
        question = view._replace(hand=number).question
        plan = agent.answer(question, Stream("plan", number, place)).answer
        # Where somebody else has played the hand, the actions tell.
        strategy = plan if fits(plan, actions) else recognised(actions)
        credit = results[view.betting.stage]
        rows.append(Row(question.problem, strategy, credit, (), FIRST_EPISODE + number, place))
    return rows


@dataclass(frozen=True)
class LearningCasey:
    """A Casey whose cases grow with every hand of the match; its base stays as it is."""

    policy: CaseyPolicy
    cases: CaseBase = field(repr=False)
    _matches: list[MatchCases] = field(default_factory=list, repr=False, compare=False)
    _lock: RLock = field(default_factory=RLock, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[LearningCasey], tuple[CaseyPolicy, CaseBase]]:
        # To another process, without the matches of this one.
        return type(self), (self.policy, self.cases)

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Decide by the base and by the hands of this match."""
        with self._lock:
            return self._player(seen.history).decide(seen, chance)

    def _player(self, history: tuple[HoldemObservation, ...]) -> CaseBasedAgent:
        """Find the player that has learnt from these hands, or let one learn."""
        found = next((match for match in self._matches if match.leads_to(history)), None)
        if found is None:
            cases = deepcopy(self.cases) if history else self.cases
            found = MatchCases(CaseBasedAgent(self.policy, cases))
        if history:
            found.learn(history)
            others = [match for match in self._matches if match is not found]
            self._matches[:] = [found, *others][:MATCHES]
        return found.agent


def make(cases_for: CasesFor) -> Agent:
    """Give a learning Casey the base that it begins with."""
    policy = POLICIES["casey-newest-sunk"]
    return LearningCasey(policy, cases_for(policy.game))


ROSTER = (
    Entry(
        "casey-learns",
        "holdem",
        "As casey-newest-sunk, and it learns from every hand of the match while it plays.",
        make,
    ),
)
