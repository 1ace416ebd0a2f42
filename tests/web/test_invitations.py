"""People against people: by a link, with a clock, and a claim for who stays; agents that are watched."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, RealServer, some_cases
from visitors import Json, Visitor, first_legal

from retruco.games.truco import Truco
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.core.store import Sitter
from retruco.web.people.invitations import Invitation
from retruco.web.tables.table_registry import TableRegistry
from waiting import wait_until

client = serving.client
server = serving.server


def seated(client: TestClient, **wish: object) -> tuple[Visitor, Visitor, str]:
    """A host, a guest and their match."""
    host, guest = Visitor(client), Visitor(client)
    name = host.post("/api/invitations", {"target": 4, **wish}).json()["invitation"]
    answer = guest.post(f"/api/invitations/{name}/accept")
    assert answer.status_code == 201, answer.text
    return host, guest, name


def look(visitor: Visitor, match: str) -> Json:
    return visitor.look(match)[-1]


def play_out(host: Visitor, guest: Visitor, match: str) -> None:
    while not (frame := look(host, match))["end"]:
        mover = host if frame["to_act"] == frame["seat"] else guest
        shown = look(mover, match)
        assert mover.act(match, shown["number"], first_legal(shown)).status_code == 200


def test_two_people_play_a_match_to_its_end(client: TestClient) -> None:
    host, guest, match = seated(client)
    play_out(host, guest, match)
    assert look(host, match)["end"] == look(guest, match)["end"]
    assert {host.get("/api/me").json()["won"], guest.get("/api/me").json()["won"]} == {0, 1}


def test_only_the_first_guest_sits_down_and_never_the_host(client: TestClient) -> None:
    host, guest, late = Visitor(client), Visitor(client), Visitor(client)
    name = host.post("/api/invitations", {}).json()["invitation"]
    assert host.get(f"/api/invitations/{name}").json()["begun"] is False
    assert host.post(f"/api/invitations/{name}/accept").status_code == 409
    assert guest.post(f"/api/invitations/{name}/accept").status_code == 201
    assert late.post(f"/api/invitations/{name}/accept").status_code == 404
    assert host.get(f"/api/invitations/{name}").json()["begun"] is True
    assert late.get(f"/api/matches/{name}").status_code == 403
    assert late.get(f"/table/{name}").status_code == 403


def test_nobody_acts_claims_or_resigns_for_another_seat(client: TestClient) -> None:
    host, guest, match = seated(client, target=30)
    frame = look(host, match)
    mover, other = (host, guest) if frame["to_act"] == frame["seat"] else (guest, host)
    assert other.act(match, frame["number"], "truco").status_code == 409
    stranger = Visitor(client)
    for path, body in (("act", {"action": "truco"}), ("claim", {}), ("resign", {}), ("rematch", None)):
        told = stranger.post(f"/api/matches/{match}/{path}", body and {"number": frame["number"], **body})
        assert told.status_code in (403, 422), path
    assert stranger.get(f"/api/matches/{match}/clock").status_code == 403
    assert mover.get(f"/api/matches/{match}/why/1").status_code == 403
    assert mover.post(f"/api/matches/{match}/again").status_code == 409


def test_a_match_cannot_be_claimed_while_the_other_is_there_and_has_time(client: TestClient) -> None:
    host, guest, match = seated(client, clock=120)
    frame = look(host, match)
    waiting = guest if frame["to_act"] == frame["seat"] else host
    told = waiting.get(f"/api/matches/{match}/clock").json()
    assert 100 < told["left"] <= 120
    assert told["may_claim"] is False
    assert waiting.post(f"/api/matches/{match}/claim", {"number": frame["number"]}).status_code == 409


def hasty(tmp_path: Path, away: float) -> TestClient:
    settings = Settings(tmp_path / "t.sqlite", limits=GENEROUS, away_seconds=away)
    return TestClient(create_app(settings, lambda game: some_cases()), base_url="http://localhost")


def other_away(visitor: Visitor, match: str) -> Json:
    """What the clock shows a visitor, once the other has been away for long."""

    def clock() -> Json | None:
        told: Json = visitor.get(f"/api/matches/{match}/clock").json()
        return told if told["other_away"] else None

    return wait_until(clock, "the other is away")


def test_who_stays_may_claim_when_the_other_has_left(tmp_path: Path) -> None:
    with hasty(tmp_path, away=0.05) as client:
        host, guest, match = seated(client, clock=None)
        frame = look(host, match)
        mover, waiting = (host, guest) if frame["to_act"] == frame["seat"] else (guest, host)
        assert other_away(mover, match)["may_claim"] is False
        assert other_away(waiting, match)["may_claim"] is True
        assert mover.post(f"/api/matches/{match}/claim", {"number": frame["number"]}).status_code == 409
        other_away(waiting, match)
        done = waiting.post(f"/api/matches/{match}/claim", {"number": frame["number"]})
        assert done.status_code == 200
        assert look(waiting, match)["end"] == {"winner": look(waiting, match)["seat"], "ending": "left"}


def test_who_stays_may_claim_when_the_time_is_over(tmp_path: Path) -> None:
    with hasty(tmp_path, away=60) as client:
        host, guest, match = seated(client, clock=30)
        live = serving.registry_of(client).find(match)
        assert live is not None
        live.since -= 31
        frame = look(host, match)
        waiting = guest if frame["to_act"] == frame["seat"] else host
        assert waiting.get(f"/api/matches/{match}/clock").json()["left"] == 0
        assert waiting.post(f"/api/matches/{match}/claim", {"number": frame["number"]}).status_code == 200


def test_a_match_whose_other_person_was_forgotten_is_won_and_its_cards_are_gone(client: TestClient) -> None:
    host, guest, match = seated(client, clock=None)
    frame = look(host, match)
    mover, waiting = (host, guest) if frame["to_act"] == frame["seat"] else (guest, host)
    mover.post("/api/me/forget")
    assert waiting.get(f"/api/matches/{match}/clock").status_code == 410
    (line,) = waiting.get("/api/me").json()["matches"]
    assert (line["won"], line["ending"]) == (True, "left")
    assert "deleted" in waiting.get(f"/table/{match}?lang=en").text


def test_a_rematch_is_asked_for_by_one_and_accepted_by_the_other(client: TestClient) -> None:
    host, guest, match = seated(client)
    assert host.post(f"/api/matches/{match}/rematch").status_code == 409
    play_out(host, guest, match)
    asked = host.post(f"/api/matches/{match}/rematch").json()
    assert asked["waiting"] is True
    stranger = Visitor(client)
    assert stranger.post(f"/api/invitations/{asked['match']}/accept").status_code == 403
    assert host.post(f"/api/matches/{match}/rematch").json() == asked
    assert guest.post(f"/api/matches/{match}/rematch").json() == {"match": asked["match"], "waiting": False}
    assert look(host, asked["match"])["end"] is None


def test_names_are_shown_to_the_other_and_escaped(client: TestClient) -> None:
    host, guest = Visitor(client), Visitor(client)
    host.post("/api/me/name", {"name": "Ana <b>"})
    name = host.post("/api/invitations", {}).json()["invitation"]
    page = guest.get(f"/join/{name}").text
    assert "Ana &lt;b&gt;" in page
    guest.post(f"/api/invitations/{name}/accept")
    table = guest.get(f"/table/{name}").text
    assert "Ana &lt;b&gt;" in table
    assert "Ana <b>" not in table


@pytest.mark.parametrize(
    "wish", [{"clock": 1}, {"clock": "60"}, {"target": 0}, {"rules": "mineiro"}, {"more": 1}], ids=str
)
def test_senseless_invitations_are_refused(client: TestClient, wish: Json) -> None:
    assert Visitor(client).post("/api/invitations", wish).status_code in (400, 422)


def test_agents_play_each_other_while_somebody_watches(client: TestClient) -> None:
    visitor = Visitor(client)
    form = {
        "form_key": visitor.form_key,
        "first": "novice",
        "second": "balanced",
        "rules": "cbtg",
        "target": "6",
    }
    opened = visitor.request("POST", "/watch", data=form)
    assert opened.status_code == 303
    shown = visitor.get(opened.headers["location"])
    assert shown.headers["location"].endswith("/0?play=1")
    page = visitor.get(shown.headers["location"]).text
    assert "novice" in page
    assert "balanced" in page
    assert visitor.get("/api/me").json()["matches"] == []
    long = visitor.request("POST", "/watch", data={**form, "target": "1000"})
    assert long.status_code == 400


def test_both_who_ask_for_a_rematch_at_once_get_it(
    server: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    invitations, together = server.app.state.registry.invitations, threading.Barrier(2, timeout=20)
    make = invitations.make

    def make_at_once(*wish: Any, **terms: Any) -> Invitation:
        together.wait()  # neither writes before the other has asked
        made: Invitation = make(*wish, **terms)
        return made

    def ask(visitor: Visitor) -> Json:
        answer: Json = visitor.post(f"/api/matches/{match}/rematch").json()
        return answer

    with (
        httpx2.Client(base_url=server.address, timeout=30) as one,
        httpx2.Client(base_url=server.address, timeout=30) as two,
    ):
        host, guest = Visitor(one), Visitor(two)
        match = host.post("/api/invitations", {"target": 1}).json()["invitation"]
        guest.post(f"/api/invitations/{match}/accept")
        host.post(f"/api/matches/{match}/resign", {"number": look(host, match)["number"]})
        monkeypatch.setattr(invitations, "make", make_at_once)
        with ThreadPoolExecutor(2) as both:
            told = list(both.map(ask, (host, guest)))
        assert told[0]["match"] == told[1]["match"]
        assert sorted(one["waiting"] for one in told) == [False, True]
        for visitor in (host, guest):
            assert visitor.get(f"/api/matches/{told[0]['match']}").status_code == 200


def test_to_watch_with_all_streams_open_is_refused_plainly(server: RealServer) -> None:
    registry: TableRegistry = server.app.state.registry
    watched = registry.open(Truco.named("cbtg"), (Sitter(agent="random"), Sitter(agent="random")), "watched")
    with httpx2.Client(base_url=server.address, timeout=30) as line, ExitStack() as tabs:
        visitor = Visitor(line)
        match = visitor.open()
        lines: list[Iterator[str]] = []
        cookie = {"Cookie": f"retruco_seat={visitor.cookies['retruco_seat']}"}
        for _ in range(registry.settings.limits.streams_per_visitor):
            stream = tabs.enter_context(line.stream("GET", f"/api/matches/{match}/events", headers=cookie))
            lines.append(stream.iter_lines())
            next(lines[-1])
        answer = visitor.get(f"/watch/{watched.id}?lang=en")
        assert answer.status_code == 429
        assert "Close another tab" in answer.text
