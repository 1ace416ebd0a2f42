"""Spectators of people's matches: by agreement only, nothing hidden, and in nobody's way."""

import asyncio
import json
import threading
from collections.abc import Iterator

import httpx2
import pytest
import serving
from fastapi.testclient import TestClient
from serving import RealServer, registry_of
from test_secrets import A_CARD, RANDOM
from visitors import Json, Visitor, first_legal, mover_of, sit_together

from retruco.games.truco import TrucoState
from retruco.streams import Stream
from retruco.web.core.settings import Limits
from retruco.web.people.spectators import Spectators
from retruco.web.tables.match_notifier import TooManyListeners
from waiting import wait_until

client, server = serving.client, serving.server


def allow(visitor: Visitor, match: str, is_allowed: bool = True) -> Json:
    answer = visitor.post(f"/api/matches/{match}/spectators", {"allow": is_allowed})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def test_others_watch_only_while_everybody_at_the_table_agrees(client: TestClient) -> None:
    (host, guest), match = sit_together(client, "truco", "person", target=30)
    stranger = Visitor(client)
    assert stranger.get(f"/watch/{match}").status_code == 403
    assert not allow(host, match)["may_watch"]
    assert stranger.get(f"/api/matches/{match}/watch").status_code == 403
    assert allow(guest, match)["may_watch"]
    assert stranger.get(f"/watch/{match}").status_code == 200
    assert guest.get(f"/watch/{match}").headers["location"] == f"/table/{match}"
    assert not allow(host, match, is_allowed=False)["may_watch"]
    assert stranger.get(f"/watch/{match}").status_code == 403


def test_who_sits_down_at_a_table_that_may_be_watched_is_told_so_and_agrees(client: TestClient) -> None:
    host = Visitor(client)
    made = host.post("/api/invitations", {"may_watch": True, "public": True}).json()["invitation"]
    guest = Visitor(client)
    assert "may be watched" in guest.get("/?lang=en").text.partition('id="lobby"')[2].partition("</ul>")[0]
    assert 'id="watched"' in guest.get(f"/join/{made}").text
    guest.post(f"/api/invitations/{made}/accept")
    stranger = Visitor(client)
    listed = [line["match"] for line in stranger.get("/api/spectators").json()["matches"]]
    assert made in listed
    assert f"/watch/{made}" in stranger.get("/").text
    assert made not in [line["match"] for line in host.get("/api/spectators").json()["matches"]]


def test_a_spectator_can_do_nothing_at_the_table(client: TestClient) -> None:
    people, match = sit_together(client, "truco", "person", target=30, may_watch=True)
    stranger, number = Visitor(client), people[0].look(match)[-1]["number"]
    for path, body in (
        ("act", {"number": number, "action": "truco"}),
        ("resign", {"number": number}),
        ("claim", {"number": number}),
        ("phrase", {"phrase": "bluff"}),
        ("spectators", {"allow": False}),
    ):
        assert stranger.post(f"/api/matches/{match}/{path}", body).status_code == 403, path
    for path in ("", "/hands", "/clock", "/events"):
        assert stranger.get(f"/api/matches/{match}{path}").status_code == 403, path


def test_a_match_against_an_agent_is_not_watched(client: TestClient) -> None:
    visitor = Visitor(client)
    match = visitor.open()
    assert visitor.post(f"/api/matches/{match}/spectators", {"allow": True}).status_code == 409
    assert Visitor(client).get(f"/api/matches/{match}/watch").status_code == 403


class Watcher(Visitor):
    """A visitor who watches a match and keeps every line that is sent."""

    def __init__(self, client: httpx2.Client) -> None:
        super().__init__(client)
        self.lines: list[str] = []

    def watch(self, server: RealServer, match: str) -> threading.Thread:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        url = f"{server.address}/api/matches/{match}/watch"

        def run() -> None:
            with httpx2.stream("GET", url, headers={"Cookie": cookie}, timeout=60) as lines:
                self.lines += lines.iter_lines()

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    @property
    def frames(self) -> list[Json]:
        return [json.loads(line[6:]) for line in self.lines if line.startswith('data: {"number"')]


@pytest.fixture
def http(server: RealServer) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.address, timeout=30) as found:
        yield found


def face_up(state: TrucoState) -> set[str]:
    return {str(play.card) for play in state.rounds.plays if not play.down}


