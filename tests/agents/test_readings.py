"""Readings: written down, chosen by name, printed into results."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from hand_made import Asked, choose
from retruco.agents.case_based import CaseBasedAgent, readings_of
from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent, find_entry
from retruco.agents.truco.bots import READINGS as BOTS
from retruco.agents.truco.policies import NAMED, TWENTY, read_model
from retruco.agents.truco.readings import GUARDED, MARK, Reading, change_reading
from retruco.arena.batch import Batch, matches_of_pair
from retruco.arena.duel import deals_from, play_pair
from retruco.arena.match import play_match
from retruco.cbr.case import Problem
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Adaptive, Threshold, Top
from retruco.cbr.reuse import Guard
from retruco.cbr.summary import CaseTally
from retruco.cli import main
from retruco.games.truco import Truco, TrucoState
from retruco.learning.learners import plan_for
from retruco.learning.starting import in_memory
from retruco.storage.reading import Hand
from retruco.storage.store import open_store
from retruco.streams import Stream
from retruco.vocab.registry import find_vocabulary
from retruco.vocab.truco import VOCABULARY, rows, with_score

GAME = Truco.named("trucogame")
ALL = {**NAMED, **BOTS}


@cache
def records() -> list[dict[str, object]]:
    chance = find_agent("random", "truco")
    matches = (play_match(GAME, (chance, chance), deals_from(GAME, 4, one), 0, one) for one in range(12))
    return [hand.state.record() for match in matches for hand in match.hands]


@cache
def cases() -> CaseBase:
    """A small base of hands played by chance."""
    base = CaseBase(VOCABULARY)
    for episode, record in enumerate(records(), 1):
        base.add(rows(record, episode % 2, episode))
    return base


@cache
def cases_with_score() -> CaseBase:
    """The same hands, with the scores they were played at."""
    base = CaseBase(with_score.VOCABULARY)
    for episode, record in enumerate(records(), 1):
        base.add(with_score.rows(record, episode % 2, episode))
    return base


def cases_in(game: str, version: int | None = None) -> CaseBase:
    return cases() if version is None else cases_with_score()


def agent(name: str) -> CaseBasedAgent:
    found = find_agent(name, "truco", cases_in)
    assert isinstance(found, CaseBasedAgent)
    return found


# The notation


@pytest.mark.parametrize("name", ALL)
def test_a_reading_is_read_back_from_what_it_prints(name: str) -> None:
    reading = ALL[name]
    policy, _, parts = str(reading).partition(MARK)
    assert change_reading(Reading(policy), parts) == reading


def test_the_published_agents_are_names_of_readings() -> None:
    for name, same in (
        ("PVCNPS-raw", "PVCNPS@plain+revision=none"),
        ("CNPC-2019", "NPCS@threshold=0.75"),
        ("CNPC-2019-raw", "NPCS@threshold=0.75+plain+revision=none"),
        ("NPS-sound", "NPS@revision=sound"),
        ("BOT3", "guarded-majority@unknown=lot"),
        ("BOT0-raw", "guarded-majority@revision=none"),
    ):
        one, other = agent(name).policy, agent(same).policy
        assert (one.reading, one.mode, one.rules, one.model, one.safeguards, type(one)) == (
            (other.reading, other.mode, other.rules, other.model, other.safeguards, type(other))
        )


def test_every_retrieval_can_be_chosen_and_in_two_steps() -> None:
    for parts, mode in (
        ("adaptive", Adaptive()),
        ("adaptive=0.98-0.02-100", Adaptive(0.98, 0.02, 100)),
        ("threshold=0.75", Threshold(0.75)),
        ("top=10@0.90", Top(10, 0.9)),
        ("top=10@0.90+two-step", Top(10, 0.9, grouped=True)),
    ):
        assert change_reading(NAMED["NPS"], parts).retrieval == mode


def test_what_is_not_named_stays_as_the_name_has_it() -> None:
    assert change_reading(NAMED["CNPC-2019"], "plain").retrieval == Threshold(0.75)
    assert change_reading(NAMED["NPS"], "two-step").retrieval == Adaptive(grouped=True)


def test_the_published_revision_has_three_rules_and_throws_no_hand_away() -> None:
    rules = [rule.name for rule in agent("NPS@revision=published").policy.rules]
    assert sorted(rules) == ["compulsive-bluff", "logical-bet", "thrown-hand", "wasted-card"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("NPS@similar", "unknown part 'similar' in the reading 'similar' of NPS: one of adaptive, threshold, top, "),
        ("NPS@plain+support", "chooses the criteria twice"),
        ("NPS@threshold=0.7+top=3@0.9", "chooses the retrieval twice"),
        ("NPS@threshold=75", "cannot read the retrieval 'threshold=75': write threshold=SHARE, as threshold=0.75"),
        ("NPS@top=0@0.9", "cannot read the retrieval 'top=0@0.9': write top=COUNT@SHARE"),
        ("NPS@adaptive=0.98", "write adaptive or adaptive=START-STEP-LEAST"),
        ("NPS@adaptive=0.98-0-5", "write adaptive or adaptive=START-STEP-LEAST"),
        ("NPS@revision=mine", "unknown revision 'mine' .*: one of none, published, ours, sound"),
        ("NPS@score=maybe", "unknown score 'maybe' in the reading 'score=maybe': one of ignored, compared"),
        ("NPS@guard=none", "unknown part 'guard=none'"),
        ("BOT1@plain", "unknown part 'plain' in the reading 'plain' of guarded-majority"),
        ("novice@plain", "novice has no readings"),
        ("nobody@plain", "unknown agent 'nobody@plain'"),
    ],
)  # fmt: skip
def test_a_bad_reading_is_refused_with_the_alternatives(name: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as refused:
        find_agent(name, "truco")  # before any case base is asked for
    assert "\n" not in str(refused.value)


# What a reading does


def test_equal_points_are_the_only_similar_ones() -> None:
    problem = VOCABULARY["envido-first"].problem(
        {"envido_points": 27, "is_mao": "yes", "envido": "nobody", "envido_again": "nobody", "real": "nobody",
         "falta": "nobody", "other_first": "absent"}
    )  # fmt: skip
    assert len(_similar("NPS", problem)) > 1
    assert _similar("NPS@points=equal", problem) <= {27}


def _similar(name: str, problem: Problem) -> set[int]:
    found = agent(name).cases.retrieve(problem, Top(10, 0.90))
    return {match.values[0] for match in found.matches}


def test_euclid_is_stricter_than_the_mean() -> None:
    row = next(iter(cases().rows("card-2-lead")))
    by_mean = agent("NPS@threshold=0.75").cases.retrieve(row.problem, Threshold(0.75))
    by_euclid = agent("NPS@similarity=euclid").cases.retrieve(row.problem, Threshold(0.75))
    assert 0 < len(by_euclid) < len(by_mean)


def test_readings_share_a_base_that_compares_otherwise_and_leave_the_base_alone() -> None:
    euclid = agent("NPS@similarity=euclid")
    assert euclid.cases is agent("PVS@similarity=euclid+plain").cases
    assert euclid.cases is not cases()
    assert agent("NPS@plain").cases is cases()
    assert len(euclid.cases) == len(cases())


def test_the_score_is_printed_and_read_back_where_it_is_compared() -> None:
    reading = change_reading(NAMED["NPS"], "plain+score=compared")
    policy, _, parts = str(reading).partition(MARK)
    assert "score=compared" in parts.split("+")
    assert change_reading(Reading(policy), parts) == reading
    assert reading.shorten("NPS", NAMED["NPS"]) == "NPS@plain+score=compared"
    assert "score" not in str(NAMED["NPS"])


def test_a_reading_that_ignores_the_score_is_the_usual_one() -> None:
    usual, same = agent("NPS"), agent("NPS@score=ignored")
    assert same == usual
    assert same.cases is usual.cases


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("NPS", [1, 2]), ("NPS@score=compared", [2, 1]), ("NPS@score=compared+similarity=euclid", [2, 1])],
)
def test_a_compared_score_brings_cases_of_a_like_score_nearer(name: str, nearest: list[int]) -> None:
    first, level, ahead = (_hand_at(scores) for scores in ((2, 3), (18, 20), (17, 20)))

    def remembered(game: str, version: int | None = None) -> CaseBase:
        words = find_vocabulary(game, version)
        assert words is not None
        base = CaseBase(words.VOCABULARY)
        for episode, end in enumerate((first, level), 1):
            base.add(words.rows(end.record(), 0, episode))
        return base

    player = find_agent(name, "truco", remembered)
    seen = GAME.begin(ahead.hands, (17, 20), 0).observe(0)
    asked = ask_agent(player, seen, Stream("near")).asked[0]
    assert [match.episode for match in asked.matches] == nearest


def _hand_at(scores: tuple[int, int]) -> TrucoState:
    state = GAME.begin(GAME.deal(Stream("a hand")).hands, scores, 0)
    while state.to_act is not None:
        state = state.play(
            next(action for action in state.legal if action in state.observe(state.to_act).held)
        )
    return state


def test_cases_and_readings_agree_on_the_score_or_are_refused() -> None:
    with pytest.raises(ValueError, match=r"NPS@score=compared .* needs cases in vocabulary 3, not in 1"):
        find_agent("NPS@score=compared", "truco", lambda *_: cases())
    with pytest.raises(ValueError, match=r"BOT1 .* needs cases in vocabulary 1, not in 3"):
        find_agent("BOT1", "truco", lambda *_: cases_with_score())


def test_batches_score_as_single_decisions_where_the_score_is_compared() -> None:
    a, b = agent("NPS@score=compared"), agent("BOT0@score=compared")
    batch = Batch(
        GAME, [match for number in range(6) for match in matches_of_pair(GAME, [[a], [b]], 5, number)]
    )
    batch.play()
    for number, score in enumerate(batch.scores()):
        readable = play_pair(GAME, a, b, 5, number).score()
        assert {**score.as_json(), "seconds": 0} == {**readable.as_json(), "seconds": 0}


@pytest.mark.parametrize("bot", ["BOT1", "BOT2", "BOT5"])
def test_a_bot_that_compares_the_score_retains_it(bot: str) -> None:
    plan = plan_for(bot, policies=(f"{bot}@score=compared",), against="BOT0@score=compared", first=20)
    learner = in_memory(plan, GAME, cases_with_score(), len(records()))
    before = learner.next_number
    learner.run(matches=3)
    learnt = [
        row.problem.values[-2:]
        for scenario in learner.cases.vocabulary.scenarios
        for row in learner.cases.rows(scenario.name)
        if row.episode >= before
    ]
    assert len(learnt) > 10
    assert len(set(learnt)) > 5


def test_a_learner_that_tries_bluffs_compares_the_score_too() -> None:
    names = ("BOT1@score=compared", "BOT0@score=compared")
    plan = plan_for("BOT1", policies=names[:1], against=names[1], first=20, bluffs=1.0)
    learner = in_memory(plan, GAME, cases_with_score(), len(records()))
    learner.run(matches=1)
    assert learner.standing.kept


def test_two_steps_search_only_the_nearest_group() -> None:
    searched = [agent(f"NPS@threshold=0.5{more}") for more in ("", "+two-step")]
    fewer = 0
    for row in list(cases().rows("card-1-lead"))[:20]:
        every, near = (
            {match.episode for match in one.cases.retrieve(row.problem, one.policy.mode).matches}
            for one in searched
        )
        assert near <= every
        fewer += len(near) < len(every)
    assert fewer


def test_two_steps_also_play_on_a_base_without_cases() -> None:
    empty = CaseBase(VOCABULARY)
    player = find_agent("NPS@two-step", "truco", lambda game: empty)
    assert play_match(GAME, (player, find_agent("random", "truco")), deals_from(GAME, 1, 1), 0, 1).hands


def test_ties_go_where_the_reading_says() -> None:
    items = {"low": CaseTally(4, 1, 0, 0, 50), "high": CaseTally(4, 1, 0, 0, 60)}
    assert answer_by(NAMED["MJS"], items) == "high"
    assert answer_by(change_reading(NAMED["MJS"], "ties=order"), items) == "low"
    more = {**items, "low": CaseTally(8, 2, 0, 0, 50)}
    assert agent("PVS@plain+ties=cases").policy.model != agent("PVS@plain").policy.model
    victory = change_reading(NAMED["PVS"], "plain+ties=cases")
    assert answer_by(victory, more) == "low"
    assert answer_by(NAMED["PVS-raw"], more) == "high"


def answer_by(reading: Reading, items: dict[str, CaseTally]) -> str | None:
    asked = Asked([(0, name, tally) for name, tally in items.items()], tuple(items))
    return choose(read_model(reading), asked).answer


def test_the_guard_says_who_takes_part_in_the_vote() -> None:
    items = {
        "none": CaseTally(6, 0, 6, 0, 60),
        "envido": CaseTally(3, 2, 0, 2, 30),
        "nao-quero": CaseTally(9, 0, 0, -9, 90),
    }
    picked = {guard: answer_by(replace(NAMED[GUARDED], guard=guard), items) for guard in get_args(Guard)}
    assert picked == {"won": "envido", "not-lost": "none", "none": "nao-quero"}


def test_a_learner_may_not_compare_otherwise_than_the_base_it_learns_into() -> None:
    plan = plan_for("imitation", policies=("NPS@similarity=euclid",))
    with pytest.raises(ValueError, match="NPS@similarity=euclid compares cases otherwise"):
        in_memory(plan, GAME, cases(), len(records()))
    learner = in_memory(plan_for("imitation", policies=("NPS@threshold=0.9", "NPS")), GAME, cases(), 3)
    learner.run(matches=1)
    assert learner.standing.hands


# Results


def test_agents_tell_how_they_are_read() -> None:
    players = {name: agent(name) for name in ("NPS", "NPS@plain")}
    told = readings_of({**players, "random": find_agent("random", "truco")})
    assert told == {"NPS": str(NAMED["NPS"]), "NPS@plain": str(change_reading(NAMED["NPS"], "plain"))}
    assert {name: one.policy.name for name, one in players.items()} == {name: name for name in players}


def test_only_the_name_before_the_mark_is_looked_up() -> None:
    entry, reading = find_entry("PVCNPS@threshold=0.75+plain", "truco")
    assert entry is not None
    assert (entry.name, reading) == ("PVCNPS", "threshold=0.75+plain")
    assert all(find_entry(name, "truco")[0] is not None for name in TWENTY)


@pytest.mark.parametrize("parts", ["threshold=0.75+plain+revision=published", "score=compared"])
def test_a_duel_prints_the_readings_into_its_result(
    parts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path))
    with open_store(tmp_path / "cases.db") as store:
        store.create("few", "truco", "trucogame")
        store.append("few", [Hand.of(record, place % 2) for place, record in enumerate(records()[:30])])
    name = f"NPS@{parts}"
    words = ["duel", name, "random", "--matches", "1", "--cases", "few", "--json", "--workers", "1"]
    monkeypatch.setattr(sys, "argv", ["retruco", *words])
    with pytest.raises(SystemExit):
        main()
    found = json.loads(capsys.readouterr().out)
    assert found["a"] == name
    assert found["readings"] == {name: str(change_reading(NAMED["NPS"], parts))}
