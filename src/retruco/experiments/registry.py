"""The experiments there are: every `EXPERIMENT` in the files beside this one.

A new file with an `EXPERIMENT` in it is found; nothing has to be entered anywhere else.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Final

import retruco.experiments as room
from retruco.experiments.study import Experiment

ALL: Final = "all"


@cache
def experiments() -> dict[str, Experiment]:
    """Every experiment by name, in the order of the years.

    >>> "paulus2019" in experiments()
    True
    """
    modules = (import_module(f"{room.__name__}.{one.name}") for one in pkgutil.iter_modules(room.__path__))
    found: list[Experiment] = [module.EXPERIMENT for module in modules if hasattr(module, "EXPERIMENT")]
    found.sort(key=lambda one: (one.name[-4:], one.name))
    return {one.name: one for one in found}


def find_experiments(name: str) -> list[Experiment]:
    """Find an experiment by name, or all of them.

    >>> [one.name for one in find_experiments("moral2020")]
    ['moral2020']
    """
    known = experiments()
    if name == ALL:
        return list(known.values())
    if name not in known:
        raise ValueError(f"unknown experiment {name!r}: one of {', '.join(known)}, {ALL}")
    return [known[name]]
