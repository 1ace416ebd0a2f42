"""Players and a dealer of the competition's protocol, over real sockets."""

import socket
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from threading import Event
from typing import Any

import pytest

from retruco.agents.registry import find_agent
from retruco.arena.acpc import (
    AcpcDealer,
    HungUp,
    Line,
    MatchStanding,
    address,
    connected,
    play_at,
    seated,
)
from retruco.games.holdem import Holdem
from retruco.games.holdem.acpc import VERSION, BadLine, chips_text, read_view
from servers import free_port

OPEN: list[Line] = []


@pytest.fixture(autouse=True)
def _all_hang_up() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def pairs(count: int) -> tuple[list[Line], list[Line]]:
    """Connections between a dealer and so many players, closed when the test is over."""
    both = [socket.socketpair() for _ in range(count)]
    here, there = [Line(one, 60) for one, _ in both], [Line(other, 60) for _, other in both]
    OPEN.extend((*here, *there))
    return here, there


def in_background(job: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=job)
    thread.start()
    return thread


def match(
    rules: str, names: list[str], hands: int, seed: int = 1
) -> tuple[list[str], MatchStanding, list[list[str]], list[MatchStanding]]:
    """Deal a match between agents that sit at the other end of sockets."""
    game = Holdem.named(rules)
    here, there = pairs(game.seats)
    logs: list[list[str]] = [[] for _ in names]
    standings: list[MatchStanding] = [MatchStanding() for _ in names]

    def play(seat: int) -> None:
        agent = find_agent(names[seat], "holdem")
        standings[seat] = play_at(there[seat], game, agent, names[seat], seed, logs[seat].append)

    threads = [in_background(lambda seat=seat: play(seat)) for seat in range(game.seats)]  # type: ignore[misc]  # mypy cannot type a default of a lambda
    log: list[str] = []
    standing = AcpcDealer(game, [f"{name}{seat}" for seat, name in enumerate(names)], seed, log.append).deal(
        here, hands
    )
    for line in here:
        line.close()
    for thread in threads:
        thread.join(30)
    return log, standing, logs, standings


@pytest.mark.parametrize(
    ("rules", "names"), [("acpc-2", ["rulebot", "simplebot"]), ("acpc-3", ["random"] * 3)]
)
def test_a_match_over_sockets_is_logged_alike_by_dealer_and_players(rules: str, names: list[str]) -> None:
    log, standing, logs, standings = match(rules, names, 12)
    states = [line for line in log if line.startswith("STATE:")]
    assert len(states) == standing.hands == 12
    assert sum(standing.points) == 0
    assert log[-1].startswith("SCORE:" + "|".join(map(chips_text, standing.points)))
    for seat, own in enumerate(logs):
        assert standings[seat].points[0] == standing.points[seat]
        assert [line.split(":")[1:3] for line in own] == [line.split(":")[1:3] for line in states]
        assert not standings[seat].unfinished


def test_the_score_line_keeps_the_halves_of_split_pots() -> None:
    log, standing, _, _ = match("acpc-3", ["random"] * 3, 12, seed=26)
    won: dict[str, Fraction] = defaultdict(Fraction)
    for line in log[1:-1]:
        *_, chips, names = line.split(":")
        for name, amount in zip(names.split("|"), chips.split("|"), strict=True):
            won[name] += Fraction(amount)
    _, chips, names = log[-1].split(":")
    assert dict(zip(names.split("|"), map(Fraction, chips.split("|")), strict=True)) == won
    assert any(amount.denominator == 2 for amount in standing.points), (
        "the seed has no odd split pot any more"
    )


@pytest.mark.loopback
def test_over_real_ports_every_line_is_one_send_that_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    game, listens, heard = Holdem.named("acpc-2"), Event(), list[str]()
    lines: list[Line] = []
    sends = Counter[int]()

    class CountedSocket(socket.socket):
        def sendall(self, data: Any, flags: int = 0) -> None:
            sends[data.count(b"\n")] += 1
            super().sendall(data, flags)

    monkeypatch.setattr(socket, "socket", CountedSocket)
    ports = [free_port(), free_port()]

    def note(message: str) -> None:
        listens.set()

    def deal() -> None:
        lines.extend(seated(ports, "127.0.0.1", 60, note))
        AcpcDealer(game, ["a", "b"], 1, heard.append).deal(lines, 5)

    dealer = in_background(deal)
    assert listens.wait(60)
    players = [connected(f"127.0.0.1:{port}", 60) for port in ports]
    OPEN.extend(players)
    agent = find_agent("always-call", "holdem")
    threads = [
        in_background(partial(play_at, line, game, agent, "me", 1, lambda _: None)) for line in players
    ]
    dealer.join(60)
    for line in [*lines, *players]:
        assert line._connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), (
            "lines wait for each other"
        )
    for line in lines:
        line.close()
    for thread in threads:
        thread.join(60)
    states = [line for line in heard if line.startswith("STATE:")]
    calls = sum(len(line.split(":")[2].replace("/", "")) for line in states)
    told = 2 * (calls + len(states))  # both players, before every call and at the end of a hand
    assert sends == {1: told + calls + len(players)}  # a version a player, and an answer a call


