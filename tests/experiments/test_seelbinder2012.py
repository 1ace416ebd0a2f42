"""What was published on Euchre agents, and how it is judged."""

from dataclasses import replace
from pathlib import Path

import pytest

from retruco.agents.registry import find_agent, roster
from retruco.arena.page import Page, as_markdown
from retruco.arena.seatings import members_of
from retruco.arena.sets import Score, play_set
from retruco.experiments.conclusions import ALIKE, CONFIRMED, CONTRADICTED
from retruco.experiments.euchre_ablations import (
    CHANGES,
    MEETINGS,
    QUICK_PAIRS,
    SAID,
    ablation_contests,
    ablation_parts,
    ablation_results,
)
from retruco.experiments.seelbinder2012 import (
    BLIND,
    COMMON,
    EUCHRE,
    GAMES,
    contest,
    games_needed,
    judged,
    meeting_result,
    power_of_31,
    published_totals,
    verdict_of,
)
from retruco.experiments.study import Study


def test_every_published_pairing_is_31_games_between_agents_there_are() -> None:
    assert len(SAID["meetings"]) == 26
    for one in SAID["meetings"]:
        assert sum(one["games"]) == GAMES == 31
        assert all(
            member in roster("euchre") for team in (one["a"], one["b"]) for member in members_of(team, EUCHRE)
        )
        assert all(0 < points < 11 for points in one["points"])
        ahead = one["games"][0] > one["games"][1]
        if one["points"][0] != one["points"][1] and abs(one["points"][0] - one["points"][1]) > 1:
            assert ahead == (one["points"][0] > one["points"][1])


def test_the_overall_shares_that_the_text_tells() -> None:
    """Section 5.2: UF.5 won 73.11 % of its games; section 4.3: UF 67.74, 74.19, 70.97 and 35.48 %."""
    rows = {(one["a"], one["b"]): one["games"][0] / GAMES for one in SAID["meetings"]}
    uf5 = [rate for (a, _), rate in rows.items() if a == "UF.5"]
    assert round(100 * sum(uf5) / len(uf5), 2) == 73.12
    told = [round(100 * rows["UF", other], 2) for other in ("RANDOM", "HIGH", "LOW", "HIGH!")]
    assert told == [67.74, 74.19, 70.97, 35.48]


def test_the_totals_of_the_thesis() -> None:
    totals = published_totals()
    assert totals["hands_a_game"] == pytest.approx(9.68, abs=0.01)
    assert 1.5 < totals["points_a_hand"] < 1.7


def test_what_31_games_can_show() -> None:
    assert power_of_31(0.5) == pytest.approx(0.0294, abs=1e-3)
    assert power_of_31(0.6) == pytest.approx(power_of_31(0.4))
    assert power_of_31(0.95) > 0.99
    assert games_needed(0.55) > games_needed(0.6) > games_needed(0.9)


def test_both_biddings_play_the_published_meetings(tmp_path: object) -> None:
    study = Study(1, True, tmp_path)  # type: ignore[arg-type]  # this experiment asks for no base
    common, blind = contest(study, COMMON), contest(study, BLIND)
    assert common.meetings is not None
    assert blind.meetings is not None
    named = [(common.names[a], common.names[b]) for a, b in common.meetings]
    assert named[: len(MEETINGS)] == list(MEETINGS)
    assert [
        (blind.names[a].replace("@blind", ""), blind.names[b].replace("@blind", ""))
        for a, b in blind.meetings
    ] == list(MEETINGS)
    assert contest(Study(1, False, tmp_path), COMMON).pairs == 2000  # type: ignore[arg-type]  # the same


@pytest.fixture(scope="module")
def scores() -> list[Score]:
    """HIGH! against LOW, which it beats."""
    teams = [[find_agent(name, "euchre")] * 2 for name in ("HIGH!", "LOW")]
    return [play_set(EUCHRE, teams, 1, number).score() for number in range(12)]


def test_a_change_plays_only_the_meetings_that_it_touches() -> None:
    changed = {name: change.meetings() for name, change in CHANGES.items()}
    assert changed["the dealer leads"] == list(MEETINGS)
    assert all("MDP" in f"{a}/{b}".split("/") for a, b in changed["MDP counts the cards that were dealt"])
    assert CHANGES["UF and UF.5 by the published chart"].team("UF/HIGH!") == "UF-even/HIGH!"
    for played in ablation_contests(Study(1, True, Path("nowhere"))):
        assert all(member in roster("euchre") for name in played.names for member in members_of(name, EUCHRE))
        assert played.pairs == QUICK_PAIRS


def test_an_ablation_shows_what_a_change_does_to_the_published_statements(scores: list[Score]) -> None:
    study = Study(1, False, Path("nowhere"))
    lost = [replace(score, winners=tuple(1 - (winner or 0) for winner in score.winners)) for score in scores]
    found = {
        contest.name: dict.fromkeys(
            contest.meetings or (), lost if contest.name == "the dealer leads" else scores
        )
        for contest in ablation_contests(study)
    }
    results = ablation_results(study, found, [scores] * len(MEETINGS), meeting_result, verdict_of)
    confirmed = {
        name: sum(row["verdict"] == CONFIRMED for row in rows) for name, rows in results["pairings"].items()
    }
    ahead = sum(meeting["games"][0] > meeting["games"][1] for meeting in SAID["meetings"])
    assert confirmed["as built"] == confirmed["UF and UF.5 by the published chart"] == ahead
    assert confirmed["the dealer leads"] == len(MEETINGS) - ahead
    text = as_markdown(Page("t", "", ablation_parts(results)))
    assert "figure 3.2, a deck of 4249" in text


def test_a_meeting_is_told_and_judged(scores: list[Score]) -> None:
    row = meeting_result("HIGH!", "LOW", scores)
    assert row["win_rate"] > 0.7
    assert sum(row["once"]["games"]) == 12
    assert 9 < row["hands_a_game"] < 15
    said = next(one for one in SAID["meetings"] if (one["a"], one["b"]) == ("HIGH!", "LOW"))
    sure = judged(said, {**row, "p_holm": 0.001}, {**row, "win_rate": 0.4, "p_holm": 0.001})
    assert (sure["verdict"], sure["blind_verdict"]) == (CONFIRMED, CONTRADICTED)
    assert judged(said, {**row, "p_holm": 0.9}, {**row, "p_holm": 0.9})["verdict"] == ALIKE
