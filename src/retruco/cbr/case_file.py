"""Cases in a small file: every different row once, with how often it occurred.

Episodes are forgotten; what was seen, done and won is kept. Columns lie one after the other, sorted by what was seen, so
that they pack well.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

from retruco.cbr.casebase import CaseBase
from retruco.cbr.vocabulary import Scenario, Vocabulary
from retruco.damage import DamagedFile, reading_back

MIDDLE: Final = 128
"""Is added to credits, which lie between -128 and 127 here."""


def write_cases(file: Path, cases: CaseBase) -> None:
    """Write the rows of a base."""
    arrays: dict[str, Any] = {}
    for scenario in cases.vocabulary.scenarios:
        visible, hindsight, actions, won, _, _ = cases.columns(scenario.name)
        credit = np.clip(won, -MIDDLE, MIDDLE - 1) + MIDDLE
        # Without hindsight features, a base has a column that says nothing.
        known = hindsight[:, : len(scenario.hindsight)]
        rows = np.column_stack([visible, known, actions, credit]).astype(np.uint8)
        different, times = np.unique(rows, axis=0, return_counts=True)
        arrays[f"{scenario.name}.columns"] = np.ascontiguousarray(different.T)
        arrays[f"{scenario.name}.times"] = times.astype(np.uint32)
    arrays["digest"] = np.frombuffer(cases.vocabulary.digest.encode(), np.uint8)
    write_arrays(file, arrays)


def write_arrays(file: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays as `np.load` reads them, packed harder than numpy does; the same arrays give the same bytes."""
    with ZipFile(file, "w", ZIP_LZMA) as archive:
        for name, array in arrays.items():
            content = BytesIO()
            np.save(content, array)
            member = ZipInfo(f"{name}.npy")
            member.compress_type = ZIP_LZMA
            archive.writestr(member, content.getvalue())


def read_cases(file: Traversable, vocabulary: Vocabulary) -> CaseBase:
    """Read a base back; a file of another vocabulary is refused."""
    with reading_back(file, "install Retruco again"), np.load(BytesIO(file.read_bytes())) as arrays:
        digest = arrays["digest"].tobytes().decode()
        if digest != vocabulary.digest:
            raise DamagedFile(f"{file} holds cases of another vocabulary: {digest}, not {vocabulary.digest}")
        cases, first = CaseBase(vocabulary), 0
        for scenario in vocabulary.scenarios:
            columns = np.repeat(arrays[f"{scenario.name}.columns"], arrays[f"{scenario.name}.times"], axis=1)
            add_rows(cases, scenario, columns.T, first)
            first += columns.shape[1]
    return cases


def add_rows(cases: CaseBase, scenario: Scenario, rows: Any, first: int) -> None:
    """Add rows as they lie in the file, in an order drawn by their number: else cases that lost come first."""
    rows = np.random.default_rng(len(rows)).permutation(rows)
    seen, done = len(scenario.visible), len(scenario.visible) + len(scenario.hindsight)
    cases.add_columns(
        scenario.name,
        rows[:, :seen],
        rows[:, seen:done],
        rows[:, done],
        rows[:, done + 1].astype(np.int32) - MIDDLE,
        np.arange(first, first + len(rows)),
        np.zeros(len(rows), np.uint16),
    )
