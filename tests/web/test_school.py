"""Teaching: the pupil plays what it knows, asks what it does not, and remembers what it was shown."""

import pytest
import serving
from fastapi.testclient import TestClient
from serving import registry_of
from visitors import HAND, Json, Visitor, legal

from retruco.games.truco import Truco
from retruco.storage.store import open_store
from retruco.web.school.teaching import base_of, stages_shown
from waiting import wait_until

client = serving.client


def begin(client: TestClient) -> tuple[Visitor, str]:
    visitor = Visitor(client)
    opened = visitor.request("POST", "/teach", data={"form_key": visitor.form_key})
    assert opened.status_code == 303, opened.text
    return visitor, opened.headers["location"].removeprefix("/table/")


def question(visitor: Visitor, match: str) -> Json:
    """The next question of the pupil, or the end of the match."""

    def asked() -> Json | None:
        frames = visitor.look(match)
        return frames[-1] if frames and (frames[-1]["end"] or frames[-1]["asks"]) else None

    return wait_until(asked, "the pupil asks or ends")


def shown_hand(visitor: Visitor, match: str) -> Json:
    """Answer questions until a hand is over in which something was shown."""
    for _ in range(200):
        frame = question(visitor, match)
        cases: list[Json] = visitor.get(f"/api/matches/{match}/taught").json()["cases"]
        if cases or frame["end"]:
            return cases[0] if cases else {}
        visitor.act(match, frame["number"], frame["asks"]["proposed"])
    raise AssertionError("nothing was ever kept")


def test_a_pupil_asks_and_what_it_is_shown_is_kept_and_told(client: TestClient) -> None:
    visitor, match = begin(client)
    frame = question(visitor, match)
    assert frame["asks"]["proposed"] in legal(frame)
    assert frame["other_count"] == 3 - len([one for one in frame["plays"] if one["seat"] == 1])
    case = shown_hand(visitor, match)
    assert case["stage"] in ("envido", "flor", "truco")
    assert case["questions"][0]["query"]
    live = registry_of(client).find(match)
    assert live is not None
    who = live.stored.sitters[0].visitor
    assert who is not None
    with open_store(registry_of(client).settings.case_file) as store:
        origins = store.facts(base_of(who)).origins
    assert set(origins) == {"taught"}
    assert base_of(who) not in registry_of(client).bases(), "what was taught is nobody else's"
    queries = [(asked["title"], str(asked["query"])) for asked in case["questions"]]
    assert len(set(queries)) == len(queries), "no question is listed twice"
    before = registry_of(client).school.pupil(who)
    registry_of(client).school.dismiss(who)
    after = registry_of(client).school.pupil(who)
    assert len(after.cases) == len(before.cases)


def test_what_the_pupil_knows_it_plays_itself(client: TestClient) -> None:
    visitor, match = begin(client)
    frame = question(visitor, match)
    assert visitor.act(match, frame["number"] + 1, "truco").status_code == 409
    live = registry_of(client).find(match)
    assert live is not None
    live.asks = None
    assert visitor.act(match, frame["number"], legal(frame)[0]).status_code == 409


def test_nobody_else_teaches_ones_pupil_or_reads_its_lessons(client: TestClient) -> None:
    visitor, match = begin(client)
    frame = question(visitor, match)
    other = Visitor(client)
    assert other.act(match, frame["number"], frame["asks"]["proposed"]).status_code == 403
    assert other.get(f"/api/matches/{match}/taught").status_code == 403
    assert other.get(f"/table/{match}").status_code == 403


def test_what_was_taught_can_be_deleted_and_is_no_longer_remembered(client: TestClient) -> None:
    visitor, match = begin(client)
    assert shown_hand(visitor, match)
    live = registry_of(client).find(match)
    assert live is not None
    who = live.stored.sitters[0].visitor
    assert who is not None
    known = len(registry_of(client).school.pupil(who).cases)
    names = [one["id"] for one in visitor.get("/api/me/hands").json()["hands"]]
    assert visitor.post("/api/me/hands/delete", {"hands": names}).json()["deleted"] == len(names)
    assert len(registry_of(client).school.pupil(who).cases) < known
    assert visitor.get(f"/api/matches/{match}/taught").json()["cases"] == []


@pytest.mark.parametrize(
    ("asked", "did", "stages"),
    [
        ("envido-first", "envido", {"envido"}),
        ("envido-first", "truco", {"envido", "truco"}),
        ("envido-first", "1e", {"envido", "truco"}),
        ("truco-1-first", "truco", {"truco"}),
        ("truco-1-first", "1e", {"truco"}),
        ("card-1-lead", "1e", {"truco"}),
        ("card-1-lead", "envido", {"envido"}),
    ],
)
def test_of_a_shown_move_only_what_was_asked_counts_as_shown(asked: str, did: str, stages: set[str]) -> None:
    assert set(stages_shown(Truco.read(HAND).observe(0), did, asked)) == stages
