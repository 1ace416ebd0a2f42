"""Rated matches between people: agreed before the first hand, counted once, each by the other's rating."""

from dataclasses import replace

import pytest
import serving
from fastapi.testclient import TestClient
from serving import registry_of
from visitors import Json, Visitor, sit_together

from retruco.web.account.rating import Skill, is_rated, rate_matches, skill_after
from retruco.web.core.store import End, Sitter, StoredMatch

client = serving.client
NEW: tuple[float, float] = (Skill().mu, Skill().sigma)
MATCH = StoredMatch(
    "m", "cbtg", 24, 0, 1, "people", (Sitter(visitor="ana"), Sitter(visitor="beto")),
    end=End(0, "played", 1.0), skills=(NEW, NEW),
)  # fmt: skip


def rating_of(visitor: Visitor, game: str = "truco") -> Json:
    found: Json = visitor.get("/api/me/rating").json()["games"].get(game, {})
    return found


def give_up(visitor: Visitor, match: str) -> None:
    number = visitor.look(match)[-1]["number"]
    assert visitor.post(f"/api/matches/{match}/resign", {"number": number}).status_code == 200


def test_a_match_counts_for_both_by_the_skill_of_the_other() -> None:
    strong = (32.0, 1.5)
    against_strong = replace(MATCH, skills=(NEW, strong))
    (usual,), (better,) = (rate_matches([match], "ana", "truco") for match in (MATCH, against_strong))
    assert usual.skill == skill_after(Skill(), Skill().mu, True, Skill().sigma)
    assert better.skill.rating > usual.skill.rating
    assert better.against == Skill(*strong)
    (lost,) = rate_matches([MATCH], "beto", "truco")
    assert lost.skill.rating < 1500


@pytest.mark.parametrize(
    ("match", "counts"),
    [
        (MATCH, True),
        (replace(MATCH, end=End(1, "resigned", 1.0)), True),
        (replace(MATCH, end=End(0, "left", 1.0)), True),
        (replace(MATCH, skills=()), False),
        (replace(MATCH, end=None), False),
        (replace(MATCH, end=End(None, "left", 1.0)), False),
    ],
    ids=("played", "given up", "claimed", "not agreed", "goes on", "without a winner"),
)
def test_what_counts(match: StoredMatch, counts: bool) -> None:
    assert is_rated(match, "ana") == counts
    assert is_rated(match, "beto") == counts


def test_two_people_agree_play_and_find_the_match_once_in_both_histories(client: TestClient) -> None:
    host = Visitor(client)
    host.post("/api/me/name", {"name": "Ana"})
    made = host.post("/api/invitations", {"rated": True}).json()["invitation"]
    guest = Visitor(client)
    joining = guest.get(f"/join/{made}?lang=en").text
    assert "Ana has 1500" in joining
    assert "By sitting down you agree." in joining
    guest.post(f"/api/invitations/{made}/accept")
    for visitor in (host, guest):
        assert "Rated match: " in visitor.get(f"/table/{made}?lang=en").text
        assert rating_of(visitor)["matches"] == []
    give_up(guest, made)
    for _ in range(3):  # a reloaded page counts nothing twice
        host.get(f"/table/{made}")
        won, lost = rating_of(host), rating_of(guest)
        assert (
            [line["match"] for line in won["matches"]]
            == [made]
            == [line["match"] for line in lost["matches"]]
        )
    assert won["rating"] > 1500 > lost["rating"]
    assert won["matches"][0]["change"] == won["rating"] - 1500
    assert "Ana (1500)" in guest.get("/rating?lang=en").text


def test_the_rating_of_the_next_match_is_the_one_after_the_last(client: TestClient) -> None:
    people, match = sit_together(client, "truco", "person", rated=True)
    give_up(people[1], match)
    again = [visitor.post(f"/api/matches/{match}/rematch").json()["match"] for visitor in people][1]
    live = registry_of(client).find(again)
    assert live is not None
    assert [Skill(*skill).rating for skill in live.stored.skills] == [
        rating_of(one)["rating"] for one in people
    ]


def test_a_match_that_is_not_agreed_on_changes_no_rating(client: TestClient) -> None:
    people, match = sit_together(client, "truco", "person", target=24)
    give_up(people[0], match)
    assert [rating_of(visitor)["matches"] for visitor in people] == [[], []]


def test_the_other_keeps_a_rated_match_of_somebody_who_was_forgotten(client: TestClient) -> None:
    people, match = sit_together(client, "truco", "person", rated=True)
    assert people[1].post("/api/me/forget").status_code == 200
    won = rating_of(people[0])
    assert [line["match"] for line in won["matches"]] == [match]
    assert won["rating"] > 1500
    assert people[0].get("/rating").status_code == 200


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"target": 12}, "goes to 24 points"),
        ({"game": "euchre", "opponent": "person,person,person"}, "between two people"),
        ({"game": "kuhn", "opponent": "person,NPS"}, "between two people"),
    ],
)
def test_only_whole_matches_of_two_people_can_be_rated(client: TestClient, wish: Json, message: str) -> None:
    answer = Visitor(client).post("/api/invitations?lang=en", {"rated": True, **wish})
    assert answer.status_code == 400
    assert message in answer.json()["message"]
