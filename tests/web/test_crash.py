"""kill -9 in the middle of matches, and a new start: everything goes on where it was."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from serving import free_port
from visitors import Guest, Json, Visitor, first_legal

from retruco.web.core.store import Store
from waiting import wait_until

pytestmark = pytest.mark.loopback


SERVE = "from retruco.web.tables import preparation; preparation.PREPARE = (); from retruco.cli import main; main()"
"""Serves without a second process that makes case bases: nobody here remembers."""


@contextmanager
def running(store: Path, port: int, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A real `retruco serve`; what still runs at the end is killed."""
    options = ["--store", str(store), "--no-browser", "--cases", "none-is-needed-here"]
    command = [sys.executable, "-c", SERVE, "serve", "--port", str(port), *options]
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, "RETRUCO_HOME": str(store.parent)}
        )
    try:
        wait_for(port, process)
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    def answers() -> bool:
        assert process.poll() is None, "the server did not start"
        try:
            return httpx2.get(f"http://127.0.0.1:{port}/api/opponents", timeout=10).is_success
        except httpx2.TransportError:
            return False

    wait_until(answers, "the server answers")


class Patient(httpx2.Client):
    """Somebody who takes a breath when the server, with the limits it always has, asks for one."""

    def request(self, *args: Any, **kwargs: Any) -> httpx2.Response:
        def welcome() -> httpx2.Response | None:
            answer = super(Patient, self).request(*args, **kwargs)
            return None if answer.status_code == 429 else answer

        return wait_until(welcome, "the server has time again")


def advance(visitor: Visitor, match: str, moves: int) -> list[Json]:
    """Play on, and give all positions; each was told only when it was stored."""
    for _ in range(moves):
        frame = visitor.now(match)
        if frame["end"]:
            break
        visitor.act(match, frame["number"], first_legal(frame))
    return visitor.look(match)


@pytest.mark.slow
def test_every_match_goes_on_at_the_same_point(tmp_path: Path) -> None:
    store, log, port = tmp_path / "table.sqlite", tmp_path / "log", free_port()
    address = f"http://127.0.0.1:{port}"
    with Patient(base_url=address, timeout=30) as client:
        with running(store, port, log) as process:
            visitor = Guest(client)
            matches = [visitor.open(opponent=name, target=9) for name in ("balanced", "bluffer", "random")]
            practice = visitor.open(opponent="novice", practice=True, target=9)
            before = {match: advance(visitor, match, 5) for match in (*matches, practice)}
            tables = sat_down(visitor)
            shown = {where: visitor.page(where) for where in tables}
            token = next(iter(visitor.cookies.values()))
            process.send_signal(signal.SIGKILL)
            process.wait()
        client.close()
    with Patient(base_url=address, timeout=30) as client, running(store, port, log):
        visitor.http = client
        for match, frames in before.items():
            visitor.now(match)
            after = visitor.look(match)
            for old, new in zip(frames, after, strict=False):
                assert {**new, "can": None} == {**old, "can": None}
            assert len(after) >= len(frames)
        assert {where: visitor.page(where) for where in tables} == shown
        for where in tables:
            visitor.play_hand(where)
        last = visitor.play_out(matches[0])
        assert last["end"]
    assert token not in log.read_text()
    no_hand_is_lost_or_doubled(store, matches[0])


def sat_down(visitor: Guest) -> list[str]:
    """Tables of other games: two in the middle of a hand, and one whose hand is over."""
    holdem = {"seat1": "rulebot", "seat2": "simplebot", "seat3": "always-call"}
    tables = [visitor.sit_down("holdem", **holdem), visitor.sit_down("euchre", left="UF.5@tricks")]
    for where in tables:
        visitor.go_on(where, lambda may: may[-1])
    tables.append(visitor.sit_down("holdem", **holdem))
    visitor.play_hand(tables[-1])
    return tables


def no_hand_is_lost_or_doubled(file: Path, match: str) -> None:
    store = Store(file)
    stored = store.load(match)
    store.close()
    assert stored is not None
    assert len(stored.deals) == len(stored.actions)
    assert all(stored.actions)
    assert len({deal.salt for deal in stored.deals}) == len(stored.deals)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--host", "0.0.0.0"], "--behind-proxy"),
        (["--host", "0.0.0.0", "--behind-proxy"], "--name"),
    ],
)
def test_it_does_not_listen_to_the_world_by_accident(tmp_path: Path, args: list[str], told: str) -> None:
    command = [sys.executable, "-c", "from retruco.cli import main; main()", "serve", *args]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr.decode()
    assert re.match(r"retruco: ", done.stderr.decode())
