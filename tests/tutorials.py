"""Follows a page of the documentation: writes its files, runs its commands, compares what they print.

A block of Python that begins with `# name.py` is a file; `# name.py, at the end` adds to it. A block `sh` holds commands; a command that ends
in `&` keeps running. A block `text` right after commands is what they promise to print: `...` stands for
anything, as in doctests, and other lines may come before and after.
"""

from __future__ import annotations

import doctest
import os
import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from packages import environment_with
from waiting import wait_until

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# (\S+\.\w+)(, at the end)?\n")
PORT = "8321"
"""The port that the pages name; each reader of the tests has another."""


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """The language and the text of every block of a page."""
    return BLOCK.findall(page.read_text())


def reader_environment(folder: Path, home: Path | None = None) -> dict[str, str]:
    """The environment of a reader: this Python, and a folder of their own that pip installs into.

    Python reads no `.pth` file of such a folder, so the project folder is on the path as well.
    """
    installed = folder / "installed"
    environment = environment_with(folder, installed, folder)
    environment.pop("RETRUCO_TRUCOGAME", None)
    return {
        **environment,
        "RETRUCO_HOME": str(home or folder / "home"),
        "COLUMNS": "80",
        "PIP_TARGET": str(installed),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this as: build without isolation
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def write_file(text: str, folder: Path) -> None:
    """Write a block that begins with the name of its file."""
    found = FILE_NAME.match(text)
    assert found, f"a block of the page names no file: {text[:60]!r}"
    file = folder / found[1]
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a" if found[2] else "w") as output:
        output.write(text)


def run_commands(text: str, folder: Path, environment: dict[str, str]) -> str:
    """Run a block of commands; give what they print, complaints included."""
    done = subprocess.run(
        ["sh", "-e", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def follow(page: Path, folder: Path, home: Path) -> None:
    """Do all that a page says, in its order; fail where it does not print what the page promises."""
    environment, port = reader_environment(folder, home), free_port()
    blocks = [(language, text.replace(PORT, port)) for language, text in blocks_of(page)]
    with background(folder, environment) as start:
        for number, (language, text) in enumerate(blocks):
            following, promise = blocks[number + 1] if number + 1 < len(blocks) else ("", "")
            promise = promise if following == "text" else ""
            if language in ("python", "toml"):
                write_file(text, folder)
            elif language == "sh" and text.rstrip().endswith("&"):
                start(text.rstrip().removesuffix("&"), promise)
            elif language == "sh":
                printed = run_commands(text, folder, environment)
                assert is_kept(promise, printed), f"{text}\npromised:\n{promise}\nprinted:\n{printed}"


def is_kept(promise: str, printed: str) -> bool:
    """Whether the lines that a page promises were printed.

    >>> is_kept("won ... of 20", "A against B\\nA won 12, that is 12 of 20\\n"), is_kept("lost", "won")
    (True, False)
    """
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(f"...{promise.strip()}...", f"\n{printed}\n", flags)


@contextmanager
def background(folder: Path, environment: dict[str, str]) -> Iterator[Callable[[str, str], None]]:
    """Starts programs that keep running; they end with the page."""
    started: list[subprocess.Popen[bytes]] = []

    def start(command: str, promise: str) -> None:
        log = folder / f"background-{len(started)}.log"
        with log.open("wb") as output:
            words = ["sh", "-c", f"exec {command}"]
            started.append(subprocess.Popen(words, cwd=folder, env=environment, stdout=output, stderr=output))
        wait_until(lambda: is_kept(promise, log.read_text()), f"{command} prints {promise}", 300)

    try:
        yield start
    finally:
        for program in started:
            os.kill(program.pid, signal.SIGTERM)
            program.wait(60)


def free_port() -> str:
    """A port of this machine that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])
