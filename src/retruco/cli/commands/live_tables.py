"""Live tables: `play` in the terminal, `serve` in the browser, `bot` at a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import typer

from retruco.agents.truco.levels import LEVELS
from retruco.cli.options import AsJson, CasesName, GameName, RulesName, Target

WHOM: Final = f"one of {', '.join(LEVELS)} (easy to hard, then who plays by memory), or any agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """What a user asks of `retruco play`."""

    agent: Annotated[str, typer.Argument(help=f"Whom to play against: {WHOM}.")] = "elena"
    rules: RulesName = "cbtg"
    target: Target = None
    seed: Annotated[int | None, typer.Option(help="Repeat the deals of this number.")] = None
    cases: CasesName = None


def play(options: PlayOptions) -> int:
    """Sit down at a table in the terminal and play Truco against an agent."""
    from retruco.cli.play import play_in_terminal

    return play_in_terminal(options)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """What a user asks of `retruco serve`."""

    port: Annotated[int, typer.Option(min=1, max=65535, help="Where to listen.")] = 8321
    host: Annotated[str, typer.Option(help="The address to listen at; this machine only if not given.")] = (
        "127.0.0.1"
    )
    store: Annotated[
        str | None,
        typer.Option(
            "--store", help="The file that keeps the matches; in the user's data folder if not given."
        ),
    ] = None
    cases: CasesName = None
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy before this server speaks HTTPS with the world.")
    ] = False
    names: Annotated[
        list[str] | None, typer.Option("--name", help="A host name under which the proxy is found.")
    ] = None
    browser: Annotated[bool, typer.Option(help="Open a browser at the table.")] = True
    new_owner_key: Annotated[
        bool, typer.Option("--new-owner-key", help="Draw a new key for the laboratory and show it once.")
    ] = False


def serve(options: ServeOptions) -> None:
    """Set the web table: play, see why, replay, in a browser on this machine."""
    from retruco.cli.serve import run_server

    run_server(options)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotOptions:
    """What a user asks of `retruco bot`."""

    server: Annotated[str, typer.Option(help="The address of a web table, such as http://127.0.0.1:8321.")]
    game: GameName = "truco"
    agent: Annotated[
        str | None,
        typer.Option(
            help="Who plays: a name, or path/to/file.py:ClassName; the game's usual agent, in Truco balanced."
        ),
    ] = None
    matches: Annotated[int, typer.Option(help="How many matches, one after the other.")] = 1
    opponent: Annotated[
        str | None,
        typer.Option(
            help="A level or an agent of the server for every other seat, or one for each, with commas, from the "
            "left on; `bot` waits for another bot. The game's usual agent, in Truco medium."
        ),
    ] = None
    rules: RulesName = None
    target: Target = None
    name: Annotated[str | None, typer.Option(help="What to be called there; the agent's name.")] = None
    seed: Annotated[int | None, typer.Option(help="Names the agent's own chance.")] = None
    cases: CasesName = None
    as_json: AsJson = False


def bot(options: BotOptions) -> None:
    """Let an agent play at a web table far away, through the interface for bots."""
    from retruco.cli.bot import run_bot
    from retruco.cli.progress import show_progress
    from retruco.learning.case_bases import cases_named

    run_bot(options, cases_named(options.cases, show_progress))
