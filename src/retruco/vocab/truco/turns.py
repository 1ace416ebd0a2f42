"""The turns of many seats at once: their questions as arrays, one after the other until every turn has its action.

turns = Turns(situations)
while (queries := turns.ask()) is not None:
    ...                                  # answers by experience, -1 where there is none
    turns.revise(rules, answers, counts)
    turns.carry_out(answers)
turns.actions
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.queries import Queries
from retruco.compiler import compiled_loop
from retruco.vocab.truco.asking import (
    NO_ACTION,
    NO_ANSWER,
    WORDS,
    Actions,
    Longs,
    Words,
    ask_many,
    find_answer,
    make_room,
)
from retruco.vocab.truco.revision import apply_rule
from retruco.vocab.truco.sense import sensible_action

Counts: TypeAlias = NDArray[np.int32]

QUESTIONS, WITHOUT_EXPERIENCE, FIRST_RULE = range(3)
"""What is counted of a turn; after these come the rules of revision, in their order."""


class Turns:
    """What the turns of n seats ask, and what they do.

    A question with a single answer is not asked, for nothing else could be answered.
    """

    words: ClassVar[Words] = WORDS
    situations: NDArray[np.int32]
    """[n, SITUATION] What the seats know."""
    actions: Actions
    """[n] What they do, as the stepper numbers actions; `NO_ACTION` as long as a turn asks more."""
    next_about: Actions
    """[n] What each turn asks about next, if it asks about that."""
    left: int
    """How many turns have no action yet."""
    waiting: Longs
    """[m] The turns that have just asked, by their place in `situations`."""
    about: Actions
    """[m] What they have asked about: `ABOUT_FLOR` and so on."""
    stands_for: Actions
    """[m, most answers] What each answer stands for: an action, `NO_ACTION` for `none`, or `NO_ANSWER`."""

    def __init__(self, situations: NDArray[np.int32]) -> None:
        self.situations, self.left = np.ascontiguousarray(situations), len(situations)
        self.actions, self.next_about = np.empty((2, self.left), np.int8)
        self.actions.fill(NO_ACTION)
        self.next_about.fill(self.words.first)

    def ask(self) -> Queries | None:
        """Ask the next question of every turn without an action; `None` if all have one."""
        if not self.left:
            return None
        count, words = len(self.situations), self.words
        waiting, about = np.empty(count, np.int64), np.empty(count, np.int8)
        scenario, codes, stands_for, counts_as = room = make_room(words.vocabulary, count)
        turns = self.situations, self.next_about, self.actions, waiting, about
        asked = ask_many(words.sources, words.calls, *turns, *room)
        if asked < count:
            waiting, about, stands_for = waiting[:asked], about[:asked], stands_for[:asked]
            scenario, codes, counts_as = scenario[:asked], codes[:asked], counts_as[:asked]
        self.waiting, self.about, self.stands_for = waiting, about, stands_for
        return Queries(scenario, codes, stands_for != NO_ANSWER, counts_as) if asked else None

    def revise(self, rules: Longs, answers: Longs, counts: Counts) -> None:
        """Answer by plain sense where experience has no answer, and let rules replace answers, in place and in their order.

        `rules` are numbers of compiled rules. By turn `counts` has how many questions were asked, how many were answered
        without experience, and how often each rule replaced an answer.
        """
        situations = self.situations
        revise_many(rules, situations, self.waiting, self.about, self.stands_for, answers, counts)

    def carry_out(self, answers: Longs) -> None:
        """Answer the questions that were asked: an answer is an action, or leads to the next question of its turn."""
        done = carry_out_many(self.waiting, self.stands_for, answers, self.actions)
        if done < 0:
            raise ValueError(f"question {~done} has no answer {answers[~done]}")
        self.left = len(self.waiting) - done


@compiled_loop
def revise_many(
    rules: Longs,
    situations: NDArray[np.int32],
    waiting: Longs,
    about: Actions,
    stands_for: Actions,
    answers: Longs,
    counts: Counts,
) -> None:
    """Fill in answers by plain sense, and apply rules to them, each to the result of the one before."""
    for row in range(len(answers)):
        turn = waiting[row]
        counts[turn, QUESTIONS] += 1
        if answers[row] < 0:
            counts[turn, WITHOUT_EXPERIENCE] += 1
            answers[row] = find_answer(stands_for[row], sensible_action(situations[turn], about[row]))
        for place in range(len(rules)):
            action = stands_for[row, answers[row]]
            better = apply_rule(rules[place], situations[turn], about[row], action)
            answer = find_answer(stands_for[row], better)
            if better != action and answer >= 0:
                counts[turn, FIRST_RULE + place] += 1
                answers[row] = answer


@compiled_loop
def carry_out_many(waiting: Longs, stands_for: Actions, answers: Longs, actions: Actions) -> int:
    """Write down the actions that answers stand for; return how many turns have one, or ~row of a wrong answer."""
    done = 0
    for row in range(len(answers)):
        if answers[row] < 0 or stands_for[row, answers[row]] == NO_ANSWER:
            return ~row
        actions[waiting[row]] = stands_for[row, answers[row]]
        done += stands_for[row, answers[row]] != NO_ACTION
    return done
