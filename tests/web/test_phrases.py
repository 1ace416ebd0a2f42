"""Quick phrases between people: a few, not too fast, and only at their own table."""

from fastapi.testclient import TestClient
from serving import client, registry_of
from visitors import Visitor, sit_together

from retruco.web.people.phrases import SaidPhrases
from retruco.web.tables.events import phrase_message

__all__ = ["client"]


def say(visitor: Visitor, match: str, phrase: str) -> tuple[int, str]:
    answer = visitor.post(f"/api/matches/{match}/phrase", {"phrase": phrase})
    return answer.status_code, answer.json().get("message", "")


def test_a_phrase_is_said_to_the_table_once_at_a_time(client: TestClient) -> None:
    (host, guest), match = sit_together(client, "truco", "person", target=30)
    live = registry_of(client).find(match)
    assert live is not None
    assert say(host, match, "bluff")[0] == 200
    assert say(host, match, "well_played")[0] == 429
    assert say(guest, match, "well_played")[0] == 200
    heard = [phrase_message(phrase) for phrase in live.phrases.since(0)]
    assert heard == [
        'event: phrase\ndata: {"seat": 0, "phrase": "bluff"}\n\n',
        'event: phrase\ndata: {"seat": 1, "phrase": "well_played"}\n\n',
    ]
    status, message = say(guest, match, "<b>free chat</b>")
    assert status == 400
    assert "one of good_luck, " in message
    assert say(Visitor(client), match, "bluff")[0] == 403


def test_agents_are_not_spoken_to(client: TestClient) -> None:
    visitor = Visitor(client)
    assert say(visitor, visitor.open(), "bluff")[0] == 409


def test_only_what_was_said_lately_is_remembered() -> None:
    said = SaidPhrases()
    for seat in range(30):
        assert said.say(seat, "bluff")
    assert [phrase.number for phrase in said.since(0)] == list(range(11, 31))
    assert said.since(30) == []
