"""The turns of many seats at once: their questions as arrays, one after the other until every turn has its action.

turns = Turns(situations)
while (queries := turns.ask()) is not None:
    ...                                  # answers by experience, -1 where there is none
    turns.fall_back(answers)
    revised = turns.revise(rules, answers)
    turns.carry_out(answers)
turns.actions
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.queries import Queries
from retruco.cbr.vocabulary import Vocabulary
from retruco.compiler import compiled_loop
from retruco.vocab.truco.asking import NO_ACTION, NO_ANSWER, Actions, Codes, Longs, ask_many, find_answer
from retruco.vocab.truco.revision import CompiledRule, apply_rule
from retruco.vocab.truco.scenarios import VOCABULARY
from retruco.vocab.truco.sense import sensible_action


class Turns:
    """What the turns of n seats ask, and what they do.

    A question with a single answer is not asked, for nothing else could be answered.
    """

    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    with_score: ClassVar[bool] = False
    """Whether both scores follow the codes of vocabulary 1."""

    def __init__(self, situations: NDArray[np.int32]) -> None:
        count = len(situations)
        self.situations = np.ascontiguousarray(situations)
        """[n, SITUATION] What the seats know."""
        self.actions: Actions = np.full(count, NO_ACTION, np.int8)
        """[n] What they do, as the stepper numbers actions; `NO_ACTION` as long as a turn asks more."""
        self.next_about: Actions = np.zeros(count, np.int8)
        """[n] What each turn asks about next, if it asks about that."""
        self.waiting: Longs = np.zeros(0, np.int64)
        """[m] The turns that have just asked, by their place in `situations`."""
        self.about: Actions = np.zeros(0, np.int8)
        """[m] What they have asked about: `ABOUT_FLOR` and so on."""
        self.stands_for: Actions = np.zeros((0, 0), np.int8)
        """[m, most answers] What each answer stands for: an action, `NO_ACTION` for `none`, or `NO_ANSWER`."""

    def ask(self) -> Queries | None:
        """Ask the next question of every turn without an action; `None` if all have one."""
        count, answers = len(self.situations), self.vocabulary.most_actions
        self.waiting, self.about = np.empty(count, np.int64), np.empty(count, np.int8)
        self.stands_for = np.empty((count, answers), np.int8)
        scenario, counts_as = np.empty(count, np.uint8), np.empty((count, answers), np.uint8)
        codes = np.empty((count, self.vocabulary.most_features), np.uint8)
        asked = self._write_questions(scenario, codes, counts_as)
        self.waiting, self.about, self.stands_for = (
            self.waiting[:asked],
            self.about[:asked],
            self.stands_for[:asked],
        )
        if not asked:
            return None
        return Queries(scenario[:asked], codes[:asked], self.stands_for != NO_ANSWER, counts_as[:asked])

    def _write_questions(self, scenario: Codes, codes: Codes, counts_as: Codes) -> int:
        """Write down the next questions, and return how many there are."""
        return ask_many(
            self.with_score,
            self.situations,
            self.next_about,
            self.actions,
            self.waiting,
            self.about,
            self.stands_for,
            scenario,
            codes,
            counts_as,
        )

    def fall_back(self, answers: Longs) -> None:
        """Answer by plain sense where experience has no answer, in place."""
        fall_back_many(self.situations, self.waiting, self.about, self.stands_for, answers)

    def revise(self, rules: Sequence[CompiledRule], answers: Longs) -> NDArray[np.bool_]:
        """Let rules replace answers, in place and in their order; return [m, rules] which rules did."""
        fired = np.zeros((len(answers), len(rules)), np.bool_)
        numbers = np.array([rule.number for rule in rules], np.int64)
        revise_many(numbers, self.situations, self.waiting, self.about, self.stands_for, answers, fired)
        return fired

    def action_of(self, answers: Longs) -> Actions:
        """[m] What answers stand for: an action, or `NO_ACTION` for `none`."""
        return self.stands_for[np.arange(len(answers)), answers]

    def answer_of(self, actions: Longs) -> Longs:
        """[m] The answers that stand for actions; -1 where an action is no answer."""
        found = self.stands_for == actions[:, np.newaxis]
        return np.where(found.any(1), found.argmax(1), -1)

    def carry_out(self, answers: Longs) -> None:
        """Answer the questions that were asked: an answer is an action, or leads to the next question of its turn."""
        actions = self.action_of(answers)
        wrong = np.flatnonzero((answers < 0) | (actions == NO_ANSWER))
        if len(wrong):
            raise ValueError(f"question {wrong[0]} has no answer {answers[wrong[0]]}")
        self.actions[self.waiting] = actions


@compiled_loop
def fall_back_many(
    situations: NDArray[np.int32], waiting: Longs, about: Actions, stands_for: Actions, answers: Longs
) -> None:
    """Answer by plain sense where there is no answer."""
    for row in range(len(answers)):
        if answers[row] < 0:
            action = sensible_action(situations[waiting[row]], about[row])
            answers[row] = find_answer(stands_for[row], action)


@compiled_loop
def revise_many(
    rules: Longs,
    situations: NDArray[np.int32],
    waiting: Longs,
    about: Actions,
    stands_for: Actions,
    answers: Longs,
    fired: NDArray[np.bool_],
) -> None:
    """Apply rules to answers, each to the result of the one before."""
    for row in range(len(answers)):
        for place in range(len(rules)):
            action = stands_for[row, answers[row]]
            better = apply_rule(rules[place], situations[waiting[row]], about[row], action)
            answer = find_answer(stands_for[row], better)
            if better != action and answer >= 0:
                fired[row, place] = True
                answers[row] = answer
