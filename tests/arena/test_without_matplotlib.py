"""Without the extras a report has its numbers, and says what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys

class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"matplotlib", "sklearn", "scipy", "pandas"}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Hide())
import importlib.util
real = importlib.util.find_spec
def find_spec(name, package=None):
    try:
        return real(name, package)
    except ModuleNotFoundError:
        return None
importlib.util.find_spec = find_spec
from retruco.cli import main
main()
"""


@pytest.mark.slow
def test_a_tournament_is_reported_without_drawings(tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = ("tournament", "balanced", "random", "--matches", "2", "--target", "4", "--out", str(out))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    report = (out / "report.html").read_text()
    assert "pip install &#x27;retruco[plots]&#x27;" in report or "pip install 'retruco[plots]'" in report
    assert "balanced" in report
