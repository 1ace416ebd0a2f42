"""A growing base in a file: its rows, its clusters and how things stand, in one archive of arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from retruco.cbr.case_index import Batch
from retruco.cbr.casebase import CaseBase
from retruco.damage import reading_back
from retruco.learning.reclustering import Elbow
from retruco.storage.deriving import Elbow as PlainElbow


@dataclass(frozen=True, eq=False)
class StoredBase:
    """A base with its clusters, and what its owner wants to remember."""

    cases: CaseBase
    elbows: Mapping[str, Elbow]
    state: Mapping[str, Any]


def write_base(file: Path, base: StoredBase) -> None:
    """Write a base; a crash leaves the old file or the new one."""
    elbows = {name: PlainElbow(one.clustering, one.curve).as_json() for name, one in base.elbows.items()}
    plain = json.dumps({"elbows": elbows, "state": base.state}).encode()
    arrays: dict[str, Any] = {"": np.frombuffer(plain, np.uint8)}
    for scenario in base.cases.vocabulary.scenarios:
        rows = base.cases.columns(scenario.name)
        arrays |= {f"{scenario.name}/{column}": getattr(rows, column) for column in Batch._fields}
    draft = file.with_name(file.name + ".new")
    with draft.open("wb") as out:
        np.savez(out, **arrays)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)


def read_base(file: Path, like: CaseBase) -> StoredBase:
    """Read a base in the words, and with the measure of similarity, of another."""
    if not file.exists():
        raise ValueError(f"{file} is missing, without which the run cannot go on: name another folder")
    cases = CaseBase(like.vocabulary, like.measure)
    remedy = "restore it from a copy, or begin the run anew in another folder"
    with reading_back(file, remedy), file.open("rb") as stream, np.load(stream) as arrays:
        plain = json.loads(arrays[""].tobytes())
        for scenario in like.vocabulary.scenarios:
            rows = Batch(*(arrays[f"{scenario.name}/{column}"] for column in Batch._fields))
            if len(rows.actions):
                cases.add_columns(scenario.name, *rows)
        elbows = {name: PlainElbow.of(one) for name, one in plain["elbows"].items()}
        return StoredBase(cases, elbows, plain["state"])
