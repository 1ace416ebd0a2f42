"""From a recorded hand to rows of vocabulary 2: each turn of a seat, with what it won from then on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from retruco.cbr.case import Row
from retruco.games.core import Action, Seat
from retruco.games.truco import TrucoObservation
from retruco.games.truco.notation import read
from retruco.vocab.truco.one_sided import is_one_sided, read_one_sided, turns_of
from retruco.vocab.truco.partial import PartialHand, is_partial
from retruco.vocab.truco.questions import answer_of
from retruco.vocab.truco.v2.questions import ask_turn

Turn = tuple[TrucoObservation, Action]


def rows(record: Mapping[str, Any], seat: Seat, episode: int) -> list[Row]:
    """Replay a record and write down every turn in which this seat had a choice.

    A partial hand whose course is not known completely has no rows here.
    """
    if is_partial(record):
        whole = PartialHand.of({key: value for key, value in record.items() if key != "result"}).record
        return rows(whole, seat, episode) if whole is not None else []
    if is_one_sided(record):
        seen_end, seen_turns = read_one_sided(record, seat)
        return turn_rows(seen_end, seen_turns, episode)
    end = read(record)
    return turn_rows(end.observe(seat), turns_of(end, seat), episode)


def turn_rows(end: TrucoObservation, turns: Iterable[Turn], episode: int) -> list[Row]:
    """A row for each turn; its credit is the balance of the hand less what was settled before the turn."""
    found, final = [], balance(end)
    for number, (seen, action) in enumerate(turns):
        question = ask_turn(seen)
        if len(question.answers) > 1:
            answer = answer_of(question, action)
            found.append(Row(question.problem, answer, final - balance(seen), (), episode, number))
    return found


def balance(seen: TrucoObservation) -> int:
    """The points that a seat is ahead by in this hand so far."""
    return sum(pair[seen.seat] - pair[seen.other] for pair in seen.points)
