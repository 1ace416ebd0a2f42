"""The command line as a user types it: in this process, to be quick, or as a process that can be stopped."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

import waiting
from retruco.cli import main


def typed(*args: str, stdin: bytes = b"") -> CompletedProcess[bytes]:
    """Run a command; give its exit code and all that it printed."""
    printed, complaints = io.BytesIO(), io.BytesIO()
    out, err = io.TextIOWrapper(printed, "utf-8"), io.TextIOWrapper(complaints, "utf-8")
    given = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    code: object = 0
    with (
        mock.patch.object(sys, "argv", ["retruco", *args]),
        mock.patch.object(sys, "stdin", given),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as left:
            code = left.code or 0
        out.flush()
        err.flush()
    assert isinstance(code, int)
    return CompletedProcess(args, code, printed.getvalue(), complaints.getvalue())


def start(*args: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start a command as a process with a process group of its own, as a shell at a terminal does.

    A shell's job in the background ignores Ctrl-C, and so would its children; this one hears it.
    """
    command = [sys.executable, "-c", "from retruco.cli import main; main()", *args]
    return subprocess.Popen(command, start_new_session=True, preexec_fn=hear_ctrl_c, **options)


def hear_ctrl_c() -> None:
    """Let a new process hear Ctrl-C, whatever its parent does about it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until(is_so: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    """Wait for something that a running process brings about."""

    def happened() -> bool:
        assert process.poll() is None, f"it ended by itself with {process.returncode}"
        return is_so()

    waiting.wait_until(happened, "it takes too long", seconds)
