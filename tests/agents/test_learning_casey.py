"""Casey that learns while it plays: what it has learnt follows from the hands it has seen, and from nothing else."""

import pickle
from collections.abc import Iterator

import pytest

from retruco.agents.holdem.learning import FIRST_EPISODE, LearningCasey, MatchCases, match_rows
from retruco.agents.holdem.policies import POLICIES
from retruco.agents.registry import find_agent
from retruco.arena.match import ask, play_match
from retruco.arena.sets import deals_from
from retruco.arena.table import Table
from retruco.cbr.casebase import CaseBase
from retruco.games.holdem import Holdem, HoldemObservation
from retruco.learning.holdem.training import casey_loop
from retruco.streams import Stream
from retruco.vocab.holdem import VOCABULARY

HANDS = 40


def learning_casey() -> LearningCasey:
    return LearningCasey(POLICIES["casey-newest-sunk"], CaseBase(VOCABULARY))


@pytest.fixture(scope="module")
def turns() -> list[tuple[HoldemObservation, int, str, int]]:
    """Every turn of a learner in a match: what it saw, the decision's number, what it did, on how many cases."""
    return list(play_turns())


def play_turns() -> Iterator[tuple[HoldemObservation, int, str, int]]:
    game = Holdem.named("casey-2", target=HANDS)
    table, learner, other = (
        Table(game, deals_from(game, 3, 0)),
        learning_casey(),
        find_agent("random", "holdem"),
    )
    while (seat := table.to_act) is not None:
        seen, number = table.observe(seat), table.decisions[seat]
        decision = ask(learner if seat == 0 else other, table, seat, 7)
        if seat == 0:
            assert isinstance(seen, HoldemObservation)
            yield seen, number, decision.action, len(decision.asked[-1].evidence)  # type: ignore[arg-type]  # a retrieval
        table.act(seat, decision.action)


def test_it_finds_more_and_more_cases_as_the_match_goes_on(
    turns: list[tuple[HoldemObservation, int, str, int]],
) -> None:
    early = [cases for seen, _, _, cases in turns if len(seen.history) < 5]
    late = [cases for seen, _, _, cases in turns if len(seen.history) >= HANDS - 5]
    assert sum(late) / len(late) > sum(early) / len(early)


def test_it_decides_the_same_without_what_it_remembers_of_the_match(
    turns: list[tuple[HoldemObservation, int, str, int]],
) -> None:
    for seen, _, action, cases in turns[:: len(turns) // 6]:
        again = learning_casey().decide(seen, Stream("another"))
        assert again.action == action
        assert len(again.asked[-1].evidence) == cases  # type: ignore[arg-type]  # a retrieval


def test_it_can_be_sent_to_another_process(turns: list[tuple[HoldemObservation, int, str, int]]) -> None:
    learner = learning_casey()
    seen, _, action, _ = turns[-1]
    assert learner.decide(seen, Stream(1)).action == action
    copy = pickle.loads(pickle.dumps(learner))
    assert copy.decide(seen, Stream(1)).action == action


def test_its_base_stays_as_it_is(turns: list[tuple[HoldemObservation, int, str, int]]) -> None:
    learner = learning_casey()
    learner.decide(turns[-1][0], Stream(1))
    assert len(learner.cases) == 0


def test_its_cases_are_those_that_training_retains() -> None:
    """Played hand by hand, a match gives the rows that the learning loop has for the same hands."""
    game = Holdem.named("casey-2", target=25)
    loop = casey_loop(game, "casey-newest-sunk", ["always-call"], seed=5)
    player = MatchCases(LearningCasey(POLICIES["casey-newest-sunk"], CaseBase(VOCABULARY))._player(()))
    history: tuple[HoldemObservation, ...] = ()
    for hand in loop.hands(25):
        retained = [row for experience in hand.retained for row in experience.rows]
        seen = hand.end.observe(0)
        assert isinstance(seen, HoldemObservation)
        rows = match_rows(player.agent, seen, hand.number)
        assert [(row.problem, row.action, row.credit) for row in rows] == [
            (row.problem, row.action, row.credit) for row in retained
        ]
        assert {row.episode for row in rows} <= {FIRST_EPISODE + hand.number}
        history = (*history, seen)
        player.learn(history)


def test_hands_that_somebody_else_played_are_told_by_their_actions() -> None:
    game = Holdem.named("casey-2", target=6)
    agents = [find_agent("always-raise", "holdem"), find_agent("always-call", "holdem")]
    played = play_match(game, agents, deals_from(game, 1, 0), 0, 1)
    player = learning_casey()._player(())
    seen = [hand.state.observe(0) for hand in played.hands]
    strategies = {
        row.action
        for number, hand in enumerate(seen)
        if isinstance(hand, HoldemObservation)
        for row in match_rows(player, hand, number)
    }
    assert strategies <= {"RAISE-ANY", "SEMI-BLUFF", "BLUFF"}
