"""Kuhn poker as cases: the two questions of a turn, and the rows of a finished hand.

A seat is asked whether to open the betting, or whether to pay for a bet. It sees its card and the
betting so far. That is all there is to know, so equal questions are equal situations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from retruco.cbr.case import Row
from retruco.cbr.similarity import Value
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, interval, table
from retruco.games.core import Action, BadRecord, Seat
from retruco.games.kuhn import KuhnObservation, KuhnState
from retruco.games.records import replay
from retruco.vocab.question import Question

SEES: Final = (
    table("card", ("T", "J", "Q", "K"), {("T", "J"): 0.5, ("J", "Q"): 0.5, ("Q", "K"): 0.5}),
    equal("seats", (2, 3)),
    interval("checks", 0, 2),
)
OPEN: Final = Scenario("open", SEES, (), ("check", "bet"))
PAY: Final = Scenario("pay", (*SEES, equal("since", ("nothing", "call", "fold"))), (), ("call", "fold"))
VOCABULARY: Final = Vocabulary("kuhn", 1, (OPEN, PAY))


def question_of(seen: KuhnObservation) -> Question:
    """Ask what the seat to act has to decide."""
    actions = seen.actions
    sees: dict[str, Value] = {
        "card": seen.card,
        "seats": len(seen.shown),
        "checks": actions.count("check"),
    }
    answers = {action: action for action in seen.legal}
    if "bet" not in actions:
        return Question(OPEN.problem(sees), answers)
    since = "nothing" if actions[-1] == "bet" else actions[-1]
    return Question(PAY.problem({**sees, "since": since}), answers)


def turn(seen: KuhnObservation, answer: Callable[[Question], str]) -> Action:
    """Ask the one question of a turn; its answer is the action."""
    question = question_of(seen)
    return question.answers[answer(question)]


def fallback(question: Question) -> str:
    """Answer without experience: stay in as cheaply as possible."""
    return next(iter(question.answers))


def rows(record: Mapping[str, object], seat: Seat, episode: int) -> list[Row]:
    """Replay a recorded hand and give every question that a seat answered, with what the hand brought."""
    end = replay(record)
    assert isinstance(end, KuhnState)
    if end.outcome is None:
        raise BadRecord("the hand is not over: nobody knows yet what it brought")
    credit = end.outcome.points[seat]
    turns = [number for number, (actor, _) in enumerate(end.did()) if actor == seat]
    found = []
    for question, number in enumerate(turns):
        before = KuhnState(end.cards, end.first, end.actions[:number])
        problem = question_of(before.observe(seat)).problem
        found.append(Row(problem, end.actions[number], credit, (), episode, question))
    return found
