"""The case-based agent: it decides by what similar situations brought.

A turn asks one question or several. To each the agent gives an answer in four steps:

    retrieve    the cases of its base that are most like the question
    reuse       choose an answer by what those cases did and gained
    revise      let the rules of the game replace an answer that makes no sense here
    fall back   answer by plain sense where there is no experience

The fifth step of the cycle, to retain what a hand has taught, is `retruco.learning.loop`. Games
differ in the policy that they hand to the agent, and in nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import REVISED, AskedMany, Decisions
from retruco.cbr.case import Choice, Decision, Json, QuestionRecord, Revision
from retruco.cbr.modes import Adaptive, Mode
from retruco.cbr.reuse import Model
from retruco.cbr.revise import Rule, revise
from retruco.compiled_streams import Streams
from retruco.games.core import Action, Observation
from retruco.streams import Stream
from retruco.vocab.registry import Answer, GameVocabulary, Question, find_vocabulary

if TYPE_CHECKING:  # numba is loaded when a case base is opened, not to list agents
    from retruco.cbr.casebase import CaseBase, Retrieval
    from retruco.cbr.queries import Queries
    from retruco.cbr.reuse import Choices
    from retruco.cbr.tallies import Tallies

DecideMany: TypeAlias = Callable[[Any, NDArray[np.int32], NDArray[np.uint64]], Decisions]


Safeguard: TypeAlias = Rule[Any]
"""A rule of revision that looks at the whole table, the scores included, and not only at the question."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How an agent of a game decides, as plain data that prints itself."""

    name: str
    game: str
    mode: Mode = Adaptive()  # noqa: RUF009  a frozen record, the same for all
    """How cases are retrieved."""
    rules: tuple[Rule[Any], ...] = ()
    """What revises an answer, in this order."""
    model: Model | None = None
    """How cases are reused; a policy without a model has a `reuse` of its own."""
    safeguards: tuple[Safeguard, ...] = ()
    """What revises an answer last, in this order, by the whole table."""
    version: int | None = None
    """The version of the vocabulary; the first if none is named."""
    reading: str = ""
    """Every choice that the documents leave open, in the notation of the game's readings; empty if it has none."""

    @property
    def vocabulary(self) -> GameVocabulary:
        """The words of the game."""
        found = find_vocabulary(self.game, self.version)
        assert found is not None, f"{self.game} has no vocabulary"
        return found

    @property
    def by_chance(self) -> bool:
        """Whether the same question can get different answers."""
        return self.model is None or self.model.by_chance

    def forced(self, seen: Any, chance: Stream) -> Decision | None:
        """Decide without cases where a turn asks nothing that cases could answer."""
        return None

    def turn(self, seen: Any, answer: Answer) -> Action:
        """Ask the questions of a turn, and give the action that the answers come to."""
        return self.vocabulary.turn(seen, answer)

    def reuse(self, found: Retrieval, question: Question, chance: Stream) -> Choice:
        """Choose an answer by what similar cases brought; none without experience."""
        assert self.model is not None, f"{self.name} has no model"
        return found.choose(self.model, question.answers, chance, question.adapted)

    def reuse_many(self, tallies: Tallies, queries: Queries, streams: Streams) -> Choices:
        """Choose an answer to each of many questions, as `reuse` does for one."""
        assert self.model is not None, f"{self.name} has no model"
        return self.model.choose_many(tallies, streams)

    @property
    def is_batched(self) -> bool:
        """Whether it decides many situations at once: what is written for one question at a time needs the readable way."""
        kind = type(self)
        alone = any(
            getattr(kind, name) is not getattr(Policy, name) for name in ("forced", "turn", "fallback")
        )
        alone |= kind.reuse is not Policy.reuse and kind.reuse_many is Policy.reuse_many
        rules_are_batched = all(hasattr(rule, "number") for rule in (*self.rules, *self.safeguards))
        return hasattr(self.vocabulary, "Turns") and rules_are_batched and not alone

    def guard(self, game: Any, turns: Any, answers: NDArray[np.int64], counts: NDArray[np.int32]) -> None:
        """Let safeguards replace answers to many questions, in place and in their order; count by turn which did."""
        first: Any = self.safeguards[0]
        first.guard(self.safeguards, game, turns, answers, counts)

    def fallback(self, question: Question, choice: Choice) -> str:
        """Answer without experience."""
        return self.vocabulary.fallback(question)

    def values(self, asked: QuestionRecord) -> Mapping[str, Json]:
        """What the reason of a decision tells beside the questions."""
        return {"answer": asked.answer}


class Answered(NamedTuple):
    """A question answered: how, on what evidence, and which rules revised it."""

    answer: str
    asked: QuestionRecord
    revisions: tuple[Revision, ...] = ()


MEMO: Final = 20_000
"""How many answers an agent remembers to have given; they are the same until the base changes."""

SINCE: Final = "since"
"""The place of the first of them, which tells since when they hold."""


