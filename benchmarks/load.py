"""Load: two hundred bots at once through the real interface, each moving about once a second.

    python benchmarks/load.py                       # a minute of 200 matches
    python benchmarks/load.py --job                 # the same while a laboratory job runs
    python benchmarks/load.py --attack all          # the same beside each attack of benchmarks/attacks.py in turn
    python benchmarks/load.py --memory 60           # 60 bots for an hour: the server's memory every minute

A server of its own is started as a process of its own, as it always is, limits included: every move is
on disk before it is answered. This process is the bots; each has an address of its own in the loopback
network. What is measured is a move: from sending the answer to having it confirmed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import uvloop

from attacks import ATTACKS
from retruco.web.core.admin_key import new_key
from retruco.web.core.settings import Settings

Json = dict[str, Any]
SETTLES = 5
"""Seconds that the server has to come to rest."""
JOB_STARTS = 15
"""Seconds that a job has to open its case base before the measurement begins."""
MEMORY_BOTS = 60
"""Bots that play while memory is measured."""
SETTLED = 10
"""Minutes after which memory should no longer grow."""


@dataclass
class Measured:
    """What the bots have seen."""

    moves: list[float] = field(default_factory=list)
    """Seconds from sending a move to having it confirmed."""
    replies: list[float] = field(default_factory=list)
    """Seconds from a confirmed move to the next turn: the house has moved meanwhile."""
    matches: int = 0
    errors: list[str] = field(default_factory=list)


def address_of(number: int) -> str:
    """The loopback address from which a bot connects."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


class Line:
    """One kept connection; what is written and read is plain HTTP/1.1."""

    def __init__(self, port: int, source: str) -> None:
        self._port, self._source, self.token = port, source, ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: object = None) -> Json:
        """Ask, and give what was answered; anything but success is an error."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._source, 0)
            )
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content)
        found = await reader.readuntil(b"\r\n\r\n")
        status = int(found[9:12])
        length = next(line for line in found.lower().split(b"\r\n") if line.startswith(b"content-length"))
        answer = json.loads(await reader.readexactly(int(length.split(b":")[1])))
        if status >= 400:
            raise RuntimeError(f"{status} {answer}")
        assert isinstance(answer, dict)
        return answer

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()


class LoadBot:
    """A bot that plays match after match against the house, thinking about a second a move."""

    def __init__(self, number: int, port: int, pause: float, opponents: list[str], seen: Measured) -> None:
        self._chance = random.Random(number)
        self._line, self._number = Line(port, address_of(number)), number
        self._pause, self._seen = pause, seen
        self._opponent = opponents[number % len(opponents)]

    async def run(self, until: float, from_: float) -> None:
        """Play until a time; what happens before another is not counted."""
        try:
            await asyncio.sleep(self._chance.random() * self._pause)
            self._line.token = (await self._line.ask("POST", "/api/bots", {"name": f"bot {self._number}"}))[
                "token"
            ]
            while time.monotonic() < until:
                await self._match(until, from_)
        except (RuntimeError, OSError, asyncio.IncompleteReadError) as error:
            self._seen.errors.append(repr(error))
        finally:
            self._line.close()

    async def _match(self, until: float, from_: float) -> None:
        match = (await self._line.ask("POST", "/api/bots/matches", {"opponent": self._opponent}))["match"]
        path, number, confirmed = f"/api/bots/matches/{match}", -1, 0.0
        while time.monotonic() < until:
            told = await self._line.ask("GET", f"{path}/turn?after={number}&wait=25")
            if told["state"] == "over":
                self._seen.matches += 1
                return
            if not told["your_turn"]:
                continue
            if confirmed > from_:
                self._seen.replies.append(time.monotonic() - confirmed)
            await asyncio.sleep(self._pause * (0.5 + self._chance.random()))
            number, sent = told["number"], time.monotonic()
            answer = {"number": number, "action": self._chance.choice(told["seen"]["legal"])}
            await self._line.ask("POST", f"{path}/act", answer)
            confirmed = time.monotonic()
            if sent > from_:
                self._seen.moves.append(confirmed - sent)


def at(values: list[float], share: float) -> float:
    """The value below which a share of them lies, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def told(what: str, values: list[float]) -> str:
    """A line of the table."""
    cells = " | ".join(f"{at(values, share):.1f}" for share in (0.5, 0.95, 0.99, 1.0))
    return f"| {what} | {len(values):,} | {cells} |"


