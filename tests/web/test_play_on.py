"""Playing on from a decision of a review: the same position and opponent, and nothing of it counts."""

from itertools import pairwise
from typing import NamedTuple

import pytest
import serving
from fastapi.testclient import TestClient
from serving import registry_of
from visitors import Visitor, play_together, sit_together

from retruco.web.tables.live_table import LiveTable

client = serving.client


@pytest.fixture(scope="module")
def visitor(client: TestClient) -> Visitor:
    return Visitor(client)


@pytest.fixture(scope="module")
def match(visitor: Visitor) -> str:
    return visitor.finished(opponent="regular", target=6)


class Decision(NamedTuple):
    """A move of a match, by the number of the position it led to."""

    number: int
    hand: int
    seat: int
    action: str


def decisions(live: LiveTable) -> list[Decision]:
    """Every move of a match."""
    return [
        Decision(live.number(place), position.hand, *position.moved)
        for place, position in enumerate(live.positions)
        if position.moved is not None
    ]


def play_on(visitor: Visitor, match: str, number: int) -> str:
    answer = visitor.post(f"/api/matches/{match}/play-on", {"number": number})
    assert answer.status_code == 201, answer.text
    name: str = answer.json()["match"]
    return name


def table(client: TestClient, match: str) -> LiveTable:
    found = registry_of(client).find(match)
    assert found is not None
    return found


def test_one_plays_on_from_the_decision_with_the_same_cards_and_opponent(
    client: TestClient, visitor: Visitor, match: str
) -> None:
    before = table(client, match)
    mine = [move for move in decisions(table(client, match)) if move.seat == 0]
    assert len({move.hand for move in mine}) > 1, "the decisions of several hands are tried"
    for move in (mine[0], mine[-1]):
        practice = table(client, play_on(visitor, match, move.number))
        place = move.number - 1
        assert practice.positions == before.positions[: place + 1]
        assert [sitter.agent for sitter in practice.stored.sitters] == [None, "regular"]
        assert practice.to_act == 0
        assert move.action in practice.positions[-1].state.legal
        seals = {deal.seal for deal in before.deals}
        assert not seals & {deal.seal for deal in practice.deals}


def test_the_opponent_answers_the_same_move_as_it_did(
    client: TestClient, visitor: Visitor, match: str
) -> None:
    before = table(client, match)
    moves = decisions(before)
    played, answered = next(
        pair
        for pair in pairwise(moves)
        if [move.seat for move in pair] == [0, 1] and pair[0].hand == pair[1].hand
    )
    name = play_on(visitor, match, played.number)
    visitor.act(name, visitor.now(name)["number"], played.action)
    visitor.now(name)
    assert decisions(table(client, name))[: moves.index(answered) + 1] == moves[: moves.index(answered) + 1]


def test_the_next_hands_are_dealt_anew_and_nothing_is_recorded(
    client: TestClient, visitor: Visitor, match: str
) -> None:
    counted, rating = visitor.get("/api/me").json(), visitor.get("/api/me/rating").json()
    first = decisions(table(client, match))[0]
    name = play_on(visitor, match, first.number)
    live = table(client, name)
    assert f"/review/{match}" in visitor.get(f"/table/{name}").text
    visitor.play_out(name)
    texts = [deal.text for deal in table(client, match).deals]
    assert live.deals[0].text == texts[0]
    assert [deal.text for deal in live.deals[1:3]] != texts[1:3]
    assert visitor.get("/api/me").json() == counted
    assert visitor.get("/api/me/rating").json() == rating
    assert registry_of(client).store.load(name) is None


def test_a_visitor_has_one_such_practice_at_a_time(client: TestClient, visitor: Visitor, match: str) -> None:
    moves = decisions(table(client, match))
    older, newer = (play_on(visitor, match, moves[at].number) for at in (0, 1))
    assert visitor.get(f"/table/{older}").status_code == 404
    assert visitor.get(f"/table/{newer}").status_code == 200


def test_in_the_place_of_a_person_a_level_plays_on_and_forgetting_ends_it(client: TestClient) -> None:
    people, match = sit_together(client, "truco", "person", target=3)
    play_together(people, match)
    move = next(move for move in decisions(table(client, match)) if move.seat == 0)
    name = play_on(people[0], match, move.number)
    sitters = table(client, name).stored.sitters
    assert [sitter.agent for sitter in sitters] == [None, "balanced"]
    assert people[0].get(f"/api/matches/{name}").status_code == 200
    people[1].post("/api/me/forget")
    assert people[0].get(f"/api/matches/{name}").status_code == 404


def test_what_cannot_be_played_on_is_refused_plainly(
    client: TestClient, visitor: Visitor, match: str
) -> None:
    going_on = visitor.open(target=30)
    kuhn = visitor.finished(game="kuhn", opponent="NPS", target=2)
    for name, number, status in ((going_on, 1, 403), (match, 10_000, 404), (match, 0, 404), (kuhn, 1, 400)):
        answer = visitor.post(f"/api/matches/{name}/play-on", {"number": number})
        assert answer.status_code == status, answer.text
