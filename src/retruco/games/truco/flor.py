"""The flor: how it may be answered, and what it is worth."""

from __future__ import annotations

from typing import NamedTuple

from retruco.games.core import Seat
from retruco.games.truco.envido import falta
from retruco.games.truco.rules import Call, Rules


class Flor(NamedTuple):
    """The chain of flor calls of one hand; there is at most one."""

    calls: tuple[Call, ...] = ()
    singers: tuple[Seat, ...] = ()
    """Who made each call."""
    closed: bool = False

    @property
    def pending(self) -> bool:
        """Whether a call waits for its answer."""
        return bool(self.calls) and not self.closed

    @property
    def untouched(self) -> bool:
        """Whether a flor can still be sung."""
        return not self.calls and not self.closed

    def call(self, seat: Seat, call: Call) -> Flor:
        """Add a call to the chain."""
        return Flor((*self.calls, call), (*self.singers, seat))

    def close(self) -> Flor:
        """End the flor of this hand."""
        return Flor(self.calls, self.singers, closed=True)


def answers(rules: Rules, call: Call) -> tuple[Call, ...]:
    """List the answers to a flor call of a seat that was dealt a flor too."""
    if call == "flor":
        give_way = ("achico",) if rules.achico is not None else ()
        return ("flor", "contraflor", "contraflor-resto", *give_way)
    raise_it = ("contraflor-resto",) if call == "contraflor" else ()
    fold = ("baralho",) if rules.fold_as_answer else ()
    return (*raise_it, "quero", "nao-quero", *fold)


def worth(rules: Rules, target: int, scores: tuple[int, int], calls: tuple[Call, ...], winner: Seat) -> int:
    """Value two flors that are compared, for the seat with the better one."""
    if calls[-1] == "flor":
        return rules.flor_flor
    if calls[-1] == "contraflor":
        return rules.contraflor
    if rules.resto == "6 + leader":
        return 6 + target - max(scores)
    return target if rules.resto == "target" else falta(rules, target, scores, winner)


def declined(rules: Rules, calls: tuple[Call, ...]) -> int:
    """Value a chain whose last call, contraflor or contraflor-resto, is declined."""
    if calls[-1] == "contraflor":
        return rules.contraflor_declined
    if "contraflor" in calls:
        return rules.resto_over_contraflor_declined
    return rules.resto_over_flor_declined
