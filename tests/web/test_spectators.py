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

from retruco.games.core import State
from retruco.games.euchre import EuchreState
from retruco.games.holdem import HoldemState
from retruco.games.kuhn import KuhnState
from retruco.games.truco import TrucoState
from retruco.streams import Stream
from retruco.web.art.french_deck import card_text
from retruco.web.core.settings import Limits
from retruco.web.people.spectators import Spectators
from retruco.web.tables.match_notifier import TooManyListeners
from retruco.web.tables.table_view import view_class
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


def open_cards(state: State) -> set[str]:
    """The cards that everybody at a table of another game has seen."""
    if isinstance(state, EuchreState):
        seen = state.observe(0)
        return {seen.upcard, *seen.table, *(card for trick in seen.tricks for card in trick.cards)}
    if isinstance(state, HoldemState):
        return {*state.board, *(card for hand in state.observe(0).shown if hand for card in hand)}
    assert isinstance(state, KuhnState)
    return {f"{card}s" for card in state.observe(0).shown if card}


def dealt_cards(state: State) -> set[str]:
    """The cards that somebody holds, or held, in a hand of another game."""
    if isinstance(state, EuchreState):
        return {*(card for seat in range(4) for card in state.held(seat)), state.discard or ""} - {""}
    if isinstance(state, HoldemState):
        return {card for hand in state.deal.hands if hand for card in hand}
    assert isinstance(state, KuhnState)
    return {f"{card}s" for card in state.cards}


@pytest.mark.parametrize(
    ("game", "opponents"),
    [("euchre", "person,person,person"), ("holdem", "person,person"), ("kuhn", "person")],
)
def test_spectators_of_the_other_games_see_no_hidden_card(
    client: TestClient, game: str, opponents: str
) -> None:
    _, match = sit_together(client, game, opponents, may_watch=True)
    live, chance = registry_of(client).find(match), Stream("spectators", game)
    assert live is not None
    page = Visitor(client).get(f"/watch/{match}?lang=en")
    assert page.status_code == 200
    while len(live.table.hands) < 8 and live.to_act is not None:
        live.act(live.to_act, chance.choice(live.table.state.legal), live.last_number)
    view = view_class(game)(
        live, 0, view_class(game).texts("en"), lambda: [f"P{seat}" for seat in range(4)], lambda place: None,
        is_spectator=True,
    )  # fmt: skip
    hidden_seen = 0
    for place, position in enumerate(live.positions):
        text = json.dumps(view.frame(place), ensure_ascii=False)
        hidden = dealt_cards(position.state) - open_cards(position.state)
        hidden_seen += len(hidden)
        for card in hidden:
            assert f"#card-{card}" not in text, (position, card)
            assert card_text(card) not in text, (position, card)
        assert view.frame(place)["legal"] == []
    assert hidden_seen > 20


def test_a_game_that_cannot_hide_its_cards_is_not_watched(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view_class("kuhn"), "can_be_watched", False)
    answer = Visitor(client).post("/api/invitations?lang=en", {"game": "kuhn", "may_watch": True})
    assert answer.status_code == 400
    assert "kuhn cannot be watched" in answer.json()["message"]


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
