"""`retruco prepare`: make ahead of time what first use would have to wait for."""

from __future__ import annotations

import json
import sys
from typing import Final

from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent
from retruco.arena.running import warm_up
from retruco.games.truco import Truco
from retruco.learning.case_bases import cases_named
from retruco.learning.prepare import PrepareProgress, prepare
from retruco.streams import Stream

PLAYERS: Final = ("balanced", "MJS", "PVCNPS", "PLS", "BOT0", "solver")
"""Players that need all that players of Truco need in compiled code: every way to retrieve, choose and draw."""


def compile_matches() -> None:
    """Compile the loop in which agents play Truco, and what they decide by."""
    table = Truco.named(Truco.contest_rules)
    warm_up(table, [find_agent(name, table.name, cases_named()) for name in PLAYERS])


def compile_solver() -> None:
    """Compile what the agent `solver` looks up, its evidence included."""
    table = Truco.named(Truco.contest_rules)
    hand = table.start(table.deal(Stream("prepare")), table.opening())
    assert hand.to_act is not None
    decision = ask_agent(find_agent("solver", table.name), hand.observe(hand.to_act), Stream("prepare"))
    dict(decision.values)


def run_prepare(as_json: bool) -> None:
    """Compile kernels and make embedded bases; print every change as JSON, or show a bar."""
    if as_json:
        prepare(lambda standing: print(json.dumps(standing.as_json()), flush=True))
        compile_matches()
        compile_solver()
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
        bar.update(task, description="compiling matches of Truco", left="")
        compile_matches()
        bar.update(task, description="compiling the solver", left="")
        compile_solver()
    print("retruco: ready; kernels are compiled and embedded case bases are made", file=sys.stderr)
