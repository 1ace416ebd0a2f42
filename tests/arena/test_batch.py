"""Matches side by side have the scores of the same matches one by one, whoever plays, and one lane never disturbs another."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from players import Broken, Cheat, First, Slow

from retruco.agents.core import Agent, Decisions
from retruco.agents.registry import find_agent
from retruco.arena.batch import Batch, LaneMatch, matches_of_pair
from retruco.arena.blocks import Block, Job, Moment, Post, Task, blocks_of, is_batched, play_blocks
from retruco.arena.duel import play_pair
from retruco.arena.seatings import members_of
from retruco.arena.sets import Score, deals_from, play_set
from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.games.euchre import Euchre
from retruco.games.kuhn import Kuhn
from retruco.games.truco import PRESETS, Truco, TrucoDeal
from retruco.learning.case_bases import open_cases
from retruco.vocab.truco import VOCABULARY

GAME = Truco.named("trucogame")


@pytest.fixture(scope="module")
def cases() -> CaseBase:
    return open_cases().cases


def agents_of(names: Sequence[str], cases: CaseBase | None = None) -> list[Agent]:
    def cases_for(game: str, version: int | None = None) -> CaseBase:
        assert cases is not None
        return cases

    return [find_agent(name, "truco", cases_for) for name in names]


def plain(score: Score) -> str:
    """A score without its times, and of tracebacks the last line."""
    forfeits = [{**one, "why": str(one["why"]).splitlines()[-1]} for one in score.forfeits]
    return json.dumps({**score.as_json(), "seconds": None, "forfeits": forfeits})


def pairs_of(
    game: Truco, agents: tuple[Agent, Agent], seed: int, numbers: Iterable[int], deals_for: Any = None
) -> list[LaneMatch]:
    return [
        match
        for number in numbers
        for match in matches_of_pair(game, [[agent] for agent in agents], seed, number, deals_for)
    ]


def assert_same(game: Truco, agents: Sequence[Agent], pairs: int, deals_for: Any = None) -> None:
    """Compare a batch with the readable engine and readable decisions, match by match."""
    a, b = agents
    batch = Batch(game, pairs_of(game, (a, b), 5, range(pairs), deals_for))
    batch.play()
    readable = [play_pair(game, a, b, 5, number, deals_for).score() for number in range(pairs)]
    assert list(map(plain, batch.scores())) == list(map(plain, readable))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("names", [("balanced", "novice"), ("bluffer", "random")], ids="-".join)
def test_players_of_rules_score_the_same(names: tuple[str, str], preset: str) -> None:
    assert_same(Truco.named(preset), agents_of(names), 2)


@pytest.mark.parametrize(
    "names", [("MJS", "PLCS"), ("PVCNPS", "random"), ("BOT3", "NPS-raw"), ("NPCS-sound", "cautious")]
)
@pytest.mark.parametrize("preset", ["trucogame", "cbtg"])
def test_players_who_remember_score_the_same(names: tuple[str, str], preset: str, cases: CaseBase) -> None:
    assert_same(Truco.named(preset), agents_of(names, cases), 3)


@pytest.mark.parametrize("rules", ["classic", "openspiel", "seelbinder2012-dealer-leads"])
@pytest.mark.parametrize("names", [("UF/RANDOM@blind", "NPS"), ("UF.5@alone/random", "montecarlo/NPS")])
def test_teams_at_euchre_score_the_same(names: tuple[str, str], rules: str) -> None:
    game, base = Euchre.named(rules, target=4), open_cases("euchre", game="euchre").cases
    teams = [
        [find_agent(member, "euchre", lambda *_: base) for member in members_of(name, game)] for name in names
    ]
    batch = Batch(game, [match for number in range(3) for match in matches_of_pair(game, teams, 5, number)])
    batch.play()
    readable = [play_set(game, teams, 5, number).score() for number in range(3)]
    assert list(map(plain, batch.scores())) == list(map(plain, readable))


def test_the_solver_and_maestro_score_the_same() -> None:
    assert_same(GAME, agents_of(("solver", "maestro")), 2)


@pytest.mark.parametrize(("rules", "target"), [("cbtg", 1), ("argentino", 60), ("cbtg", 249)])
def test_any_target_scores_the_same(rules: str, target: int) -> None:
    assert_same(Truco.named(rules, target), agents_of(["balanced", "random"]), 2)


def test_fixed_deals_score_the_same() -> None:
    def deals_for(number: int) -> Callable[[int], Any]:
        drawn = deals_from(GAME, 77, number % 2)
        return lambda hand: TrucoDeal(drawn(hand % 3).hands[::-1])

    assert_same(GAME, agents_of(["balanced", "novice"]), 4, deals_for)


def test_cases_that_change_change_the_decisions(cases: CaseBase) -> None:
    some = CaseBase(VOCABULARY)
    agents = agents_of(["MJS", "random"], some)
    assert_same(GAME, agents, 2)
    rows = [row for name in ("card-1-lead", "envido-first") for row in list(cases.rows(name))[:200]]
    some.add(
        [Row(row.problem, row.action, row.credit, row.hindsight, row.episode, row.question) for row in rows]
    )
    assert_same(GAME, agents, 2)


def test_an_agent_is_asked_once_for_all_lanes_and_a_match_does_not_depend_on_the_others() -> None:
    agents = agents_of(["balanced", "novice"])
    alone = []
    for number in range(6):
        batch = Batch(GAME, pairs_of(GAME, (agents[0], agents[1]), 3, [number]))
        batch.play()
        alone += batch.scores()
    together = Batch(GAME, pairs_of(GAME, (agents[0], agents[1]), 3, range(6)))
    together.play()
    assert list(map(plain, together.scores())) == list(map(plain, alone))


# Agents that break the rules


class BrokenInBatches:
    """Answers many situations at once, and fails in those where it holds the ace of swords."""

    def __init__(self, fault: str) -> None:
        self.player: Any = find_agent("balanced", "truco")
        self.fault = fault

    def decide(self, observation: Any, chance: Any) -> Any:
        return self.player.decide(observation, chance)

    def decide_many(self, game: Truco, situations: Any, streams: Any) -> Decisions:
        found: Decisions = self.player.decide_many(game, situations, streams)
        has_ace = (situations[:, 1:4] == 0).any(axis=1)
        if self.fault == "failed" and has_ace.any():
            raise ArithmeticError("the ace of swords")
        return found._replace(actions=np.where(has_ace, 77, found.actions))


@pytest.mark.parametrize("fault", ["failed", "illegal"])
def test_one_bad_lane_forfeits_and_the_others_play_on(fault: str) -> None:
    good, bad = find_agent("novice", "truco"), BrokenInBatches(fault)
    batch = Batch(GAME, pairs_of(GAME, (bad, good), 4, range(3)))
    batch.play()
    forfeits = [one for score in batch.scores() for one in score.forfeits]
    assert forfeits
    assert {one["fault"] for one in forfeits} == {fault}
    assert {one["entrant"] for one in forfeits} == {0}
    assert ("ArithmeticError: the ace of swords" in str(forfeits[0]["why"])) == (fault == "failed")
    whole = [lane for lane in range(6) if lane not in batch.forfeits]
    assert all(batch.result(lane).winner is not None for lane in whole)


@pytest.mark.parametrize("wrong", [First(), Cheat(), Broken()], ids=lambda agent: type(agent).__name__)
def test_agents_that_are_asked_one_by_one_forfeit_as_at_a_readable_table(wrong: Agent) -> None:
    assert_same(GAME, [wrong, agents_of(["random"])[0]], 2)


def test_an_agent_that_takes_too_long_forfeits() -> None:
    players = {"a": Slow(), "b": agents_of(["random"])[0]}
    job = Job(GAME, ("a", "b"), 1, move_time=0.001)
    (played,) = play_blocks(job, players, Task((Block(0, (0, 1), 0, 1),)))
    assert {one["fault"] for one in played.scores[0]["forfeits"]} == {"late"}


class Recorder(Post):
    def __init__(self) -> None:
        self.begun: list[Moment] = []

    def begin(self, moment: Moment) -> None:
        self.begun.append(moment)


def test_a_post_hears_of_every_agent_that_is_asked_one_by_one() -> None:
    players, post = {"a": First(), "b": agents_of(["novice"])[0]}, Recorder()
    play_blocks(Job(GAME, ("a", "b"), 987), players, Task((Block(0, (0, 1), 4, 5),)), post)
    assert post.begun
    assert {moment.number for moment in post.begun} == {4}


# What is played


def test_blocks_have_the_same_scores_in_one_task_and_in_many(cases: CaseBase) -> None:
    names = ("MJS", "PLS", "balanced")
    players = dict(zip(names, agents_of(names, cases), strict=True))
    job, blocks = Job(GAME, names, 4), blocks_of([(0, 1), (0, 2), (1, 2)], 3, 1)
    together = play_blocks(job, players, Task(tuple(blocks)))
    alone = [play_blocks(job, players, Task((block,)))[0] for block in blocks]
    for one, other in zip(together, alone, strict=True):
        assert [{**score, "seconds": 0} for score in one.scores] == [
            {**score, "seconds": 0} for score in other.scores
        ]


def test_records_and_decisions_come_from_a_batch(cases: CaseBase) -> None:
    players = dict(zip("ab", agents_of(["NPS", "balanced"], cases), strict=True))
    task = Task((Block(0, (0, 1), 0, 1),))
    (bare,) = play_blocks(Job(GAME, ("a", "b"), 1, records=True), players, task)
    (full,) = play_blocks(Job(GAME, ("a", "b"), 1, records=True, decisions=True), players, task)
    hands = [json.loads(line) for line in full.records.splitlines()]
    assert len(hands) > 2
    assert all(hand["decisions"] for hand in hands)
    for hand in hands:
        del hand["decisions"]
    assert [json.loads(line) for line in bare.records.splitlines()] == hands


def test_games_and_rules_without_tables_are_played_match_by_match() -> None:
    assert not is_batched(Kuhn())
    assert not is_batched(Truco.named("cbtg", 251))
    players = dict(zip("ab", agents_of(["random", "random"]), strict=True))
    (played,) = play_blocks(
        Job(Truco.named("cbtg", 251), ("a", "b"), 1, most_hands=3), players, Task((Block(0, (0, 1), 0, 1),))
    )
    assert played.scores[0]["hands"] == (3, 3)
