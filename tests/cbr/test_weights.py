"""Weights learnt from a base: they find the feature that counts, and say what that brings on other rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, interval
from retruco.cbr.weights import ANSWERS, GOALS, RESULTS, learn_weights, weigh_cases
from retruco.cli.case_weights import show_weights
from retruco.streams import Stream

BID = Scenario(
    "bid",
    (interval("strength", 0, 30), interval("noise", 0, 30), equal("day", ("even", "odd"))),
    (),
    ("pass", "call"),
)
WORDS = Vocabulary("bids", 1, (BID,))


def some_bids(count: int) -> CaseBase:
    """Whoever is strong calls and wins; everything else is noise."""
    cases, rows = CaseBase(WORDS), []
    for episode in range(count):
        chance = Stream("bids", episode)
        strength, noise = chance.below(31), chance.below(31)
        problem = BID.problem({"strength": strength, "noise": noise, "day": ("even", "odd")[chance.below(2)]})
        rows.append(Row(problem, "call" if strength > 15 else "pass", strength - 15, (), episode, 0))
    cases.add(rows)
    return cases


@pytest.mark.parametrize("goal", GOALS)
def test_the_feature_that_counts_gets_the_weight(goal: str) -> None:
    learnt = learn_weights(some_bids(900), "bid", goal)
    assert learnt is not None
    assert learnt.weights["strength"] >= 4 * max(learnt.weights["noise"], learnt.weights["day"])
    assert learnt.after - learnt.before > 3 * learnt.error


def test_cases_are_compared_with_their_weights() -> None:
    cases = some_bids(50)
    weighed = weigh_cases(cases, {"bid": {"strength": 8}})
    query = BID.problem({"strength": 20, "noise": 3, "day": "odd"})
    parts = weighed.retrieve(query).matches[0].parts
    assert {part.name: part.weight for part in parts} == {"strength": 8, "noise": 1, "day": 1}
    assert len(weighed) == len(cases)


def test_weights_of_unknown_things_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="does not have: mood"):
        WORDS.weigh({"bid": {"mood": 2}})
    with pytest.raises(ValueError, match="bids does not have: bet"):
        WORDS.weigh({"bet": {"strength": 2}})
    with pytest.raises(ValueError, match=f"from {ANSWERS} or {RESULTS}, not from 'luck'"):
        learn_weights(some_bids(5), "bid", "luck")


def test_too_few_rows_teach_nothing() -> None:
    assert learn_weights(some_bids(60), "bid") is None


@pytest.mark.slow
def test_the_command_shows_what_weights_bring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path))
    monkeypatch.setattr("retruco.cbr.weights.MOST_CASES", 120)
    show_weights("maestro", ANSWERS, 2, as_json=True)
    learnt = json.loads(capfd.readouterr().out)
    assert learnt["answer-envido"]["weights"]["envido_points"] > learnt["answer-envido"]["weights"]["low"]
    with pytest.raises(ValueError, match="in vocabulary 2, not 1"):
        show_weights("maestro", ANSWERS, 1, as_json=True)
