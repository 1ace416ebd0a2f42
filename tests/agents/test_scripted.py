"""The scripted players: lawful, repeatable, sensible, and together much like people."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path
from types import ModuleType
from typing import cast

import numpy as np
import pytest

from retruco.agents.chance import RandomAgent
from retruco.agents.core import Agent, BatchAgent, as_decision
from retruco.agents.registry import find_agent, roster
from retruco.agents.truco import estimates
from retruco.agents.truco.estimates import Estimates, best_card, hand_odds
from retruco.agents.truco.odds import even_race, flor_odds, points_odds, price
from retruco.agents.truco.styles import REASONS
from retruco.arena.duel import play_duel
from retruco.cards import SPANISH_DECK, Card
from retruco.cbr.case import Decision
from retruco.compiler import load_numba
from retruco.games.core import Match
from retruco.games.truco.compiled.stepper import action_text
from retruco.games.truco.deck import CLASSES, Hand, strength
from retruco.games.truco.game import Truco
from retruco.games.truco.rounds import Play, Rounds, decided
from retruco.games.truco.rules import PRESETS, TRUCO_CALLS
from retruco.games.truco.situation import situation_of
from retruco.games.truco.state import TrucoState
from retruco.streams import Stream

PLAYERS = ("novice", "cautious", "balanced", "aggressive", "bluffer")
HANDS = 150


@cache
def decisions(name: str, rules: str) -> tuple[tuple[TrucoState, Decision], ...]:
    """All that a player decides over some hands at all scores, against chance and against itself."""
    return tuple(_decisions(name, rules))


def _decisions(name: str, rules: str) -> Iterator[tuple[TrucoState, Decision]]:
    game, player = Truco.named(rules), find_agent(name, "truco")
    for number in range(HANDS):
        dice = Stream("scores", rules, number)
        match = Match((dice.below(game.target), dice.below(game.target)), number % 2)
        state = game.start(game.deal(Stream("deal", rules, number)), match)
        other: Agent = player if number % 3 else RandomAgent()
        while (seat := state.to_act) is not None:
            chance = Stream(name, rules, number, len(state.actions))
            agent = player if seat == number % 2 else other
            decision = as_decision(agent.decide(state.observe(seat), chance))
            if agent is player:
                yield state, decision
            state = state.play(decision.action)


everywhere = pytest.mark.parametrize(("name", "rules"), list(product(PLAYERS, PRESETS)))


@everywhere
def test_every_decision_is_legal_and_gives_a_known_reason(name: str, rules: str) -> None:
    for state, decision in decisions(name, rules):
        assert decision.action in state.legal
        assert decision.reason in REASONS


@everywhere
def test_the_same_question_gets_the_same_answer(name: str, rules: str) -> None:
    for state, decision in decisions(name, rules)[::7]:
        assert state.to_act is not None
        observation = state.observe(state.to_act)
        again = [find_agent(name, "truco").decide(observation, Stream("again", 1)) for _ in range(2)]
        assert again[0] == again[1]
        assert observation == state.observe(state.to_act), decision


@everywhere
def test_a_hand_is_thrown_in_only_when_no_card_can_save_it_or_for_a_no_that_costs_the_same(
    name: str, rules: str
) -> None:
    folds = [state for state, decision in decisions(name, rules) if decision.action == "baralho"]
    assert folds
    for state in folds:
        assert state.to_act is not None
        if state.bet.call is not None and not state.envido.pending and not state.flor.pending:
            assert state.play("baralho").scores == state.play("nao-quero").scores
            continue
        held = state.rounds.held(state.to_act, state.hands[state.to_act])
        ends = [state.play(card) for card in held]
        # The round decides the hand: whatever is played loses it at once, at the price of the fold.
        assert all(end.outcome is not None for end in ends)
        assert all(end.scores == state.play("baralho").scores for end in ends)
        assert all(end.points[2][state.to_act] == 0 for end in ends)


def last_word(state: TrucoState) -> bool | None:
    """Whether the seat to act, having the last word of the hand in its cards, wins it with one."""
    seat = state.to_act
    facing = state.rounds.facing
    if seat is None or facing is None or facing.seat == seat or state.rounds.number == 1:
        return None
    held = state.rounds.held(seat, state.hands[seat])
    after = [state.rounds.add(type(facing)(seat, card)) for card in held]
    winners = [decided(rounds.winners, rounds.mao) for rounds in after]
    if seat in winners:
        return True
    return False if all(winner is not None for winner in winners) else None


@everywhere
def test_a_won_hand_is_never_declined_and_a_bet_on_a_lost_one_never_accepted(name: str, rules: str) -> None:
    for state, decision in decisions(name, rules):
        facing_truco = state.bet.call is not None and not state.envido.pending and not state.flor.pending
        wins = last_word(state)
        if facing_truco and wins:
            assert decision.action not in ("nao-quero", "baralho")
        if facing_truco and wins is False:
            assert decision.action != "quero"
        if not facing_truco and wins and (step := set(state.legal) & set(TRUCO_CALLS)):
            assert decision.action in step


def played(hands: tuple[str, str], actions: str, scores: tuple[int, int] = (0, 0)) -> TrucoState:
    """A hand of the trucogame rules with seat 0 as mão, after these actions."""
    first, second = ([Card(text) for text in hand.split()] for hand in hands)
    cards: tuple[Hand, Hand] = ((first[0], first[1], first[2]), (second[0], second[1], second[2]))
    state = Truco.named("trucogame").begin(cards, scores, 0)
    for action in actions.split():
        state = state.play(action)
    return state


def answers(name: str, state: TrucoState, times: int = 40) -> set[str]:
    assert state.to_act is not None
    observation, player = state.observe(state.to_act), find_agent(name, "truco")
    return {as_decision(player.decide(observation, Stream(name, n))).action for n in range(times)}


@pytest.mark.parametrize("name", PLAYERS)
def test_the_last_card_that_wins_calls_raises_and_never_gives_up(name: str) -> None:
    state = played(("2e 4c 6o", "3o 5b 12c"), "2e 3o 5b 6o 4c")
    assert answers(name, state) == {"truco"}
    assert answers(name, state.play("truco").play("retruco")) == {"vale4"}


@pytest.mark.parametrize("name", PLAYERS)
def test_the_last_card_that_loses_accepts_nothing(name: str) -> None:
    state = played(("2e 12c 6o", "3o 5b 4c"), "2e 3o 5b 6o 12c")
    assert answers(name, state) <= {"baralho", "down:4c", "truco"}
    assert answers(name, state.play("truco").play("retruco")) <= {"nao-quero", "baralho", "vale4"}


@pytest.mark.parametrize("name", PLAYERS)
def test_where_declining_loses_the_match_nobody_declines(name: str) -> None:
    truco = played(("4e 4c 6o", "5o 5b 6c"), "4e truco", scores=(20, 20))
    assert "nao-quero" not in answers(name, played(("4e 4c 6o", "5o 5b 6c"), "truco", scores=(23, 20)))
    assert "nao-quero" not in answers(name, played(("4e 5c 6o", "1o 5b 12c"), "envido", scores=(23, 20)))
    assert "nao-quero" in answers(name, truco)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_flor_is_sung_and_a_great_one_raises(name: str) -> None:
    assert answers(name, played(("4e 7e 6e", "5o 5b 6c"), "")) == {"flor"}
    assert answers(name, played(("4e 10e 11e", "7o 6o 5o"), "flor")) == {"contraflor-resto"}
    assert answers(name, played(("4e 10e 11e", "7o 6o 2o"), "flor")) == {"contraflor"}


def test_points_are_as_frequent_as_counted() -> None:
    # Without flor: 27 or more in 23.0 % of hands, 30 or more in 7.7 %, 33 in 1.3 %.
    rarer = [1 - points_odds(points, wins_ties=False) for points in (26, 29, 32)]
    beaten = [1 - points_odds(points, wins_ties=True) for points in (26, 29, 32)]
    assert [round(100 * rate, 1) for rate in beaten] == [23.0, 7.7, 1.3]
    assert all(tie_lost > tie_won for tie_lost, tie_won in zip(rarer, beaten, strict=True))
    assert flor_odds(38, wins_ties=True) == 1.0


def cards_out(state: TrucoState) -> list[Card]:
    """The cards that the seat to act has not seen."""
    assert state.to_act is not None
    shown = [play.card for play in state.rounds.plays if not play.down]
    return [card for card in SPANISH_DECK if card not in (*state.hands[state.to_act], *shown)]


def test_the_last_round_is_counted_exactly() -> None:
    leading = played(("2e 3e 6o", "3o 5b 12c"), "2e 3o 5b 6o")  # lost the first round, won the second
    out = cards_out(leading)
    weaker = sum(strength(card) < strength("3e") for card in out)
    assert Estimates(leading.observe(0)).of(hand_odds) == weaker / len(out)
    lying = leading.play("3e").play("truco")  # a tie would lose: the other won the first round
    assert Estimates(lying.observe(0)).of(hand_odds) == weaker / len(out)


def test_round_one_tied_makes_the_second_decide() -> None:
    tied = played(("2e 1c 5b", "2b 4c 3o"), "2e 2b 1c")
    found = Estimates(tied.observe(1))
    assert found.of(hand_odds) == 1.0
    assert tied.hands[1][found.of(best_card)] == "3o"
    assert len(CLASSES) == 14


def open_wins(rounds: Rounds, seat: int, mine: tuple[Card, ...], theirs: tuple[Card, ...]) -> bool:
    """Whether a seat wins the hand with open cards."""
    winner = decided(rounds.winners, rounds.mao)
    if winner is not None:
        return winner == seat
    is_own = rounds.player == seat
    ways = (
        open_wins(
            rounds.add(Play(rounds.player, card)),
            seat,
            *((without(mine, card), theirs) if is_own else (mine, without(theirs, card))),
        )
        for card in (mine if is_own else theirs)
    )
    return any(ways) if is_own else all(ways)


def without(cards: tuple[Card, ...], gone: Card) -> tuple[Card, ...]:
    return tuple(card for card in cards if card != gone)


@pytest.mark.parametrize("held", [0, 1, 2])
def test_the_chance_to_win_a_hand_is_counted_over_all_deals(held: int) -> None:
    checked = 0
    for state, _ in decisions("balanced", "cbtg"):
        seat, rounds = state.to_act, state.rounds
        assert seat is not None
        if 3 - sum(play.seat != seat for play in rounds.plays) != held or checked == 20:
            continue
        checked += 1
        mine, deals = rounds.held(seat, state.hands[seat]), list(combinations(cards_out(state), held))
        ways = [(rounds, mine)]
        if rounds.facing is not None and rounds.facing.seat != seat:
            ways = [(rounds.add(Play(seat, card)), without(mine, card)) for card in mine]
        shares = [
            sum(open_wins(after, seat, rest, deal) for deal in deals) / len(deals) for after, rest in ways
        ]
        assert Estimates(state.observe(seat)).of(hand_odds) == max(shares)
    assert checked == 20


@everywhere
def test_one_by_one_in_plain_python_and_compiled_or_in_a_batch_decisions_are_the_same(
    name: str, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_numba()
    player = find_agent(name, "truco")
    seen = [state.observe(state.to_act or 0) for state, _ in decisions(name, rules)[::5]]
    compiled = [player.decide(one, Stream("same", number)) for number, one in enumerate(seen)]
    monkeypatch.setattr(estimates, "is_numba_loaded", lambda: False)
    plain = [player.decide(one, Stream("same", number)) for number, one in enumerate(seen)]
    assert plain == compiled
    situations = np.array([situation_of(one) for one in seen])
    streams = np.array([Stream("same", number).state for number in range(len(seen))], np.uint64)
    batch = cast(BatchAgent, player).decide_many(Truco.named(rules), situations, streams)
    found = [action_text(one.hand, action) for one, action in zip(seen, batch.actions, strict=True)]
    assert found == [as_decision(decision).action for decision in plain]


def test_the_price_of_a_bet_falls_when_declining_loses_the_match() -> None:
    race = even_race()
    assert price(race, 10, 2, (2, 2), 1) > price(race, 10, 1, (2, 2), 1) == 0.0
    assert 0.2 < price(race, 500, 500, (2, 2), 1) < 0.3


def behaviour() -> ModuleType:
    """The benchmark that prints these figures."""
    place = Path(__file__).parents[2] / "benchmarks" / "behaviour.py"
    spec = importlib.util.spec_from_file_location("behaviour", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_together_they_behave_much_like_people() -> None:
    bench = behaviour()
    rates = bench.panel_rates(bench.play_all(PLAYERS, pairs=12, seed=3))
    assert {name: rate for name, (rate, _) in rates.items()} == pytest.approx(bench.HUMAN, abs=0.05)


@pytest.mark.slow
def test_balanced_beats_random_in_more_than_three_quarters_of_200_matches() -> None:
    agents = (find_agent("balanced", "truco"), find_agent("random", "truco"))
    result = play_duel(Truco.named("trucogame"), agents, ("balanced", "random"), pairs=100, seed=2)
    assert result.wins[0] > 150
    assert result.illegal == result.failed == (0, 0)


@pytest.mark.parametrize("name", PLAYERS)
def test_each_beats_random_clearly(name: str) -> None:
    agents = (find_agent(name, "truco"), find_agent("random", "truco"))
    result = play_duel(Truco.named("trucogame"), agents, (name, "random"), pairs=25, seed=4)
    assert result.win_rate_ci95[0] > 0.6


def test_all_five_are_on_the_list() -> None:
    assert set(PLAYERS) <= set(roster("truco"))
    assert not set(PLAYERS) & set(roster("kuhn"))
