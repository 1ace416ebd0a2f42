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
from retruco.games.core import Game, Observation
from retruco.games.registry import USUAL_GAME, find_game
from retruco.streams import key_number
from retruco.web.tables.verification import PlayerNotes, verify

Json = dict[str, Any]

WAIT: Final = 25
"""Seconds that a question for the turn waits at most."""
DEFAULT_AGENT: Final = {USUAL_GAME: "balanced"}
"""Who plays when nobody is named; in other games the game's usual agent."""
DEFAULT_OPPONENT: Final = {USUAL_GAME: "juca"}
TURN_KEYS: Final = ("hand", "number", "seat", "seen", "decision")
"""What a server tells a bot that is to act."""
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
    game: Game
    agent: Agent
    match: str
    seed: int
    history: tuple[Observation, ...] = ()
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
        if missing := [key for key in TURN_KEYS if key not in turn]:
            raise ValueError(
                f"the table at {self.server.address} does not tell {missing[0]!r} at a turn: is it older?"
            )
        if turn["hand"] > len(self.history):
            ended = self._get(f"hands?after={len(self.history) - 1}")["hands"]
            self.history += tuple(map(self.game.read_observation, ended))
        seen = self.game.read_observation(turn["seen"], self.history)
        chance = agent_stream(self.seed, seen.seat, turn["hand"], turn["decision"])
        action = ask_agent(self.agent, seen, chance).action
        return {"number": turn["number"], "action": action}

    def _get(self, path: str) -> Json:
        return self.server.ask("GET", self._path(path))

    def _path(self, path: str) -> str:
        return f"/api/bots/matches/{self.match}/{path}"


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """What to play at a server, and who plays."""

    game: Game
    target: int | None
    agent: str
    opponent: str

    @classmethod
    def of(cls, options: BotOptions) -> MatchRequest:
        """Fill in what the user has not named."""
        game = find_game(options.game, options.rules, options.target)
        agent = options.agent or DEFAULT_AGENT.get(game.name, game.usual_agent)
        opponent = options.opponent or DEFAULT_OPPONENT.get(game.name, game.usual_agent)
        return cls(game, options.target, agent, check_opponents(opponent, game))

    def body(self) -> Json:
        """What the server is asked for."""
        rules = self.game.rules_name
        return {"game": self.game.name, "rules": rules, "target": self.target, "opponent": self.opponent}


def check_opponents(names: str, game: Game) -> str:
    """One name for every other seat, or one for each.

    >>> check_opponents("rulebot, simplebot,random", find_game("holdem", "limit-4"))
    'rulebot,simplebot,random'
    """
    listed, others = [name.strip() for name in names.split(",")], game.seats - 1
    if "" in listed:
        raise ValueError(f"--opponent {names!r} leaves a name out: give names with a comma between them")
    if len(listed) not in (1, others):
        wanted = "one name" if others == 1 else f"one name for all {others} other seats, or {others}"
        raise ValueError(
            f"--opponent {names!r} names {len(listed)}; {game.name} {game.rules_name} has {game.seats} seats: "
            f"give {wanted}"
        )
    return ",".join(listed)


def run_bot(options: BotOptions, cases_for: CasesFor) -> None:
    """Let an agent play some matches at a server, and print how they went."""
    if options.matches < 1:
        raise ValueError(f"--matches must be at least 1, not {options.matches}")
    request = MatchRequest.of(options)
    agent = find_agent(request.agent, request.game.name, cases_for)
    server = Server(options.server.rstrip("/"))
    name = options.name or request.agent.rpartition("/")[2]
    try:
        server.token = server.ask("POST", "/api/bots", {"name": name[:40]})["token"]
        with if_interrupted(lambda: "the matches that are over are kept at the server"):
            results = [
                _play_match(server, agent, request, _seed(options, number))
                for number in range(options.matches)
            ]
    finally:
        server.hang_up()
    _print_results(request, results, options.as_json)


def _seed(options: BotOptions, match: int) -> int:
    return secrets.randbits(48) if options.seed is None else key_number("bot", options.seed, match)


def _print_results(request: MatchRequest, results: list[Json], as_json: bool) -> None:
    won, drawn = (sum(result["result"] == kind for result in results) for kind in ("won", "drawn"))
    if as_json:
        print(json.dumps({"agent": request.agent, "won": won, "drawn": drawn, "matches": results}))
        return
    draws = f", drew {drawn}" if drawn else ""
    print(f"{request.agent} won {won} of {len(results)}{draws} against {request.opponent}")


def _play_match(server: Server, agent: Agent, request: MatchRequest, seed: int) -> Json:
    contribution = _draw_contribution(server)
    match = server.ask("POST", "/api/bots/matches", {**request.body(), **contribution})["match"]
    seat = RemoteSeat(server, request.game, agent, match, seed)
    result = match_result(request.game, seat.play())
    _check_deals(server, match, PlayerNotes(**contribution, seals=seat.seals))
    scores = " to ".join(map(str, result["scores"]))
    sys.stderr.write(f"retruco: {match} {result['result']} {scores}, {result['ending']}\n")
    return {"match": match, **result}


def match_result(game: Game, over: Mapping[str, Any]) -> Json:
    """How a finished match went for the bot's team: its own score first, then those of the others."""
    own, winner, scores = game.teams[over["seat"]], over["end"]["winner"], over["scores"]
    result = "drawn" if winner is None else "won" if winner == own else "lost"
    ordered = [scores[own], *(score for team, score in enumerate(scores) if team != own)]
    return {"won": result == "won", "result": result, "scores": ordered, "ending": over["end"]["ending"]}


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
