"""What was published on Euchre agents, and how it is judged."""

import pytest

from retruco.agents.registry import roster
from retruco.arena.seatings import members_of
from retruco.experiments.conclusions import ALIKE, CONFIRMED, CONTRADICTED
from retruco.experiments.seelbinder2012 import (
    BLIND,
    COMMON,
    EUCHRE,
    GAMES,
    MEETINGS,
    SAID,
    contest,
    games_needed,
    judged,
    meeting_result,
    power_of_31,
    published_totals,
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


def test_a_meeting_is_told_and_judged() -> None:
    from retruco.agents.registry import find_agent
    from retruco.arena.sets import play_set

    teams = [[find_agent(name, "euchre")] * 2 for name in ("HIGH!", "LOW")]
    row = meeting_result("HIGH!", "LOW", [play_set(EUCHRE, teams, 1, number).score() for number in range(12)])
    assert row["win_rate"] > 0.7
    assert sum(row["once"]["games"]) == 12
    assert 9 < row["hands_a_game"] < 15
    said = next(one for one in SAID["meetings"] if (one["a"], one["b"]) == ("HIGH!", "LOW"))
    sure = judged(said, {**row, "p_holm": 0.001}, {**row, "win_rate": 0.4, "p_holm": 0.001})
    assert (sure["verdict"], sure["blind_verdict"]) == (CONFIRMED, CONTRADICTED)
    assert judged(said, {**row, "p_holm": 0.9}, {**row, "p_holm": 0.9})["verdict"] == ALIKE