@dataclass(frozen=True, slots=True)
class CaseBasedAgent:
    """An agent that decides by similar cases of its base."""

    policy: Policy
    cases: CaseBase = field(repr=False)
    memo: int = field(default=MEMO, repr=False, compare=False)
    """How many answers it remembers to have given, each with its evidence: some 5 kB."""
    _given: dict[object, tuple[int, Answered]] = field(default_factory=dict, repr=False, compare=False)
    _names: list[Any] = field(default_factory=list, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[CaseBasedAgent], tuple[Policy, CaseBase, int]]:
        # To another process, without the answers it has given here.
        return type(self), (self.policy, self.cases, self.memo)

    @property
    def decide_many(self) -> DecideMany:
        """Answers what many turns ask, as `decide` does for one, without keeping the evidence."""
        if not self.policy.is_batched:
            raise AttributeError(f"{self.policy.name} is asked one by one")
        return self._decide_many

    def _decide_many(
        self, game: Any, situations: NDArray[np.int32], streams: NDArray[np.uint64]
    ) -> Decisions:
        """Ask the next question of every turn until all turns have come to an action."""
        policy, words, (rules, names) = self.policy, self._words, self._counted
        turns, chance = words.Turns(situations), Streams(streams)
        counts, asked = np.zeros((len(situations), len(names)), np.int32), list[AskedMany]()
        while (queries := turns.ask()) is not None:
            tallies = self.cases.look_up(queries, policy.mode)
            answers = policy.reuse_many(tallies, queries, chance.select(turns.waiting)).answers
            turns.revise(rules, answers, counts)
            if policy.safeguards:
                first: Any = policy.safeguards[0]
                first.guard(policy.safeguards, game, turns, answers, counts[:, -len(policy.safeguards) :])
            turns.carry_out(answers)
            asked.append(AskedMany(turns.waiting, queries, answers))
        return Decisions(turns.actions, names, counts, asked)

    @property
    def _words(self) -> Any:
        """The vocabulary, which has turns of many situations."""
        return self.policy.vocabulary

    @property
    def _counted(self) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """The numbers of its rules, and the names of all that is counted of its decisions."""
        if not self._names:
            policy = self.policy
            rules: Any = policy.rules
            numbers = np.array([rule.number for rule in rules], np.int64)
            revised = [REVISED + rule.name for rule in (*policy.rules, *policy.safeguards)]
            self._names.append((numbers, ("questions", "without experience", *revised)))
        found: tuple[NDArray[np.int64], tuple[str, ...]] = self._names[0]
        return found

    def decide(self, seen: Observation, chance: Stream) -> Decision:
        """Answer what the turn asks; the decision carries every answer with the cases it rests on."""
        forced = self.policy.forced(seen, chance)
        if forced is not None:
            return forced
        asked: list[QuestionRecord] = []
        revisions: list[Revision] = []

        def answer(question: Question) -> str:
            given = self.answer(question, chance)
            asked.append(given.asked)
            revisions.extend(given.revisions)
            return given.answer

        action = self.policy.turn(seen, answer)
        last = asked[-1]
        return Decision(action, last.choice.rule, self.policy.values(last), tuple(asked), tuple(revisions))

    def answer(self, question: Question, chance: Stream) -> Answered:
        """Answer one question; safeguards have the last word."""
        given = self._answer_by_cases(question, chance)
        if not self.policy.safeguards:
            return given
        answer, revisions = revise(self.policy.safeguards, question, given.answer)
        asked = replace(given.asked, answer=answer)
        return Answered(answer, asked, given.revisions + revisions) if revisions else given

    def _answer_by_cases(self, question: Question, chance: Stream) -> Answered:
        """Answer one question; unless the policy draws, the same question has the same answer."""
        if self.policy.by_chance:
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

    def clear_cache(self) -> None:
        """Drop the answers it has given and the retrievals of its base; decisions stay the same."""
        self._given.clear()
        self.cases.clear_cache()

    def _is_outdated(self) -> bool:
        """Whether the base has changed since the answers were given: then none of them holds.

        Threads share an agent, so the answers are never gone through, only looked up.
        """
        first = self._given.get(SINCE)
        return first is not None and first[0] != self.cases.generation

    def _answer(self, question: Question, chance: Stream) -> Answered:
        """Retrieve, reuse, fall back, revise."""
        if len(question.answers) == 1:
            only = next(iter(question.answers))
            return Answered(only, QuestionRecord(question.problem, only, Choice(only)))
        found = self.cases.retrieve(question.problem, self.policy.mode)
        choice = self.policy.reuse(found, question, chance)
        proposed = choice.answer if choice.answer is not None else self.policy.fallback(question, choice)
        answer, revisions = revise(self.policy.rules, question, proposed)
        return Answered(answer, QuestionRecord(question.problem, answer, choice, found), revisions)


def readings_of(players: Mapping[str, object]) -> dict[str, str]:
    """The readings by which some players decide, of those that have one."""
    remembering = {name: player for name, player in players.items() if isinstance(player, CaseBasedAgent)}
    return {name: player.policy.reading for name, player in remembering.items() if player.policy.reading}
