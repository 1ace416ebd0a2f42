"""Connections that say too much, too little or nothing: real sockets, a real server, small limits."""

import json
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from serving import GENEROUS, RealServer

from retruco.web.core.connections import OTHER_FILES, most_connections
from retruco.web.core.settings import Limits
from waiting import wait_until

pytestmark = pytest.mark.loopback

SMALL = replace(
    GENEROUS, header_bytes=4096, header_count=30, header_seconds=0.4, first_request_seconds=0.4, idle_seconds=0.4,
    body_seconds=0.4, answer_seconds=0.4, pipelined=5,
)  # fmt: skip
PATIENT = replace(SMALL, first_request_seconds=60, idle_seconds=60, header_seconds=60)
BEGIN = b"GET /api/opponents HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    yield from running(tmp_path_factory.mktemp("small") / "t.sqlite", SMALL)


def running(store: Path, limits: Limits) -> Iterator[RealServer]:
    found = RealServer(store, limits=limits)
    found.start()
    yield found
    found.stop()


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[RealServer]:
    """A server with room for twelve connections, eight of them from one address."""
    limits = replace(PATIENT, connections=12, connections_per_address=8)
    yield from running(tmp_path / "t.sqlite", limits)


def connect(server: RealServer, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 20, (source, 0))


def heard(line: socket.socket) -> bytes:
    """Everything the server says until it hangs up."""
    said = b""
    try:
        while piece := line.recv(65536):
            said += piece
    except ConnectionResetError:
        pass  # it had not read all that we sent
    return said


def heard_for_now(line: socket.socket) -> bytes:
    """What the server has said by now and will soon say, on a line that stays open."""
    line.settimeout(0.1)
    said = b""
    try:
        while piece := line.recv(65536):
            said += piece
    except TimeoutError:
        return said
    raise AssertionError("the server has hung up")


