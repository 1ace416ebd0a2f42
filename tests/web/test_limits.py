"""One visitor cannot stall the others, and limits cannot be multiplied: real servers, small limits, real concurrency."""

import gc
import json
import sqlite3
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import ref

import httpx2
import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, RealServer, cases_of, registry_of
from test_bots import RemoteBot
from visitors import Guest, Visitor

from retruco.agents.case_based import CaseBasedAgent
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.games.truco import Truco
from retruco.games.truco.rules import PRESETS
from retruco.web.core import app, identity
from retruco.web.core.admin_key import new_key
from retruco.web.core.app import create_app
from retruco.web.core.i18n import texts
from retruco.web.core.settings import Settings
from retruco.web.core.store import STEPS, TOKENS, Sitter
from retruco.web.tables import agent_cache, events
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.stored_table import BYTES_PER_ACTION
from retruco.web.tables.table_registry import TableRegistry
from retruco.web.tables.table_view import PAGE, TableView
from retruco.web.views.truco import TrucoView
from waiting import wait_until

client = serving.client


def small(tmp_path: Path, **limits: Any) -> TestClient:
    settings = Settings(tmp_path / "t.sqlite", limits=replace(GENEROUS, **limits))
    return TestClient(create_app(settings), base_url="http://localhost")


@contextmanager
def running(tmp_path: Path, **limits: Any) -> Iterator[RealServer]:
    found = RealServer(tmp_path / "t.sqlite", limits=replace(GENEROUS, **limits))
    found.start()
    try:
        yield found
    finally:
        found.stop()


@contextmanager
def browsing(server: RealServer, source: str = "127.0.0.1") -> Iterator[httpx2.Client]:
    """A client that comes from an address of this machine's own network."""
    transport = httpx2.HTTPTransport(
        local_address=source, limits=httpx2.Limits(max_connections=100, max_keepalive_connections=0)
    )
    with httpx2.Client(base_url=server.address, transport=transport, timeout=30) as found:
        yield found


def long_match(registry: TableRegistry, target: int = 30) -> LiveTable:
    """A finished match of more than one page, played here and now; the web table itself opens no such match."""
    live = registry.open(
        Truco.named("cbtg", target), (Sitter(agent="novice"), Sitter(agent="cautious")), "watched"
    )
    while live.end is None:
        with live.lock:
            seat, place = live.to_act, len(live.positions) - 1
            assert seat is not None
            legal = live.positions[place].state.legal
            card = next((one for one in legal if one[0].isdigit()), legal[0])
            live.act(seat, "nao-quero" if "nao-quero" in legal else card, live.last_number)
    assert len(live.positions) > PAGE
    return live


# One visitor cannot stall the others


def test_a_long_replay_comes_in_pages(client: TestClient) -> None:
    live = long_match(registry_of(client))
    visitor, numbers, after = Visitor(client), list[int](), -1
    while True:
        page = visitor.get(f"/api/matches/{live.id}/replay?after={after}").json()
        assert 0 < len(page["frames"]) <= PAGE
        assert ("seals" in page) == (after == -1)
        numbers += [frame["number"] for frame in page["frames"]]
        after = numbers[-1]
        if after == page["last"]:
            break
    assert numbers == list(range(len(live.positions)))
    assert visitor.get(f"/api/matches/{live.id}/replay?after={after}").json()["frames"] == []


def test_a_long_stream_comes_in_pages_and_whole(client: TestClient) -> None:
    registry = registry_of(client)
    live = long_match(registry)

    def view_of(live: LiveTable) -> TrucoView:
        return TrucoView(live, 0, texts("en"), lambda: ("a", "b"), lambda place: None)

    async def listen() -> list[str]:
        return [line async for line in events.stream(registry, live.id, view_of, -1, "somebody", "somewhere")]

    assert client.portal is not None
    lines = client.portal.call(listen)
    assert max(one.count("data:") for one in lines) <= PAGE
    told = [line for line in "".join(lines).splitlines() if line.startswith("id: ")]
    assert told == [f"id: {number}" for number in range(len(live.positions))]
    assert lines[-1].startswith("event: over")


