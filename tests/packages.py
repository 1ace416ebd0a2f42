"""Packages outside the source tree, as a user has them installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import retruco


def environment_with(folder: Path, *paths: Path) -> dict[str, str]:
    """The environment in which Python finds the packages in some folders, with a data folder of its own."""
    source = Path(retruco.__file__).parent.parent
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(map(str, (*paths, source))),
        "RETRUCO_HOME": str(folder / "home"),
    }
