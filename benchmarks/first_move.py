"""How long the web table takes to answer: from the request that asks for a match, or from one's own move, to the agent's.

Starts the server as a program of its own, with limits so wide that they are never met, lets every level
move once, and then plays over the line as a browser does.

    python benchmarks/first_move.py [--moves N] [--port PORT]
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import httpx2

from retruco.agents.truco.levels import LEVELS

PLAYERS = ("novice", "cautious", "balanced", "NPCS", *LEVELS)
SERVER = """
import sys
from pathlib import Path
from retruco.learning.case_bases import cases_named
from retruco.web.core.app import create_app
from retruco.web.core.server import TableServer
from retruco.web.core.settings import Limits, Settings
wide = Limits(per_second=10_000, burst=10_000, matches_per_minute=10_000, open_matches=10_000)
TableServer(create_app(Settings(Path(sys.argv[1]), limits=wide), cases_named()), "127.0.0.1", int(sys.argv[2])).run()
"""


class Browser:
    """What a page does, without the page."""

    def __init__(self, address: str) -> None:
        self.http = httpx2.Client(base_url=address, timeout=30)
        found = re.search(r'name="form_key" value="(\w+)"', self.http.get("/").text)
        assert found is not None, "the front page has no form"
        self._headers = {"X-Form-Key": found[1]}

    def post(self, path: str, body: dict[str, object]) -> dict[str, Any]:
        """Ask for a change."""
        answer = self.http.post(path, json=body, headers=self._headers)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def hear_other(self, match: str, after: int) -> dict[str, Any]:
        """Listen until the other has moved, or it is our turn, or the match is over; give that position."""
        with self.http.stream("GET", f"/api/matches/{match}/events?after={after}") as line:
            for text in line.iter_lines():
                if text.startswith("data: {") and "number" in text:
                    frame: dict[str, Any] = json.loads(text.removeprefix("data: "))
                    if frame["end"] or frame["to_act"] == 0 or (frame["moved"] or {}).get("seat") == 1:
                        return frame
        raise AssertionError("the line was cut")


def first_moves(browser: Browser, level: str, count: int) -> tuple[list[float], list[float]]:
    """Time the first move of matches in which the agent is mão, and its answers to our first card elsewhere."""
    opened: list[float] = []
    answered: list[float] = []
    while min(len(opened), len(answered)) < count:
        start = time.perf_counter()
        match = browser.post("/api/matches", {"opponent": level})["match"]
        frame = browser.hear_other(match, -1)
        if frame["moved"]:
            opened.append(time.perf_counter() - start)
        elif frame["can"]["cards"]:
            start = time.perf_counter()
            act = {"number": frame["number"], "action": frame["can"]["cards"][0]}
            number = browser.post(f"/api/matches/{match}/act", act)["frames"][-1]["number"]
            browser.hear_other(match, number)
            answered.append(time.perf_counter() - start)
    return opened[:count], answered[:count]


def told(times: list[float]) -> str:
    """Print the middle, the 95th of a hundred and the longest, in milliseconds."""
    late = sorted(times)[int(0.95 * len(times))]
    return " / ".join(f"{1000 * one:5.1f}" for one in (median(times), late, max(times)))


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until somebody answers there."""
    while process.poll() is None:
        try:
            httpx2.get(address)
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the server did not start")


def main() -> None:
    """Print one line for each level."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moves", type=int, default=100, help="how many of each kind (100)")
    parser.add_argument("--port", type=int, default=8399)
    told_to = parser.parse_args()
    address = f"http://127.0.0.1:{told_to.port}"
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "table.sqlite")
        process = subprocess.Popen([sys.executable, "-c", SERVER, store, str(told_to.port)])
        try:
            wait_for(address, process)
            for level in PLAYERS:
                first_moves(Browser(address), level, 1)
            print("milliseconds, median / 95 % / longest; first move of a new match, answer to a card")
            for level in PLAYERS:
                opened, answered = first_moves(Browser(address), level, told_to.moves)
                print(f"{level:8} {told(opened)}   {told(answered)}")
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
