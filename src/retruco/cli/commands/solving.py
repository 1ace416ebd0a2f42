"""Solving: `solve`, `values`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from retruco.cli.options import GameName, RulesName, Seed, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions:
    """What a user asks of `retruco solve`."""

    out: Annotated[str, typer.Option(help="The solution file; its checkpoint lies beside it.")]
    game: GameName = "truco"
    rules: RulesName = None
    target: Target = None
    abstraction: Annotated[
        str | None, typer.Option(help="What is distinguished in Truco: xs, s or m; xs if not given.")
    ] = None
    iterations: Annotated[int | None, typer.Option(help="Iterations in all.")] = None
    minutes: Annotated[float | None, typer.Option(help="Stop after so many minutes.")] = None
    seed: Seed = 1
    workers: Annotated[
        int, typer.Option(help="Processes that learn at once; their regrets are added up.")
    ] = 1
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False
    start: Annotated[
        str | None,
        typer.Option(help="Begin a finer abstraction with this checkpoint of xs.", metavar="CHECKPOINT"),
    ] = None
    hands: Annotated[
        int, typer.Option(help="At the end, measure exploitability with so many hands a seat; 0 for not.")
    ] = 0
    measure: Annotated[
        int,
        typer.Option(
            help="At checkpoints, measure exploitability with so many hands a seat, in at most a tenth of the time; 0 for not."
        ),
    ] = 4
    on: Annotated[
        str,
        typer.Option("--on", help="Where workers learn: local, ray, or ray://HOST:PORT; see docs/scale.md."),
    ] = "local"
    report: Annotated[
        str | None, typer.Option(help="A folder for a report with the curve.", metavar="FOLDER")
    ] = None


def solve(options: SolveOptions) -> None:
    """Find a strategy that is hard to exploit, and write it to a file that an agent can play."""
    from retruco.cli.solve import run_solve

    run_solve(options)


def values(
    solution: Annotated[str, typer.Argument(help="A solution file of Truco.")],
    deals: Annotated[
        int | None, typer.Option(help="Deals that are explored; more are more exact; 400,000 if not given.")
    ] = None,
    seed: Seed = 1,
) -> None:
    """Find what each action is worth by a solution, for its evidence, for the end of matches and for `analyse`."""
    from retruco.cli.solve import run_values

    run_values(solution, deals, seed)
