"""Every agent decides as before, with the same evidence: the short form of `benchmarks/digests.py`."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest


@cache
def digests() -> ModuleType:
    """The benchmark, which is no module of a package."""
    place = Path(__file__).parents[2] / "benchmarks" / "digests.py"
    spec = importlib.util.spec_from_file_location("digests", place)
    assert spec is not None
    assert spec.loader is not None
    sys.modules["digests"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def different(kind: str, start: str = "") -> list[str]:
    """What differs from what is stored; agents that cannot be repeated are left out."""
    script = digests()
    tasks = [
        task
        for task in script.tasks_for("*", script.SHORT)
        if task.kind == kind and task.name.startswith(start) and not script.is_unrepeatable(task.name)
    ]
    assert tasks
    found: list[str] = script.compare(map(script.find, tasks), script.read_digests(), is_short=True)
    return found


@pytest.mark.parametrize("kind", ["situations", "encodings"])
def test_situations_and_their_arrays_are_as_stored(kind: str) -> None:
    assert different(kind) == []


@pytest.mark.parametrize("game", ["truco", "holdem", "euchre", "kuhn", "leduc"])
def test_every_agent_decides_as_stored_and_for_the_same_reasons(game: str) -> None:
    assert different("agents", f"{game}/") == []


def test_digests_of_every_agent_are_stored() -> None:
    stored = digests().read_digests()
    assert sorted(stored["agents"]) == sorted(digests().agent_places())
