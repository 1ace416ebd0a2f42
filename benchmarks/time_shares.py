"""Where a run spends its processor time, by part of the package: sampled a thousand times a second."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import retruco

ROOT = str(Path(retruco.__file__).parent) + "/"
INTERVAL = 0.001
PARTS = {
    "cbr/clusters": "clusters",
    "cbr/kmeans": "clusters",
    "cbr/": "cases",
    "games/": "rules",
    "vocab/": "vocabulary",
    "agents/": "agents",
}
"""The parts by how the paths of their files begin; the first that fits counts."""
REST = "rest"


def part_of(frame: FrameType | None) -> str:
    """The part that the innermost function of a known part belongs to; compiled code belongs to its caller."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(ROOT):
            for beginning, part in PARTS.items():
                if file.removeprefix(ROOT).startswith(beginning):
                    return part
            if not file.endswith(("compiler.py", "streams.py", "cards.py")):
                return REST
        frame = frame.f_back
    return REST


def time_shares(run: Callable[[], Any]) -> dict[str, float]:
    """Run something; give the share of its processor time that each part took."""
    samples: Counter[str] = Counter()
    before = signal.signal(signal.SIGPROF, lambda number, frame: samples.update([part_of(frame)]))
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    try:
        run()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return {part: samples[part] / max(1, samples.total()) for part in [*dict.fromkeys(PARTS.values()), REST]}
