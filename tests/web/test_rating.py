"""A rating of one's own: it moves with every match against a measured level, and with nothing else."""

from dataclasses import replace
from itertools import pairwise

import pytest
import serving
from fastapi.testclient import TestClient
from visitors import Visitor

from rate_levels import levels_as_json
from retruco.agents.truco.levels import BESIDE, LADDER
from retruco.web.account.rating import (
    LEVEL_FILE,
    Skill,
    expected_share,
    is_rated,
    level_skills,
    rate_matches,
    skill_after,
)
from retruco.web.core.store import End, Sitter, StoredMatch

client = serving.client
ME = "me"


def match(opponent: str = "balanced", won: bool = True, at: float = 1.0) -> StoredMatch:
    sitters = (Sitter(visitor=ME), Sitter(agent=opponent))
    return StoredMatch(
        f"match{at}", "cbtg", 24, 0, 1, "match", sitters, end=End(0 if won else 1, "played", at)
    )


def test_the_levels_stand_where_the_ladder_was_measured() -> None:
    assert LEVEL_FILE.read_text() == levels_as_json(), "run `python tools/rate_levels.py`"


def test_every_level_has_a_rating_and_each_step_is_higher() -> None:
    skills = level_skills()["truco"]
    assert set(skills) == {*LADDER.values(), *BESIDE.values()}
    assert all(skills[lower] < skills[upper] for lower, upper in pairwise(LADDER.values()))


def test_a_win_raises_a_loss_lowers_and_both_make_surer() -> None:
    level = level_skills()["truco"]["balanced"]
    up, down = (skill_after(Skill(), level, won) for won in (True, False))
    assert down.rating < Skill().rating < up.rating
    assert max(up.reach, down.reach) < Skill().reach


def test_a_win_against_a_stronger_level_counts_more() -> None:
    skills = level_skills()["truco"]
    weak, strong = (skill_after(Skill(), skills[name], True).mu for name in ("first-timer", "solver"))
    assert weak < strong


def test_somebody_who_always_wins_is_expected_to_win() -> None:
    rated = rate_matches([match(at=number) for number in range(60)], ME, "truco")
    assert len(rated) == 60
    assert expected_share(rated[-1].skill, level_skills()["truco"]["balanced"]) > 0.8


def test_matches_are_rated_in_the_order_in_which_they_ended() -> None:
    rated = rate_matches([match(at=2, won=False), match(at=1)], ME, "truco")
    assert [found.won for found in rated] == [True, False]


RATED = match()


@pytest.mark.parametrize(
    "other",
    [
        replace(RATED, kind="practice"),
        replace(RATED, kind="again"),
        replace(RATED, target=12),
        replace(RATED, end=None),
        replace(RATED, end=End(0, "failed")),
        replace(RATED, sitters=(Sitter(visitor=ME), Sitter(agent="bluffer"))),
        replace(RATED, sitters=(Sitter(visitor=ME), Sitter(visitor="you"))),
    ],
)
def test_nothing_else_counts(other: StoredMatch) -> None:
    assert is_rated(RATED, ME)
    assert not is_rated(other, ME)


def test_a_resigned_match_counts_on_the_page(client: TestClient) -> None:
    visitor = Visitor(client)
    assert "No match counts yet." in visitor.get("/rating?lang=en").text
    table = visitor.open(opponent="bia", target=24)
    visitor.post(f"/api/matches/{table}/resign", {"number": visitor.now(table)["number"]})
    page = visitor.get("/rating?lang=en").text
    assert f"/review/{table}" in page
    assert "<dd>1500</dd>" not in page
