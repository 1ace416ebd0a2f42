"""Visitors as tests need them: with a seat of their own, able to play a match to its end."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx2

from waiting import wait_until

Json = dict[str, Any]

HAND = {
    "game": "truco",
    "rules": "cbtg",
    "target": 24,
    "scores": [0, 0],
    "mao": 0,
    "hands": [["1e", "7c", "4b"], ["3o", "2c", "5e"]],
    "actions": [],
}
"""A hand of Truco before its first action; nobody has a flor."""


class Visitor:
    """A browser without a screen: its own cookies, or those of somebody who is here already, and the key of its forms."""

    def __init__(self, client: httpx2.Client, cookies: Mapping[str, str] | None = None) -> None:
        self.http = client
        self.cookies = dict(cookies or {})
        self._last: dict[str, int] = {}
        page = self.get("/")
        found = re.search(r'name="form_key" value="(\w+)"', page.text)
        assert found is not None
        self.form_key = found[1]

    def request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookie, **options.pop("headers", {})}
        self.http.cookies.clear()
        answer = self.http.request(method, path, headers=headers, follow_redirects=False, **options)
        self.cookies.update(answer.cookies)
        self.http.cookies.clear()
        return answer

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, body: object = None, **options: Any) -> httpx2.Response:
        headers = {"X-Form-Key": self.form_key, **options.pop("headers", {})}
        return self.request("POST", path, json=body if body is not None else {}, headers=headers, **options)

    # A match

    def open(self, **wish: object) -> str:
        answer = self.post("/api/matches", {"opponent": "random", "target": 4, **wish})
        assert answer.status_code == 201, answer.text
        match: str = answer.json()["match"]
        return match

    def look(self, match: str, after: int = -1) -> list[Json]:
        frames: list[Json] = self.get(f"/api/matches/{match}?after={after}").json()["frames"]
        return frames

    def now(self, match: str) -> Json:
        """The position on the table, once nobody but this visitor is to act."""

        def ready() -> Json | None:
            frame = self.last_frame(match)
            return frame if frame["end"] or frame["to_act"] == frame["seat"] else None

        return wait_until(ready, "the agent answers")

    def last_frame(self, match: str) -> Json:
        """The position on the table, whoever is to act."""
        frame = self.look(match, self._last.get(match, 0) - 1)[-1]
        self._last[match] = frame["number"]
        return frame

    def act(self, match: str, number: int, action: str) -> httpx2.Response:
        return self.post(f"/api/matches/{match}/act", {"number": number, "action": action})

    def play_out(self, match: str, choose: Callable[[Json], str] | None = None) -> Json:
        """Play until the match is over; give the last position."""
        while not (frame := self.now(match))["end"]:
            answer = self.act(match, frame["number"], (choose or first_legal)(frame))
            assert answer.status_code == 200, answer.text
        return frame

    def finished(self, **wish: object) -> str:
        """A match that is over."""
        match = self.open(**wish)
        self.play_out(match)
        return match


def sit_together(
    client: httpx2.Client, game: str, opponents: str, **wish: object
) -> tuple[list[Visitor], str]:
    """A host, the people it invites to `person` seats, and their match."""
    host = Visitor(client)
    made = host.post("/api/invitations", {"game": game, "opponent": opponents, **wish})
    assert made.status_code == 201, made.text
    match: str = made.json()["invitation"]
    people = [host, *(Visitor(client) for name in opponents.split(",") if name == "person")]
    for guest in people[1:]:
        answer = guest.post(f"/api/invitations/{match}/accept")
        assert answer.status_code == 201, answer.text
    return people, match


def mover_of(people: Sequence[Visitor], match: str) -> tuple[Visitor, Json]:
    """Whose turn it is, and the position as that visitor sees it; when the match is over, anybody."""

    def found() -> tuple[Visitor, Json] | None:
        looks = ((visitor, visitor.last_frame(match)) for visitor in people)
        return next(
            ((who, frame) for who, frame in looks if frame["end"] or frame["to_act"] == frame["seat"]), None
        )

    return wait_until(found, "a person is to act, or the match is over")


def play_together(people: Sequence[Visitor], match: str, choose: Callable[[Json], str] | None = None) -> Json:
    """Let people play until their match is over; give the last position."""
    while True:
        mover, frame = mover_of(people, match)
        if frame["end"]:
            return frame
        answer = mover.act(match, frame["number"], (choose or first_legal)(frame))
        assert answer.status_code == 200, answer.text


class Guest(Visitor):
    """A visitor without a script, who plays by the forms of the pages."""

    def send(self, path: str, **fields: object) -> httpx2.Response:
        """Send a form."""
        return self.request("POST", path, data={"form_key": self.form_key, **fields})

    def sit_down(self, game: str, **wish: str) -> str:
        """Open a table; give its address."""
        answer = self.send(f"/{game}", **wish)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def page(self, where: str) -> str:
        """Look at a page, and again as long as somebody else at the table is to act."""

        def settled() -> httpx2.Response | None:
            answer = self.get(where)
            return None if 'http-equiv="refresh"' in answer.text else answer

        answer = wait_until(settled, "everybody else at the table has acted")
        assert answer.status_code == 200, answer.text
        return answer.text

    def go_on(self, where: str, choose: Callable[[list[str]], str] = lambda may: may[0]) -> str:
        """Do one thing at a table; give the page that was answered."""
        page = self.page(where)
        answer = self.send(where, number=moment(page), action=choose(moves(page)))
        assert answer.status_code == 303, answer.text
        return page

    def play_hand(self, where: str, choose: Callable[[list[str]], str] = lambda may: may[0]) -> str:
        """Play until another hand is over; give the page that says how."""
        page = self.page(where)
        before = last_hand(page)
        while last_hand(page) == before:
            self.go_on(where, choose)
            page = self.page(where)
        return page


def last_hand(page: str) -> int:
    """The number of the finished hand that a page of a table sums up; 0 before the first is over."""
    found = re.search(r'/hands/(\d+)"', summary_on(page))
    return int(found[1]) if found else 0


def board_on(page: str) -> str:
    """The part of a table's page that shows the hand on the table."""
    return page.partition('id="board"')[2].partition('id="summary"')[0]


def summary_on(page: str) -> str:
    """The part of a table's page that sums up the last finished hand."""
    return page.partition('id="summary"')[2].partition("</section>")[0]


def moves(page: str) -> list[str]:
    """What may be done, by the buttons of a page."""
    return re.findall(r'name="action" value="([^"]+)"', page)


def moment(page: str) -> str:
    """The number that a page's forms carry."""
    found = re.search(r'name="number" value="(\d+)"', page)
    assert found is not None, page
    return found[1]


def legal(frame: Json) -> list[str]:
    """What may be done in a position."""
    if "can" not in frame:
        return list(frame["legal"])
    can = frame["can"]
    down = [f"down:{card}" for card in can["cards"]] if can["down"] else []
    calls = [one["call"] for one in can["calls"] if one["why_not"] is None]
    return [*can["cards"], *down, *calls]


def first_legal(frame: Json) -> str:
    """A card if one can be played; else the quiet answer, so that no bet ends a match by surprise."""
    may = legal(frame)
    quiet = (action for action in ("flor", "nao-quero") if action in may)
    return may[0] if "legal" in frame or frame["can"]["cards"] else next(quiet, may[0])
