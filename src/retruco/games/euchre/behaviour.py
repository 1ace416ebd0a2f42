"""How a seat plays: what it calls, how that ends, and the tricks it takes, counted hand by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from retruco.games.core import Seat
from retruco.games.euchre.tricks import TEAMS

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


def behaviour(end: EuchreState, seat: Seat) -> Counter[str]:
    """Count what one seat did in a finished hand; with a partner's count, a team's tricks."""
    found = Counter({"hands": 1, "tricks played": len(end.tricks)})
    found["tricks"] = sum(trick.winner == seat for trick in end.tricks)
    contract, outcome = end.contract, end.outcome
    if contract is None or outcome is None or contract.maker != seat:
        return found
    found["makes"] = 1
    found["orders"] = int(contract.ordered)
    found["alone"] = int(contract.alone)
    found["made"] = int(outcome.winner == TEAMS[seat])
    found["marches"] = int(outcome.reason == "march")
    found["euchred"] = int(outcome.reason == "euchred")
    return found