async def load(port: int, options: argparse.Namespace) -> Measured:
    """Let all bots play."""
    seen = Measured()
    begin = time.monotonic() + options.warm
    bots = [LoadBot(one, port, options.pause, options.against, seen) for one in range(options.bots)]
    await asyncio.gather(*(bot.run(begin + options.seconds, begin) for bot in bots))
    return seen


JOB = {
    "first": {"extra": "PV", "intra": "NP"},
    "second": {"intra": "NP", "clusters": False},
    "matches": 5000,
}
"""A laboratory job that outlasts the measurement: PVCNPS against NPS on the embedded base."""


def start_job(port: int, key: str) -> None:
    """Start a job as the owner does in a browser: the key, a cookie, the key of the forms."""
    line, cookies = HTTPConnection("127.0.0.1", port, timeout=60), dict[str, str]()

    def ask(method: str, path: str, body: object = None, form_key: str = "") -> bytes:
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        headers = {"Cookie": cookie, "X-Form-Key": form_key, "Content-Type": "application/json"}
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                cookie_name, _, token = value.partition(";")[0].partition("=")
                cookies[cookie_name] = token
        content = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{answer.status} {content[:300]!r}")
        return content

    found = re.search(rb'name="form_key" value="(\w+)"', ask("GET", "/"))
    assert found is not None
    form_key = found[1].decode()
    ask("POST", "/api/laboratory/key", {"key": key}, form_key)
    ask("POST", "/api/laboratory/jobs", JOB, form_key)
    line.close()


def serve(port: int, store: str) -> None:
    """Be the server."""
    from retruco.learning.case_bases import cases_named
    from retruco.storage.store import FILE, home
    from retruco.web.core.app import create_app
    from retruco.web.core.server import TableServer

    settings = Settings(Path(store), cases=home() / FILE)
    TableServer(create_app(settings, cases_named()), "127.0.0.1", port).run()


async def wait_for(port: int, against: list[str]) -> None:
    """Wait until the server answers, and everybody the bots will play against has been made."""
    for _ in range(600):
        try:
            line = Line(port, "127.0.0.1")
            line.token = (await line.ask("POST", "/api/bots", {"name": "early bot"}))["token"]
            for opponent in against:
                await line.ask("POST", "/api/bots/matches", {"opponent": opponent})
            line.close()
            await asyncio.sleep(SETTLES)
            return
        except OSError:
            await asyncio.sleep(0.1)
    raise RuntimeError("the server does not start")


def processor_seconds(pid: int) -> float:
    """How much of a processor a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> float:
    """The memory that a process has in use, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


@contextmanager
def serving(options: argparse.Namespace) -> Iterator[tuple[int, str]]:
    """Run the server as a process of its own until it is no longer needed; give its number and the owner's key."""
    store = Path(tempfile.mkdtemp(prefix="retruco-load-")) / "table.sqlite"
    key = new_key(store) or ""
    server = subprocess.Popen([sys.executable, __file__, "--serve", str(options.port), str(store)])
    try:
        asyncio.run(wait_for(options.port, options.against))
        yield server.pid, key
    finally:
        server.terminate()
        server.wait()


def measure(options: argparse.Namespace) -> None:
    """Let the bots play, and print a table."""
    with serving(options) as (pid, key):
        if options.job:
            start_job(options.port, key)
            time.sleep(JOB_STARTS)
        before, busy = os.getloadavg(), processor_seconds(pid)
        seen = uvloop.run(load(options.port, options))
        used = (processor_seconds(pid) - busy) / (options.seconds + options.warm)
    print(
        f"{options.bots} bots, {options.seconds:g} s, {len(seen.moves) / options.seconds:.0f} moves a second of the bots"
    )
    print(
        f"server {used:.0%} of one core; load of the machine {before[0]:.1f} before, {os.getloadavg()[0]:.1f} after"
    )
    print("| | count | median ms | 95 % | 99 % | most |\n|---|---|---|---|---|---|")
    print(told("a move, confirmed", seen.moves))
    print(told("the house's next move", seen.replies))
    print(f"matches finished {seen.matches}, errors {len(seen.errors)}", *seen.errors[:5], sep="\n")


