"""From a recorded hand to rows: each question that a seat answered, with what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from retruco.cbr.case import Row
from retruco.games.core import BadRecord, Seat, short_repr
from retruco.games.truco import TrucoObservation, TrucoState
from retruco.games.truco.state import STAGES
from retruco.vocab.truco.hindsight import hindsight_of
from retruco.vocab.truco.one_sided import as_seen, turns_of
from retruco.vocab.truco.partial import PartialHand, is_partial
from retruco.vocab.truco.partial_replay import partial_rows
from retruco.vocab.truco.questions import AnsweredQuestion, Ask, Question, answers_in, questions, stage_of
from retruco.vocab.truco.scenarios import VOCABULARY


def rows(record: Mapping[str, object], seat: Seat, episode: int, ask: Ask = questions) -> list[Row]:
    """Replay a record, whole, partial or one-sided, and write down every question that this seat answered.

    An entry that names a stage in its `result` gives the rows of that stage only.
    """
    stage = entry_stage(record)
    found = _all_rows(record, seat, episode, ask)
    return found if stage is None else [row for row in found if stage_of(row.problem.scenario) == stage]


def _all_rows(record: Mapping[str, object], seat: Seat, episode: int, ask: Ask) -> list[Row]:
    if is_partial(record):
        return _rows_of_partial(read_partial(record), seat, episode, ask)
    end, turns = as_seen(record, seat)
    return credited(end, answers_in(turns, ask), episode)


def read_partial(record: Mapping[str, object]) -> PartialHand:
    """Read a partial hand, without what a base has added to its record."""
    return PartialHand.of({key: value for key, value in record.items() if key != "result"})


def entry_stage(record: Mapping[str, object]) -> str | None:
    """Name the stage that a record is kept for; `None` if for all of them.

    >>> entry_stage({"game": "truco", "result": {"stage": "envido"}}), entry_stage({"game": "truco"})
    ('envido', None)
    """
    result = record.get("result")
    stage = result.get("stage") if isinstance(result, Mapping) else None
    if stage is not None and stage not in STAGES:
        raise BadRecord(f"a hand is kept for a stage of {', '.join(STAGES)}, not {short_repr(stage)}")
    return stage


def for_stage(record: Mapping[str, object], seat: Seat, stage: str) -> dict[str, object]:
    """Write down that a record is kept for one stage, as a seat saw it.

    >>> for_stage({"game": "truco"}, 1, "flor")
    {'game': 'truco', 'result': {'seat': 1, 'stage': 'flor'}}
    """
    return {**record, "result": {"seat": seat, "stage": stage}}


def _rows_of_partial(hand: PartialHand, seat: Seat, episode: int, ask: Ask) -> list[Row]:
    if seat != 0:
        raise BadRecord(f"a partial hand is what seat 0 saw: seat {seat} has no rows of it")
    if hand.record is None:
        return partial_rows(hand, episode, ask)
    return rows(hand.record, seat, episode, ask)


Answered: TypeAlias = Sequence[tuple[Question | AnsweredQuestion, str]]
"""Questions with their answers, in order."""


def rows_of(end: TrucoState, answered: Answered, seat: Seat, episode: int) -> list[Row]:
    """Credit the answers of a hand, once it is over; a stage that the match cut off is left out."""
    return credited(end.observe(seat), answered, episode)


def credited(end: TrucoObservation, answered: Answered, episode: int) -> list[Row]:
    """Credit the answers of a seat, as it saw the hand end."""
    assert end.outcome is not None, "only a finished hand can be credited"
    known, seat = hindsight_of(end), end.seat
    credit = {stage: pair[seat] - pair[1 - seat] for stage, pair in zip(STAGES, end.points, strict=True)}
    found = []
    for number, (question, answer) in enumerate(answered):
        problem, stage = question.problem, stage_of(question.problem.scenario)
        if stage == "truco" and end.outcome.reason == "target":
            continue
        codes = VOCABULARY[problem.scenario].hindsight_codes(known)
        found.append(Row(problem, answer, credit[stage], codes, episode, number))
    return found


def answered_in(end: TrucoState, seat: Seat, ask: Ask = questions) -> list[tuple[Question, str]]:
    """Ask a finished hand again, turn by turn, and note this seat's answers."""
    return answers_in(turns_of(end, seat), ask)