@pytest.mark.slow
def test_while_replays_are_built_everybody_else_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    frames = TableView.frames

    def slow(view: TableView, *rest: Any, **more: Any) -> Any:
        assert view.live.id != costly or go_on.wait(30)
        return frames(view, *rest, **more)

    with (
        running(tmp_path, builds_waiting=5) as server,
        browsing(server) as one,
        browsing(server, "127.0.0.2") as two,
    ):
        costly, cheap = long_match(server.registry).id, long_match(server.registry).id
        monkeypatch.setattr(TableView, "frames", slow)
        with ThreadPoolExecutor(60) as many:
            asked = [many.submit(one.get, f"/api/matches/{costly}/replay") for _ in range(60)]
            wait_until(
                lambda: sum(done.done() for done in asked) == 55, "all but those that wait are refused"
            )
            assert Visitor(one).open()
            assert two.get(f"/api/matches/{cheap}/replay").status_code == 200
            go_on.set()
        assert Counter(done.result().status_code for done in asked) == {200: 5, 429: 55}


def test_while_agents_say_why_at_a_table_everybody_else_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, think_on = TableView.board, threading.Event()

    def slow(view: TableView, *rest: Any) -> Any:
        assert view.live.id not in slow_table or think_on.wait(30)
        return board(view, *rest)

    with (
        running(tmp_path, builds_waiting=5) as server,
        browsing(server) as one,
        browsing(server, "127.0.0.2") as two,
    ):
        hasty, other = Guest(one), Guest(two)
        slow_table = hasty.sit_down("euchre")
        hasty.page(slow_table)
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in hasty.cookies.items())}
        monkeypatch.setattr(TableView, "board", slow)
        with ThreadPoolExecutor(60) as many:
            asked = [many.submit(one.get, slow_table, headers=cookie) for _ in range(60)]
            wait_until(
                lambda: sum(done.done() for done in asked) == 55, "all but those that wait are refused"
            )
            assert other.page(other.sit_down("euchre"))
            assert hasty.open()
            think_on.set()
        assert Counter(done.result().status_code for done in asked) == {200: 5, 429: 55}


