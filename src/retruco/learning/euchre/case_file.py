"""Euchre cases in a small file: every different row once, with how often it occurred."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from retruco.cbr.casebase import CaseBase
from retruco.damage import DamagedFile, reading_back
from retruco.vocab.euchre.scenarios import VOCABULARY


def write_cases(file: Path, cases: CaseBase) -> None:
    """Write a base; episodes are forgotten, what was seen, done and won is kept."""
    arrays: dict[str, Any] = {}
    for scenario in VOCABULARY.scenarios:
        visible, hindsight, actions, credit, _, _ = cases.columns(scenario.name)
        rows = np.column_stack([visible, hindsight, actions, credit + 8]).astype(np.uint8)
        different, times = np.unique(rows, axis=0, return_counts=True)
        arrays[f"{scenario.name}.rows"] = different
        arrays[f"{scenario.name}.times"] = times.astype(np.uint16)
    arrays["digest"] = np.frombuffer(VOCABULARY.digest.encode(), np.uint8)
    np.savez_compressed(file, **arrays)


def read_cases(file: Traversable) -> CaseBase:
    """Read a base back; a file of another vocabulary is refused."""
    with reading_back(file, "install Retruco again"), np.load(BytesIO(file.read_bytes())) as arrays:
        digest = arrays["digest"].tobytes().decode()
        if digest != VOCABULARY.digest:
            raise DamagedFile(f"{file} holds cases of another vocabulary: {digest}, not {VOCABULARY.digest}")
        cases, first = CaseBase(VOCABULARY), 0
        for scenario in VOCABULARY.scenarios:
            rows = np.repeat(arrays[f"{scenario.name}.rows"], arrays[f"{scenario.name}.times"], axis=0)
            rows = np.random.default_rng(len(rows)).permutation(rows)  # else cases that lost come first
            wide = len(scenario.visible)
            episodes = np.arange(first, first + len(rows))
            first += len(rows)
            cases.add_columns(
                scenario.name,
                rows[:, :wide],
                rows[:, wide : wide + 1],
                rows[:, wide + 1],
                rows[:, wide + 2].astype(np.int32) - 8,
                episodes,
                np.zeros(len(rows), np.uint16),
            )
    return cases