async def load_and_watch(options: argparse.Namespace, pid: int) -> tuple[Measured, float]:
    """Let all bots play; give the most memory that the server had meanwhile, too."""
    playing, most = asyncio.create_task(load(options.port, options)), 0.0
    while not playing.done():
        most = max(most, memory_of(pid))
        await asyncio.wait([playing], timeout=0.5)
    return await playing, most


def attack(name: str, options: argparse.Namespace) -> subprocess.Popen[str]:
    """Start an attack as a process of its own."""
    script, seconds = Path(__file__).with_name("attacks.py"), options.warm + options.seconds
    command = [sys.executable, str(script), name, str(options.port), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def measure_attack(name: str, options: argparse.Namespace) -> str:
    """Let the bots play beside an attack, or none; give a line of the table."""
    with serving(options) as (pid, _):
        at_rest, machine = memory_of(pid), os.getloadavg()[0]
        attacker = None if name == "none" else attack(name, options)
        seen, most = uvloop.run(load_and_watch(options, pid))
        answers = json.loads(attacker.communicate()[0] or "{}") if attacker else {}
    waits = " | ".join(f"{at(seen.moves, share):.1f}" for share in (0.5, 0.95, 0.99, 1.0))
    counts = ", ".join(f"{status}: {count:,}" for status, count in sorted(answers.items()))
    return (
        f"| {name} | {machine:.1f} / {os.getloadavg()[0]:.1f} | {len(seen.moves) / options.seconds:.0f} | {waits} "
        f"| {len(seen.errors)} | {at_rest:.0f} / {most:.0f} | {counts} |"
    )


def measure_attacks(options: argparse.Namespace) -> None:
    """Measure beside no attack and beside each that was asked for, and print a table."""
    print(f"{options.bots} bots, {options.seconds:g} s each")
    print("| attack | load before / after | moves a second | median ms | 95 % | 99 % | most | errors | MB at rest / most "
          "| how the attacker was answered |\n|---|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    for name in ("none", *(ATTACKS if "all" in options.attack else options.attack)):
        print(measure_attack(name, options), flush=True)


async def play_and_weigh(options: argparse.Namespace, pid: int) -> list[float]:
    """Let the bots play for so many minutes; print the server's memory after each, and give it."""
    options.seconds = 60 * options.memory - options.warm
    playing, found = asyncio.create_task(load(options.port, options)), list[float]()
    for minute in range(1, options.memory + 1):
        await asyncio.sleep(60)
        found.append(memory_of(pid))
        print(f"| {minute} | {found[-1]:.0f} |", flush=True)
    seen = await playing
    print(
        f"\n{len(seen.moves):,} moves, {seen.matches:,} matches, {len(seen.errors)} errors", *seen.errors[:5]
    )
    return found


def measure_memory(options: argparse.Namespace) -> None:
    """Print the server's memory minute by minute, and how much it has grown since the tenth."""
    options.bots = MEMORY_BOTS
    with serving(options) as (pid, _):
        print(f"{options.bots} bots\n\n| minute | MB |\n|---|---|\n| 0 | {memory_of(pid):.0f} |", flush=True)
        found = uvloop.run(play_and_weigh(options, pid))
    settled = min(SETTLED, len(found))
    print(f"at the end {found[-1] / found[settled - 1] - 1:+.1%} of what it was after {settled} minutes")


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "STORE"))
    parser.add_argument("--port", type=int, default=8399)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=10)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--job", action="store_true", help="while a laboratory job runs")
    parser.add_argument(
        "--attack", nargs="+", choices=(*ATTACKS, "all"), help="while one client does its worst"
    )
    parser.add_argument("--memory", type=int, nargs="?", const=60, metavar="MINUTES", help="memory over time")
    parser.add_argument("--against", nargs="+", default=["balanced", "cautious", "novice", "NPCS"])
    options = parser.parse_args()
    if options.serve:
        serve(int(options.serve[0]), options.serve[1])
    elif options.attack:
        measure_attacks(options)
    elif options.memory:
        measure_memory(options)
    else:
        measure(options)


if __name__ == "__main__":
    main()
