"""The competition's protocol over sockets: a player at somebody's table, and a small dealer of ours.

Every finished hand is written to the log before the next begins: whoever hangs up, nothing that
was played is lost.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import IO, Any, Final

from retruco.agents.core import Agent, agent_stream, ask_agent
from retruco.arena.sets import deals_from
from retruco.arena.table import Table
from retruco.games.core import IllegalAction, Seat
from retruco.games.holdem import Holdem, HoldemObservation, HoldemState
from retruco.games.holdem import acpc as text
from retruco.games.holdem.state import position_of

LONGEST_LINE: Final = 4096
"""How many bytes a line may have."""

Log = Callable[[str], None]


class HungUp(ConnectionError):
    """The other side has gone; it says when."""


class Line:
    """A connection on which lines of text go both ways."""

    def __init__(self, connection: socket.socket, seconds: float | None = None) -> None:
        connection.settimeout(seconds)
        send_at_once(connection)
        self._connection = connection
        self._file: IO[bytes] = connection.makefile("rb")

    def tell(self, line: str) -> None:
        """Send a line."""
        try:
            self._connection.sendall(line.encode() + b"\r\n")
        except OSError as error:
            raise HungUp(f"the other side has hung up ({error})") from error

    def hear(self) -> str | None:
        """Read the next line that is no comment; nothing when the other side has hung up."""
        while True:
            try:
                raw = self._file.readline(LONGEST_LINE + 1)
            except TimeoutError as error:
                raise HungUp("the other side did not answer in time") from error
            except OSError as error:
                raise HungUp(f"the other side has hung up ({error})") from error
            if not raw:
                return None
            if len(raw) > LONGEST_LINE:
                raise text.BadLine(f"a line is longer than {LONGEST_LINE} bytes: {raw[:60]!r}...")
            try:
                line = raw.decode("ascii").strip()
            except UnicodeDecodeError:
                raise text.BadLine(f"not ASCII: {raw[:60]!r}") from None
            if line and line[0] not in "#;":
                return line

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._connection.close()


def send_at_once(connection: socket.socket) -> None:
    """Turn off Nagle's algorithm: a line that follows another would wait up to 40 ms for an acknowledgement."""
    if connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@dataclass
class MatchStanding:
    """How a match went so far."""

    hands: int = 0
    points: list[Fraction] = field(default_factory=list)
    """By seat, pots parted exactly; a player who sits at another's table is seat 0."""
    unfinished: bool = False
    """Whether the other side hung up in the middle of a hand."""

    def enter(self, state: HoldemState) -> None:
        """Enter a finished hand."""
        seats, by_position = state.game.seats, text.exact_points(state)
        won = [by_position[position_of(state.dealer, seat, seats)] for seat in range(seats)]
        before = self.points or [Fraction(0)] * seats
        self.points = [old + new for old, new in zip(before, won, strict=True)]
        self.hands += 1


# A player at somebody's table


def connected(place: str, seconds: float = 30.0) -> Line:
    """Call a dealer at HOST:PORT."""
    host, port = address(place)
    try:
        return Line(socket.create_connection((host, port), timeout=seconds))
    except OSError as error:
        raise ValueError(f"no dealer answers at {place}: {error}") from error


def address(place: str) -> tuple[str, int]:
    """Read HOST:PORT.

    >>> address("localhost:16177")
    ('localhost', 16177)
    """
    host, _, port = place.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{place!r} is no address: HOST:PORT, such as localhost:16177")
    return host, int(port)