def send(line: socket.socket, data: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # it has hung up, as `heard` will tell
        line.sendall(data)


def drip(line: socket.socket, data: bytes) -> bytes:
    """Send something forever in small pieces; what the server says when it has had enough."""
    line.settimeout(0.05)
    said: list[bytes] = []

    def is_enough() -> bool:
        send(line, data)
        try:
            said.append(line.recv(65536))
        except TimeoutError:
            return False
        except ConnectionResetError:
            said.append(b"")
        return True

    wait_until(is_enough, "the server has had enough")
    return said[0]


# What is read


@pytest.mark.parametrize(
    "request_",
    [
        BEGIN + b"X-Long: " + b"x" * 200_000,
        BEGIN + b"".join(b"X-%d: 1\r\n" % one for one in range(40)) + b"\r\n",
        b"GET /" + b"x" * 200_000,
        b"G" + b"\r\n" * 3000,
    ],
    ids=["one endless header", "many headers", "an endless address", "nothing that makes sense"],
)
def test_endless_headers_are_refused(server: RealServer, request_: bytes) -> None:
    with connect(server) as line:
        send(line, request_)
        assert heard(line)[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 400")
    wait_until(lambda: server.connections == 0, "the server hangs up")


def test_the_refusal_names_the_headers(server: RealServer) -> None:
    with connect(server) as line:
        send(line, BEGIN + b"X-Long: " + b"x" * 5000)
        assert heard(line).startswith(b"HTTP/1.1 431 Request Header Fields Too Large")


def test_who_goes_on_sending_after_a_refusal_is_cut_off(server: RealServer) -> None:
    with connect(server) as line, pytest.raises((BrokenPipeError, ConnectionResetError)):
        line.sendall(b"x" * 50_000_000)


def test_headers_within_the_limits_are_read_in_any_pieces(server: RealServer) -> None:
    request_ = BEGIN + b"X-Long: " + b"x" * 3000 + b"\r\nConnection: close\r\n\r\n"
    for size in (len(request_), 700, 97):
        with connect(server) as line:
            for start in range(0, len(request_), size):
                line.sendall(request_[start : start + size])
            assert heard(line).startswith(b"HTTP/1.1 200")


def test_a_body_as_long_as_allowed_may_follow_its_headers_at_once(server: RealServer) -> None:
    body = json.dumps({"name": "x", "keep": False}).encode().ljust(16_000)
    head = b"POST /api/bots HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    with connect(server) as line:
        line.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert heard(line).startswith(b"HTTP/1.1 201")


def test_who_sends_many_requests_ahead_is_cut_off(server: RealServer) -> None:
    with connect(server) as line:
        send(line, (BEGIN + b"\r\n") * 3000)
        assert heard(line).count(b"HTTP/1.1 200") < 100
    with connect(server) as line:
        send(line, (BEGIN + b"\r\n") * 4 + BEGIN + b"Connection: close\r\n\r\n")
        assert heard(line).count(b"HTTP/1.1 200") == 5


# How long it takes


def test_a_connection_that_asks_nothing_is_closed(server: RealServer) -> None:
    with connect(server) as line:
        assert heard(line) == b""


def test_a_connection_is_closed_when_no_further_request_comes(server: RealServer) -> None:
    with connect(server) as line:
        send(line, BEGIN + b"\r\n")
        assert heard(line).startswith(b"HTTP/1.1 200")


def test_a_byte_after_an_answer_does_not_keep_a_connection_open(server: RealServer) -> None:
    with connect(server) as line:
        send(line, BEGIN + b"\r\n")
        assert line.recv(12) == b"HTTP/1.1 200"
        send(line, b"G")
        assert b"HTTP/1.1 408" in heard(line)


def test_dripped_headers_are_cut_off(server: RealServer) -> None:
    with connect(server) as line:
        send(line, BEGIN)
        assert drip(line, b"X: 1\r\n").startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("path", ["/api/bots", "/play", "/no/such/page"])
def test_a_dripped_body_is_cut_off(server: RealServer, path: str) -> None:
    with connect(server) as line:
        send(line, f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n".encode())
        assert drip(line, b" ")[:12] in (b"HTTP/1.1 408", b"HTTP/1.1 404")
        wait_until(lambda: server.connections == 0, "the server hangs up")


def test_who_does_not_read_the_answers_is_cut_off(server: RealServer) -> None:
    with connect(server) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wait_until(lambda: server.connections == 1, "the server takes the call")
        for _ in range(40):
            send(line, b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.connections == 0, "the server hangs up")


# How many there are


def answers(server: RealServer, source: str) -> bool:
    transport = httpx2.HTTPTransport(local_address=source)
    with httpx2.Client(base_url=server.address, transport=transport, timeout=20) as client:
        return client.get("/api/opponents").status_code == 200


def is_closed(line: socket.socket) -> bool:
    line.settimeout(0)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_idle_connections_of_one_address_make_room_for_its_next(crowded: RealServer) -> None:
    lines = [connect(crowded) for _ in range(30)]
    assert answers(crowded, "127.0.0.1")
    assert answers(crowded, "127.0.0.2")
    assert crowded.connections <= 9
    assert [is_closed(one) for one in (lines[0], lines[-1])] == [True, False]
    for line in lines:
        line.close()


def test_when_all_places_are_taken_the_oldest_idle_connection_goes(crowded: RealServer) -> None:
    lines = [connect(crowded, f"127.0.0.{place % 5 + 1}") for place in range(30)]
    assert answers(crowded, "127.0.0.9")
    assert crowded.connections <= 13
    assert [is_closed(one) for one in (lines[0], lines[-1])] == [True, False]
    for line in lines:
        line.close()


def test_who_waits_for_an_answer_is_not_closed_for_the_idle(crowded: RealServer) -> None:
    with httpx2.Client(base_url=crowded.address, timeout=30) as client:
        token = client.post("/api/bots", json={"name": "waits"}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        match = client.post("/api/bots/matches", json={"opponent": "bot"}, headers=headers).json()["match"]
    with connect(crowded) as poll:
        poll.sendall(
            f"GET /api/bots/matches/{match}/turn?wait=1.5 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Authorization: Bearer {token}\r\n\r\n".encode()
        )
        wait_until(lambda: crowded.registry.bot_notifier.is_waiting(match), "the bot waits")
        lines = [connect(crowded) for _ in range(30)]
        assert heard(poll).startswith(b"HTTP/1.1 200")
    for line in lines:
        line.close()


SERVE = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))
from retruco.web.core.app import create_app
from retruco.web.core.server import TableServer
from retruco.web.core.settings import Limits, Settings
limits = Limits(connections_per_address=1000, connections_burst=1000, first_request_seconds=60)
TableServer(create_app(Settings(Path(sys.argv[1]), limits=limits)), "127.0.0.1", int(sys.argv[2])).run()
"""


@pytest.mark.slow
def test_a_server_with_few_descriptors_still_answers_everybody(tmp_path: Path) -> None:
    server = RealServer(tmp_path / "unused.sqlite")  # for its port alone
    command = [sys.executable, "-c", SERVE, str(tmp_path / "t.sqlite"), str(server.port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    lines: list[socket.socket] = []
    try:
        wait_until(lambda: is_listening(server.port), "the server starts")
        lines = [connect(server) for _ in range(600)]
        assert answers(server, "127.0.0.1")
        assert answers(server, "127.0.0.2")
    finally:
        for line in lines:
            line.close()
        process.terminate()
        _, errors = process.communicate(timeout=120)
    assert "Too many open files" not in errors


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def test_the_number_of_connections_leaves_room_for_files() -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most_connections(10**9) == soft - OTHER_FILES
    assert most_connections(10) == 10


def test_an_address_that_opens_connections_all_the_time_is_not_listened_to(tmp_path: Path) -> None:
    limits = replace(PATIENT, connections_burst=5, connections_per_second=0.001)
    for server in running(tmp_path / "t.sqlite", limits):
        codes = [answers(server, "127.0.0.1") for _ in range(5)]
        assert codes == [True] * 5
        with connect(server) as line:
            send(line, BEGIN + b"\r\n")
            assert heard(line) == b""
        assert answers(server, "127.0.0.2")


@pytest.mark.slow
def test_who_asks_too_often_gets_no_quick_answer(tmp_path: Path) -> None:
    limits = replace(PATIENT, burst=1, per_second=0.001, refusal_seconds=60)
    for server in running(tmp_path / "t.sqlite", limits):
        with connect(server) as line, connect(server, "127.0.0.2") as other:
            line.sendall((BEGIN + b"\r\n") * 2)
            assert line.recv(65536).startswith(b"HTTP/1.1 200")
            other.sendall(BEGIN + b"\r\n")
            assert other.recv(65536).startswith(b"HTTP/1.1 200")
            assert b"429" not in heard_for_now(line)
