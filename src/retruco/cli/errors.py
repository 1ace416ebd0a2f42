"""Errors as a user reads them: one line on stderr."""

from __future__ import annotations

import sys


def print_error(message: str) -> None:
    """Say on stderr, in one line, what is wrong."""
    print("retruco:", " ".join(message.split()), file=sys.stderr)
