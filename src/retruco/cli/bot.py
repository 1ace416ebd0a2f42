"""The reference client of the bot interface: an agent of ours at the table of a server."""

from __future__ import annotations

import json
import secrets
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlsplit

from retruco.agents.core import Agent, CasesFor, agent_stream, ask_agent
from retruco.agents.registry import find_agent
from retruco.cli.commands.live_tables import BotOptions
from retruco.cli.interrupts import if_interrupted
from retruco.games.truco import Acted, TrucoObservation
from retruco.games.truco.seen import read_seen
from retruco.streams import key_number
from retruco.web.tables.verification import PlayerNotes, verify

Json = dict[str, Any]

WAIT: Final = 25
"""Seconds that a question for the turn waits at most."""
TOO_MANY_REQUESTS: Final = 429
TRIES: Final = 5


class RequestRefused(ValueError):
    """The server has refused something, and said why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"the server answers {status}: {message}")
        self.status = status


@dataclass
class Server:
    """A table far away, over one connection that is kept."""

    address: str
    token: str = field(default="", repr=False)
    _line: HTTPConnection | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{self.address!r} is no address of a table: http://HOST:PORT")

    def ask(self, method: str, path: str, body: object = None) -> Json:
        """Ask until the server has time for it; a lost line is opened again for what may be asked twice."""
        for trial in range(TRIES):
            try:
                status, answer = self._send(method, path, body)
            except (OSError, HTTPException) as error:
                self.hang_up()
                if method != "GET" or trial == TRIES - 1:
                    raise OSError(f"the table at {self.address} does not answer: {error!r}") from None
                time.sleep(0.2 * 2**trial)
                continue
            if status != TOO_MANY_REQUESTS or trial == TRIES - 1:
                return self._check_answer(status, answer)
            time.sleep(2**trial)
        raise AssertionError("the last trial always returns or raises")

    def _send(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        if self._line is None:
            parts = urlsplit(self.address)
            kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
            self._line = kind(parts.hostname or "", parts.port, timeout=WAIT + 30)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        content = None if body is None else json.dumps(body)
        self._line.request(method, path, content, {**headers, "Content-Type": "application/json"})
        answer = self._line.getresponse()
        return answer.status, answer.read()

    def hang_up(self) -> None:
        """Close the line; it is opened again when something is asked."""
        if self._line is not None:
            self._line.close()
        self._line = None

    def _check_answer(self, status: int, answer: bytes) -> Json:
        try:
            found = json.loads(answer)
        except ValueError:
            found = {}
        if status >= 400:
            raise RequestRefused(
                status, str(found.get("message", "")) or answer[:200].decode(errors="replace")
            )
        assert isinstance(found, dict)
        return found


@dataclass
class RemoteSeat:
    """An agent of ours in one match far away."""

    server: Server
    agent: Agent
    match: str
    seed: int
    history: tuple[TrucoObservation, ...] = ()
    seals: dict[int, str] = field(default_factory=dict)
    """The seals that were shown before the hands."""

    def play(self) -> Json:
        """Play the match out; give how it ended."""
        number = -1
        while True:
            turn = self._get(f"turn?after={number}&wait={WAIT}")
            if turn.get("seal"):
                self.seals.setdefault(turn["hand"], turn["seal"])
            if turn["state"] == "over":
                return turn
            if turn["your_turn"]:
                self.server.ask("POST", self._path("act"), self._answer(turn))
                number = turn["number"]

    def _answer(self, turn: Mapping[str, Any]) -> Json:
        if turn["hand"] > len(self.history):
            ended = self._get(f"hands?after={len(self.history) - 1}")["hands"]
            self.history += tuple(map(read_seen, ended))
        seen = read_seen(turn["seen"], self.history)
        acted = sum(isinstance(event, Acted) and event.seat == seen.seat for event in seen.log)
        chance = agent_stream(self.seed, seen.seat, turn["hand"], acted)
        action = ask_agent(self.agent, seen, chance).action
        return {"number": turn["number"], "action": action}

    def _get(self, path: str) -> Json:
        return self.server.ask("GET", self._path(path))

    def _path(self, path: str) -> str:
        return f"/api/bots/matches/{self.match}/{path}"


def run_bot(options: BotOptions, cases_for: CasesFor) -> None:
    """Let an agent play some matches at a server, and print how they went."""
    if options.matches < 1:
        raise ValueError(f"--matches must be at least 1, not {options.matches}")
    agent = find_agent(options.agent, "truco", cases_for)
    server = Server(options.server.rstrip("/"))
    name = options.name or options.agent.rpartition("/")[2]
    try:
        server.token = server.ask("POST", "/api/bots", {"name": name[:40]})["token"]
        with if_interrupted(lambda: "the matches that are over are kept at the server"):
            results = [_play_match(server, agent, options, number) for number in range(options.matches)]
    finally:
        server.hang_up()
    won = sum(result["won"] for result in results)
    if options.as_json:
        print(json.dumps({"agent": options.agent, "won": won, "matches": results}))
    else:
        print(f"{options.agent} won {won} of {len(results)} against {options.opponent}")


def _play_match(server: Server, agent: Agent, options: BotOptions, number: int) -> Json:
    contribution = _draw_contribution(server)
    body = {
        "opponent": options.opponent,
        "rules": options.rules or "cbtg",
        "target": options.target,
        **contribution,
    }
    match = server.ask("POST", "/api/bots/matches", body)["match"]
    seed = secrets.randbits(48) if options.seed is None else key_number("bot", options.seed, number)
    seat = RemoteSeat(server, agent, match, seed)
    end = seat.play()
    _check_deals(server, match, PlayerNotes(**contribution, seals=seat.seals))
    own, other = end["seen"]["scores"][end["seat"]], end["seen"]["scores"][1 - end["seat"]]
    won, ending = end["end"]["winner"] == end["seat"], end["end"]["ending"]
    sys.stderr.write(f"retruco: {match} {'won' if won else 'lost'} {own}-{other}, {ending}\n")
    return {"match": match, "won": won, "scores": [own, other], "ending": ending}


def _draw_contribution(server: Server) -> dict[str, str]:
    """What we give to the deals, drawn after the server has committed itself; nothing to a server that takes none."""
    try:
        commitment = server.ask("POST", "/api/bots/draws", {})["commitment"]
    except RequestRefused as error:
        if error.status not in (404, 405):
            raise
        return {}
    return {"commitment": commitment, "contribution": secrets.token_hex(32)}


def _check_deals(server: Server, match: str, noted: PlayerNotes) -> None:
    """Check how the deals of a finished match were drawn; complain of what does not agree."""
    if noted.commitment:
        for line in verify(server.ask("GET", f"/api/matches/{match}/export"), noted).differs:
            sys.stderr.write(f"retruco: {match} does not agree: {line}\n")
