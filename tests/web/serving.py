"""The web table set for a test: in this process, or as a real server at an address of its own.

A test file takes the fixtures it wants by name: `client = serving.client`.
"""

import secrets
import socket
import threading
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from retruco.agents.registry import find_agent
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import fit
from retruco.games.core import Game
from retruco.games.holdem import Holdem
from retruco.games.kuhn import Kuhn
from retruco.games.truco import Truco
from retruco.learning.euchre.embedded import EUCHRE
from retruco.learning.holdem.training import casey_loop
from retruco.streams import Stream
from retruco.vocab import kuhn
from retruco.vocab.truco import VOCABULARY, rows
from retruco.web.core.app import create_app
from retruco.web.core.paths import DOCUMENTATION
from retruco.web.core.server import TableServer
from retruco.web.core.settings import Limits, Settings
from retruco.web.tables.fairness import HONEST, Dealer, Draw, SealedDeal
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.table_registry import TableRegistry
from waiting import wait_until

GENEROUS = Limits(
    per_second=10_000, burst=10_000, matches_per_minute=10_000, open_matches=1000, bots_per_minute=10_000,
    bot_per_second=10_000, bot_burst=10_000, bots_per_address=1000, builds_waiting=1000, streams_per_address=1000,
    refusal_seconds=0, connections_burst=10_000,
)  # fmt: skip
"""So that tests do not wait for each other."""


@cache
def some_cases() -> CaseBase:
    """A small base of hands between scripted players, clustered."""
    game, base, episode = Truco.named("trucogame"), CaseBase(VOCABULARY), 0
    players = (find_agent("balanced", "truco"), find_agent("bluffer", "truco"))
    for number in range(8):
        match = play_match(game, players, deals_from(game, 4, number), 0, number)
        for hand in match.hands:
            episode += 1
            base.add(rows(hand.state.record(), episode % 2, episode))
    for scenario in VOCABULARY.scenarios:
        if scenario.hindsight and base.count(scenario.name) > 1:
            base.cluster(scenario.name, fit(base.sample(scenario.name), 2))
    return base


@cache
def casey_cases() -> CaseBase:
    """A small base of what Casey learns in its first hands."""
    loop = casey_loop(Holdem.named("casey-4"), "casey", ["rulebot"] * 3, seed=1)
    for _ in loop.hands(70):
        pass
    return loop.cases


@cache
def euchre_cases() -> CaseBase:
    """The base of Euchre that comes with the program."""
    return EUCHRE.cases()


@cache
def kuhn_cases() -> CaseBase:
    """A small base of hands between two who do anything."""
    game, base = Kuhn(2, 100), CaseBase(kuhn.VOCABULARY)
    match = play_match(game, (find_agent("random", "kuhn"),) * 2, deals_from(game, 4, 0), 0, 0)
    for episode, hand in enumerate(match.hands):
        base.add(kuhn.rows(hand.state.record(), episode % 2, episode))
    return base


def cases_of(game: str) -> CaseBase:
    return {"holdem": casey_cases, "euchre": euchre_cases, "kuhn": kuhn_cases}.get(game, some_cases)()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server in this process; cookies are the test's own business."""
    settings = Settings(tmp_path_factory.mktemp("table") / "table.sqlite", limits=GENEROUS)
    with TestClient(create_app(settings, cases_of), base_url="http://localhost") as found:
        yield found


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def registry_of(client: TestClient) -> TableRegistry:
    """The room behind a server in this process."""
    assert isinstance(client.app, FastAPI)
    registry: TableRegistry = client.app.state.registry
    return registry


def table_at(client: TestClient, where: str) -> LiveTable:
    """What the server in this process knows of a table, by its address."""
    found = registry_of(client).find_in_memory(where.rpartition("/")[2])
    assert found is not None
    return found


class StackedDealer(Dealer):
    """Deals the hands it was given, over and over; seat 0 is mão first, and agents have the same luck always."""

    drawn = 0

    def __init__(self, *deals: str) -> None:
        self.stack(*deals)

    def stack(self, *deals: str) -> None:
        """Go on with these hands."""
        self._deals = cycle(deals)

    def deal(self, game: Game, draw: Draw | None = None, hand: int = 0) -> SealedDeal:
        """The next hand it was given; of other games than Truco, hands that are the same in every run."""
        if game.name == "truco":
            return SealedDeal(secrets.token_hex(16), next(self._deals))
        self.drawn += 1
        return SealedDeal("5a17" * 8, str(game.deal(Stream("stacked", self.drawn))))

    def first(self, seats: int = 2, draw: Draw | None = None) -> int:
        return 0

    def seed(self, draw: Draw | None = None) -> int:
        return 7


class RealServer:
    """A server that listens at an address, in a thread of this process."""

    def __init__(
        self,
        store: Path,
        port: int | None = None,
        dealer: Dealer = HONEST,
        limits: Limits = GENEROUS,
        documentation: Path = DOCUMENTATION,
    ) -> None:
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.app = create_app(Settings(store, limits=limits, documentation=documentation), cases_of, dealer)
        self._server = TableServer(self.app, "127.0.0.1", self.port)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def start(self) -> None:
        self._thread.start()
        wait_until(lambda: self._server.started, "the server starts")

    @property
    def registry(self) -> TableRegistry:
        """The room behind this server."""
        found: TableRegistry = self.app.state.registry
        return found

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._server.server_state.connections)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()


@pytest.fixture(scope="module")
def stacked_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """As `client`, where the same hands are dealt in every run."""
    settings = Settings(tmp_path_factory.mktemp("stacked") / "table.sqlite", limits=GENEROUS)
    with TestClient(create_app(settings, cases_of, StackedDealer()), base_url="http://localhost") as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, loopback: None) -> Iterator[RealServer]:
    found = RealServer(tmp_path_factory.mktemp("real") / "table.sqlite")
    found.start()
    yield found
    found.stop()
