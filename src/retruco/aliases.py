"""Old names of things that have moved: they work for one release and warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any


def moved(module: str, **places: str) -> Callable[[str], Any]:
    """Give a module's `__getattr__`, which finds moved names where they are now.

    >>> moved("retruco.old", Stream="retruco.streams:Stream")("Card")
    Traceback (most recent call last):
    ...
    AttributeError: module 'retruco.old' has no attribute 'Card'
    """

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        place = places[name]
        message = f"{module}.{name} has moved to {place.replace(':', '.')}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return resolve_name(place)

    return find
