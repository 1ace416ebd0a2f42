"""Progress bars on stderr for work that has to be done once before a command can begin."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


class ProgressBar:
    """A bar where stderr is a terminal; elsewhere one line for every piece of work."""

    def __init__(self) -> None:
        self._message = ""
        self._bar: Bar | None = None
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
        from rich.progress import Progress as Bar

        self._bar = Bar(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(message, total=None)
        self._bar.start()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._task = None, None


show_progress = ProgressBar()
"""The one bar of this process."""
