"""Games: `agents` and `rules`."""

from __future__ import annotations

from typing import Annotated

import typer

from retruco.cli.options import AsJson, GameName

rules_app = typer.Typer(help="The variants of a game.", invoke_without_command=True)


def agents(game: GameName = "truco", as_json: AsJson = False) -> None:
    """List the agents that can play a game."""
    from retruco.cli.lists import print_agents

    print_agents(game, as_json)


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
