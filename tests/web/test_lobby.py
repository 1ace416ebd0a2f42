"""The public lobby: who waits is seen by everybody, and an invitation can be taken back."""

import pytest
from fastapi.testclient import TestClient
from serving import client, registry_of
from visitors import Visitor, sit_together

from retruco.web.art.qr_code import qr_path
from retruco.web.people.invitation_routes import HOST_PATIENCE

__all__ = ["client"]


@pytest.fixture
def host(client: TestClient) -> Visitor:
    found = Visitor(client)
    found.post("/api/me/name", {"name": "Ana"})
    return found


def invite(host: Visitor, **wish: object) -> str:
    made = host.post("/api/invitations", wish)
    assert made.status_code == 201, made.text
    name: str = made.json()["invitation"]
    return name


def waiting(visitor: Visitor) -> list[str]:
    found = visitor.get("/api/invitations").json()["waiting"]
    return [line["invitation"] for line in found]


def test_who_waits_in_public_is_seen_by_others_with_the_rules(client: TestClient, host: Visitor) -> None:
    public, private = invite(host, public=True, rules="argentino", target=15), invite(host)
    guest = Visitor(client)
    assert public in waiting(guest)
    assert private not in waiting(guest)
    assert public not in waiting(host), "one does not sit down with oneself"
    lobby = guest.get("/").text.partition('id="lobby"')[2].partition("</ul>")[0]
    assert f"/join/{public}" in lobby
    assert "Sit down with Ana" in lobby
    assert "Argentine with flor, to 15" in lobby
    guest.post(f"/api/invitations/{public}/accept")
    assert public not in waiting(Visitor(client))


def test_the_lobby_is_read_again_by_itself_and_has_every_game(client: TestClient, host: Visitor) -> None:
    chosen = {"form_key": host.form_key, "seat1": "person", "public": "yes", "rated": "yes"}
    made = host.request("POST", "/kuhn", data=chosen).headers["location"]
    lobby = Visitor(client).get("/lobby?lang=en").text
    assert "<html" not in lobby
    assert made in lobby
    assert "Kuhn poker: " in lobby
    assert "· rated" in lobby


def test_a_host_who_has_gone_is_no_longer_shown(client: TestClient, host: Visitor) -> None:
    public, guest = invite(host, public=True), Visitor(client)
    presence = registry_of(client).presence
    presence._seen = type(presence._seen)(
        (key, at - HOST_PATIENCE if key[0] == public else at) for key, at in presence._seen.items()
    )
    assert public not in waiting(guest)
    host.get(f"/api/invitations/{public}")  # the page of the host looks again
    assert public in waiting(guest)


def test_only_the_host_cancels_an_invitation(client: TestClient, host: Visitor) -> None:
    public, guest = invite(host, public=True), Visitor(client)
    assert guest.post(f"/api/invitations/{public}/cancel").status_code == 403
    assert 'id="cancel"' not in guest.get(f"/join/{public}").text
    assert 'id="cancel"' in host.get(f"/join/{public}").text
    gone = host.request("POST", f"/join/{public}/cancel", data={"form_key": host.form_key})
    assert (gone.status_code, gone.headers["location"]) == (303, "/")
    assert public not in waiting(guest)
    assert guest.post(f"/api/invitations/{public}/accept").status_code == 404
    assert host.get(f"/api/invitations/{public}").status_code == 404


def test_who_asks_for_a_rematch_and_whom_one_played_is_told_by_name(client: TestClient) -> None:
    people, match = sit_together(client, "truco", "person", target=30)
    people[0].post("/api/me/name", {"name": "Ana"})
    people[0].post(f"/api/matches/{match}/resign", {"number": people[0].look(match)[-1]["number"]})
    assert people[1].get(f"/api/matches/{match}/rematch").json()["asked_by"] is None
    asked = people[0].post(f"/api/matches/{match}/rematch").json()["match"]
    assert people[1].get(f"/api/matches/{match}/rematch").json()["asked_by"] == "Ana"
    assert people[0].get(f"/api/matches/{match}/rematch").json()["asked_by"] is None
    assert Visitor(client).get(f"/api/matches/{match}/rematch").status_code == 403
    assert 'class="link"' not in people[0].get(f"/join/{asked}").text
    assert "Ana" in people[1].get("/me").text


def test_the_page_of_an_invitation_shows_its_link_as_a_qr_code(host: Visitor) -> None:
    name = invite(host)
    assert qr_path(f"http://localhost/join/{name}")[1] in host.get(f"/join/{name}").text
