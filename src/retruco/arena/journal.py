"""What has been played, kept so that nothing finished is lost: one line of JSON a block, on disk within half a second.

The first line holds the settings of the run. A last line that was cut off by a crash is dropped; any
other line that cannot be read is named, and nothing is changed. A run is taken up again only with the
same settings, and only by one process at a time.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import UnionType
from typing import Any, BinaryIO, Final, Self

from retruco.arena.blocks import Block, Played
from retruco.games.core import short_repr

JOURNAL = "played.jsonl"
HANDS = "hands.jsonl"
MOST_LINES: Final = 10
"""How many damaged lines are named."""
LOCK_SECONDS: Final = 3.0
"""How long to wait for another process to let go of a run: orphans end within half a second."""
SYNC_SECONDS: Final = 0.5
"""So much at the most is lost when the machine fails; when only the program does, nothing is."""


class Journal:
    """The blocks of a run that are finished, on disk."""

    def __init__(self, folder: Path, settings: Mapping[str, Any], resume: bool) -> None:
        self.folder = folder
        self._parts = folder / "hands"
        self.played: dict[int, list[dict[str, Any]]] = {}
        """The scores of every finished block, by its number."""
        self.processor_seconds = 0.0
        """How much of a processor's time all these blocks took."""
        self._earlier = self._elapsed = 0.0
        self._opened = self._synced = time.monotonic()
        folder.mkdir(parents=True, exist_ok=True)
        self._check(folder / JOURNAL, resume)
        self._keeps_hands = bool(settings.get("records"))
        self._file = (folder / JOURNAL).open("a+b")
        sync_folder(folder)
        self._lock()
        try:
            self._take_up(dict(settings))
        except ValueError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.fsync(self._file.fileno())
        self._file.close()

    def _check(self, path: Path, resume: bool) -> None:
        started = path.exists() and path.stat().st_size > 0
        if started and not resume:
            raise ValueError(
                f"{self.folder} already holds a run: --resume takes it up, or name another folder"
            )
        if resume and not started:
            raise ValueError(f"{self.folder} holds no run to resume")

    def _lock(self) -> None:
        """Lock the run; the workers of one that was killed hold its lock for a moment longer."""
        end = time.monotonic() + LOCK_SECONDS
        while not self._try_lock():
            if time.monotonic() > end:
                self._file.close()
                raise ValueError(f"another process is playing the run in {self.folder}")
            time.sleep(0.02)

    def _try_lock(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _take_up(self, settings: dict[str, Any]) -> None:
        self._file.seek(0)
        lines = self._file.readlines()
        values = [_value(line) for line in lines]
        if values and values[-1] is None:  # a crash cut it off
            values.pop()
            lines.pop()
        if not lines:
            self._file.truncate(0)
            self._append({"settings": settings})
            return
        self._check_lines(values)
        refuse_changes(values[0]["settings"], json.loads(json.dumps(settings)), self.folder)
        self._file.truncate(sum(map(len, lines)))
        for line in values[1:]:
            self.played.setdefault(line["block"]["number"], line["scores"])
            self._count(line["seconds"], line["elapsed"])

    def _check_lines(self, values: Sequence[Any]) -> None:
        """Refuse a journal with lines that are not ours, and say what can be done about them."""
        file, blocks = self.folder / JOURNAL, len(values) - 1
        if not _has(values[0], {"settings": dict}):
            raise ValueError(
                f"{file}, line 1 is damaged: it must hold the settings of the run, so its {blocks} blocks cannot be used; "
                "nothing was changed: restore the file from a copy, or name another folder"
            )
        bad = [number for number, value in enumerate(values[1:], 2) if not _is_block(value)]
        if bad:
            raise ValueError(
                f"{file}, line {bad[0]} is damaged: it must hold a finished block; {blocks - len(bad)} of {blocks} blocks "
                f"are whole, and nothing was changed: delete line {', '.join(map(str, bad[:MOST_LINES]))}"
                f"{' and others' if len(bad) > MOST_LINES else ''} to have what is missing played again"
            )

    def add(self, block: Block, played: Played) -> None:
        """Keep a finished block; when this returns, it survives a crash of the program."""
        if block.number in self.played:
            return
        if self._keeps_hands:
            self._parts.mkdir(exist_ok=True)
            write_whole(self._part(block.number), played.records)
        times = {"seconds": round(played.seconds, 3), "elapsed": round(time.monotonic() - self._opened, 3)}
        self._append({"block": block.as_json(), **times, "scores": played.scores})
        self.played[block.number] = played.scores
        self._count(**times)

    @property
    def seconds(self) -> float:
        """How long the run has taken by the clock, from each start to the last block that was kept."""
        return self._earlier + self._elapsed

    def _count(self, seconds: float, elapsed: float) -> None:
        if elapsed < self._elapsed:  # the clock begins anew: the run was taken up again
            self._earlier += self._elapsed
        self._elapsed = elapsed
        self.processor_seconds += seconds

    def _append(self, value: dict[str, Any]) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(json.dumps(value, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        if time.monotonic() - self._synced > SYNC_SECONDS:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def _part(self, number: int) -> Path:
        return self._parts / f"{number:06d}.jsonl"

    def join_hands(self) -> None:
        """Put the hands of all blocks into one file, in the order of the plan."""
        if not self._parts.exists():
            return
        parts = sorted(self._parts.glob("*.jsonl"))
        if len(parts) == len(self.played):  # fewer: joined already, and stopped while clearing up
            with replacing(self.folder / HANDS) as out:
                for part in parts:
                    out.write(part.read_bytes())
        for part in self._parts.iterdir():
            part.unlink()
        self._parts.rmdir()


def _value(line: bytes) -> Any:
    """Read a line; nothing if it is not whole."""
    try:
        return json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None


def _has(value: object, kinds: Mapping[str, type | UnionType]) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), kind) for key, kind in kinds.items())


def _is_block(value: Any) -> bool:
    kinds = {"block": dict, "scores": list, "seconds": int | float, "elapsed": int | float}
    return _has(value, kinds) and _has(value["block"], {"number": int})


def refuse_changes(before: Mapping[str, Any], asked: Mapping[str, Any], folder: Path) -> None:
    """Refuse to go on with a run under other settings, and name the first that differs."""
    for key in sorted({*before, *asked}):
        if before.get(key) != asked.get(key):
            raise ValueError(
                f"the run in {folder} was started with {key} {short_repr(before.get(key))}, not {short_repr(asked.get(key))}: "
                "resume it with the same settings, or name another folder"
            )


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a crash leaves the old one or the new one, never half."""
    with replacing(path) as out:
        out.write(text.encode())


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Write beside a file, and put the new one in its place when it is safely on disk."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as out:
        yield out
        out.flush()
        os.fsync(out.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make sure that the names of new files survive a crash too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
