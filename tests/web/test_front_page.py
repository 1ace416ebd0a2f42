"""The front page and one's own matches: what goes on comes first, people before codes, scores and dates."""

import re
from datetime import UTC, datetime

import pytest
from fastapi.testclient import TestClient
from serving import client
from visitors import Visitor

from retruco.agents.truco.levels import LEVELS

__all__ = ["client"]


@pytest.fixture
def visitor(client: TestClient) -> Visitor:
    return Visitor(client)


def test_a_match_that_goes_on_comes_first_with_score_and_date(visitor: Visitor) -> None:
    assert 'id="continue"' not in visitor.get("/").text
    match = visitor.open(opponent="balanced", target=12)
    page = visitor.get("/").text
    first = page.partition('id="continue"')[2].partition("</section>")[0]
    assert page.index('id="continue"') < page.index('class="hero"')
    assert f"/table/{match}" in first
    assert "Elena" in first
    assert "0 to 0 · Hand 1" in first
    assert datetime.now(UTC).strftime("%Y-%m-%d") in first


def test_opponents_are_people_with_a_face_and_codes_are_for_researchers(visitor: Visitor) -> None:
    page = visitor.get("/").text
    for level in LEVELS:
        assert f"#face-{level}" in page
    people = page.partition('id="person"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\w+)"', people) == list(LEVELS)
    assert page.index('id="researchers"') < page.index('value="NPCS"')
    by_code = {"form_key": visitor.form_key, "level": "elena", "opponent": "novice"}
    answer = visitor.request("POST", "/play", data=by_code)
    assert "novice" in visitor.get(answer.headers["location"]).text


def test_my_matches_tell_score_length_date_and_result(visitor: Visitor) -> None:
    match = visitor.finished(target=2)
    page = visitor.get("/me").text
    line = page.partition('id="matches"')[2]
    frames = visitor.look(match)
    own, other = (min(2, score) for score in frames[-1]["scores"])
    assert f"<td>{own} to {other}</td><td>{frames[-1]['hand'] + 1}</td>" in line
    assert datetime.now(UTC).strftime("%Y-%m-%d") in line
    assert ("won" if own == 2 else "lost") in line


def test_my_matches_have_pages(visitor: Visitor) -> None:
    matches = [visitor.open() for _ in range(21)]
    first, second = visitor.get("/me").text, visitor.get("/me?at=20").text
    assert matches[-1] in first
    assert matches[0] not in first
    assert matches[0] in second
    assert 'id="older"' in first
    assert 'id="older"' not in second
