"""The command line: thin commands, each importing what it needs only when it runs.

- `commands` has every command with its options.
- The module that does the work is called like the command: `duel`, `tournament`, `table`, `learn`, `solve`, `exploit`, `cases`, `maintain`, `decide`, `analyse`, `serve`, `bot`.
- `options` has what several commands share, `entrants` the agents of a run, `crash` what an agent's failure shows.
- `json_lines` reads recorded hands; `terminal_table` draws for `play` and `teach`.
- `progress`, `interrupts` and `errors`: what a user sees on stderr.
"""

from __future__ import annotations

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from retruco.cli.commands import (
    case_bases,
    contests,
    experiments,
    exploiting,
    games,
    learning,
    live_tables,
    recorded_hands,
    solving,
)
from retruco.cli.errors import print_error
from retruco.cli.interrupts import exit_on_ctrl_c
from retruco.cli.options import add_command


class Commands(TyperGroup):
    """All commands of the program."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with exit_on_ctrl_c():
            return super().invoke(ctx)


app = typer.Typer(
    name="retruco",
    cls=Commands,
    help="Card-playing agents that learn from recorded games, decide by remembering, and show why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
# In the order of `retruco --help`.
add_command(app, live_tables.play)
add_command(app, contests.duel)
add_command(app, contests.tournament)
add_command(app, contests.table)
add_command(app, experiments.reproduce)
app.command()(experiments.report)
app.command()(games.agents)
app.command()(recorded_hands.replay)
add_command(app, contests.acpc)
add_command(app, recorded_hands.decide)
add_command(app, recorded_hands.analyse)
add_command(app, live_tables.serve)
app.command()(learning.prepare)
add_command(app, live_tables.bot)
app.command()(recorded_hands.verify)
add_command(app, learning.learn)
add_command(app, learning.teach)
add_command(app, solving.solve)
app.command()(solving.values)
add_command(app, exploiting.exploit)
app.add_typer(games.rules_app, name="rules")
app.add_typer(case_bases.cases_app, name="cases")
app.add_typer(experiments.study_app, name="study")


def main() -> None:
    """Run the command line; what a user got wrong is one line on stderr and exit code 2."""
    try:
        app()
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            sys.stderr.close()
            raise SystemExit(0) from None
        print_error(str(error))
        raise SystemExit(2) from None
