"""The competition's protocol on the command line: play at a dealer's table, or deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from retruco.agents.registry import find_agent
from retruco.arena.acpc import AcpcDealer, HungUp, MatchStanding, connected, play_at, seated
from retruco.cli.commands.contests import AcpcOptions
from retruco.cli.errors import print_error
from retruco.cli.interrupts import NOTHING_KEPT, if_interrupted
from retruco.cli.progress import show_progress
from retruco.games.holdem import Holdem
from retruco.games.holdem.acpc import chips_text
from retruco.learning.case_bases import cases_named


def run_acpc(options: AcpcOptions) -> int:
    """Play or deal; the exit code is 2 when the other side hung up in the middle of a hand."""
    if (options.connect is None) == (options.listen is None):
        raise ValueError("either --connect HOST:PORT to play, or --listen PORT,PORT to deal")
    if options.hands < 1:
        raise ValueError(f"--hands must be at least 1, not {options.hands}")
    game = Holdem.named(options.rules)
    outcome = f"the finished hands are in {options.log}" if options.log else NOTHING_KEPT
    with open_log(options.log) as log, if_interrupted(lambda: outcome):
        return _play(options, game, log) if options.connect else _deal(options, game, log)


def _play(options: AcpcOptions, game: Holdem, log: Callable[[str], None]) -> int:
    assert options.connect is not None
    agent = find_agent(options.agent, game.name, cases_named(options.cases, show_progress))
    line = connected(options.connect, options.seconds)
    try:
        standing = play_at(line, game, agent, options.agent, options.seed, log)
    finally:
        line.close()
    _print_standing(standing, game, [options.agent])
    if standing.unfinished:
        print_error(
            f"the dealer hung up in the middle of a hand; {standing.hands} hands were finished before"
        )
        return 2
    return 0


def _deal(options: AcpcOptions, game: Holdem, log: Callable[[str], None]) -> int:
    assert options.listen is not None
    ports = [int(port) for port in options.listen.split(",") if port.isdecimal() and 0 < int(port) < 65536]
    if len(ports) != game.seats or len(ports) != len(options.listen.split(",")):
        raise ValueError(
            f"--listen {options.listen!r}: {game.rules_name} needs {game.seats} ports, as 16177,16178"
        )
    names = (
        options.names.split(",") if options.names else [f"player{number + 1}" for number in range(game.seats)]
    )
    dealer = AcpcDealer(game, names, options.seed, log)
    lines = seated(ports, "127.0.0.1", options.seconds, print_error)
    try:
        _print_standing(dealer.deal(lines, options.hands), game, names)
    except HungUp as error:
        _print_standing(dealer.standing, game, names)
        print_error(str(error))
        return 2
    finally:
        for line in lines:
            line.close()
    return 0


def _print_standing(standing: MatchStanding, game: Holdem, names: list[str]) -> None:
    """What everybody whose name is known won."""
    print(f"{standing.hands} hands of {game.rules_name}")
    unit, scale = game.result_unit
    for name, points in zip(names, standing.points, strict=False):
        sign = "+" if points >= 0 else ""
        per_hand = float(scale * points / standing.hands)
        print(f"{name}: {sign}{chips_text(points)} chips, {per_hand:+.0f} {unit} per hand")


@contextmanager
def open_log(file: str | None) -> Iterator[Callable[[str], None]]:
    """Write lines to a file, each as soon as it is there; nowhere if none is named."""
    if file is None:
        yield lambda line: None
        return
    with Path(file).open("w") as out:

        def write(line: str) -> None:
            out.write(line + "\n")
            out.flush()

        yield write
