"""Where the solutions are that come with the package; `tools/make_solutions.py` makes them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

FOLDER: Final = Path(str(files("retruco.solver.truco"))) / "solutions"
SUFFIX: Final = ".solution"


def shipped_rules() -> tuple[str, ...]:
    """The rules that there is a solution for."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*" + SUFFIX)))


def shipped_file(rules: str) -> Path:
    """The solution for some rules."""
    if rules not in shipped_rules():
        names = ", ".join(shipped_rules()) or "none"
        raise ValueError(f"no solution for {rules} comes with the package, but for {names}")
    return FOLDER / (rules + SUFFIX)
