"""Progress bars on stderr: for work done once before a command can begin, and for a run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class ProgressBar:
    """A bar where stderr is a terminal; elsewhere one line for every piece of work."""

    def __init__(self) -> None:
        self._message = ""
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, message: str, done: int = 0, of: int = 0) -> None:
        """Show how much is done; a new message begins a new bar."""
        if message != self._message:
            self._begin(message)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=of or None)
        if of and done >= of:
            self.close()

    def _begin(self, message: str) -> None:
        self.close()
        self._message = message
        if not sys.stderr.isatty():
            print("retruco:", message, file=sys.stderr)
            return
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(message, total=None)
        self._bar.start()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._task = None, None


show_progress = ProgressBar()
"""The one bar of this process."""


class RunBar:
    """A progress bar on a terminal's standard error; nothing where there is none.

    It is drawn only in `advance`, without a thread of its own: workers are forked while it stands.
    """

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def advance(self, by: int, text: str) -> None:
        """Advance by some pairs and say how things stand."""
        self._progress.update(self._task, advance=by, description=text)
        self._progress.refresh()


@contextmanager
def run_bar(total: int | None, done: int = 0) -> Iterator[RunBar]:
    """Show how far a run is, and how long it will still take."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal
    ) as progress:
        yield RunBar(progress, progress.add_task("", total=total, completed=done))
