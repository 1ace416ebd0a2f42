"""Every byte sent to a seat during whole matches is read: the other hand is not in it."""

import json
import re
import threading
from collections.abc import Iterator

import httpx2
import pytest
import serving
from serving import RealServer
from test_bots import RemoteBot
from visitors import Visitor, legal

from retruco.games.truco import TrucoState
from retruco.streams import Stream
from retruco.web.tables.live_table import LiveTable

server = serving.server


A_CARD = re.compile(r"(?<![0-9a-zA-Z_-])(?:1[0-2]|[1-7])[eboc](?![0-9a-zA-Z_-])")
RANDOM = re.compile(r"[0-9a-f]{64}|v=[0-9a-f]{12}|[A-Za-z0-9_-]{43}|(?<=[/\"])[A-Za-z0-9_-]{16}\b")
"""Seals and keys, versions, tokens and names of matches, in which anything may stand by chance."""


class Wired(Visitor):
    """A visitor whose answers are all kept, headers included."""

    def __init__(self, client: httpx2.Client) -> None:
        self.heard: list[str] = []
        super().__init__(client)

    def request(self, method: str, path: str, **options: object) -> httpx2.Response:
        answer = super().request(method, path, **options)
        self.heard += [str(answer.headers), answer.text]
        return answer

    def listen(self, server: RealServer, match: str) -> threading.Thread:
        """Keep everything that the stream of a match sends, until it is over."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        url = f"{server.address}/api/matches/{match}/events"

        def run() -> None:
            with httpx2.stream("GET", url, headers={"Cookie": cookie}, timeout=60) as lines:
                for line in lines.iter_lines():
                    self.heard.append(line.removeprefix("data: "))

        thread = threading.Thread(target=run)
        thread.start()
        return thread


@pytest.fixture
def wired(server: RealServer) -> Iterator[Wired]:
    with httpx2.Client(base_url=server.address, timeout=30) as client:
        yield Wired(client)


def may_see(state: TrucoState, seat: int) -> set[str]:
    """What the rules have shown to a seat of a hand: its own cards, and those played face up."""
    played = {str(play.card) for play in state.rounds.plays if not play.down}
    return {*map(str, state.hands[seat]), *played}


def read_all(texts: list[str], live: LiveTable, seat: int = 0) -> int:
    """Check every position that was told, and that nothing else names a card; count the positions."""
    positions = 0
    ends = {hand: end.state for hand, end in enumerate(live.table.hands) if isinstance(end.state, TrucoState)}

    def state_of(told: dict[str, object]) -> TrucoState | None:
        """The position that is told of: by its number, or a finished hand of a bot by its place in the list."""
        if "dealt" in told or "seen" in told:
            assert isinstance(told["number"], int)
            state = live.positions[told["number"]].state
            assert isinstance(state, TrucoState)
            return state
        return None

    def check(told: dict[str, object]) -> dict[str, object]:
        nonlocal positions
        if isinstance(told.get("hands"), list) and "match" in told:
            return {}  # finished hands are read below, with their places
        state = state_of(told)
        if state is None:
            return told
        positions += 1
        named = set(A_CARD.findall(RANDOM.sub("", json.dumps(told))))
        assert named <= may_see(state, seat), told
        return {}

    def check_hands(text: str) -> None:
        for place, hand in enumerate(json.loads(text)["hands"]):
            named = set(A_CARD.findall(RANDOM.sub("", json.dumps(hand))))
            assert named <= may_see(ends[hand.get("hand", place) if "dealt" in hand else place], seat), hand

    for text in texts:
        is_data = text.startswith("{")
        if is_data and '"hands":' in text[:60]:
            check_hands(text)
        rest = json.dumps(json.loads(text, object_hook=check)) if is_data else text
        assert not A_CARD.search(RANDOM.sub("", rest)), rest
    return positions


@pytest.mark.parametrize(
    ("rules", "opponent"),
    [("cbtg", "balanced"), ("trucogame", "bluffer"), ("argentino", "NPCS"), ("argentino-sem-flor", "random")],
)
def test_a_seat_never_receives_what_it_may_not_see(
    server: RealServer, wired: Wired, rules: str, opponent: str
) -> None:
    match = wired.open(rules=rules, opponent=opponent, target=18)
    listener = wired.listen(server, match)
    chance, looked = Stream("secrets", rules), set[int]()
    while not (frame := wired.now(match))["end"]:
        if frame["hand"] not in looked:
            looked.add(frame["hand"])
            for path in (f"/table/{match}", "/", "/me", f"/replay/{match}/1"):
                wired.get(path)
            for path in ("", "/hands", "/why/1", "/others/1", "/hint", "/replay", "/export"):
                wired.get(f"/api/matches/{match}{path}")
        wired.act(match, frame["number"], chance.choice(legal(frame)))
    listener.join(timeout=120)
    live = server.app.state.registry.find(match)
    assert read_all(wired.heard, live) > 2 * len(live.positions)


@pytest.mark.parametrize("rules", ["cbtg", "trucogame"])
def test_of_two_people_neither_receives_what_it_may_not_see(
    server: RealServer, wired: Wired, rules: str
) -> None:
    people = [wired, Wired(wired.http)]
    wish = {"rules": rules, "target": 12}
    match = people[0].post("/api/invitations", wish).json()["invitation"]
    people[1].post(f"/api/invitations/{match}/accept")
    for one in people:
        one.post("/api/me/consent", {"agrees": True})
    listeners = [one.listen(server, match) for one in people]
    chance, looked = Stream("secrets of people", rules), set[int]()
    while not (frame := people[0].look(match)[-1])["end"]:
        mover = people[frame["to_act"]]
        if frame["hand"] not in looked:
            looked.add(frame["hand"])
            for one in people:
                for path in (
                    f"/table/{match}",
                    f"/join/{match}",
                    "/",
                    "/me",
                    "/me/hands",
                    "/api/me/hands/export",
                    f"/replay/{match}/1",
                ):
                    one.get(path)
                for path in (
                    "",
                    "/hands",
                    "/clock",
                    "/why/1",
                    "/others/1",
                    "/hint",
                    "/replay",
                    "/export",
                    "/taught",
                ):
                    one.get(f"/api/matches/{match}{path}")
        shown = mover.look(match)[-1]
        mover.act(match, shown["number"], chance.choice(legal(shown)))
    for listener in listeners:
        listener.join(timeout=120)
    live = server.app.state.registry.find(match)
    for seat, one in enumerate(people):
        assert read_all(one.heard, live, seat) > len(live.positions)


class WiredBot(RemoteBot):
    """A bot whose answers are all kept."""

    def __init__(self, client: httpx2.Client) -> None:
        self.heard: list[str] = []
        super().__init__(client)

    def ask(self, method: str, path: str, body: object = None) -> httpx2.Response:
        answer = super().ask(method, path, body)
        self.heard += [str(answer.headers), answer.text]
        return answer


@pytest.mark.parametrize(("rules", "opponent"), [("cbtg", "bluffer"), ("argentino-sem-flor", "bot")])
def test_a_bot_never_receives_what_its_seat_may_not_see(
    server: RealServer, wired: Wired, rules: str, opponent: str
) -> None:
    bots = [WiredBot(wired.http), WiredBot(wired.http)][: 2 if opponent == "bot" else 1]
    matches = {bot.open(rules=rules, opponent=opponent, target=15) for bot in bots}
    (match,) = matches
    chance = Stream("secrets of bots", rules)
    while True:
        told = [bot.turn(match, wait=0 if len(bots) > 1 else 10) for bot in bots]
        if told[0]["state"] == "over":
            break
        for bot, one in zip(bots, told, strict=True):
            if one["your_turn"]:
                bot.ask("GET", f"/matches/{match}/hands")
                bot.act(match, one["number"], chance.choice(one["seen"]["legal"]))
    live = server.app.state.registry.find(match)
    for bot, one in zip(bots, told, strict=True):
        assert read_all([text for text in bot.heard if bot.token not in text], live, one["seat"]) > 10


def test_the_reading_itself_would_find_a_leak(server: RealServer, wired: Wired) -> None:
    match = wired.finished(target=3)
    live = server.app.state.registry.find(match)
    theirs = live.positions[0].state.hands[1][0]
    read_all(wired.heard, live)
    told = {**wired.look(match)[0], "secret": [theirs]}
    bots = {"match": match, "number": 0, "seen": {"hand": [theirs]}}
    for leak in (json.dumps(told), json.dumps(bots), f"<p>{theirs}</p>", json.dumps({"x": f"down:{theirs}"})):
        with pytest.raises(AssertionError):
            read_all([leak], live)


def test_the_stream_goes_on_where_it_was_cut_off(server: RealServer, wired: Wired) -> None:
    match = wired.finished(target=6)
    count = len(wired.look(match))
    cookie = "; ".join(f"{name}={value}" for name, value in wired.cookies.items())
    url = f"{server.address}/api/matches/{match}/events"
    text = httpx2.get(url, headers={"Cookie": cookie, "Last-Event-ID": str(count - 3)}).text
    assert re.findall(r"^id: (\d+)$", text, re.MULTILINE) == [str(count - 2), str(count - 1)]
    assert "event: over" in text
