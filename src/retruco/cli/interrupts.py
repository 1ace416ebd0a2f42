"""Ctrl-C: every command ends with exit code 130 and one line on what was kept."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Final

INTERRUPTED: Final = 130
"""The exit code of a program that Ctrl-C has stopped."""
NOTHING_KEPT: Final = "nothing was kept; the same command starts again"

_pressed = False
"""Whether Ctrl-C was pressed since the command began."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what was kept and how to go on."""


@contextmanager
def if_interrupted(describe_kept: Callable[[], str]) -> Iterator[None]:
    """Say what was kept, and how to go on, if Ctrl-C stops what is done in this context."""
    try:
        yield
    except Interrupted:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if is_interrupt(error):
            raise Interrupted(describe_kept()) from None
        raise


@contextmanager
def exit_on_ctrl_c() -> Iterator[None]:
    """End the program after Ctrl-C with one line and exit code 130, whatever it was doing."""
    before = _listen()
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        if not is_interrupt(error):
            raise
        message = str(error) if isinstance(error, Interrupted) else NOTHING_KEPT
        print(f"\rretruco: stopped; {message}", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def is_interrupt(error: BaseException) -> bool:
    """Whether an error comes of Ctrl-C; compiled code and databases make other errors of it."""
    return _pressed or isinstance(error, KeyboardInterrupt)


def _listen() -> signal.Handlers | Callable[..., object] | int | None:
    """Note Ctrl-C from now on, unless this program is to ignore it; give what was done about it before."""
    global _pressed
    _pressed = False
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before in (signal.SIG_IGN, None):
        return None
    signal.signal(signal.SIGINT, _press)
    return before


def _press(number: int, frame: object) -> None:
    global _pressed
    _pressed = True
    raise KeyboardInterrupt
