"""The case-based agents of Kuhn poker: what they ask, what they learn, and the commands of a user."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.chance import RandomAgent
from retruco.agents.core import Agent
from retruco.agents.kuhn.policies import NPS, PLS
from retruco.arena.duel import play_duel
from retruco.cbr.case import Problem
from retruco.cbr.casebase import CaseBase
from retruco.games.core import BadRecord
from retruco.games.kuhn import DECKS, Kuhn, KuhnState
from retruco.learning.case_bases import close_bases
from retruco.learning.kuhn import selfplay_hands
from retruco.streams import Stream
from retruco.vocab.kuhn import VOCABULARY, question_of, rows
from shell import typed


def states(state: KuhnState) -> Iterator[KuhnState]:
    """Every state from here in which somebody has to act."""
    if state.to_act is not None:
        yield state
        for action in state.legal:
            yield from states(state.play(action))


@pytest.mark.parametrize(("seats", "situations"), [(2, 12), (3, 48)])
def test_every_situation_of_a_seat_is_a_question_of_its_own(seats: int, situations: int) -> None:
    """Kuhn 1950 counts twelve of them, Szafron and others 2013 four for every card and seat."""
    found: dict[tuple[str, tuple[str, ...]], set[Problem]] = {}
    for cards in permutations(DECKS[seats], seats):
        for state in states(KuhnState(cards)):
            assert state.to_act is not None
            problem = question_of(state.observe(state.to_act)).problem
            found.setdefault((cards[state.to_act], state.actions), set()).add(problem)
    assert len(found) == situations
    assert all(len(problems) == 1 for problems in found.values())
    assert len(set.union(*found.values())) == situations


def test_a_hand_gives_a_row_for_every_turn_of_a_seat_with_what_the_hand_brought() -> None:
    record = KuhnState(("Q", "K"), 0, ("check", "bet", "call")).record()
    first, second = rows(record, 0, 7)
    assert (first.action, second.action) == ("check", "call")
    assert (first.credit, second.credit, first.episode) == (-2, -2, 7)
    (bet,) = rows(record, 1, 7)
    assert VOCABULARY["open"].decode(bet.problem) == {"card": "K", "seats": 2, "checks": 1}
    assert bet.credit == 2


def test_an_unfinished_hand_gives_no_rows() -> None:
    with pytest.raises(BadRecord, match="the hand is not over"):
        rows(KuhnState(("Q", "K"), 0, ("check",)).record(), 0, 1)


@pytest.fixture(scope="module")
def learnt() -> CaseBase:
    """Six hundred hands of self-play at each table."""
    cases = CaseBase(VOCABULARY)
    for number, hand in enumerate(filter(None, selfplay_hands(1200))):
        cases.add(rows(hand.record, hand.seat, number))
    return cases


@pytest.mark.parametrize("policy", [NPS, PLS], ids=lambda policy: policy.name)
@pytest.mark.slow
def test_after_self_play_an_agent_beats_chance(policy: Policy, learnt: CaseBase) -> None:
    agents: tuple[Agent, Agent] = CaseBasedAgent(policy, learnt), RandomAgent()
    duel = play_duel(Kuhn(), agents, (policy.name, "random"), pairs=100, seed=5)
    assert duel.ci95[0] > 0.2


def test_an_agent_with_cases_beats_one_without(learnt: CaseBase) -> None:
    agents: tuple[Agent, Agent] = CaseBasedAgent(NPS, learnt), CaseBasedAgent(NPS, CaseBase(VOCABULARY))
    assert play_duel(Kuhn(), agents, ("learnt", "new"), pairs=100, seed=5).ci95[0] > 0


@pytest.mark.parametrize("cards", [("K", "J"), ("K", "J", "Q")], ids=len)
def test_a_learnt_agent_calls_with_the_best_card_and_folds_the_worst(
    cards: tuple[str, ...], learnt: CaseBase
) -> None:
    agent, seats = CaseBasedAgent(NPS, learnt), len(cards)
    best = KuhnState(cards, first=seats - 1, actions=("bet",))
    assert agent.decide(best.observe(0), Stream("x")).action == "call"
    worst = KuhnState((DECKS[seats][0], *cards[:-1]), first=seats - 1, actions=("bet",))
    assert agent.decide(worst.observe(0), Stream("x")).action == "fold"


def test_self_play_gives_the_same_hands_again() -> None:
    assert list(selfplay_hands(40)) == list(selfplay_hands(40))


# As users type it


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A data folder of its own, and no base left open from another one."""
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path))
    yield
    close_bases(["mine", "kuhn"])


def retruco(*words: str, given: object = None) -> str:
    done = typed(*words, stdin=json.dumps(given).encode())
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.parametrize(("rules", "cards"), [("two-seats", ["K", "J"]), ("three-seats", ["K", "J", "T"])])
def test_a_base_is_learnt_listed_exported_and_decides(rules: str, cards: list[str]) -> None:
    learn = ("learn", "--game", "kuhn", "--rules", rules, "--into", "mine", "--matches", "40")
    assert "480 hands" in retruco(*learn)
    assert "mine" in retruco("cases", "list")
    info = json.loads(retruco("cases", "info", "mine", "--json"))
    assert (info["game"], info["rules"]) == ("kuhn", rules)
    hands = [json.loads(line) for line in retruco("cases", "export", "mine").splitlines()]
    assert len(hands) == info["hands"]
    assert {len(hand["cards"]) for hand in hands} == {len(cards)}
    asked = {"game": "kuhn", "cards": cards, "first": len(cards) - 1, "actions": ["bet"]}
    decide = ("decide", "-", "--game", "kuhn", "--cases", "mine")
    decision = json.loads(retruco(*decide, given=asked))
    assert decision["action"] == "call"
    assert decision["query"] == {"card": "K", "seats": len(cards), "checks": 0, "since": "nothing"}
    page = retruco(*decide, "--table", given=asked)
    assert "NPS, seat 0: call" in page
    assert "call brought the most points" in page


@pytest.mark.slow
def test_the_embedded_base_is_made_on_first_use_and_beats_chance_at_both_tables() -> None:
    common = ("--game", "kuhn", "--workers", "1", "--json")
    duel = json.loads(retruco("duel", "NPS", "random", "--matches", "100", *common))
    assert duel["ci95"][0] > 0.2
    assert json.loads(retruco("cases", "info", "kuhn", "--json"))["hands"] > 5000
    table = ("table", "NPS", "random", "random", "--rules", "three-seats", "--hands", "300")
    found = json.loads(retruco(*table, *common))
    assert found["entrants"][0]["name"] == "NPS"
    assert found["entrants"][0]["ci95"][0] > 0.2


def test_a_base_without_clusters_says_why() -> None:
    retruco("learn", "--game", "kuhn", "--into", "mine", "--matches", "2")
    done = typed("cases", "clusters", "mine")
    assert done.returncode == 2
    assert b"'mine' has no clusters: the vocabulary of kuhn has no hindsight features" in done.stderr
