"""The questionnaire: after a whole match of the study, once a match, summed up beside what was published."""

from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, registry_of, some_cases
from visitors import Json, Visitor, legal

from retruco.experiments.people import people_against
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.core.store import Store, StoredMatch
from retruco.web.lab import questionnaire
from retruco.web.lab.questionnaire import PUBLISHED, QUESTIONS, summary
from retruco.web.lab.study import STUDY

client = serving.client

FOUR: Json = dict.fromkeys(QUESTIONS, 4)


def fold(frame: Json) -> str:
    """Lose quickly, but by the rules."""
    may = legal(frame)
    return "baralho" if "baralho" in may else "nao-quero" if "nao-quero" in may else may[0]


def study_match(visitor: Visitor) -> tuple[str, str]:
    """A whole match of the study, over, and the agent that it was against."""
    answer = visitor.post("/api/study")
    assert answer.status_code == 201, answer.text
    found: Json = answer.json()
    visitor.play_out(found["match"], fold)
    return found["match"], found["agent"]


def test_answers_are_summed_up_by_agent(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    app = create_app(settings, lambda game: some_cases())
    with TestClient(app, base_url="http://localhost") as client:
        for marks, years in (({**FOUR, "fun": 5}, 3), ({**FOUR, "competence": 2}, None)):
            visitor = Visitor(client)
            match, agent = study_match(visitor)
            for _ in range(2):  # a second answer takes the place of the first
                answer = visitor.post(f"/api/matches/{match}/opinion", {**marks, "years": years})
                assert answer.json() == {"agent": agent}
        found = {row["agent"]: row for row in summary(registry_of(client).store)}
        assert list(found) == ["NPS", "PVCNPS"]
        assert all((row["matches"], row["answers"]) == (1, 1) for row in found.values())
        assert found["NPS"]["groups"]["competence"] == (0, 0, 1)
        assert found["PVCNPS"]["marks"]["fun"] == [5]
        assert found["PVCNPS"]["years"]["2-5"] == 1
        page = visitor.get("/results?lang=en").text
        assert "0 · 0 · 1" in page
        assert "9 · 2 · 1" in page
        assert len(visitor.get("/api/opinions").json()["agents"]) == 2
    (row,) = people_against(["NPS", "PVS"], settings.store)
    assert (row["matches"], row["answers"]) == (1, 1)
    assert people_against(["PVS"], settings.store) == []


def test_only_who_has_played_an_agent_to_the_end_is_asked(client: TestClient) -> None:
    visitor = Visitor(client)
    study = {"opponent": "NPS", "rules": STUDY.rules, "target": STUDY.target}
    resigned = visitor.open(**study)
    visitor.post(f"/api/matches/{resigned}/resign", {"number": visitor.now(resigned)["number"]})
    others = (
        visitor.open(**study),
        visitor.open(**study, practice=True),
        resigned,
        visitor.finished(**{**study, "target": 1}),
        visitor.finished(**{**study, "opponent": "random", "target": 2}),
        visitor.finished(opponent="NPS", rules="cbtg", target=2),
    )
    done, _ = study_match(visitor)
    for match in others:
        assert visitor.post(f"/api/matches/{match}/opinion", FOUR).status_code == 404
        assert visitor.get(f"/opinion/{match}").status_code == 404
    assert Visitor(client).post(f"/api/matches/{done}/opinion", FOUR).status_code == 403
    assert Visitor(client).get(f"/opinion/{done}").status_code == 403


@pytest.fixture(scope="module")
def judge(client: TestClient) -> tuple[Visitor, str]:
    """Somebody who has played a whole match of the study."""
    visitor = Visitor(client)
    return visitor, study_match(visitor)[0]


@pytest.mark.parametrize(
    "wrong",
    [{"fun": 6}, {"fun": 0}, {"fun": "5"}, {"fun": None}, {"years": 101}, {"years": -1}, {"other": 1}],
    ids=str,
)
def test_senseless_answers_are_refused(judge: tuple[Visitor, str], wrong: Json) -> None:
    visitor, match = judge
    assert visitor.post(f"/api/matches/{match}/opinion", {**FOUR, **wrong}).status_code == 422


def test_the_form_says_what_is_missing(client: TestClient) -> None:
    visitor = Visitor(client)
    match, _ = study_match(visitor)
    form = {"form_key": visitor.form_key, **dict.fromkeys(QUESTIONS[:3], "4")}
    assert visitor.request("POST", f"/opinion/{match}", data=form).status_code == 422
    done = visitor.request("POST", f"/opinion/{match}", data={**form, "fun": "5", "years": "12"})
    assert done.headers["location"] == "/study"
    assert visitor.get(f"/opinion/{match}").text.count("checked") == 4


def test_the_published_figures_are_of_thirteen_people() -> None:
    for marks in PUBLISHED.values():
        for counts in marks.values():
            assert counts is None or 9 < sum(one or 0 for one in counts) <= 13


def test_each_match_is_replayed_once_however_many_look_at_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[str] = []

    def count(match: StoredMatch, store: Store, seat: int) -> int:
        replayed.append(match.id)
        return measured(match, store, seat)

    measured = questionnaire.difference_in
    monkeypatch.setattr(questionnaire, "difference_in", count)
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    with TestClient(create_app(settings, lambda game: some_cases()), base_url="http://localhost") as client:
        visitor = Visitor(client)
        first, _ = study_match(visitor)
        for _ in range(5):
            assert Visitor(client).get("/results").status_code == 200
            assert Visitor(client).get("/api/opinions").json()["agents"][0]["matches"] == 1
        assert replayed == [first]
        visitor.post(f"/api/matches/{first}/opinion", FOUR)
        assert visitor.get("/api/opinions").json()["agents"][0]["answers"] == 1
        second, _ = study_match(visitor)
        assert sum(row["matches"] for row in visitor.get("/api/opinions").json()["agents"]) == 2
        assert replayed == [first, second]
    with TestClient(create_app(settings, lambda game: some_cases()), base_url="http://localhost") as client:
        found = Visitor(client).get("/api/opinions").json()["agents"]
        assert sum(row["matches"] for row in found) == 2
        assert replayed == [first, second]


def test_the_summary_is_computed_once_for_all_visitors(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []

    def count(store: Store) -> list[Json]:
        counted.append(1)
        return summary(store)

    monkeypatch.setattr(questionnaire, "summary", count)
    registry_of(client).results.note_change()
    for _ in range(5):
        assert Visitor(client).get("/results").status_code == 200
    assert len(counted) == 1


def test_who_forgets_oneself_leaves_the_results(client: TestClient) -> None:
    visitor = Visitor(client)
    match, agent = study_match(visitor)

    def counted() -> tuple[int, int]:
        found = {one["agent"]: one for one in visitor.get("/api/opinions").json()["agents"]}
        return (found[agent]["matches"], found[agent]["answers"]) if agent in found else (0, 0)

    matches, answers = counted()
    visitor.post(f"/api/matches/{match}/opinion", FOUR)
    assert counted() == (matches, answers + 1)
    visitor.post("/api/me/forget")
    assert counted() == (matches - 1, answers)
