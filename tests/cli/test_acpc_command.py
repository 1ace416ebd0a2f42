"""The competition's protocol on the command line: dealer and players as programs of their own, over real ports."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import wait_until

pytestmark = pytest.mark.loopback

RETRUCO = [sys.executable, "-c", "from retruco.cli import main; main()"]
VERSION = b"VERSION:2.0.0\r\n"


def started(home: Path, *args: str) -> subprocess.Popen[str]:
    """Start a command."""
    return subprocess.Popen(
        [*RETRUCO, "acpc", *args],
        env={**os.environ, "RETRUCO_HOME": str(home)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def called(port: int) -> socket.socket:
    """Call a dealer that is just starting."""

    def connection() -> socket.socket | None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=60)
        except ConnectionRefusedError:
            return None

    return wait_until(connection, f"the dealer listens at {port}")


def states(log: Path) -> list[str]:
    return [line for line in log.read_text().splitlines() if line.startswith("STATE:")]


@pytest.mark.slow
def test_two_programs_play_at_the_table_of_a_third(tmp_path: Path) -> None:
    ports = free_ports(2)
    listen = ",".join(map(str, ports))
    dealer = started(
        tmp_path,
        "--listen",
        listen,
        "--hands",
        "8",
        "--names",
        "ana,beto",
        "--log",
        str(tmp_path / "dealer.log"),
    )
    assert dealer.stderr is not None
    assert "waiting for players" in dealer.stderr.readline()
    players = [
        started(
            tmp_path,
            *("--connect", f"127.0.0.1:{port}", "--agent", agent, "--log", str(tmp_path / f"{agent}.log")),
        )
        for port, agent in zip(ports, ("rulebot", "simplebot"), strict=True)
    ]
    told = [one.communicate(timeout=120) for one in (dealer, *players)]
    assert [one.returncode for one in (dealer, *players)] == [0, 0, 0], told
    assert told[0][0].startswith("8 hands of acpc-2\nana: ")
    chips = int(told[0][0].splitlines()[1].split()[1])
    assert f"rulebot: {chips:+d} chips" in told[1][0]
    assert f"simplebot: {-chips:+d} chips" in told[2][0]
    own = states(tmp_path / "dealer.log")
    assert len(own) == 8
    for agent in ("rulebot", "simplebot"):
        assert [line.split(":")[2] for line in states(tmp_path / f"{agent}.log")] == [
            line.split(":")[2] for line in own
        ]


def test_a_player_that_hangs_up_costs_no_finished_hand(tmp_path: Path) -> None:
    ports, log = free_ports(2), tmp_path / "dealer.log"
    dealer = started(tmp_path, "--listen", ",".join(map(str, ports)), "--hands", "50", "--log", str(log))
    with called(ports[0]) as first, called(ports[1]) as second, first.makefile("rb") as heard:
        for line in (first, second):
            line.sendall(VERSION)
        first.sendall(heard.readline().strip() + b":f\r\n")  # with two seats the dealer, seat 0, acts first
        while b":1:" not in heard.readline()[12:]:
            pass  # the first hand is over when the second is told
    told, complaint = dealer.communicate(timeout=120)
    assert dealer.returncode == 2, complaint
    assert told.startswith("1 hands of acpc-2")
    assert "hung up" in complaint
    assert len(states(log)) == 1


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        _, complaint = started(tmp_path, "--listen", f"{port},{free_ports(1)[0]}").communicate(timeout=120)
    assert complaint.count("\n") == 1
    assert str(port) in complaint
