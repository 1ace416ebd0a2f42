"""`retruco prepare`: make ahead of time what first use would have to wait for."""

from __future__ import annotations

import json
import sys

from retruco.learning.prepare import PrepareProgress, prepare


def run_prepare(as_json: bool) -> None:
    """Compile kernels and make embedded bases; print every change as JSON, or show a bar."""
    if as_json:
        prepare(lambda standing: print(json.dumps(standing.as_json()), flush=True))
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("preparing", total=1.0, left="")

        def show(standing: PrepareProgress) -> None:
            left = f"about {max(standing.seconds_left.values(), default=0.0):.0f} s left"
            bar.update(task, completed=standing.fraction, description=standing.message, left=left)

        prepare(show)
    print("retruco: ready; kernels are compiled and embedded case bases are made", file=sys.stderr)
