"""Recorded hands and matches: `replay`, `decide`, `analyse` and `verify`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from retruco.cli.options import AsJson, CasesName, ClustersName, GameName, KeepGoing


def replay(
    file: Annotated[
        str, typer.Argument(help="A file of JSON hands, one a line; - for standard input.")
    ] = "-",
    keep_going: KeepGoing = False,
    phh: Annotated[
        bool, typer.Option("--phh", help="Write hands of hold'em in the Poker Hand History format.")
    ] = False,
) -> None:
    """Play recorded hands again: one JSON line each, saying where the hand stands."""
    from retruco.cli.json_lines import phh_lines, replay_lines

    raise typer.Exit(phh_lines(file, keep_going) if phh else replay_lines(file, keep_going))


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideOptions:
    """What a user asks of `retruco decide`."""

    file: Annotated[str, typer.Argument(help="A file of unfinished JSON hands; - for standard input.")] = "-"
    agent: Annotated[
        str | None,
        typer.Option("--agent", help="Who decides; if not named, the usual agent of the game."),
    ] = None
    game: GameName = "truco"
    cases: CasesName = None
    clusters: ClustersName = None
    seed: Annotated[int, typer.Option(help="Names the chance of policies that draw.")] = 1
    table: Annotated[bool, typer.Option("--table", help="Print for people instead of JSON.")] = False
    match: Annotated[
        bool,
        typer.Option(
            "--match", help="The file is one match: finished hands are what a seat has seen before."
        ),
    ] = False
    keep_going: KeepGoing = False


def decide(options: DecideOptions) -> int:
    """Say what an agent would do in each hand, and why: the similar cases, the votes, the sentence."""
    from retruco.cli.decide import decide_lines, people_console

    return decide_lines(options, people_console() if options.table else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyseOptions:
    """What a user asks of `retruco analyse`."""

    file: Annotated[str, typer.Argument(help="A file of JSON hands, one a line; - for standard input.")] = "-"
    base: Annotated[
        str | None, typer.Option("--base", help="Judge the hands of a case base instead of a file.")
    ] = None
    solution: Annotated[
        str | None,
        typer.Option(
            "--solution",
            help="The solution to judge by, with its values beside it; the one of the package if not given.",
        ),
    ] = None
    values: Annotated[str | None, typer.Option("--values", help="Its values, if they lie elsewhere.")] = None
    table: Annotated[bool, typer.Option("--table", help="Print a summary for people instead of JSON.")] = (
        False
    )
    worst: Annotated[int, typer.Option(help="With --table: how many of the worst decisions to list.")] = 5
    keep_going: KeepGoing = False


def analyse(options: AnalyseOptions) -> int:
    """Judge every decision of recorded hands: what it was worth, what was best, what it cost."""
    from retruco.cli.analyse import analyse_hands
    from retruco.cli.decide import people_console

    return analyse_hands(options, people_console() if options.table else None)


def verify(
    file: Annotated[str, typer.Argument(help="A match of the web table, saved with *Download as JSON*.")],
    commitment: Annotated[
        str, typer.Option(help="What the server had committed itself to, as you noted it.")
    ] = "",
    contribution: Annotated[str, typer.Option(help="What you gave to the deals.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check that the deals of a finished match were drawn as the server had promised."""
    from retruco.cli.verify import verify_file

    raise typer.Exit(verify_file(file, commitment, contribution, as_json))
