"""The jobs of the laboratory: programs of their own, started, looked after and stopped by the server."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, TypeAlias

from retruco.storage.files import close_to_others, make_folder
from retruco.web.core.refusals import Refused
from retruco.web.core.store import Store
from retruco.web.lab.job_config import PROGRESS, SETTINGS, JobConfig

State: TypeAlias = Literal["running", "done", "failed", "cancelled"]
MOST_AT_ONCE: Final = 1
"""Jobs that run at a time; the machine is the players' first."""
PATIENCE: Final = 5.0
"""Seconds that a cancelled job has to stop by itself."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as the store knows it."""

    id: str
    kind: str
    config: JobConfig
    state: State
    started: float
    ended: float | None
    told: str

    def as_json(self, progress: dict[str, Any]) -> dict[str, Any]:
        """The job as plain data, with how far it is."""
        return {
            "id": self.id, "kind": self.kind, "work": self.config.as_json(), "state": self.state, "started": self.started,
            "ended": self.ended, "told": self.told, "progress": progress,
            "first": self.config.first.label, "second": self.config.second.label,
        }  # fmt: skip


class Jobs:
    """All jobs there have been, and the programs of those that run."""

    def __init__(self, store: Store, folder: Path, cases: Path) -> None:
        self._store, self._folder, self._cases = store, folder, cases
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = Lock()
        close_to_others(folder)
        lost = (
            "UPDATE job SET state = 'failed', ended = ?, told = 'the server stopped' WHERE state = 'running'"
        )
        store.change(lambda base: base.execute(lost, (time.time(),)))

    # Beginning and ending

    def start(self, config: JobConfig) -> Job:
        """Start a job, if none is running."""
        with self._lock:
            self._look()
            if len(self._running) >= MOST_AT_ONCE:
                raise Refused(409, "laboratory.busy")
            name = secrets.token_hex(6)
            kind = "duel" if config.first.learning == "none" else "learn"
            folder = self.folder(name)
            make_folder(folder)
            (folder / SETTINGS).write_text(
                json.dumps({"work": config.as_json(), "cases": str(self._cases), "into": f"lab-{name}"})
            )
            line = (name, kind, json.dumps(config.as_json()), "running", time.time())
            query = "INSERT INTO job (id, kind, settings, state, started) VALUES (?,?,?,?,?)"
            self._store.change(lambda base: base.execute(query, line))
            self._running[name] = self._spawn(folder)
        found = self.find(name)
        assert found is not None
        return found

    def _spawn(self, folder: Path) -> subprocess.Popen[bytes]:
        with (folder / "log.txt").open("wb") as log:
            return subprocess.Popen(  # noqa: S603  our own program, and a folder of our own
                [sys.executable, "-m", "retruco.web.lab.job_runner", str(folder)],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # so that its own workers are stopped with it
            )

    def cancel(self, name: str) -> Job | None:
        """Stop a job; what it has written stays."""
        with self._lock:
            process = self._running.pop(name, None)
            if process is not None:
                _stop(process)
                self._end(name, "cancelled", "")
        return self.find(name)

    def close(self) -> None:
        """Stop whatever runs."""
        with self._lock:
            for name, process in self._running.items():
                _stop(process)
                self._end(name, "cancelled", "the server stopped")
            self._running.clear()

    def _look(self) -> None:
        """Write down which programs have ended, and how."""
        for name, process in list(self._running.items()):
            code = process.poll()
            if code is not None:
                del self._running[name]
                self._end(
                    name, "done" if code == 0 else "failed", "" if code == 0 else self._last_words(name)
                )

    def _last_words(self, name: str) -> str:
        lines = (self.folder(name) / "log.txt").read_text(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else ""

    def _end(self, name: str, state: State, told: str) -> None:
        line = (state, time.time(), told, name)
        query = "UPDATE job SET state = ?, ended = ?, told = ? WHERE id = ?"
        self._store.change(lambda base: base.execute(query, line))

    # Looking

    def all(self) -> list[Job]:
        """All jobs, the newest first."""
        with self._lock:
            self._look()
        return [_job(row) for row in self._store.rows("SELECT * FROM job ORDER BY started DESC")]

    def find(self, name: str) -> Job | None:
        """Find a job."""
        with self._lock:
            self._look()
        rows = self._store.rows("SELECT * FROM job WHERE id = ?", name)
        return _job(rows[0]) if rows else None

    def progress(self, job: Job) -> dict[str, Any]:
        """How far a job is."""
        try:
            found = json.loads((self.folder(job.id) / PROGRESS).read_text())
        except (FileNotFoundError, ValueError):  # not written yet, or damaged: how far it is, is not known
            found = None
        return found if isinstance(found, dict) else {"done": 0, "all": job.config.matches, "told": ""}

    def folder(self, name: str) -> Path:
        """Where a job works."""
        return self._folder / name

    def report(self, job: Job) -> Path | None:
        """The report of a job, once there is one."""
        found = self.folder(job.id) / "report.html"
        return found if found.is_file() else None

    def delete(self, name: str) -> None:
        """Forget a job that does not run, with its folder; what it has learnt stays."""
        with self._lock:
            self._look()
            if name in self._running:
                raise Refused(409, "laboratory.busy")
        self._store.change(lambda base: base.execute("DELETE FROM job WHERE id = ?", (name,)))
        shutil.rmtree(self.folder(name), ignore_errors=True)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask a program and its workers to stop, then make them."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            process.wait(PATIENCE)
        return


def _job(row: tuple[Any, ...]) -> Job:
    name, kind, settings, state, started, ended, told = row
    return Job(name, kind, JobConfig.of(json.loads(settings)), state, started, ended, told)
