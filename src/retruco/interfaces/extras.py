"""Import a library that comes with an extra, or say which extra brings it."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """A library that is not installed; it says which extra brings it."""


def import_extra(module: str, extra: str) -> Any:
    """Import a module of an optional library.

    >>> import_extra("no_such_library", "pettingzoo")
    Traceback (most recent call last):
    ...
    retruco.interfaces.extras.MissingExtra: no_such_library is not installed: pip install "retruco[pettingzoo]" adds it
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise MissingExtra(
            f'{error.name} is not installed: pip install "retruco[{extra}]" adds it', name=error.name
        ) from None
