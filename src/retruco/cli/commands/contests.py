"""Agents against agents: `duel`, `tournament`, `table` and `acpc`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from retruco.cli.options import (
    AsJson,
    CasesName,
    ClustersName,
    DealsName,
    GameName,
    KeepDecisions,
    MoveTime,
    On,
    Records,
    RulesName,
    Seed,
    Target,
    Workers,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOptions:
    """What a user asks of `retruco duel`."""

    a: Annotated[str, typer.Argument(help="An agent's name, or path/to/file.py:ClassName.")]
    b: Annotated[str, typer.Argument(help="The other agent.")]
    game: GameName = "truco"
    rules: RulesName = None
    target: Target = None
    matches: Annotated[
        int | None, typer.Option(help="Duplicate pairs of matches: 100, or 20000 at most until sure.")
    ] = None
    seed: Seed = 1
    cases: CasesName = None
    until_sure: Annotated[bool, typer.Option("--until-sure", help="Stop when it is clear who is better.")] = (
        False
    )
    effect: Annotated[float, typer.Option(help="Until sure: points per hand worth knowing of.")] = 0.1
    alpha: Annotated[float, typer.Option(help="Until sure: how often to claim what is not there.")] = 0.05
    beta: Annotated[float, typer.Option(help="Until sure: how often to miss what is there.")] = 0.05
    workers: Workers = None
    on: On = "local"
    move_time: MoveTime = None
    records: Records = None
    decisions: KeepDecisions = False
    clusters: ClustersName = None
    deals: DealsName = None
    as_json: AsJson = False

    @property
    def names(self) -> tuple[str, str]:
        """Both agents."""
        return self.a, self.b


def duel(options: DuelOptions) -> int:
    """Let two agents play duplicate pairs of matches: the same deals twice, seats swapped."""
    from retruco.cli.duel import run_duel

    return run_duel(options)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOptions:
    """What a user asks of `retruco tournament`."""

    names: Annotated[list[str], typer.Argument(metavar="A B C ...", help="The agents.")]
    game: GameName = "truco"
    rules: RulesName = None
    target: Target = None
    matches: Annotated[int, typer.Option(help="Duplicate pairs of matches between every two.")] = 25
    seed: Seed = 1
    cases: CasesName = None
    workers: Workers = None
    on: On = "local"
    move_time: MoveTime = None
    out: Annotated[str | None, typer.Option(help="A folder for results, reports and what was played.")] = None
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False
    records: Annotated[bool, typer.Option("--records", help="Keep every hand in the folder.")] = False
    decisions: KeepDecisions = False
    clusters: ClustersName = None
    deals: DealsName = None
    as_json: AsJson = False


def tournament(options: TournamentOptions) -> int:
    """Let agents play all against all in duplicate, and report who is better and how sure that is."""
    from retruco.cli.tournament import run_tournament

    return run_tournament(options)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """What a user asks of `retruco table`."""

    names: Annotated[list[str], typer.Argument(metavar="A B C ...", help="One a seat, or one a team.")]
    game: GameName = "kuhn"
    rules: RulesName = None
    hands: Annotated[int, typer.Option(help="Deals, each played once for every seating.")] = 1000
    series: Annotated[
        int, typer.Option(help="Hands in a row for each deal, so that agents that learn can learn.")
    ] = 1
    target: Target = None
    seed: Seed = 1
    cases: CasesName = None
    workers: Workers = None
    move_time: MoveTime = None
    records: Records = None
    as_json: AsJson = False


def table(options: TableOptions) -> int:
    """Seat several agents at one table; every deal is played with everybody in every seat."""
    from retruco.cli.table import run_table

    return run_table(options)


@dataclass(frozen=True, slots=True, kw_only=True)
class AcpcOptions:
    """What a user asks of `retruco acpc`."""

    connect: Annotated[str | None, typer.Option(help="Play at the dealer of HOST:PORT.")] = None
    listen: Annotated[str | None, typer.Option(help="Deal to players at these ports, one a seat.")] = None
    agent: Annotated[str, typer.Option("--agent", help="Who plays.")] = "casey"
    rules: Annotated[str, typer.Option("--rules", help="Such as acpc-2; see `retruco rules`.")] = "acpc-2"
    cases: CasesName = None
    hands: Annotated[int, typer.Option(help="How many hands to deal.")] = 1000
    names: Annotated[str | None, typer.Option(help="The players' names for the log: a,b.")] = None
    seed: Seed = 1
    log: Annotated[str | None, typer.Option(help="Write every hand to this file as it ends.")] = None
    seconds: Annotated[float, typer.Option(help="How long to wait for the other side.")] = 600.0


def acpc(options: AcpcOptions) -> int:
    """Play limit hold'em by the protocol of the computer poker competition, or deal it."""
    from retruco.cli.acpc import run_acpc

    return run_acpc(options)
