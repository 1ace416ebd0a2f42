"""The options that several commands share, and commands that take all their options as one object."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

GameName = Annotated[str, typer.Option("--game", help="Which game.")]
RulesName = Annotated[str | None, typer.Option("--rules", help="A preset; see `retruco rules`.")]
Target = Annotated[
    int | None, typer.Option("--target", help="Points to play to; the preset's own if not given.")
]
CasesName = Annotated[
    str | None, typer.Option("--cases", help="The case base to remember; see `retruco cases list`.")
]
Seed = Annotated[int, typer.Option("--seed", help="Names the deals and all chance.")]
LearnSeed = Annotated[int | None, typer.Option("--seed", help="Names the deals and all chance; 1.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Workers = Annotated[int | None, typer.Option("--workers", help="Processes; one a core if not given.")]
On = Annotated[
    str, typer.Option("--on", help="Where it is played: local, ray, or ray://HOST:PORT; see docs/scale.md.")
]
MoveTime = Annotated[
    float | None,
    typer.Option(
        "--move-time",
        help="Seconds a decision may take; 60 with an agent from a file, else no limit. 0 is no limit.",
    ),
]
Records = Annotated[
    str | None, typer.Option("--records", help="Keep every hand in this file, as lines of JSON.")
]
KeepDecisions = Annotated[
    bool, typer.Option("--decisions", help="With records: keep each decision with its evidence.")
]
ClustersName = Annotated[
    str | None,
    typer.Option(
        "--clusters",
        help="Which groups of cases: own (k-means), original (brought by imported hands), ward or mixture.",
    ),
]
DealsName = Annotated[
    str | None, typer.Option("--deals", help="Fixed deals by name; see `retruco cases import-deals`.")
]
KeepGoing = Annotated[bool, typer.Option("--keep-going", help="Go on after a bad line; still exit with 2.")]


def add_command(app: typer.Typer, command: Callable[[Any], int | None]) -> None:
    """Add a command whose only parameter is a dataclass: each field becomes an option or an argument.

    The command returns its exit code; `None` is success.
    """
    (parameter,) = inspect.signature(command, eval_str=True).parameters.values()
    options_class = parameter.annotation

    def call(**values: Any) -> None:
        code = command(options_class(**values))
        if code is not None:
            raise typer.Exit(code)

    call.__signature__ = inspect.signature(options_class, eval_str=True)  # type: ignore[attr-defined]  # typer reads it
    app.command(command.__name__, help=command.__doc__)(call)
