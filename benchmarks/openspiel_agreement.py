"""Exploitability by OpenSpiel and by our solver: of our solutions, and of what OpenSpiel's CFR learns.

    python benchmarks/openspiel_agreement.py kuhn leduc
    python benchmarks/openspiel_agreement.py truco-mini --ours 200 --theirs 1    # takes minutes

Both run on the same game, registered at OpenSpiel by `retruco.interfaces.openspiel`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from open_spiel.python.algorithms import cfr, exploitability

from retruco.games.registry import find_game
from retruco.interfaces.openspiel import SolverPolicy, load_game, solver_strategy
from retruco.solver.cfr import TreeSolver, measure_exploitability

GAMES = {"kuhn": ("kuhn", None), "leduc": ("leduc", None), "truco-mini": ("truco", "truco-mini")}


def compare(label: str, ours: float, measure: Any) -> None:
    """Print what both find, and how long OpenSpiel took."""
    begun = time.process_time()
    theirs = measure()
    spent = time.process_time() - begun
    print(f"| {label} | {ours:.9f} | {theirs:.9f} | {abs(ours - theirs):.1e} | {spent:.0f} s |", flush=True)


def run(name: str, our_iterations: int, their_iterations: int) -> None:
    """Compare on one game."""
    game, solver = load_game(*GAMES[name]), TreeSolver(find_game(*GAMES[name]))
    solver.run(our_iterations)
    strategy = solver.average_strategy()
    compare(
        f"{name}, our CFR+, {our_iterations} iterations",
        measure_exploitability(solver.tree, strategy).mean,
        lambda: exploitability.exploitability(game, SolverPolicy(game, solver, strategy)),
    )
    if their_iterations:
        theirs = cfr.CFRSolver(game)
        for _ in range(their_iterations):
            theirs.evaluate_and_update_policy()
        policy = theirs.average_policy()
        compare(
            f"{name}, their CFR, {their_iterations} iterations",
            measure_exploitability(solver.tree, solver_strategy(solver, policy)).mean,
            lambda: exploitability.exploitability(game, policy),
        )


def main() -> None:
    """Compare on the games that are named."""
    parser = argparse.ArgumentParser(description="Exploitability by OpenSpiel and by our solver.")
    parser.add_argument("games", nargs="*", choices=[*GAMES], default=["kuhn", "leduc"])
    parser.add_argument("--ours", type=int, default=100, help="iterations of our CFR+")
    parser.add_argument("--theirs", type=int, default=10, help="iterations of OpenSpiel's CFR")
    options = parser.parse_args()
    print("| strategy | ours | OpenSpiel | difference | OpenSpiel's time |\n|---|---|---|---|---|")
    for name in options.games:
        run(name, options.ours, options.theirs)


if __name__ == "__main__":
    main()
