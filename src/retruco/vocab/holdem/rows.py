"""A finished hand as rows: one for every stage in which a seat acted, with what the stage brought.

A seat's strategies are its own and cannot be seen from its actions. A record may tell them under
`plans`, as `{"0": ["RAISE-ANY", ...]}` by seat and in the order of the stages acted in; where it
does not, they are recognised as far as the actions show them. How aggressive the others had been
by then cannot be seen from one hand either; where `reads` tells it, alike, a second row a stage
says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from retruco.cbr.case import Row
from retruco.games.core import Action, BadRecord, Seat, short_repr
from retruco.games.holdem import HoldemObservation, HoldemState
from retruco.games.holdem.compiled import finished_hand, stage_profits
from retruco.games.holdem.deck import Hole
from retruco.games.holdem.rules import BOARD
from retruco.games.records import replay
from retruco.vocab.holdem.questions import View
from retruco.vocab.holdem.strategies import STRATEGIES, recognised

HALVES: Final = 2
"""Results of stages are told in halves of a big blind."""


class StageAction(NamedTuple):
    """A stage in which a seat acted: how it saw the stage, and what it did there."""

    view: View
    actions: tuple[Action, ...]


def stages_of(end: HoldemState, seat: Seat) -> list[StageAction]:
    """Go through the stages in which a seat acted."""
    hole = end.deal.hands[seat]
    if hole is None:
        raise BadRecord(f"the cards of seat {seat} are not known")
    return _stages(end, seat, hole, end.deal.board)


def stages_seen(end: HoldemObservation) -> list[StageAction]:
    """Go through the stages in which the seat itself acted, by what it saw of a finished hand."""
    return [] if end.hole is None else _stages(end, end.seat, end.hole, end.board)


def _stages(
    end: HoldemState | HoldemObservation, seat: Seat, hole: Hole, board: tuple[str, ...]
) -> list[StageAction]:
    found: dict[int, StageAction] = {}
    for number, step in enumerate(end.steps()):
        if step.seat != seat:
            continue
        stage = step.betting.stage
        if stage in found:
            found[stage] = StageAction(found[stage].view, (*found[stage].actions, step.action))
        else:
            view = View(hole, board[: BOARD[stage]], step.betting, end.actions[:number])
            found[stage] = StageAction(view, (step.action,))
    return list(found.values())


def stage_results(end: HoldemState | HoldemObservation, seat: Seat) -> list[int]:
    """What each stage brought a seat, in halves of a big blind; see `stage_profits`."""
    results = np.zeros(end.betting.stage + 1, np.int64)
    stage_profits(finished_hand(end), seat, HALVES, results)
    return list(map(int, results))


def rows_of(
    end: HoldemState,
    seat: Seat,
    episode: int,
    plans: Sequence[str] | None = None,
    reads: Sequence[int] | None = None,
) -> list[Row]:
    """Write down what a seat did in a finished hand."""
    results, acted = stage_results(end, seat), stages_of(end, seat)
    if plans is not None and len(plans) != len(acted):
        raise BadRecord(
            f"seat {seat} acted in {len(acted)} stages and has {len(plans)} plans: {short_repr(plans)}"
        )
    if reads is not None and (len(reads) != len(acted) or not all(map(_is_percent, reads))):
        raise BadRecord(
            f"seat {seat} acted in {len(acted)} stages and needs as many reads from 0 to 100: {short_repr(reads)}"
        )
    rows, with_reads = [], []
    for number, (view, actions) in enumerate(acted):
        strategy = recognised(actions) if plans is None else plans[number]
        if strategy not in STRATEGIES:
            raise BadRecord(f"unknown strategy {short_repr(strategy)}: one of {', '.join(STRATEGIES)}")
        credit = results[view.betting.stage]
        rows.append(Row(view.question.problem, strategy, credit, (), episode, number))
        if reads is not None:
            problem = view._replace(read=reads[number]).question.problem
            with_reads.append(Row(problem, strategy, credit, (), episode, len(acted) + number))
    return rows + with_reads


def _is_percent(value: object) -> bool:
    return type(value) is int and 0 <= value <= 100


def rows(record: Mapping[str, object], seat: Seat, episode: int) -> list[Row]:
    """Replay a recorded hand and write down every stage that a seat acted in."""
    end = replay(record)
    assert isinstance(end, HoldemState)
    if end.outcome is None:
        raise BadRecord("the hand is not over: nobody knows yet what it brought")
    plans, reads = _listed_for(record, "plans", seat), _listed_for(record, "reads", seat)
    return rows_of(end, seat, episode, plans, reads)


def _listed_for(record: Mapping[str, object], what: str, seat: Seat) -> list[Any] | None:
    """What a record tells of a seat, stage by stage, beside its actions."""
    by_seat = record.get(what)
    if by_seat is not None and not isinstance(by_seat, Mapping):
        raise BadRecord(f"{what} must be lists by seat, not {short_repr(by_seat)}")
    found = (by_seat or {}).get(str(seat))
    if found is not None and not isinstance(found, list):
        raise BadRecord(f"the {what} of seat {seat} must be a list, not {short_repr(found)}")
    return found