def test_the_same_seed_gives_the_same_log() -> None:
    assert (
        match("acpc-2", ["always-call", "rulebot"], 6)[0] == match("acpc-2", ["always-call", "rulebot"], 6)[0]
    )


def test_a_player_who_hangs_up_loses_nothing_that_was_logged() -> None:
    game = Holdem.named("acpc-2")
    here, there = pairs(2)
    agent = find_agent("always-call", "holdem")
    thread = in_background(lambda: play_at(there[0], game, agent, "a", 1, lambda line: None))

    def leaves() -> None:
        line = there[1]
        line.tell(VERSION)
        while (heard := line.hear()) is not None:
            seen = read_view(heard, game)
            if seen.hand == 2:
                line.close()
                return
            if seen.state.to_act == 0:
                line.tell(f"{heard}:c")

    leaver, log = in_background(leaves), list[str]()
    dealer = AcpcDealer(game, ["a", "b"], 1, log.append)
    with pytest.raises(HungUp, match="hung up"):
        dealer.deal(here, 10)
    for line in here:
        line.close()
    thread.join(30)
    leaver.join(30)
    assert dealer.standing.hands == 2
    assert len([line for line in log if line.startswith("STATE:")]) == 2


def test_a_dealer_who_hangs_up_in_the_middle_is_noticed_and_the_hands_before_are_kept() -> None:
    game = Holdem.named("acpc-2")
    (here,), (there,) = pairs(1)
    log: list[str] = []
    found: list[MatchStanding] = []
    agent = find_agent("always-call", "holdem")
    thread = in_background(lambda: found.append(play_at(there, game, agent, "me", 1, log.append)))
    assert here.hear() == VERSION
    here.tell("# a comment")
    here.tell("MATCHSTATE:1:0::|9c6h")
    assert here.hear() == "MATCHSTATE:1:0::|9c6h:c"
    here.tell("MATCHSTATE:1:0:crc/:|9c6h/2c3d4h")
    here.tell("MATCHSTATE:1:0:crc/rf:|9c6h/2c3d4h")
    here.tell("MATCHSTATE:0:1::9s8h|")
    here.close()
    thread.join(30)
    assert found[0].unfinished
    assert found[0].hands == 1
    assert log == ["STATE:0:crc/rf:|9c6h/2c3d4h:20|-20:seat 1|me"]


@pytest.mark.parametrize("line", ["nonsense", "MATCHSTATE:0:0:zz:9s8h|", "MATCHSTATE:0:0::9s8h|\u00e9"])
def test_a_player_refuses_what_is_not_the_protocol(line: str) -> None:
    (here,), (there,) = pairs(1)
    here._connection.sendall(line.encode() + b"\r\n")
    with pytest.raises(BadLine):
        play_at(there, Holdem.named("acpc-2"), find_agent("always-call", "holdem"), "me", 1, lambda _: None)
    here.close()
    there.close()


@pytest.mark.parametrize(
    ("spoken", "message"),
    [
        ("VERSION:1.0.0", "not our protocol"),
        ("hello", "not our protocol"),
        ("x" * 5000, "longer than 4096 bytes"),
    ],
)
def test_a_dealer_refuses_who_does_not_speak_the_protocol(spoken: str, message: str) -> None:
    here, there = pairs(2)
    for line in there:
        line.tell(spoken)
    with pytest.raises(BadLine, match=message):
        AcpcDealer(Holdem.named("acpc-2"), ["a", "b"], 1, lambda _: None).deal(here, 1)
    for line in (*here, *there):
        line.close()


def test_an_illegal_answer_ends_the_match_with_its_reason() -> None:
    game = Holdem.named("acpc-2")
    here, there = pairs(2)
    for line in there:
        line.tell(VERSION)

    def cheats() -> None:
        heard = there[0].hear()  # with two seats the dealer, seat 0, acts first
        there[0].tell(f"{heard}:r9999")

    thread = in_background(cheats)
    with pytest.raises(BadLine, match="illegal action 'r9999'"):
        AcpcDealer(game, ["a", "b"], 1, lambda _: None).deal(here, 1)
    thread.join(30)
    for line in (*here, *there):
        line.close()


@pytest.mark.parametrize("place", ["localhost", "localhost:", ":1", "localhost:0", "localhost:70000", "a:b"])
def test_an_address_that_is_none_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match="is no address: HOST:PORT"):
        address(place)


def test_nobody_at_the_address_is_said() -> None:
    with pytest.raises(ValueError, match="no dealer answers at 127"):
        connected("127.0.0.1:1", 2)
