"""CFR on whole trees: published values, and OpenSpiel as the oracle."""

import re
import sys
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr
from functools import cache
from typing import Any

import numpy as np
import pytest

from retruco.games.kuhn import Kuhn, KuhnObservation
from retruco.games.leduc import Leduc, follow_betting
from retruco.games.registry import find_game
from retruco.games.truco import Truco, TrucoState
from retruco.solver.cfr import Exploitability, Strategy, TreeSolver, measure_exploitability
from retruco.solver.tree import Choices, GameTree, all_legal, build_tree
from retruco.solver.truco.considered import considered_actions


@cache
def tree_of(name: str) -> GameTree:
    return build_tree(find_game(name))


@cache
def solve(name: str, iterations: int) -> Strategy:
    solver = TreeSolver(find_game(name))
    solver.run(iterations)
    return solver.average_strategy()


def random_strategy(name: str, seed: int) -> Strategy:
    solver = TreeSolver(find_game(name))
    solver.regrets.average[:] = np.random.default_rng(seed).random(solver.regrets.average.shape)
    return solver.average_strategy()


def test_kuhn_is_solved_and_worth_minus_one_eighteenth() -> None:
    found = measure_exploitability(tree_of("kuhn"), solve("kuhn", 500))
    assert 0 <= found.mean < 0.001
    assert found.value == pytest.approx(-1 / 18, abs=0.001)


def test_leduc_is_solved_and_worth_its_published_value() -> None:
    found = measure_exploitability(tree_of("leduc"), solve("leduc", 1000))
    assert 0 <= found.mean < 0.001
    assert found.value == pytest.approx(-0.0856, abs=0.001)


def test_more_iterations_leave_less_to_exploit() -> None:
    gaps = [measure_exploitability(tree_of("leduc"), solve("leduc", many)).mean for many in (10, 100, 1000)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 10 * gaps[2]


@pytest.mark.openspiel
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("strategy", ["random", "solved"])
def test_openspiel_finds_the_same_exploitability_of_the_same_strategy(name: str, strategy: str) -> None:
    tree = tree_of(name)
    probabilities = random_strategy(name, 7) if strategy == "random" else solve(name, 30)
    ours = measure_exploitability(tree, probabilities).mean
    assert openspiel_exploitability(name, tree, probabilities) == pytest.approx(ours, abs=1e-9)


def openspiel_exploitability(name: str, tree: GameTree, strategy: Strategy) -> float:
    """Put a strategy into OpenSpiel's table and ask for its exploitability."""
    # Its logger keeps the stderr that it finds and closes it when logging is set up anew: not that of pytest.
    with warnings.catch_warnings(), redirect_stderr(sys.__stderr__):
        warnings.simplefilter("ignore")
        import pyspiel
        from open_spiel.python.algorithms import exploitability
        from open_spiel.python.policy import TabularPolicy
    game = pyspiel.load_game(f"{name}_poker")
    table = TabularPolicy(game)
    by_key = {infoset.key: (infoset, strategy[place]) for place, infoset in enumerate(tree.infosets)}
    for text, row in table.state_lookup.items():
        infoset, probabilities = by_key[TRANSLATORS[name](text)]
        numbers = [OPENSPIEL_ACTIONS[name][action] for action in infoset.legal]
        table.action_probability_array[row] = 0
        table.action_probability_array[row, numbers] = probabilities[: len(numbers)]
    return float(exploitability.exploitability(game, table))


OPENSPIEL_ACTIONS: Mapping[str, Mapping[str, int]] = {
    "kuhn": {"check": 0, "fold": 0, "bet": 1, "call": 1},
    "leduc": {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2},
}


def kuhn_key(text: str) -> str:
    """`2pb` is the king after a check and a bet."""
    actions: list[str] = []
    for letter in text[1:]:
        faces_bet = "bet" in actions
        actions.append({"p": "fold" if faces_bet else "check", "b": "call" if faces_bet else "bet"}[letter])
    return " ".join(("JQK"[int(text[0])], *actions))


def leduc_key(text: str) -> str:
    """Cards 0 to 5 are two of each rank; actions are listed by round."""
    fields = dict(re.findall(r"\[(\w+): ?([^\]]*)\]", text))
    actions: tuple[str, ...] = ()
    for number in f"{fields['Round1']} {fields['Round2']}".split():
        legal = follow_betting(actions).legal
        actions += (next(act for act in legal if OPENSPIEL_ACTIONS["leduc"][act] == int(number)),)
    board = "JQK"[int(fields["Public"]) // 2] if "Public" in fields else "-"
    return " ".join(("JQK"[int(fields["Private"]) // 2], board, *actions))


TRANSLATORS: Mapping[str, Any] = {"kuhn": kuhn_key, "leduc": leduc_key}


def test_a_game_of_three_seats_is_refused() -> None:
    with pytest.raises(ValueError, match="only games of two seats are solved, and kuhn has 3 here"):
        build_tree(Kuhn.named("three-seats"))


def test_a_key_that_hides_what_the_seat_sees_is_refused() -> None:
    class Forgetful(Kuhn):
        def information_key(self, observation: KuhnObservation) -> str:
            return observation.card

    with pytest.raises(ValueError, match="'Q' of kuhn is the key of situations that differ"):
        build_tree(Forgetful())


def test_the_tree_of_leduc_has_as_many_information_sets_as_published() -> None:
    """OpenSpiel counts 936 with suits; by ranks there are 288."""
    assert len(tree_of("leduc").infosets) == 288
    assert isinstance(find_game("leduc"), Leduc)


# Truco with a reduced deck


@cache
def solve_mini(choices: Choices) -> Exploitability:
    solver = TreeSolver(Truco.named("truco-mini"), choices)
    solver.run(300)
    return measure_exploitability(solver.tree, solver.average_strategy())


@pytest.mark.slow
def test_truco_mini_is_solved() -> None:
    found = solve_mini(all_legal)
    assert 0 <= found.mean < 0.001
    assert found.value == pytest.approx(0.486, abs=0.001)


@pytest.mark.slow
def test_actions_that_the_solver_leaves_out_cost_nothing_at_truco_mini() -> None:
    """Folding later than at once, and face-down cards but for the lowest of who won round one, are dominated."""
    (low, high), (least, most) = solve_mini(all_legal).bounds, solve_mini(considered_actions).bounds
    assert low <= most
    assert least <= high
    assert max(high - low, most - least) < 0.004


@pytest.mark.slow
def test_leaving_out_actions_that_are_worth_something_is_noticed() -> None:
    """Guards the test above: without truco the game is worth something else."""
    low, _ = solve_mini(all_legal).bounds
    _, most = solve_mini(without_truco).bounds
    assert most < low


def without_truco(state: TrucoState) -> list[str]:
    return [action for action in considered_actions(state) if action != "truco"]
