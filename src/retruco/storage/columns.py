"""Rows as compact blobs: the bytes of every column together, compressed.

Codes repeat and numbers grow slowly, so bytes of the same kind side by side shrink to a fraction.
The compression's own checksum tells a damaged blob from a good one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case_index import Batch
from retruco.cbr.vocabulary import Scenario
from retruco.storage.errors import StoreError

SEGMENT: Final = 65_536
"""Rows in one blob."""


class Damaged(StoreError):
    """A blob that is not what was written; it can be made anew."""


NUMBERS: Final = ("<i4", "<i4", "<u2")
"""How credits, episodes and questions are written."""


def packed(scenario: Scenario, batch: Batch) -> bytes:
    """Write rows of a scenario into a blob."""
    known = batch.hindsight[:, : len(scenario.hindsight)]
    columns: list[NDArray[Any]] = [batch.credits, batch.episodes, batch.questions]
    numbers = map(_bytes, columns, NUMBERS)
    together = np.hstack([batch.visible, known, batch.actions[:, None], *numbers])
    return zlib.compress(np.ascontiguousarray(together.T).tobytes(), 1)


def unpacked(scenario: Scenario, blob: bytes) -> Batch:
    """Read rows of a scenario from a blob."""
    seen, known = len(scenario.visible), len(scenario.hindsight)
    ends = np.cumsum([seen, known, 1, *(np.dtype(kind).itemsize for kind in NUMBERS)])
    try:
        together = np.frombuffer(zlib.decompress(blob), np.uint8).reshape(ends[-1], -1)
    except (zlib.error, ValueError) as error:
        raise Damaged(f"rows of {scenario.name} are damaged: {error}") from error
    visible, hindsight, actions, *numbers = (one.T for one in np.split(together, ends[:-1]))
    return Batch(visible, hindsight, actions[:, 0], *map(_numbers, numbers, NUMBERS))


def only(batch: Batch, wanted: NDArray[np.bool_]) -> Batch:
    """Take the rows that are wanted."""
    columns: list[Any] = [column[wanted] for column in batch]
    return Batch(*columns)


def segments(scenario: Scenario, batch: Batch, first: int = 0) -> Iterator[tuple[int, bytes]]:
    """Write rows into numbered blobs, from a given one on."""
    for start in range(first * SEGMENT, len(batch.actions), SEGMENT):
        yield start // SEGMENT, packed(scenario, batch.part(slice(start, start + SEGMENT)))


def _bytes(column: NDArray[Any], kind: str) -> NDArray[np.uint8]:
    return np.ascontiguousarray(column.astype(kind)).view(np.uint8).reshape(len(column), -1)


def _numbers(column: NDArray[np.uint8], kind: str) -> NDArray[Any]:
    return np.ascontiguousarray(column).view(kind)[:, 0]


def packed_json(plain: Mapping[str, object]) -> bytes:
    """Write plain data into a blob."""
    return zlib.compress(json.dumps(plain).encode(), 1)


def unpacked_json(blob: bytes) -> dict[str, Any]:
    """Read plain data from a blob.

    >>> unpacked_json(packed_json({"last": 7}))
    {'last': 7}
    """
    try:
        found: dict[str, Any] = json.loads(zlib.decompress(blob))
    except (zlib.error, ValueError) as error:
        raise Damaged(f"derived data are damaged: {error}") from error
    return found
