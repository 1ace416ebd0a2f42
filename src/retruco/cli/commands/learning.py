"""Learning: `learn`, `teach` and `prepare`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from retruco.cli.options import LearnSeed, On


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """What a user asks of `retruco learn`; what is not said is `None`."""

    into: Annotated[str, typer.Option(help="The new case base; with --resume, the one to go on with.")]
    strategy: Annotated[
        str | None,
        typer.Option(
            help="How it learns. In Truco BOT0 to BOT5, never, new, substitution, substitution-one, taught, expert, or imitation; "
            "in other games an agent that remembers, such as casey or NPS."
        ),
    ] = None
    game: Annotated[str | None, typer.Option(help="Which game; truco.")] = None
    rules: Annotated[
        str | None, typer.Option(help="The rules to learn by; those of the hands it begins with.")
    ] = None
    matches: Annotated[int | None, typer.Option(help="Matches in all; 300.")] = None
    until: Annotated[int | None, typer.Option(help="Stop when the base has so many cases.")] = None
    seed: LearnSeed = None
    source: Annotated[str | None, typer.Option("--from", help="The case base to begin with; baseline.")] = (
        None
    )
    against: Annotated[str | None, typer.Option(help="A fixed opponent, on the base to begin with.")] = None
    policies: Annotated[
        str | None, typer.Option(help="Who plays, such as NPS,PVCNPS; one is drawn a match.")
    ] = None
    first: Annotated[int | None, typer.Option(help="Begin with so many hands; the bots with 513.")] = None
    tutor: Annotated[
        str | None,
        typer.Option(
            help="Who shows moves, for `taught`; of several, as balanced,bluffer, one is drawn a match. For `expert`, who plays."
        ),
    ] = None
    rare: Annotated[
        str | None, typer.Option(help="Deal for flor, flor-flor, envido-envido, high-high or poor.")
    ] = None
    every: Annotated[int | None, typer.Option(help="Deal for it every so many hands; 4.")] = None
    bluffs: Annotated[
        float | None,
        typer.Option(help="In Truco, try bluffs that the base knows little of: how often, from 0 to 1."),
    ] = None
    limit: Annotated[int | None, typer.Option(help="How many entries with rows the base may have.")] = None
    forget: Annotated[
        str | None,
        typer.Option(help="At the limit, forget by use, competence or harm (results); competence."),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Go on after the last match.")] = False
    curve: Annotated[str | None, typer.Option(help="A folder for a learning curve.")] = None
    points: Annotated[int, typer.Option(help="Points of the curve.")] = 10
    pairs: Annotated[int, typer.Option(help="Duplicate pairs a point and opponent.")] = 200
    on: On = "local"


def learn(options: LearnOptions) -> None:
    """Learn into a new case base: play match after match and keep what is worth keeping."""
    from retruco.cli.learn import run_learn

    run_learn(options)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeachOptions:
    """What a user asks of `retruco teach`."""

    into: Annotated[str, typer.Option(help="The new case base; with --resume, the one to go on with.")]
    against: Annotated[str | None, typer.Option(help="Whom the bot plays against; BOT0.")] = None
    source: Annotated[str | None, typer.Option("--from", help="The case base to begin with; baseline.")] = (
        None
    )
    first: Annotated[int | None, typer.Option(help="Begin with so many hands; 513.")] = None
    matches: Annotated[int, typer.Option(help="Matches to sit through.")] = 1
    seed: LearnSeed = None
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a base taught before.")] = False


def teach(options: TeachOptions) -> int:
    """Teach BOT5 in the terminal: it plays, and asks you what it does not know."""
    from retruco.cli.teach import teach_in_terminal

    return teach_in_terminal(options)


def prepare(
    as_json: Annotated[bool, typer.Option("--json", help="Print progress as lines of JSON.")] = False,
) -> None:
    """Compile the kernels and make the embedded case bases now, so that nobody waits for them later."""
    from retruco.cli.prepare import run_prepare

    run_prepare(as_json)
