"""The envido: which calls may follow, and what a chain of them is worth."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from retruco.games.core import Seat
from retruco.games.truco.rules import ENVIDO_CALLS, ENVIDO_VALUE, Call, Rules


class Envido(NamedTuple):
    """The chain of envido calls of one hand; there is at most one."""

    calls: tuple[Call, ...] = ()
    caller: Seat | None = None
    """Who made the last call."""
    closed: bool = False
    """Whether no envido call is legal any more: settled, overtaken by a flor or by a truco."""

    @property
    def pending(self) -> bool:
        """Whether a call waits for its answer."""
        return bool(self.calls) and not self.closed

    @property
    def untouched(self) -> bool:
        """Whether the chain can still be opened."""
        return not self.calls and not self.closed

    def call(self, seat: Seat, call: Call) -> Envido:
        """Add a call to the chain."""
        return Envido((*self.calls, call), seat)

    def close(self) -> Envido:
        """End the envido of this hand."""
        return Envido(self.calls, self.caller, closed=True)


@lru_cache(maxsize=4096)
def raises(
    calls: tuple[Call, ...], target: int, real_repeats: bool, played: tuple[Call, ...] = ENVIDO_CALLS
) -> tuple[Call, ...]:
    """List the calls that may follow a chain, both seats' calls counted together.

    >>> raises((), 24, real_repeats=False)
    ('envido', 'real-envido', 'falta-envido')
    >>> raises(("envido", "envido"), 24, real_repeats=False)
    ('real-envido', 'falta-envido')
    >>> raises(("real-envido",), 24, real_repeats=False)
    ('falta-envido',)
    """
    if "falta-envido" in calls:
        return ()
    has_real = "real-envido" in calls
    may = {
        "envido": calls.count("envido") < 2 and not has_real,
        "real-envido": not has_real or (real_repeats and accepted(calls) < target),
        "falta-envido": True,
    }
    return tuple(call for call in played if may[call])


def accepted(calls: tuple[Call, ...]) -> int:
    """Value a chain without falta when it is accepted.

    >>> accepted(("envido", "envido", "real-envido"))
    7
    """
    return sum(ENVIDO_VALUE[call] for call in calls)


def declined(calls: tuple[Call, ...]) -> int:
    """Value a chain whose last call is declined: what was accepted before it, at least 1.

    >>> declined(("real-envido", "falta-envido")), declined(("falta-envido",))
    (3, 1)
    """
    return max(1, accepted(calls[:-1]))


def falta(rules: Rules, target: int, scores: tuple[int, int], winner: Seat) -> int:
    """Value an accepted falta-envido by the scores at this moment."""
    lacking = target - max(scores)
    if rules.falta == "loser":
        return target - scores[1 - winner]
    if rules.falta == "halves" and target % 2 == 0 and target >= 24 and max(scores) < target // 2:
        return target // 2 - scores[winner]
    return lacking


def worth(rules: Rules, target: int, scores: tuple[int, int], calls: tuple[Call, ...], winner: Seat) -> int:
    """Value an accepted chain for the seat that wins it."""
    if calls[-1] == "falta-envido":
        return falta(rules, target, scores, winner)
    return accepted(calls)
