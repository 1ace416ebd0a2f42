"""Euchre at the web table: a person and three agents, a game to ten, in memory while it lasts."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.match import ask
from retruco.arena.sets import deals_from, first_seat
from retruco.arena.table import FinishedHand, Table
from retruco.cbr.case import Decision
from retruco.games.core import Action, Seat
from retruco.games.euchre import Euchre, EuchreObservation
from retruco.web.refusals import Refused, forbidden, not_found

ME: Final[Seat] = 0
MOST_GAMES: Final = 500
"""The oldest game is forgotten when there would be more."""
PARTNERS: Final = (
    "NPS", "UF.5@tricks", "UF@tricks", "HIGH!@tricks", "ratliff@tricks", "montecarlo", "MDP+@tricks", "MDP@tricks", "HIGH@tricks",
    "LOW@tricks", "RANDOM@tricks", "UF.5@alone", "random",
)  # fmt: skip
"""Who may sit at the table."""
RULES: Final = ("classic", "stick", "seelbinder2012")


@dataclass(frozen=True, slots=True)
class Done:
    """Something that was said or played; agents say what they saw and why."""

    seat: Seat
    action: Action
    seen: EuchreObservation | None = None
    decision: Decision | None = None


@dataclass(slots=True)
class WebGame:
    """One game, with what was done in this hand and in the one before."""

    id: str
    visitor: str
    names: tuple[str, ...]
    """Who sits where; the person's own place is empty."""
    table: Table
    seed: int
    agents: dict[Seat, Agent] = field(repr=False)
    done: list[Done] = field(default_factory=list)
    before: list[Done] = field(default_factory=list)
    moves: int = 0
    """How many times the person has moved; a form for an earlier move is stale."""
    lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def last(self) -> FinishedHand | None:
        """The hand before this one."""
        return self.table.hands[-1] if self.table.hands else None

    def run(self) -> None:
        """Let the agents act until the person has to, or the game is over."""
        while (seat := self.table.to_act) is not None and seat != ME:
            seen = self.table.observe(seat)
            assert isinstance(seen, EuchreObservation)
            decision = ask(self.agents[seat], self.table, seat, self.seed)
            self._act(Done(seat, decision.action, seen, decision))

    def move(self, action: Action, number: int) -> None:
        """Carry out what the person does."""
        if self.table.to_act != ME:
            raise Refused(409, "error.not_your_turn" if self.table.to_act is not None else "error.match_over")
        if number != self.moves:
            raise Refused(409, "error.stale")
        if action not in self.table.state.legal:
            raise Refused(400, "error.illegal")
        self.moves += 1
        self._act(Done(ME, action))
        self.run()

    def _act(self, done: Done) -> None:
        hands = len(self.table.hands)
        self.table.act(done.seat, done.action)
        self.done.append(done)
        if len(self.table.hands) > hands:
            self.before, self.done = self.done, []


class EuchreRoom:
    """The games that are being played."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, WebGame] = OrderedDict()
        self._lock = Lock()

    def open(self, visitor: str, partner: str, left: str, right: str, rules: str) -> WebGame:
        """Set a table for a person, a partner and two opponents."""
        for name in (partner, left, right):
            if name not in PARTNERS:
                raise Refused(400, "error.unknown_agent", name=name[:40])
        if rules not in RULES:
            raise Refused(400, "error.unknown_rules", name=rules[:40])
        game, seed = Euchre.named(rules), secrets.randbits(63)
        table = Table(game, deals_from(game, seed, 0), first_seat(game, seed, 0))
        names = ("", left, partner, right)
        agents = {seat: find_agent(name, "euchre") for seat, name in enumerate(names) if name}
        opened = WebGame(secrets.token_urlsafe(12), visitor, names, table, seed, agents)
        opened.run()
        with self._lock:
            self._games[opened.id] = opened
            if len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
        return opened

    def find(self, name: str, visitor: str) -> WebGame:
        """Find a game for the person who plays it."""
        with self._lock:
            found = self._games.get(name)
        if found is None:
            raise not_found()
        if found.visitor != visitor:
            raise forbidden()
        return found
