"""How a seat of Truco looked to an opponent that reads, hand by hand: what its calls showed, and which styles fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from retruco.games.truco.state import TrucoState
from retruco.web.tables.table_view import TableView

if TYPE_CHECKING:
    from retruco.agents.truco.opponent_model import OpponentModel, Reading

LEAST_SHARE = 0.1
"""Styles that are less likely are not named."""


@dataclass(frozen=True, slots=True)
class SeatReading:
    """What is believed of a seat after a hand."""

    hand: int
    styles: tuple[tuple[str, int], ...]
    """The likeliest styles with their shares in per cent; what is missing to 100 is doubt."""
    calls_shown: int
    bluffs_shown: int
    responds_to: str | None
    """The agent whose response a reader would play now; `None` for the solution."""


def read_seat(view: TableView) -> list[SeatReading]:
    """The readings of the seat that a review is for, after every finished hand; none in other games."""
    last = {position.hand: position.state for position in view.live.positions}
    states = [state for _, state in sorted(last.items()) if isinstance(state, TrucoState) and state.outcome]
    if not states:
        return []
    from retruco.agents.truco.opponent_model import OpponentModel, shipped_styles

    model, history = OpponentModel(shipped_styles()), tuple(state.observe(1 - view.seat) for state in states)
    return [_reading(model, model.read(history[:count])) for count in range(1, len(history) + 1)]


def _reading(model: OpponentModel, reading: Reading) -> SeatReading:
    from retruco.agents.truco.reader import lean, likeliest

    leaning = lean(model.styles, reading.belief)
    named = [(name, float(str(share))) for name, share in likeliest(model.styles, reading).items()]
    return SeatReading(
        reading.hands,
        tuple((name, round(100 * share)) for name, share in named if share >= LEAST_SHARE),
        reading.calls_shown,
        reading.bluffs_shown,
        model.styles.responses[leaning.response] if leaning else None,
    )
