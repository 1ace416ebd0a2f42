"""Compiled matches have the scores of readable ones, whoever plays, and wrong agents are left to the readable way."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from players import Broken, Cheat, First, SlowKeyed

from retruco.agents.core import Agent, agent_stream
from retruco.agents.registry import find_agent
from retruco.agents.trees import LEAF, UNKNOWN, NotAFunction, RecordedStream, Trees
from retruco.arena.blocks import Block, Job, Moment, Post, Task, play_block
from retruco.arena.compiled import compiled_scores
from retruco.arena.compiled_matches import CompiledMatches
from retruco.arena.duel import play_duel, play_pair
from retruco.arena.running import play_plan, write_results
from retruco.arena.sets import Score, deals_from
from retruco.arena.tournament import TournamentPlan
from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.games.core import Observation
from retruco.games.kuhn import Kuhn
from retruco.games.truco import PRESETS, Truco, TrucoDeal
from retruco.games.truco.compiled.situation import CARDS_BITS
from retruco.learning.case_bases import open_cases
from retruco.streams import Stream
from retruco.vocab.truco import VOCABULARY

GAME = Truco.named("trucogame")
STYLES = ("novice", "cautious", "balanced", "aggressive", "bluffer")


@pytest.fixture(scope="module")
def cases() -> CaseBase:
    return open_cases().cases


def agents_of(names: Sequence[str], cases: CaseBase | None = None) -> list[Agent]:
    def cases_for(game: str, version: int | None = None) -> CaseBase:
        assert cases is not None
        return cases

    return [find_agent(name, "truco", cases_for) for name in names]


def plain(score: Score) -> str:
    """A score without its times."""
    return json.dumps({**score.as_json(), "seconds": None})


def assert_same(game: Truco, agents: Sequence[Agent], pairs: int, **options: Any) -> None:
    compiled = compiled_scores(game, agents, 5, range(pairs), **options)
    assert compiled is not None
    a, b = agents
    readable = [play_pair(game, a, b, 5, number, options.get("deals_for")).score() for number in range(pairs)]
    assert list(map(plain, compiled)) == list(map(plain, readable))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("names", list(zip(STYLES, (*STYLES[1:], "random"), strict=True)), ids="-".join)
def test_scripted_players_score_the_same(names: tuple[str, str], preset: str) -> None:
    assert_same(Truco.named(preset), agents_of(names), 2)


@pytest.mark.parametrize(
    "names", [("MJS", "PLCS"), ("PVCNPS", "random"), ("BOT3", "NPS-raw"), ("PLS", "bluffer")]
)
@pytest.mark.parametrize("preset", ["trucogame", "cbtg"])
def test_players_who_remember_score_the_same(names: tuple[str, str], preset: str, cases: CaseBase) -> None:
    assert_same(Truco.named(preset), agents_of(names, cases), 3)


def test_players_whose_safeguards_look_at_the_scores_score_the_same(cases: CaseBase) -> None:
    assert_same(Truco.named("trucogame", 8), agents_of(("NPCS-sound", "PLS-sound"), cases), 6)


def test_players_who_choose_as_people_do_score_the_same() -> None:
    assert_same(GAME, agents_of(("regular", "forgetful")), 3)


def test_a_target_of_one_and_a_long_one_score_the_same() -> None:
    assert_same(Truco.named("cbtg", 1), agents_of(["balanced", "random"]), 5)
    assert_same(Truco.named("argentino", 60), agents_of(["balanced", "random"]), 2)


def test_fixed_deals_score_the_same() -> None:
    def deals_for(number: int) -> Any:
        drawn = deals_from(GAME, 77, number % 2)
        return lambda hand: TrucoDeal(drawn(hand % 3).hands[::-1])

    assert_same(GAME, agents_of(["balanced", "novice"]), 4, deals_for=deals_for)


def test_the_first_hands_of_a_match_score_the_same() -> None:
    job = Job(GAME, ("balanced", "random"), 3, most_hands=2)
    players = dict(zip(job.names, agents_of(job.names), strict=True))
    task = Task(Block(0, (0, 1), 0, 8))
    compiled, readable = (
        play_block(some, players, task).scores for some in (job, replace(job, readable=True))
    )
    assert [{**one, "seconds": 0} for one in compiled] == [{**one, "seconds": 0} for one in readable]


def test_every_key_holds_the_cards_though_many_matches_meet_a_situation_at_once(cases: CaseBase) -> None:
    matches = CompiledMatches(GAME)
    matches.play(agents_of(("MJS", "NPCS"), cases), 5, range(12))
    trees = matches.players.trees
    keys = trees.keys[trees.roots != UNKNOWN, 0]
    assert len(keys) > 500
    assert (keys & np.uint64((1 << CARDS_BITS) - 1)).all()


def test_cases_that_change_change_the_decisions(cases: CaseBase) -> None:
    some = CaseBase(VOCABULARY)
    agents = agents_of(["MJS", "random"], some)
    assert_same(GAME, agents, 2)
    rows = [row for name in ("card-1-lead", "envido-first") for row in list(cases.rows(name))[:200]]
    some.add(
        [Row(row.problem, row.action, row.credit, row.hindsight, row.episode, row.question) for row in rows]
    )
    assert_same(GAME, agents, 2)


def test_decisions_are_asked_for_once_and_then_read() -> None:
    matches = CompiledMatches(GAME)
    agents = agents_of(["balanced", "novice"])
    first = matches.play(agents, 1, range(3))
    asked = matches.reading.asked
    again = matches.play(agents, 1, range(3))
    assert list(map(plain, again)) == list(map(plain, first))
    assert matches.reading.asked == asked
    assert matches.reading.rate > 0.5


# What is left to the readable way


class KeyedCheat(Cheat):
    def key_parts(self, observation: Observation) -> Sequence[str]:
        return ()


class KeyedBroken(Broken):
    def key_parts(self, observation: Observation) -> Sequence[str]:
        return ()


@pytest.mark.parametrize(
    "wrong", [First(), KeyedCheat(), KeyedBroken()], ids=lambda agent: type(agent).__name__
)
def test_agents_without_a_key_and_those_that_break_the_rules_are_played_readably(wrong: Agent) -> None:
    players = {"a": wrong, "b": agents_of(["random"])[0]}
    job, task = Job(GAME, ("a", "b"), 1), Task(Block(0, (0, 1), 0, 2))
    assert compiled_scores(GAME, list(players.values()), 1, [0, 1]) is None
    compiled, readable = (
        play_block(some, players, task).scores for some in (job, replace(job, readable=True))
    )
    assert [{**one, "seconds": 0} for one in compiled] == [{**one, "seconds": 0} for one in readable]


def test_a_keyed_agent_that_takes_too_long_forfeits_as_ever() -> None:
    players = {"a": SlowKeyed(), "b": agents_of(["random"])[0]}
    job = Job(GAME, ("a", "b"), 1, move_time=0.001)
    (score,) = play_block(job, players, Task(Block(0, (0, 1), 0, 1))).scores
    assert {one["fault"] for one in score["forfeits"]} == {"late"}


class Recorder(Post):
    def __init__(self) -> None:
        self.begun: list[Moment] = []
        self.ended = 0

    def begin(self, moment: Moment) -> None:
        self.begun.append(moment)

    def end(self) -> None:
        self.ended += 1


def test_a_post_hears_of_every_agent_that_is_asked() -> None:
    players, post = dict(zip("ab", agents_of(["random", "novice"]), strict=True)), Recorder()
    play_block(Job(GAME, ("a", "b"), 987), players, Task(Block(0, (0, 1), 4, 5)), post)
    assert post.begun
    assert post.ended == len(post.begun)
    assert {moment.number for moment in post.begun} == {4}


def test_other_games_rules_that_cannot_be_compiled_and_wishes_for_more_are_played_readably() -> None:
    agents = agents_of(["random", "random"])
    assert compiled_scores(Kuhn(), agents, 1, [0]) is None
    assert compiled_scores(Truco.named("cbtg", 251), agents, 1, [0]) is None
    assert compiled_scores(Truco.named("cbtg", 61), agents_of(["random", "novice"]), 1, [0]) is None
    players = {"a": agents[0], "b": agents[1]}
    job = Job(GAME, ("a", "b"), 1, records=True)
    assert play_block(job, players, Task(Block(0, (0, 1), 0, 1))).records.count("\n") > 1


class Forgetful:
    """Says that it looks at no cards, and looks at them."""

    def key_parts(self, observation: Observation) -> Sequence[str]:
        return ("order",)

    def decide(self, observation: Any, chance: Stream) -> str:
        return str(max(observation.legal) if "e" in observation.hand[0] else min(observation.legal))


def test_an_agent_that_decides_by_more_than_it_says_is_told_so() -> None:
    matches = CompiledMatches(GAME)
    with pytest.raises(NotAFunction, match="decides by more than its key_parts say"):
        matches.play([Forgetful(), Forgetful()], 1, range(2000))


# Whole runs


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_tournament_has_the_same_bytes_compiled_and_readable(
    workers: int, tmp_path: Path, cases: CaseBase
) -> None:
    names = ("MJS", "PLS", "balanced", "random")
    players = dict(zip(names, agents_of(names, cases), strict=True))
    found = []
    for readable in (False, True):
        plan = TournamentPlan(GAME, names, pairs=3, seed=4, readable=readable)
        folder = tmp_path / str(readable)
        folder.mkdir()
        write_results(folder, plan, play_plan(plan, players, workers))
        found.append((folder / "results.json").read_bytes())
    assert found[0] == found[1]


def test_a_duel_is_the_same_compiled_and_readable() -> None:
    agents = agents_of(["cautious", "aggressive"])
    results = [
        play_duel(GAME, (agents[0], agents[1]), ("a", "b"), 5, 9, readable=readable).as_json()
        for readable in (False, True)
    ]
    for result in results:
        del result["seconds"], result["thinking"]
    assert results[0] == results[1]


# Trees


def test_a_tree_grows_where_nobody_has_been() -> None:
    trees, key = Trees(), np.array([3, 4], dtype=np.uint64)
    for seed in range(40):
        chance = RecordedStream(Stream("tree", seed))
        action = chance.weighted([1, 2, 0, 4]) if chance.chance(0.5) else 10 + chance.below(3)
        trees.enter(key, chance.steps, action, 0)
    leaves = {int(action) for kind, _, action, _ in trees.arrays.nodes if kind == LEAF and action}
    assert leaves == {1, 3, 10, 11, 12}
    assert trees.count == 1


def test_what_a_player_draws_from_a_recorded_stream_is_what_it_would_have_drawn() -> None:
    plain_stream, recorded = agent_stream(1, 0, 2, 3), RecordedStream(agent_stream(1, 0, 2, 3))
    assert recorded.sample(range(9), 3) == plain_stream.sample(range(9), 3)
    assert recorded.random() == plain_stream.random()
    assert recorded.chance(0.3) == plain_stream.chance(0.3)
    assert recorded.generator().random() == plain_stream.generator().random()


def test_two_decisions_for_one_key_are_an_error() -> None:
    trees, key = Trees(), np.array([3, 4], dtype=np.uint64)
    trees.enter(key, (), 1, 0)
    with pytest.raises(NotAFunction):
        trees.enter(key, (), 2, 0)


def test_many_keys_are_found_again() -> None:
    trees = Trees()
    for number in range(9000):
        trees.enter(np.array([number, number % 7], dtype=np.uint64), (), number % 19, 0)
    for number in range(9000):
        trees.enter(np.array([number, number % 7], dtype=np.uint64), (), number % 19, 0)
    assert trees.count == 9000
