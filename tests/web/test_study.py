"""The study: a fixed set-up, opponents in turn, whole matches only; simulated people play it from start to end."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi.testclient import TestClient
from serving import GENEROUS, registry_of, some_cases
from visitors import Json, Visitor, legal

from retruco.arena.blocks import NO_POST, Task
from retruco.cbr.casebase import CaseBase
from retruco.experiments import simulated_people
from retruco.experiments.people import EXPERIMENT
from retruco.experiments.simulated_people import SimulatedPeople
from retruco.experiments.study import Study
from retruco.storage.library import Base
from retruco.vocab.truco import VOCABULARY
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.lab.questionnaire import PUBLISHED
from retruco.web.lab.study import STUDY, base_digest


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A server of its own, so that nobody else has begun the study."""
    with serve(tmp_path, some_cases()) as found:
        yield found


def serve(folder: Path, cases: CaseBase) -> TestClient:
    settings = Settings(folder / "table.sqlite", limits=GENEROUS)
    return TestClient(create_app(settings, lambda game: cases), base_url="http://localhost")


def fold(frame: Json) -> str:
    may = legal(frame)
    return "baralho" if "baralho" in may else "nao-quero" if "nao-quero" in may else may[0]


def resign(visitor: Visitor, match: str) -> None:
    answer = visitor.post(f"/api/matches/{match}/resign", {"number": visitor.now(match)["number"]})
    assert answer.status_code == 200, answer.text


def test_the_study_has_the_published_agents() -> None:
    assert STUDY.agents == tuple(PUBLISHED)


def test_a_match_that_was_given_up_does_not_take_the_agents_turn(client: TestClient) -> None:
    visitor = Visitor(client)
    first = visitor.post("/api/study").json()
    assert visitor.post("/api/study").json() == first, "one match at a time"
    resign(visitor, first["match"])
    again = visitor.post("/api/study").json()
    assert again["agent"] == first["agent"] == STUDY.agents[0]
    assert again["match"] != first["match"]
    visitor.play_out(again["match"], fold)
    assert visitor.get("/api/study").json()["next"] == STUDY.agents[1]
    assert [one["whole"] for one in visitor.get("/api/study").json()["matches"]] == [False, True]
    page = visitor.get("/study?lang=en").text
    assert "given up, does not count" in page
    assert f"/opinion/{again['match']}" in page


def test_people_begin_with_different_agents(client: TestClient) -> None:
    begun = [Visitor(client).post("/api/study").json()["agent"] for _ in STUDY.agents]
    assert begun == list(STUDY.agents)


def test_a_match_that_the_study_did_not_open_is_none_of_its_matches(client: TestClient) -> None:
    visitor = Visitor(client)
    chosen = visitor.open(opponent="NPS", rules=STUDY.rules, target=STUDY.target)
    visitor.play_out(chosen, fold)
    assert visitor.get(f"/opinion/{chosen}").status_code == 404
    assert visitor.get("/api/opinions").json()["agents"] == []


def test_the_case_base_of_a_study_stays_the_same(tmp_path: Path) -> None:
    with serve(tmp_path, some_cases()) as client:
        match = Visitor(client).post("/api/study").json()["match"]
        assert registry_of(client).study_matches.has(match)
    other = CaseBase(VOCABULARY)
    other.add(list(some_cases().rows("card-1-lead"))[:5])
    assert base_digest(other) != base_digest(some_cases())
    with serve(tmp_path, other) as client:
        answer = Visitor(client).post("/api/study")
        assert (answer.status_code, answer.json()["error"]) == (409, "other_base")
    with serve(tmp_path, some_cases()) as client:
        assert Visitor(client).post("/api/study").status_code == 201


def test_the_form_of_the_page_opens_the_next_match(client: TestClient) -> None:
    visitor = Visitor(client)
    page = visitor.get("/study?lang=en").text
    assert "fixed with the first match" in page
    answer = visitor.request("POST", "/study", data={"form_key": visitor.form_key})
    assert re.fullmatch(r"/table/[\w-]{16}", answer.headers["location"])
    assert base_digest(some_cases()) in visitor.get("/study").text
    assert visitor.request("POST", "/study", data={"form_key": "wrong"}).status_code == 403


# Simulated people


@pytest.mark.slow
def test_simulated_people_take_part_from_start_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated_people, "GIVES_UP", 1)
    base = cast("Base", SimpleNamespace(cases=some_cases()))
    work = SimulatedPeople(Study(1, True, tmp_path, base), people=1)

    def play() -> list[Json]:
        return work.play(Task((work.blocks()[0],)), NO_POST, lambda share: None)[0].scores

    found = work.found([play()])
    assert found is not None
    assert found["given up"] == 1
    assert found["setup"] == STUDY.setup(base_digest(some_cases()))
    counts = [(row["agent"], row["matches"], row["answers"]) for row in found["agents"]]
    assert counts == [(agent, 1, 1) for agent in sorted(STUDY.agents)]
    for row in found["agents"]:
        good, _, poor = row["groups"]["competence"]
        assert good <= row["wins"] <= 1 - poor, "marks for competence follow the result"
    assert play() == [found], "the same seed gives the same"
    report = "\n".join(
        str(part) for part in EXPERIMENT.parts({"people": [], "setup": None, "simulated": found})
    )
    assert "SIMULATED people" in report
    assert "No person played these matches" in report
    assert "Here nobody has played a match of the study yet" in report
