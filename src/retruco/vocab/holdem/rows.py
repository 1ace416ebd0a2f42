"""A finished hand as rows: one for every stage in which a seat acted, with what the stage brought.

A seat's strategies are its own and cannot be seen from its actions. A record may tell them under
`plans`, as `{"0": ["RAISE-ANY", ...]}` by seat and in the order of the stages acted in; where it
does not, they are recognised as far as the actions show them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from retruco.cbr.case import Row
from retruco.games.check import replay
from retruco.games.core import Action, BadRecord, Seat, shown
from retruco.games.holdem import HoldemState
from retruco.games.holdem.rules import BOARD
from retruco.games.holdem.state import position_of
from retruco.vocab.holdem.strategies import STRATEGIES, recognised
from retruco.vocab.holdem.view import View


class Acted(NamedTuple):
    """A stage in which a seat acted: how it saw the stage, and what it did there."""

    view: View
    actions: tuple[Action, ...]


def stages_of(end: HoldemState, seat: Seat) -> list[Acted]:
    """Go through the stages in which a seat acted."""
    hole = end.deal.hands[seat]
    if hole is None:
        raise BadRecord(f"the cards of seat {seat} are not known")
    found: dict[int, Acted] = {}
    for number, step in enumerate(end.steps()):
        if step.seat != seat:
            continue
        stage = step.betting.stage
        if stage in found:
            found[stage] = Acted(found[stage].view, (*found[stage].actions, step.action))
        else:
            board = end.deal.board[: BOARD[stage]]
            view = View(hole, board, step.betting, end.actions[:number], hand=0)
            found[stage] = Acted(view, (step.action,))
    return list(found.values())


def stage_results(end: HoldemState, seat: Seat) -> dict[int, int]:
    """What each stage brought: the seat's share of what was paid in it, less what it paid itself.

    Who wins the hand wins what the others paid in the stage; who loses it loses its own investment.
    """
    assert end.outcome is not None
    position = position_of(end.dealer, seat, end.game.seats)
    paid = {0: (0,) * end.game.seats}  # before each stage; the blinds belong to the first
    for step in end.steps():
        if step.betting.stage not in paid:
            paid[step.betting.stage] = step.betting.spent
    share = Fraction(end.outcome.points[seat] + end.betting.spent[position], end.betting.pot)
    results = {}
    for stage, (before, after) in zip(paid, pairwise([*paid.values(), end.betting.spent]), strict=True):
        results[stage] = round(share * (sum(after) - sum(before))) - (after[position] - before[position])
    return results


def rows_of(end: HoldemState, seat: Seat, episode: int, plans: Sequence[str] | None = None) -> list[Row]:
    """Write down what a seat did in a finished hand."""
    results, acted = stage_results(end, seat), stages_of(end, seat)
    if plans is not None and len(plans) != len(acted):
        raise BadRecord(
            f"seat {seat} acted in {len(acted)} stages and has {len(plans)} plans: {shown(plans)}"
        )
    rows = []
    for number, (view, actions) in enumerate(acted):
        strategy = recognised(actions) if plans is None else plans[number]
        if strategy not in STRATEGIES:
            raise BadRecord(f"unknown strategy {shown(strategy)}: one of {', '.join(STRATEGIES)}")
        credit = results[view.betting.stage]
        rows.append(Row(view.problem(), strategy, credit, (), episode, number))
    return rows


def rows(record: Mapping[str, object], seat: Seat, episode: int) -> list[Row]:
    """Replay a recorded hand and write down every stage that a seat acted in."""
    end = replay(record)
    assert isinstance(end, HoldemState)
    if end.outcome is None:
        raise BadRecord("the hand is not over: nobody knows yet what it brought")
    told = record.get("plans")
    if told is not None and not isinstance(told, Mapping):
        raise BadRecord(f"plans must be strategies by seat, not {shown(told)}")
    plans = (told or {}).get(str(seat))
    if plans is not None and not isinstance(plans, list):
        raise BadRecord(f"the plans of seat {seat} must be a list of strategies, not {shown(plans)}")
    return rows_of(end, seat, episode, plans)
