"""One client that does its worst to a web table on this machine, within or beyond its limits.

    python benchmarks/attacks.py replay PORT SECONDS

`benchmarks/load.py --attack` starts it beside the bots. It connects to 127.0.0.1 only, from an address of
its own, and prints how it was answered, by status, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

SOURCE = "127.66.66.66"
"""All of the attack comes from here; loopback is a whole network of addresses."""
AT_ONCE = 128


class Attacker:
    """A client without manners."""

    def __init__(self, port: int, seconds: float) -> None:
        self._port, self._end = port, time.monotonic() + seconds
        self.answers: Counter[str] = Counter()
        self.cookie = self.form_key = ""

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self._end

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection."""
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(SOURCE, 0))

    def request(self, method: str, path: str, body: bytes = b"", more: str = "") -> bytes:
        """Write a request."""
        kind = "application/json" if body.startswith(b"{") else "application/x-www-form-urlencoded"
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookie}\r\nX-Form-Key: {self.form_key}\r\n"
            f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
        )
        return head.encode() + body

    async def ask(self, method: str, path: str, body: bytes = b"", more: str = "") -> tuple[int, str, str]:
        """Ask once, on a connection of its own; give status, headers and body."""
        reader, writer = await self.connect()
        try:
            writer.write(self.request(method, path, body, more + "Connection: close\r\n"))
            head, _, text = (await reader.read(-1)).decode().partition("\r\n\r\n")
        finally:
            writer.close()
        self.answers[head[9:12] or "cut off"] += 1
        return int(head[9:12] or 0), head, text

    async def repeat(self, once: Callable[[], Awaitable[None]], workers: int = AT_ONCE) -> None:
        """Do something over and over, many times at once; a cut line is counted, and opened again."""

        async def work() -> None:
            while self.goes_on:
                try:
                    await asyncio.wait_for(once(), max(0.1, self._end - time.monotonic()))
                except (OSError, asyncio.IncompleteReadError):
                    self.answers["cut off"] += 1
                except TimeoutError:
                    return

        await asyncio.gather(*(work() for _ in range(workers)))

    async def say_hello(self) -> None:
        """Get a cookie and the key of the forms."""
        _, head, text = await self.ask("GET", "/")
        cookies = re.findall(r"set-cookie: ([^;]+)", head, re.IGNORECASE)
        found = re.search(r'name="form_key" value="(\w+)"', text)
        assert found is not None, head
        self.cookie, self.form_key = "; ".join(cookies), found[1]

    # The attacks

    async def replay(self) -> None:
        """Ask for the longest replay that can be had, again and again."""
        await self.say_hello()
        wish = {
            "form_key": self.form_key,
            "first": "novice",
            "second": "novice",
            "rules": "argentino",
            "target": 60,
        }
        _, head, _ = await self.ask("POST", "/watch", urlencode(wish).encode())
        found = re.search(r"location: /watch/(\S+)", head, re.IGNORECASE)
        assert found is not None, head
        while "/replay/" not in (await self.ask("GET", f"/watch/{found[1]}"))[1]:
            await asyncio.sleep(0.5)
        paths = [f"/api/matches/{found[1]}/{what}" for what in ("replay", "replay", "export", "others/7")]
        turn = iter(range(10**9))

        async def once() -> None:
            await self.ask("GET", paths[next(turn) % len(paths)])

        await self.repeat(once)

    async def streams(self) -> None:
        """Listen to a match of one's own on as many lines as possible, from its beginning, again and again."""
        await self.say_hello()
        _, _, text = await self.ask("POST", "/api/matches", b'{"opponent": "random", "target": 48}')
        match = json.loads(text)["match"]
        until = time.monotonic() + 10
        while time.monotonic() < until:
            await self._move(match)

        async def once() -> None:
            reader, writer = await self.connect()
            try:
                writer.write(self.request("GET", f"/api/matches/{match}/events?after=-1"))
                self.answers[(await reader.readuntil(b"\r\n\r\n"))[9:12].decode()] += 1
                await reader.read(65536)
            finally:
                writer.close()

        await self.repeat(once)

    async def _move(self, match: str) -> None:
        status, _, text = await self.ask("GET", f"/api/matches/{match}")
        frame = json.loads(text)["frames"][-1] if status == 200 else None
        can = (frame or {}).get("can")
        if frame and can and frame["to_act"] == frame["seat"]:
            calls = [one["call"] for one in can["calls"] if one["why_not"] is None]
            action = (can["cards"] or [one for one in calls if one == "nao-quero"] or calls)[0]
            body = json.dumps({"number": frame["number"], "action": action}).encode()
            await self.ask("POST", f"/api/matches/{match}/act", body)
        await asyncio.sleep(0.05)

    async def tokens(self) -> None:
        """Collect tokens, and open matches and ask with all of them."""
        tokens = [""]

        async def once() -> None:
            status, _, text = await self.ask("POST", "/api/bots", b'{"name": "many"}')
            if status == 201:
                tokens.append(json.loads(text)["token"])
            for token in tokens[-20:]:
                bearer = f"Authorization: Bearer {token}\r\n"
                await self.ask("POST", "/api/bots/matches", b'{"opponent": "NPCS"}', bearer)
                await self.ask("GET", "/api/bots/matches/AAAAAAAAAAAAAAAA/turn?wait=20", more=bearer)

        await self.repeat(once)

    async def headers(self) -> None:
        """Send headers without end."""

        async def once() -> None:
            reader, writer = await self.connect()
            try:
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
                for number in range(1000):
                    writer.write(b"X-%d: " % number + b"x" * 65536 + b"\r\n")
                    await writer.drain()
            except ConnectionError:
                pass  # it has said what it had to say
            finally:
                self.answers[(await reader.read(12))[9:12].decode() or "cut off"] += 1
                writer.close()

        await self.repeat(once, 32)

    async def idle(self) -> None:
        """Open connections and say nothing."""
        lines: list[asyncio.StreamWriter] = []
        while self.goes_on:
            lines.append((await self.connect())[1])
            self.answers["opened"] += 1
            if len(lines) > 2000:
                lines.pop(0).close()
            await asyncio.sleep(0.005)
        for line in lines:
            line.close()

    async def drip(self) -> None:
        """Send headers and bodies a byte at a time."""
        post = b"POST /api/bots HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n"

        async def once() -> None:
            reader, writer = await self.connect()
            try:
                writer.write(post if self.answers.total() % 2 else post[:60])
                while not reader.at_eof():
                    writer.write(b" ")
                    try:
                        said = await asyncio.wait_for(reader.read(12), 0.5)
                    except TimeoutError:
                        continue
                    self.answers[said[9:12].decode() or "cut off"] += 1
                    return
            finally:
                writer.close()

        await self.repeat(once)


ATTACKS = ("replay", "streams", "tokens", "headers", "idle", "drip")


def main() -> None:
    """Attack, and tell how it was answered."""
    name, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    if name not in ATTACKS:
        raise SystemExit(f"no attack is called {name}; there are {', '.join(ATTACKS)}")
    attacker = Attacker(port, seconds)
    asyncio.run(getattr(attacker, name)())
    print(json.dumps(attacker.answers))


if __name__ == "__main__":
    main()
