"""The questionnaire: after a match against an agent, once a match, summed up beside what was published."""

from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, room_of, some_cases
from visitors import Json, Visitor

from retruco.experiments.people import people_against
from retruco.web.app import create_app
from retruco.web.opinions import PUBLISHED, QUESTIONS, summary
from retruco.web.settings import Settings

client = serving.client

FOUR: Json = dict.fromkeys(QUESTIONS, 4)


def test_answers_are_summed_up_by_agent(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    app = create_app(settings, lambda game: some_cases())
    with TestClient(app, base_url="http://localhost") as client:
        for marks, years in (({**FOUR, "fun": 5}, 3), ({**FOUR, "competence": 2}, None)):
            visitor = Visitor(client)
            match = visitor.finished(opponent="NPS")
            answer = visitor.post(f"/api/matches/{match}/opinion", {**marks, "years": years})
            assert answer.json() == {"agent": "NPS"}
            visitor.post(f"/api/matches/{match}/opinion", {**marks, "years": years})
        (found,) = summary(room_of(client).store)
        assert (found["agent"], found["matches"], found["answers"]) == ("NPS", 2, 2)
        assert found["groups"]["competence"] == (1, 0, 1)
        assert found["marks"]["fun"] == [5, 4]
        assert found["years"]["2-5"] == 1
        page = visitor.get("/results?lang=en").text
        assert "1 · 0 · 1" in page
        assert "9 · 2 · 1" in page
        assert visitor.get("/api/opinions").json()["agents"][0]["answers"] == 2
    (row,) = people_against(["NPS", "PVS"], settings.store)
    assert (row["matches"], row["answers"]) == (2, 2)
    assert people_against(["PVS"], settings.store) == []


def test_only_who_has_played_an_agent_to_the_end_is_asked(client: TestClient) -> None:
    visitor = Visitor(client)
    going_on, practice, done = visitor.open(), visitor.open(practice=True), visitor.finished()
    for match in (going_on, practice):
        assert visitor.post(f"/api/matches/{match}/opinion", FOUR).status_code == 404
        assert visitor.get(f"/opinion/{match}").status_code == 404
    assert Visitor(client).post(f"/api/matches/{done}/opinion", FOUR).status_code == 403
    assert Visitor(client).get(f"/opinion/{done}").status_code == 403


@pytest.mark.parametrize(
    "wrong",
    [{"fun": 6}, {"fun": 0}, {"fun": "5"}, {"fun": None}, {"years": 101}, {"years": -1}, {"other": 1}],
    ids=str,
)
def test_senseless_answers_are_refused(client: TestClient, wrong: Json) -> None:
    visitor = Visitor(client)
    match = visitor.finished(target=1)
    assert visitor.post(f"/api/matches/{match}/opinion", {**FOUR, **wrong}).status_code == 422


def test_the_form_says_what_is_missing(client: TestClient) -> None:
    visitor = Visitor(client)
    match = visitor.finished(target=1)
    form = {"form_key": visitor.form_key, **dict.fromkeys(QUESTIONS[:3], "4")}
    assert visitor.request("POST", f"/opinion/{match}", data=form).status_code == 422
    done = visitor.request("POST", f"/opinion/{match}", data={**form, "fun": "5", "years": "12"})
    assert done.headers["location"] == "/results"
    assert visitor.get(f"/opinion/{match}").text.count("checked") == 4


def test_the_published_figures_are_of_thirteen_people() -> None:
    for marks in PUBLISHED.values():
        for counts in marks.values():
            assert counts is None or 9 < sum(one or 0 for one in counts) <= 13
