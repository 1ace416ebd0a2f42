"""Experiments and studies: `reproduce`, `report`, `study agreement` and `study opponents`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from retruco.cli.options import AsJson, On, Seed, Workers

study_app = typer.Typer(help="Studies of what was recorded.", no_args_is_help=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproduceOptions:
    """What a user asks of `retruco reproduce`."""

    name: Annotated[
        str,
        typer.Argument(
            help="paulus2019, moral2020, paulus2020, sandven2006, seelbinder2012, people, or all."
        ),
    ]
    quick: Annotated[bool, typer.Option("--quick", help="A fraction of the matches, to see it work.")] = False
    cases: Annotated[
        str | None,
        typer.Option("--cases", help="The case base; human if it can be had, else the embedded one."),
    ] = None
    out: Annotated[
        str | None, typer.Option(help="A folder for results and reports; ./reproduction/... if not given.")
    ] = None
    seed: Seed = 1
    workers: Workers = None
    taught: Annotated[
        str | None, typer.Option(help="For moral2020: BOT5 as you have taught it, see `retruco teach`.")
    ] = None
    runs: Annotated[
        int | None, typer.Option(help="For sandven2006: learning runs a table; 5 and more are judged.")
    ] = None
    hands: Annotated[
        int | None, typer.Option(help="For sandven2006: hands a learning run, 50,000 as published.")
    ] = None
    readings: Annotated[
        str | None, typer.Option(help="For sandven2006: agents to compare, as casey,casey-newest-sunk.")
    ] = None
    trainings: Annotated[
        int,
        typer.Option(help="For moral2020 and paulus2020: how often everybody is trained; verdicts need 10."),
    ] = 1
    full: Annotated[
        bool, typer.Option("--full", help="As often as verdicts need: ten trainings. Goes on after a stop.")
    ] = False
    simulated: Annotated[
        int | None, typer.Option(help="For people: how many simulated people play; 13 if not said.")
    ] = None
    store: Annotated[
        str | None, typer.Option(help="For people: the file of the web table, as in `retruco serve`.")
    ] = None
    on: On = "local"


def reproduce(options: ReproduceOptions) -> int:
    """Run a published experiment anew and report ours beside the published; goes on after a stop."""
    from retruco.cli.reproduce import run_reproduce

    return run_reproduce(options)


def report(folder: Annotated[str, typer.Argument(help="A folder with runs in it.")]) -> None:
    """Write an index page of all runs in a folder, and each run's report anew."""
    from retruco.cli.report import write_index

    write_index(folder)


@study_app.command("agreement")
def study_agreement(
    cases: Annotated[str, typer.Option("--cases", help="A case base of hands that people played.")] = "human",
    quick: Annotated[bool, typer.Option("--quick", help="Ask about twenty matches only.")] = False,
    out: Annotated[str | None, typer.Option(help="A folder for the tables and the plot.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how often each policy plays what the person played, leaving one match out."""
    from retruco.cli.study import run_agreement

    run_agreement(cases, quick, out, as_json)


@study_app.command("opponents")
def study_opponents(
    file: Annotated[
        str | None, typer.Argument(help="A file of finished JSON hands of a match; - for standard input.")
    ] = None,
    seat: Annotated[int, typer.Option(help="With a file: the seat to read, 0 or 1.")] = 1,
    agent: Annotated[str, typer.Option(help="Without a file: whose bluffs are to be told.")] = "bluffer",
    cases: Annotated[
        str | None, typer.Option("--cases", help="Without a file: a case base of hands that people played.")
    ] = None,
    pairs: Annotated[int, typer.Option(help="Without a file: duplicate pairs to watch the agent in.")] = 40,
    person: Annotated[
        str | None,
        typer.Option(help="Instead of a file: who played at the web table, and agreed to have hands kept."),
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="With --person: the file of the web table, if not the usual one.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(help="With a file or a person: write a profile, for `reader:FILE`, to this file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how well bluffs are told; with a file or a person, say what `reader` thinks of them after every hand."""
    from retruco.cli.opponents import read_opponent, read_person, run_studies

    if person is not None and file is not None:
        raise ValueError("name a file or --person, not both")
    if person is not None:
        raise typer.Exit(read_person(person, table, out, as_json))
    if file is not None:
        raise typer.Exit(read_opponent(file, seat, out, as_json))
    raise typer.Exit(run_studies(agent, cases, pairs, out, as_json))
