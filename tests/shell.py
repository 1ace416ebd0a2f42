"""The command line in this process: as a user types it, without the second that a new process takes."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess
from unittest import mock

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