@pytest.mark.slow
def test_while_agents_think_everybody_else_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All threads of agents but one are taken by those that think for long."""
    think, think_on, thinking = AgentCache.decide, threading.Event(), threading.Semaphore(0)

    def slow(agents: AgentCache, name: str, *rest: Any) -> Any:
        if name == "montecarlo":
            thinking.release()
            assert think_on.wait(30)
        return think(agents, name, *rest)

    monkeypatch.setattr(AgentCache, "decide", slow)
    with running(tmp_path) as server, browsing(server) as one, browsing(server, "127.0.0.2") as two:
        hasty, other = Visitor(one), Guest(two)
        matches = [
            hasty.open(game="euchre", opponent="montecarlo", target=10)
            for _ in range(server.registry.settings.thinkers - 1)
        ]
        for match in matches:
            frame = hasty.look(match)[-1]
            if frame["legal"]:
                assert hasty.act(match, frame["number"], frame["legal"][0]).status_code == 200
        for _ in matches:
            assert thinking.acquire(timeout=30)
        assert hasty.get(f"/table/{matches[0]}").status_code == 200
        assert other.play_hand(other.sit_down("euchre", seat1="random"))
        assert other.finished(target=2)
        think_on.set()
        assert hasty.now(matches[0])["number"] > 0


def test_while_a_stream_is_written_everybody_else_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, begun, frames = threading.Event(), threading.Event(), TableView.frames

    def slow(view: TableView, *rest: Any, **more: Any) -> Any:
        if view.live.id == match:
            begun.set()
            assert go_on.wait(30)
        return frames(view, *rest, **more)

    with running(tmp_path) as server, browsing(server) as client:
        visitor = Visitor(client)
        match = visitor.open()
        monkeypatch.setattr(TableView, "frames", slow)
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        with client.stream("GET", f"/api/matches/{match}/events", headers={"Cookie": cookie}) as stream:
            assert begun.wait(20)
            with browsing(server, "127.0.0.2") as other:
                assert Visitor(other).finished(target=2)
            go_on.set()
            assert any(line.startswith("data:") for line in stream.iter_lines())


@pytest.mark.parametrize("rules", PRESETS)
def test_a_match_goes_to_twice_its_usual_points_at_most(client: TestClient, rules: str) -> None:
    visitor, bot, most = Visitor(client), RemoteBot(client), 2 * PRESETS[rules].target
    opening = {"opponent": "random", "rules": rules}
    form = {"form_key": visitor.form_key, "rules": rules}
    for target, good in ((most, True), (most + 1, False), (1000, False)):
        answers = [
            visitor.post("/api/matches", {**opening, "target": target}),
            visitor.post("/api/invitations", {"rules": rules, "target": target}),
            bot.ask("POST", "/matches", {**opening, "target": target}),
            *(
                visitor.request("POST", path, data={**form, **others, "target": target})
                for path, others in (("/play", {"opponent": "random"}), ("/invite", {}), ("/watch", {}))
            ),
        ]
        assert {one.status_code in (201, 303) for one in answers} == {good}
        assert all(one.status_code in (201, 303, 400, 422) for one in answers)


@pytest.mark.slow
def test_what_is_held_in_memory_is_bounded_by_its_size(tmp_path: Path) -> None:
    with small(tmp_path, live_bytes=100 * BYTES_PER_ACTION) as client:
        visitor, registry = Visitor(client), registry_of(client)
        going_on = visitor.open()
        for _ in range(12):
            visitor.finished(target=6)
            registry._tables.trim()
            assert sum(one.size for one in registry._tables.all()) <= 100 * BYTES_PER_ACTION
        assert registry.find_in_memory(going_on) is not None, "finished matches go first"
        visitor.now(going_on)


def test_the_size_of_a_match_is_about_what_it_takes_in_memory(client: TestClient) -> None:
    registry = registry_of(client)
    stored = registry.store.load(long_match(registry).id)
    assert stored is not None
    tracemalloc.start()
    try:
        live = LiveTable(stored, registry.store)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert live.size / 5 < taken < live.size, "a quiet match takes less than most"


def test_a_match_that_is_let_go_leaves_the_memory_at_once(tmp_path: Path) -> None:
    with small(tmp_path, live_matches=1) as client:
        registry, sitters = registry_of(client), (Sitter(visitor="a"), Sitter(visitor="b"))
        first = ref(registry.open(Truco.named("cbtg"), sitters, "people"))
        assert first() is not None
        gc.disable()
        try:
            registry.open(Truco.named("cbtg"), sitters, "people")
            assert first() is None, "the collector need not look for it"
        finally:
            gc.enable()


def test_who_remembers_holds_a_bounded_number_of_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_cache, "MEMO", 10)
    agent, game = agent_cache.AgentCache(cases_of).agent("truco", "NPCS"), Truco.named("cbtg")
    assert isinstance(agent, CaseBasedAgent)
    for number in range(3):
        play_match(game, (agent, agent), deals_from(game, 4, number), 0, number)
        assert 0 < len(agent._given) <= 11


def test_what_agents_worked_out_is_forgotten_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgot = list[agent_cache.AgentCache]()
    monkeypatch.setattr(app, "FORGETS", 0.05)
    monkeypatch.setattr(agent_cache.AgentCache, "clear_caches", lambda self: forgot.append(self))
    with small(tmp_path) as client:
        Visitor(client).finished(opponent="balanced")
        wait_until(lambda: len(forgot) > 1, "the agents forget")


def test_expensive_answers_count_as_several_requests(tmp_path: Path) -> None:
    with small(tmp_path, burst=41, per_second=0.001) as client:
        path = "/api/matches/AAAAAAAAAAAAAAAA/others/1"
        assert [client.get(path).status_code for _ in range(3)] == [404, 404, 429]
        assert [client.get("/api/opponents").status_code for _ in range(2)] == [200, 429]


# Limits cannot be multiplied


def test_tokens_share_the_requests_of_their_address(tmp_path: Path) -> None:
    with small(tmp_path, burst=25, per_second=0.001, bot_burst=10, bot_per_second=0.001) as client:
        bots = [RemoteBot(client) for _ in range(5)]
        codes = Counter(bot.ask("GET", "/matches/AAAAAAAAAAAAAAAA/turn").status_code for bot in bots * 12)
        assert codes == {404: 20, 429: 40}


def test_an_address_does_not_use_up_the_requests_of_another(tmp_path: Path) -> None:
    limits = {"burst": 5, "per_second": 0.001}
    with running(tmp_path, **limits) as server, browsing(server) as one, browsing(server, "127.0.0.2") as two:
        assert [one.get("/api/opponents").status_code for _ in range(6)] == [200] * 5 + [429]
        assert two.get("/api/opponents").status_code == 200


def test_tokens_share_the_new_matches_of_their_address(tmp_path: Path) -> None:
    with small(tmp_path, matches_per_minute=4) as client:
        bots = [RemoteBot(client) for _ in range(3)]
        codes = Counter(bot.ask("POST", "/matches", {"opponent": "random"}).status_code for bot in bots * 3)
        assert codes == {201: 4, 429: 5}


def test_tokens_share_the_open_matches_of_their_address(tmp_path: Path) -> None:
    with small(tmp_path, open_matches=4) as client:
        bots = [RemoteBot(client) for _ in range(3)]
        codes = Counter(bot.ask("POST", "/matches", {"opponent": opponent}).status_code
                        for opponent in ("random", "bot", "random") for bot in bots)  # fmt: skip
        assert codes[201] in (4, 5), "two that wait for each other are one match"
        assert codes[429] == 9 - codes[201]


def test_bots_of_one_owner_are_counted_together(tmp_path: Path) -> None:
    with small(tmp_path, bot_burst=6, bot_per_second=0.001, bots_per_address=2) as client:
        owner = Visitor(client)
        bots = [owner.request("POST", "/api/bots", json={"name": "mine"}) for _ in range(3)]
        assert [one.status_code for one in bots] == [201, 201, 429]
        tokens = [one.json()["token"] for one in bots[:2]]
        path = "/api/bots/matches/AAAAAAAAAAAAAAAA/turn"
        codes = Counter(
            client.get(path, headers={"Authorization": f"Bearer {one}"}).status_code for one in tokens * 5
        )
        assert codes == {404: 6, 429: 4}


def open_many(open_one: Callable[[int], httpx2.Response], count: int) -> Counter[int]:
    """Let many ask at the same moment."""
    ready = threading.Barrier(count)

    def ask(number: int) -> int:
        ready.wait(20)
        return open_one(number).status_code

    with ThreadPoolExecutor(count) as many:
        return Counter(many.map(ask, range(count)))


@pytest.mark.slow
def test_the_limit_on_open_matches_holds_when_many_ask_at_once(tmp_path: Path) -> None:
    with running(tmp_path, open_matches=10) as server, browsing(server) as client:
        visitor = Visitor(client)
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        headers = {"Cookie": cookie, "X-Form-Key": visitor.form_key}

        def open_one(number: int) -> httpx2.Response:
            path, body = (("/api/matches", {"opponent": "random"}), ("/api/invitations", {}))[number % 2]
            return httpx2.post(server.address + path, json=body, headers=headers, timeout=30)

        assert open_many(open_one, 40) == {201: 10, 429: 30}


@pytest.mark.slow
def test_the_limit_on_open_matches_of_bots_holds_when_many_ask_at_once(tmp_path: Path) -> None:
    with running(tmp_path, open_matches=10) as server, browsing(server) as client:
        bots = [RemoteBot(client) for _ in range(4)]

        def open_one(number: int) -> httpx2.Response:
            headers = {"Authorization": f"Bearer {bots[number % 4].token}"}
            wish = {"opponent": "random"}
            return httpx2.post(f"{server.address}/api/bots/matches", json=wish, headers=headers, timeout=30)

        assert open_many(open_one, 40) == {201: 10, 429: 30}


def test_streams_are_limited_by_address_whatever_the_cookie(tmp_path: Path) -> None:
    with (
        running(tmp_path, streams_per_address=3) as server,
        browsing(server) as one,
        browsing(server, "127.0.0.2") as two,
    ):

        def first_lines(client: httpx2.Client) -> str:
            visitor = Visitor(client)
            match = visitor.open(target=30)
            cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
            request = client.build_request("GET", f"/api/matches/{match}/events", headers={"Cookie": cookie})
            answer = client.send(request, stream=True)
            streams.append(answer.iter_text())
            return next(streams[-1])

        streams: list[Iterator[str]] = []
        assert ["crowded" in first_lines(one) for _ in range(4)] == [False, False, False, True]
        assert "crowded" not in first_lines(two)


def test_an_address_has_only_so_many_bots(tmp_path: Path) -> None:
    with small(tmp_path, bots_per_address=2) as client:
        bot = RemoteBot(client)
        codes = [client.post("/api/bots", json={"name": "x"}).status_code for _ in range(2)]
        assert codes == [201, 429]
        assert bot.ask("DELETE", "").status_code == 204
        assert client.post("/api/bots", json={"name": "x"}).status_code == 201


def test_a_token_expires(tmp_path: Path) -> None:
    with small(tmp_path, bot_days=1.0 / 86_400) as client:
        bot = RemoteBot(client)
        made = client.post("/api/bots", json={"name": "x"}).json()
        assert 0 < made["expires"] - time.time() <= 1
        match = bot.open()
        wait_until(lambda: bot.ask("GET", f"/matches/{match}/turn").status_code == 401, "the token expires")


def test_whoever_holds_a_token_can_revoke_it(tmp_path: Path) -> None:
    with small(tmp_path) as client:
        bot, other = RemoteBot(client), RemoteBot(client)
        match = bot.open()
        assert bot.ask("DELETE", "").status_code == 204
        assert bot.ask("DELETE", "").status_code == 401
        assert bot.ask("GET", f"/matches/{match}/turn").status_code == 401
        other.open()
    with small(tmp_path) as client:  # after a restart
        bot.http = other.http = client
        assert bot.ask("POST", "/matches", {}).status_code == 401
        assert other.ask("POST", "/matches", {}).status_code == 201


def test_the_owner_of_the_table_can_revoke_any_token(tmp_path: Path) -> None:
    key = new_key(tmp_path / "t.sqlite")
    with small(tmp_path) as client:
        bot, owner, stranger = RemoteBot(client), Visitor(client), Visitor(client)
        assert owner.post("/api/laboratory/key", {"key": key}).status_code == 200
        found = owner.get("/api/laboratory/bots").json()["bots"]
        assert [one["name"] for one in found] == ["by hand"]
        assert bot.token not in json.dumps(found)
        revoke = f"/api/laboratory/bots/{found[0]['bot']}/revoke"
        assert stranger.get("/api/laboratory/bots").status_code == 401
        assert stranger.post(revoke).status_code == 401
        assert owner.post(revoke).status_code == 200
        assert owner.post(revoke).status_code == 404
        assert bot.ask("POST", "/matches", {}).status_code == 401


def test_tokens_of_before_stay_valid_for_a_while(tmp_path: Path) -> None:
    token, before = "t" * 43, STEPS.index(TOKENS)
    with closing(sqlite3.connect(tmp_path / "t.sqlite")) as base:
        base.executescript("".join(STEPS[:before]) + f"PRAGMA user_version = {before};")
        base.execute("INSERT INTO secret VALUES (?)", (b"k" * 32,))
        line = (identity.Visitor(token).id, "by hand", 1, time.time())
        base.execute("INSERT INTO person (visitor, name, is_bot, asked) VALUES (?,?,?,?)", line)
        base.commit()
    with small(tmp_path) as client:
        headers = {"Authorization": f"Bearer {token}"}
        answer = client.post("/api/bots/matches", json={"opponent": "random"}, headers=headers)
        assert answer.status_code == 201
