"""The competition's protocol on the command line: play at a dealer's table, or deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from retruco.agents.registry import find_agent
from retruco.arena.acpc import Dealer, HungUp, Standing, connected, play_at, seated
from retruco.cli import complain
from retruco.cli.interrupts import NOTHING, if_interrupted
from retruco.cli.progress import show_progress
from retruco.games.holdem import Holdem
from retruco.learning.case_bases import cases_named


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asked for."""

    connect: str | None
    listen: str | None
    agent: str
    rules: str
    cases: str | None
    hands: int
    names: str | None
    seed: int
    log: str | None
    seconds: float


def run_acpc(wanted: Wanted) -> int:
    """Play or deal; the exit code is 2 when the other side hung up in the middle of a hand."""
    if (wanted.connect is None) == (wanted.listen is None):
        raise ValueError("either --connect HOST:PORT to play, or --listen PORT,PORT to deal")
    if wanted.hands < 1:
        raise ValueError(f"--hands must be at least 1, not {wanted.hands}")
    game = Holdem.named(wanted.rules)
    kept = f"the finished hands are in {wanted.log}" if wanted.log else NOTHING
    with logging(wanted.log) as log, if_interrupted(lambda: kept):
        return _play(wanted, game, log) if wanted.connect else _deal(wanted, game, log)


def _play(wanted: Wanted, game: Holdem, log: Callable[[str], None]) -> int:
    assert wanted.connect is not None
    agent = find_agent(wanted.agent, game.name, cases_named(wanted.cases, show_progress))
    line = connected(wanted.connect, wanted.seconds)
    try:
        standing = play_at(line, game, agent, wanted.agent, wanted.seed, log)
    finally:
        line.close()
    _print(standing, game, [wanted.agent])
    if standing.unfinished:
        complain(f"the dealer hung up in the middle of a hand; {standing.hands} hands were finished before")
        return 2
    return 0


def _deal(wanted: Wanted, game: Holdem, log: Callable[[str], None]) -> int:
    assert wanted.listen is not None
    ports = [int(one) for one in wanted.listen.split(",") if one.isdecimal() and 0 < int(one) < 65536]
    if len(ports) != game.seats or len(ports) != len(wanted.listen.split(",")):
        raise ValueError(
            f"--listen {wanted.listen!r}: {game.rules_name} needs {game.seats} ports, as 16177,16178"
        )
    names = (
        wanted.names.split(",") if wanted.names else [f"player{number + 1}" for number in range(game.seats)]
    )
    dealer = Dealer(game, names, wanted.seed, log)
    lines = seated(ports, "127.0.0.1", wanted.seconds, complain)
    try:
        _print(dealer.deal(lines, wanted.hands), game, names)
    except HungUp as error:
        _print(dealer.standing, game, names)
        complain(str(error))
        return 2
    finally:
        for line in lines:
            line.close()
    return 0


def _print(standing: Standing, game: Holdem, names: list[str]) -> None:
    """What everybody whose name is known won."""
    print(f"{standing.hands} hands of {game.rules_name}")
    unit, scale = game.result_unit
    for name, points in zip(names, standing.points, strict=False):
        print(f"{name}: {points:+d} chips, {scale * points / standing.hands:+.0f} {unit} per hand")


@contextmanager
def logging(file: str | None) -> Iterator[Callable[[str], None]]:
    """Write lines to a file, each as soon as it is there; nowhere if none is named."""
    if file is None:
        yield lambda line: None
        return
    with Path(file).open("w") as out:

        def write(line: str) -> None:
            out.write(line + "\n")
            out.flush()

        yield write