@pytest.mark.parametrize("rules", ["cbtg", "trucogame"])
def test_a_spectator_never_receives_what_is_hidden(
    server: RealServer, http: httpx2.Client, rules: str
) -> None:
    people, match = sit_together(http, "truco", "person", rules=rules, target=9, may_watch=True)
    watcher, registry = Watcher(http), server.app.state.registry
    page = watcher.get(f"/watch/{match}").text
    assert not A_CARD.search(RANDOM.sub("", page))
    thread = watcher.watch(server, match)
    wait_until(lambda: registry.spectators.count(match) == 1, "the spectator's line is open")
    assert people[0].get(f"/api/matches/{match}/clock").json()["watchers"] == 1
    chance = Stream("spectators", rules)
    while not (turn := mover_of(people, match))[1]["end"]:
        mover, frame = turn
        legal = [
            *frame["can"]["cards"],
            *(f"down:{card}" for card in frame["can"]["cards"] if frame["can"]["down"]),
        ]
        calls = [call["call"] for call in frame["can"]["calls"] if call["why_not"] is None]
        mover.act(match, frame["number"], chance.choice([*legal, *calls]))
    thread.join(timeout=60)
    live = registry.find(match)
    for frame in watcher.frames:
        state = live.positions[frame["number"]].state
        named = set(A_CARD.findall(RANDOM.sub("", json.dumps(frame))))
        assert named <= face_up(state), frame
        assert (frame["held"], frame["dealt"], frame["envido"], frame["flor"], frame["can"]) == (
            [],
            [],
            None,
            None,
            None,
        )
    assert [frame["number"] for frame in watcher.frames] == [
        live.number(place) for place in range(watcher.frames[0]["number"], len(live.positions))
    ]
    assert watcher.frames[-1]["end"] is not None
    assert registry.spectators.count(match) == 0


def test_who_watches_is_sent_away_when_somebody_withdraws_and_told_when_somebody_gives_up(
    server: RealServer, http: httpx2.Client
) -> None:
    people, match = sit_together(http, "truco", "person", target=30, may_watch=True)
    watcher, registry = Watcher(http), server.app.state.registry
    thread = watcher.watch(server, match)
    wait_until(lambda: registry.spectators.count(match) == 1, "the spectator's line is open")
    allow(people[1], match, is_allowed=False)
    thread.join(timeout=60)
    assert "event: closed" in watcher.lines
    allow(people[1], match)
    thread = watcher.watch(server, match)
    wait_until(lambda: registry.spectators.count(match) == 1, "the spectator's line is open again")
    people[0].post(f"/api/matches/{match}/resign", {"number": people[0].look(match)[-1]["number"]})
    thread.join(timeout=60)
    assert watcher.frames[-1]["end"] == {"winner": 1, "ending": "resigned"}
    assert watcher.get(f"/watch/{match}").headers["location"] == f"/replay/{match}/0"


def test_who_plays_on_is_told_that_the_other_gave_up(server: RealServer, http: httpx2.Client) -> None:
    people, match = sit_together(http, "truco", "person", target=30)
    heard: list[str] = []
    cookie = "; ".join(f"{name}={value}" for name, value in people[0].cookies.items())
    url = f"{server.address}/api/matches/{match}/events?after=0"

    def listen() -> None:
        with httpx2.stream("GET", url, headers={"Cookie": cookie}, timeout=60) as lines:
            heard.extend(lines.iter_lines())

    thread = threading.Thread(target=listen)
    thread.start()
    wait_until(lambda: server.app.state.registry.notifier.is_waiting(match), "the line is open")
    people[1].post(f"/api/matches/{match}/resign", {"number": people[1].look(match)[-1]["number"]})
    thread.join(timeout=60)
    frames = [json.loads(line[6:]) for line in heard if line.startswith('data: {"number"')]
    assert frames[-1]["end"] == {"winner": 0, "ending": "resigned"}


def test_spectators_are_limited_for_a_match_a_visitor_and_an_address() -> None:
    limits = Limits(spectators=5, spectators_per_match=3, spectators_per_visitor=2, spectators_per_address=4)

    async def enter(spectators: Spectators, places: list[tuple[str, str, str]]) -> int:
        if not places:
            return 0
        try:
            with spectators.listening(*places[0]):
                return 1 + await enter(spectators, places[1:])
        except TooManyListeners:
            return 0

    def count(*places: tuple[str, str, str]) -> int:
        spectators = Spectators(limits)
        try:
            return asyncio.run(enter(spectators, list(places)))
        finally:
            spectators.close()

    assert count(*((f"m{n}", "ana", f"a{n}") for n in range(9))) == 2
    assert count(*(("m", f"v{n}", f"a{n}") for n in range(9))) == 3
    assert count(*((f"m{n}", f"v{n}", "a") for n in range(9))) == 4
    assert count(*((f"m{n}", f"v{n}", f"a{n}") for n in range(9))) == 5


def test_two_tabs_of_one_visitor_are_one_spectator() -> None:
    async def look() -> int:
        spectators = Spectators(Limits())
        with spectators.listening("m", "ana", "a"), spectators.listening("m", "ana", "a"):
            return spectators.count("m")

    assert asyncio.run(look()) == 1


def test_a_rematch_is_watched_as_the_match_before(client: TestClient) -> None:
    people, match = sit_together(client, "truco", "person", target=30, may_watch=True)
    mover, frame = mover_of(people, match)
    mover.act(match, frame["number"], first_legal(frame))
    people[0].post(f"/api/matches/{match}/resign", {"number": people[0].look(match)[-1]["number"]})
    again = [visitor.post(f"/api/matches/{match}/rematch").json()["match"] for visitor in people][1]
    live = registry_of(client).find(again)
    assert live is not None
    assert live.stored.is_watchable
