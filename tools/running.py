"""Running programs in a bare place, for the checks of the wheel and of the container."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PATIENCE: Final = 600
"""Seconds that a program has, on a machine that is busy with other things; an idle one takes less than 60."""


class Failed(Exception):
    """A step of a check did not do what it should."""


def without_privileges() -> list[str]:
    """What to put before a command so that file permissions bind it, even if root runs the check."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        raise Failed("root writes to read-only folders: run the check as another user, or install setpriv")
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]


def run(command: Sequence[str], *, cwd: Path, env: dict[str, str], stdin: str = "") -> str:
    """The output of a program that must end well, within its time."""
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, input=stdin, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)} did not end in {PATIENCE} seconds") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def running(command: Sequence[str], *, cwd: Path, env: dict[str, str], log: Path) -> Iterator[None]:
    """A program that goes on until it is told to stop, and then stops well."""
    with (
        log.open("w") as output,
        subprocess.Popen(command, cwd=cwd, env=env, stdout=output, stderr=output) as program,
    ):
        try:
            yield
        except (Failed, OSError) as error:
            raise Failed(f"{' '.join(command)}: {error}\n{log.read_text()}") from None
        finally:
            program.send_signal(signal.SIGTERM)
            program.wait(PATIENCE)


def fetch(address: str, patience: float = PATIENCE) -> bytes:
    """What a server answers, once it is up."""
    deadline = time.monotonic() + patience
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            raise Failed(f"{address} answers {error.code}") from None
        except OSError as error:
            if time.monotonic() > deadline:
                raise Failed(f"{address} does not answer: {error}") from None
            time.sleep(0.1)


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def list_files(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file in a folder with its size and time: a change shows."""
    found = (one for one in folder.rglob("*") if not one.is_dir())
    return {str(one.relative_to(folder)): (one.lstat().st_size, one.lstat().st_mtime_ns) for one in found}


def set_writable(folder: Path, writable: bool) -> None:
    """Let nobody write in a folder, or its owner again."""
    for one in (folder, *folder.rglob("*")):
        if not one.is_symlink():
            mode = one.stat().st_mode
            one.chmod(mode | 0o200 if writable else mode & ~0o222)
