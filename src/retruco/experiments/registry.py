"""The experiments there are: every `EXPERIMENT` in the files beside this one, and those of other packages.

A new file with an `EXPERIMENT` in it is found. A module of another package is announced by an entry
point of the group `retruco.experiments`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Final

import retruco.experiments as package
from retruco.experiments.study import Experiment
from retruco.parts import EXPERIMENTS, outside_parts

ALL: Final = "all"


@cache
def experiments() -> dict[str, Experiment]:
    """Every experiment by name, in the order of the years.

    >>> "paulus2019" in experiments()
    True
    """
    names = [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    modules = map(import_module, [*names, *outside_parts(EXPERIMENTS).values()])
    found: list[Experiment] = [module.EXPERIMENT for module in modules if hasattr(module, "EXPERIMENT")]
    found.sort(key=lambda experiment: (experiment.name[-4:], experiment.name))
    return {experiment.name: experiment for experiment in found}


def find_experiments(name: str) -> list[Experiment]:
    """Find an experiment by name, or all of them.

    >>> [experiment.name for experiment in find_experiments("moral2020")]
    ['moral2020']
    """
    known = experiments()
    if name == ALL:
        return list(known.values())
    if name not in known:
        raise ValueError(f"unknown experiment {name!r}: one of {', '.join(known)}, {ALL}")
    return [known[name]]
