"""How a seat plays: what it calls, how that ends, and the tricks it takes, counted hand by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled_step
from retruco.games.core import Seat
from retruco.games.euchre import stepper as at
from retruco.games.euchre.stepper import Row
from retruco.games.euchre.tricks import SEATS, TRICKS

if TYPE_CHECKING:
    from retruco.games.euchre.state import EuchreState

RATES: Final[Mapping[str, tuple[str, str]]] = {
    "makes trumps": ("makes", "hands"),
    "orders": ("orders", "makes"),
    "goes alone": ("alone", "makes"),
    "makes three": ("made", "makes"),
    "marches": ("marches", "makes"),
    "is euchred": ("euchred", "makes"),
    "takes tricks": ("tricks", "tricks played"),
}
"""What a table of behaviour shows: a count over what it is a share of."""


COUNTED: Final = ("tricks played", "tricks", "makes", "orders", "alone", "made", "marches", "euchred")
"""What a hand counts as for a seat."""


@compiled_step
def count_behaviour(row: Row, seat: Seat, counts: NDArray[np.int32]) -> None:
    """Count what one seat did in a finished hand; with a partner's count, a team's tricks."""
    counts[0] += row[at.FINISHED]
    counts[1] += row[at.TAKEN + seat]
    if row[at.MAKER] == seat:
        taken = row[at.TAKEN + seat] + row[at.TAKEN + (seat + 2) % SEATS]
        counts[2] += 1
        counts[3] += row[at.ORDERED]
        counts[4] += row[at.OUT] != at.NONE
        counts[5] += taken >= 3
        counts[6] += taken == TRICKS
        counts[7] += taken < 3


def behaviour(end: EuchreState, seat: Seat) -> Counter[str]:
    """Count what one seat did in a finished hand."""
    counts = np.zeros(len(COUNTED), np.int32)
    count_behaviour(np.array(end.row), seat, counts)
    return Counter({"hands": 1, **dict(zip(COUNTED, counts.tolist(), strict=True))})
