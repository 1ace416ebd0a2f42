"""The command line: thin commands, each importing what it needs only when it runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

app = typer.Typer(
    name="retruco",
    help="Card-playing agents that learn from recorded games, decide by remembering, and show why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
rules_app = typer.Typer(help="The variants of a game.", invoke_without_command=True)
app.add_typer(rules_app, name="rules")

GameName = Annotated[str, typer.Option("--game", help="Which game.")]
RulesName = Annotated[str | None, typer.Option("--rules", help="A preset; see `retruco rules`.")]
Target = Annotated[
    int | None, typer.Option("--target", help="Points to play to; the preset's own if not given.")
]
CasesName = Annotated[
    str | None, typer.Option("--cases", help="The case base to remember; see `retruco cases list`.")
]
KeepGoing = Annotated[bool, typer.Option("--keep-going", help="Go on after a bad line; still exit with 2.")]


def main() -> None:
    """Run the command line; what a user got wrong is one line on stderr and exit code 2."""
    try:
        app()
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            sys.stderr.close()
            raise SystemExit(0) from None
        complain(str(error))
        raise SystemExit(2) from None


def complain(message: str) -> None:
    """Say on stderr, in one line, what is wrong."""
    print("retruco:", " ".join(message.split()), file=sys.stderr)


@app.command()
def play(
    agent: Annotated[str, typer.Argument(help="Whom to play against.")] = "balanced",
    rules: RulesName = "cbtg",
    target: Target = None,
    seed: Annotated[int | None, typer.Option(help="Repeat the deals of this number.")] = None,
) -> None:
    """Sit down at a table in the terminal and play Truco against an agent."""
    from retruco.cli.play import play_in_terminal

    raise typer.Exit(play_in_terminal(agent, rules, target, seed))


@app.command()
def duel(
    a: Annotated[str, typer.Argument(help="An agent's name, or path/to/file.py:ClassName.")],
    b: Annotated[str, typer.Argument(help="The other agent.")],
    game: GameName = "truco",
    rules: RulesName = None,
    target: Target = None,
    matches: Annotated[int, typer.Option(help="Duplicate pairs of matches.")] = 100,
    seed: Annotated[int, typer.Option(help="Names the deals and all chance.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let two agents play duplicate pairs of matches: the same deals twice, seats swapped."""
    from retruco.cli.duel import run_duel

    run_duel(a, b, game, rules, target, matches, seed, json)


@app.command()
def agents(
    game: GameName = "truco",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the agents that can play a game."""
    from retruco.cli.lists import print_agents

    print_agents(game, json)


@rules_app.callback()
def rules_list(context: typer.Context, game: GameName = "truco") -> None:
    """List the variants; `retruco rules show NAME` prints one in full."""
    from retruco.cli.lists import print_presets

    if context.invoked_subcommand is None:
        print_presets(game)


@rules_app.command("show")
def rules_show(name: Annotated[str, typer.Argument(help="A preset, such as cbtg.")]) -> None:
    """Print the tables of one variant of Truco, from the data the engine plays by."""
    from retruco.cli.lists import print_rules

    print_rules(name)


@app.command()
def replay(
    file: Annotated[
        str, typer.Argument(help="A file of JSON hands, one a line; - for standard input.")
    ] = "-",
    keep_going: KeepGoing = False,
) -> None:
    """Play recorded hands again: one JSON line each, saying where the hand stands."""
    from retruco.cli.hands import replay_lines

    raise typer.Exit(replay_lines(file, keep_going))


@app.command()
def decide(
    file: Annotated[str, typer.Argument(help="A file of unfinished JSON hands; - for standard input.")] = "-",
    agent: Annotated[str, typer.Option("--agent", help="Who decides.")] = "MJS",
    cases: CasesName = None,
    seed: Annotated[int, typer.Option(help="Names the chance of policies that draw.")] = 1,
    table: Annotated[bool, typer.Option("--table", help="Print for people instead of JSON.")] = False,
    keep_going: KeepGoing = False,
) -> None:
    """Say what an agent would do in each hand, and why: the similar cases, the votes, the sentence."""
    from retruco.cli.decide import decide_lines
    from retruco.storage.library import cases_named

    raise typer.Exit(decide_lines(file, agent, cases_named(cases), seed, keep_going, table))