def play_at(line: Line, game: Holdem, agent: Agent, name: str, seed: int, log: Log) -> MatchStanding:
    """Play at a dealer's table until it hangs up; every finished hand goes to the log at once."""
    standing, last, decisions = MatchStanding(), -1, 0
    history: tuple[HoldemObservation, ...] = ()
    line.tell(text.VERSION)
    while (message := line.hear()) is not None:
        seen = text.read_view(message, game)
        state = seen.state
        if seen.hand != last and state.outcome is None and not state.actions:
            decisions = 0
        if state.outcome is not None:
            if seen.hand != last:
                standing.enter(state)
                names = [name, *(f"seat {other}" for other in range(1, game.seats))]
                log(text.log_line(state, seen.hand, names))
                history, last = (*history, state.observe(seen.seat)), seen.hand
            standing.unfinished = False
            continue
        standing.unfinished = True
        if state.to_act == seen.seat:
            chance = agent_stream(seed, seen.seat, seen.hand, decisions)
            action = ask_agent(agent, state.observe(seen.seat, history), chance).action
            decisions += 1
            if action not in state.legal:  # refused here, not sent
                raise IllegalAction(action, state.legal, f" in hand {seen.hand}")
            line.tell(f"{message}:{text.letter(action)}")
    return standing


# A dealer


class AcpcDealer:
    """A table whose seats are far away: one connection a seat, deals from the seed."""

    def __init__(self, game: Holdem, names: Sequence[str], seed: int, log: Log) -> None:
        if len(names) != game.seats:
            raise ValueError(f"{game.rules_name} has {game.seats} seats, not {len(names)}: {' '.join(names)}")
        self.game, self.names, self.seed, self.log = game, tuple(names), seed, log
        self.standing = MatchStanding()

    def deal(self, lines: Sequence[Line], hands: int) -> MatchStanding:
        """Welcome the players and deal so many hands."""
        for name, line in zip(self.names, lines, strict=True):
            text.check_version(self._receive(line, name))
        self.log(f"# {'|'.join(self.names)} {self.game.rules_name} {hands} hands, seed {self.seed}")
        game = Holdem(self.game.rules, hands)
        table = Table(game, deals_from(game, self.seed, 0), 0)
        while (seat := table.to_act) is not None:
            self._ask(table, seat, lines)
        total = "|".join(map(text.chips_text, self.standing.points))
        self.log(f"SCORE:{total}:{'|'.join(self.names)}")
        return self.standing

    def _ask(self, table: Table, seat: Seat, lines: Sequence[Line]) -> None:
        """Tell everybody how the hand stands, and hear the one whose turn it is."""
        number, state = len(table.hands), _holdem(table.state)
        views = self._tell_all(state, number, lines)
        action = text.read_reply(self._receive(lines[seat], self.names[seat]), views[seat], state.legal)
        table.act(seat, action)
        if len(table.hands) > number:
            end = _holdem(table.hands[-1].state)
            self.standing.enter(end)
            self.log(text.log_line(end, number, self.names))
            self._tell_all(end, number, lines)

    def _tell_all(self, state: HoldemState, number: int, lines: Sequence[Line]) -> list[str]:
        views = [text.view_line(state, number, seat) for seat in range(self.game.seats)]
        for line, view in zip(lines, views, strict=True):
            line.tell(view)
        return views

    def _receive(self, line: Line, name: str) -> str:
        message = line.hear()
        if message is None:
            raise HungUp(f"{name} has hung up in hand {self.standing.hands}: the hands before are in the log")
        return message


def _holdem(state: Any) -> HoldemState:
    assert isinstance(state, HoldemState)
    return state


def seated(ports: Sequence[int], host: str, seconds: float | None, tell: Callable[[str], None]) -> list[Line]:
    """Wait at each port for one player."""
    listening = [socket.create_server((host, port)) for port in ports]
    try:
        tell(f"waiting for players at {', '.join(f'{host}:{port}' for port in ports)}")
        lines = []
        for server in listening:
            server.settimeout(seconds)
            try:
                connection, _ = server.accept()
            except TimeoutError:
                raise ValueError(f"nobody came to port {server.getsockname()[1]} in {seconds:g} s") from None
            lines.append(Line(connection, seconds))
        return lines
    finally:
        for server in listening:
            server.close()
