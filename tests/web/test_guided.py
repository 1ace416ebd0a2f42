"""A first match with help: real, but not counted; advice is given, and nobody's cards are."""

import pytest
from fastapi.testclient import TestClient
from serving import client
from visitors import Visitor, legal

__all__ = ["client"]


@pytest.fixture
def visitor(client: TestClient) -> Visitor:
    return Visitor(client)


def test_a_guided_match_gives_advice_that_can_be_followed_to_its_end(visitor: Visitor) -> None:
    match = visitor.open(guided=True, target=2)
    while not (frame := visitor.now(match))["end"]:
        advice = visitor.get(f"/api/matches/{match}/hint?agent=elena").json()
        assert advice["plain"]
        assert advice["action"] in legal(frame)
        assert "other_held" not in frame
        visitor.act(match, frame["number"], advice["action"])
    mine = visitor.get("/api/me").json()
    assert (mine["played"], mine["matches"][0]["kind"], mine["matches"][0]["over"]) == (0, "guided", True)
    assert visitor.get(f"/replay/{match}/0").status_code == 200


def test_advice_is_given_nowhere_else(visitor: Visitor) -> None:
    match = visitor.open()
    visitor.now(match)
    refused = visitor.get(f"/api/matches/{match}/hint")
    assert (refused.status_code, refused.json()["error"]) == (403, "only_here")


def test_only_games_with_practice_are_guided(visitor: Visitor) -> None:
    answer = visitor.post("/api/matches", {"game": "kuhn", "opponent": "random", "guided": True})
    assert answer.status_code == 400


def test_the_front_page_offers_help_until_some_matches_are_played(visitor: Visitor) -> None:
    assert 'id="first-match"' in visitor.get("/").text
    for _ in range(3):
        visitor.finished(target=1)
    assert 'id="first-match"' not in visitor.get("/").text
