"""The retention strategies by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.cbr.retain.imitation import Imitation
from retruco.cbr.retain.never import Never
from retruco.cbr.retain.new import New
from retruco.cbr.retain.strategy import Strategy
from retruco.cbr.retain.substitution import Substitution
from retruco.cbr.retain.taught import Taught

STRATEGIES: Final[Mapping[str, Strategy]] = {
    one.name: one for one in (Never(), New(), Substitution(), Imitation(), Taught())
}


def find_strategy(name: str) -> Strategy:
    """Find a strategy by its name.

    >>> find_strategy("always")
    Traceback (most recent call last):
    ...
    ValueError: unknown strategy 'always': one of never, new, substitution, imitation, taught
    """
    if name not in STRATEGIES:
        raise ValueError(f"unknown strategy {name!r}: one of {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
