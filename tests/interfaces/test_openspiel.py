"""Our games are OpenSpiel games by OpenSpiel's own tests, and both solvers agree on them."""

from __future__ import annotations

from typing import Any

import pytest

from retruco.agents.registry import find_agent
from retruco.games.registry import all_tables, find_game
from retruco.solver.cfr import TreeSolver, measure_exploitability
from retruco.solver.tree import hand_value, lay_out

pyspiel = pytest.importorskip("pyspiel")
interface = pytest.importorskip("retruco.interfaces.openspiel")
pytestmark = pytest.mark.openspiel

SOLVED = ("kuhn", "leduc")


@pytest.mark.parametrize("table", all_tables(), ids=lambda game: f"{game.name}-{game.rules_name}")
def test_every_preset_passes_the_random_simulations_of_openspiel(table: Any) -> None:
    game = interface.load_game(table.name, table.rules_name)
    assert game.num_players() == table.seats
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "truco"])
def test_a_playthrough_can_be_written_and_shows_no_card_in_public(name: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    interface.register_games()
    lines = generate_playthrough.playthrough_lines(f"retruco_{name}()", seed=1)
    assert any(line.startswith("InformationStateTensor(1)") for line in lines)
    public = {line for line in lines if line.startswith("PublicObservationString()")}
    assert 'PublicObservationString() = "not dealt"' in public
    assert 'PublicObservationString() = "turn 0, 0 actions"' in public


@pytest.mark.parametrize("name", SOLVED)
def test_both_find_the_same_exploitability_of_our_solution(name: str) -> None:
    from open_spiel.python.algorithms import exploitability

    solver, game = TreeSolver(find_game(name)), interface.load_game(name)
    solver.run(20)
    strategy = solver.average_strategy()
    theirs = exploitability.exploitability(game, interface.SolverPolicy(game, solver, strategy))
    assert theirs == pytest.approx(measure_exploitability(solver.tree, strategy).mean, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVED)
def test_both_find_the_same_exploitability_of_what_their_cfr_learns(name: str) -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game, solver = interface.load_game(name), TreeSolver(find_game(name))
    theirs = cfr.CFRSolver(game)
    for _ in range(2 if name == "leduc" else 200):
        theirs.evaluate_and_update_policy()
    policy = theirs.average_policy()
    ours = measure_exploitability(solver.tree, interface.solver_strategy(solver, policy))
    assert ours.mean == pytest.approx(exploitability.exploitability(game, policy), abs=1e-9)
    if name == "kuhn":
        assert ours.mean < 0.01
        assert ours.value == pytest.approx(-1 / 18, abs=0.005)


def test_a_deal_of_truco_mini_has_the_nodes_of_our_tree() -> None:
    table, game = find_game("truco", "truco-mini"), interface.load_game("truco", "truco-mini")
    deals = list(table.all_deals())
    ours = lay_out(table, deals[7:8])
    keys, ends = set(), []

    def walk(state: Any) -> None:
        if state.is_terminal():
            assert state.returns()[0] == hand_value(table, state.position.state)
            ends.append(state.returns()[0])
            return
        keys.add(state.information_state_string())
        for action in state.legal_actions():
            walk(state.child(action))

    first = game.new_initial_state()
    assert [chance for _, chance in first.chance_outcomes()] == [chance for _, chance in deals]
    walk(first.child(7))
    assert keys == {f"{infoset.seat} {infoset.key}" for infoset in ours.infosets}
    assert sum(ends) == pytest.approx(ours.arrays.value.sum())


def test_bots_of_openspiel_play_our_agents() -> None:
    game = interface.load_game("truco", "cbtg")
    agent = interface.AgentBot(find_agent("balanced", "truco"), 0, seed=1)
    total = 0.0
    for seed in range(20):
        other = pyspiel.make_uniform_random_bot(1, seed)
        total += pyspiel.evaluate_bots(game.new_initial_state(), [agent, other], seed)[0]
    assert total > 0


def test_a_bot_made_of_a_policy_of_theirs_plays_our_agent() -> None:
    from open_spiel.python import policy

    game = interface.load_game("kuhn")
    uniform = pyspiel.make_policy_bot(
        game, 0, 1, policy.python_policy_to_pyspiel_policy(policy.TabularPolicy(game))
    )
    agent = interface.AgentBot(find_agent("random", "kuhn"), 1)
    results = [pyspiel.evaluate_bots(game.new_initial_state(), [uniform, agent], seed) for seed in range(5)]
    assert all(sum(result) == 0 for result in results)


def test_an_unknown_preset_is_named_with_the_alternatives() -> None:
    with pytest.raises(ValueError, match="unknown rules 'four-seats': one of two-seats, three-seats"):
        interface.load_game("kuhn", "four-seats")
