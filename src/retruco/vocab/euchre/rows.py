"""A finished hand as rows: one for every question that a seat has answered, with what the hand brought."""

from __future__ import annotations

from collections.abc import Mapping

from retruco.cbr.case import Row
from retruco.games.core import Action, BadRecord, Match, Seat
from retruco.games.euchre import EuchreObservation, EuchreState
from retruco.games.euchre.tricks import TEAMS
from retruco.games.euchre.words import AND_ALONE, DISCARD
from retruco.games.records import replay
from retruco.vocab.euchre.questions import turn
from retruco.vocab.question import Question


class NoAnswer(Exception):
    """What was done is none of the answers that cases know, such as a card between high and low."""


def rows(record: Mapping[str, object], seat: Seat, episode: int) -> list[Row]:
    """Replay a recorded hand and write down every question that a seat has answered."""
    end = replay(record)
    assert isinstance(end, EuchreState)
    if end.outcome is None:
        raise BadRecord("the hand is not over: nobody knows yet what it brought")
    team = TEAMS[seat]
    credit = end.outcome.points[team] - end.outcome.points[1 - team]
    hindsight = (end.tricks_of(team),)
    answered = [one for seen, action in turns_of(end, seat) for one in answers_in(seen, action)]
    return [
        Row(question.problem, answer, credit, hindsight, episode, number)
        for number, (question, answer) in enumerate(answered)
    ]


def turns_of(end: EuchreState, seat: Seat) -> list[tuple[EuchreObservation, Action]]:
    """Go through the turns in which a seat had a choice: what it saw, and what it did."""
    state = end.game.start(end.deal, Match(end.scores, end.dealer))
    found = []
    for action in end.actions:
        if state.to_act == seat and len(state.legal) > 1 and not state.legal[0].startswith(DISCARD):
            found.append((state.observe(seat), action))
        state = state.play(action)
    return found


def answers_in(seen: EuchreObservation, action: Action) -> list[tuple[Question, str]]:
    """The questions of a turn that had more than one answer, with the answers that come to this action."""
    found: list[tuple[Question, str]] = []

    def answer(question: Question) -> str:
        for name, does in question.answers.items():
            if action in (does, does + AND_ALONE):
                if len(question.answers) > 1:
                    found.append((question, name))
                return name
        raise NoAnswer

    try:
        turn(seen, answer)
    except NoAnswer:
        return []
    return found
