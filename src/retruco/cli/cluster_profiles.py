"""Clusters for people: how large, with what cards, after which calls, what was done and what came of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from retruco.cbr.clusters import Profile, Sample, profiles
from retruco.cli.formatting import plain_table
from retruco.storage.library import Base
from retruco.vocab.truco.groups import likeness, shares


def print_profiles(console: Console, base: Base) -> None:
    """Print a table of clusters for every scenario."""
    console.print(f"[bold]{base.name}[/], {base.hands:,} {base.description}\n")
    for scenario, elbow in base.elbows.items():
        sample = base.cases.sample(scenario)
        labels = elbow.clustering.assign(sample.numbers)
        console.print(f"[bold]{scenario}[/]  {sample.rows:,} rows in {elbow.clustering.k} clusters")
        table = plain_table("", "rows", "share", "what it is like", "answers", "won", "points")
        table.columns[3].no_wrap = table.columns[4].no_wrap = False
        for place in (0, 1, 2, 5, 6):
            table.columns[place].justify = "right"
        for profile in profiles(sample, elbow.clustering, base.cases.census(scenario)):
            table.add_row(*_line(profile, sample, labels == profile.cluster))
        console.print(table)
        console.print()


def _line(profile: Profile, sample: Sample, here: NDArray[np.bool_]) -> tuple[str, ...]:
    return (
        str(profile.cluster),
        f"{profile.rows:,}",
        f"{profile.share:.0%}",
        "; ".join(likeness(profile, sample, here)),
        shares(profile.actions),
        f"{profile.victories:.0%}",
        f"{profile.points:+.1f}",
    )
