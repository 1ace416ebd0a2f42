"""Do the actions that the solver of Truco leaves out cost anything? Small games solved with and without them.

    python benchmarks/dominated_actions.py                      truco-mini: two cards of six
    python benchmarks/dominated_actions.py --three              three cards of seven, truco only
    python benchmarks/dominated_actions.py --iterations 1000

Each line is a game whose actions are left out for both seats, for the mão only, or for the other only.
The value of the game to the mão lies between the two bounds.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from retruco.cards import Card
from retruco.games.core import Action
from retruco.games.truco import Truco, TrucoState, preset
from retruco.solver.cfr import TreeSolver, measure_exploitability
from retruco.solver.tree import Choices, all_legal
from retruco.solver.truco.considered import considered_actions, without_face_down, without_folding

KINDS: dict[str, Choices] = {
    "folding": without_folding,
    "face-down cards": without_face_down,
    "both": considered_actions,
}
SEATS = {"both seats": (0, 1), "the mão": (0,), "the other": (1,)}


def main() -> None:
    """Solve and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--three", action="store_true", help="three cards a hand, three rounds, no envido")
    parser.add_argument("--iterations", type=int, default=400)
    options = parser.parse_args()
    game = three_cards() if options.three else Truco.named("truco-mini")
    print(f"{'all actions':42} {solve(game, all_legal, options.iterations)}", flush=True)
    for kind, choices in KINDS.items():
        for name, seats in SEATS.items():
            text = solve(game, limited(choices, seats), options.iterations)
            print(f"{f'without {kind} for {name}':42} {text}", flush=True)


def three_cards() -> Truco:
    """Three rounds, with one card more than truco-mini; envido is left out, for the tree to stay small."""
    mini = preset("truco-mini")
    rules = replace(mini, name="three-rounds", deck=(*mini.deck, Card("1e")), hand_size=3, envido_calls=())
    return Truco(rules, rules.target)


def limited(choices: Choices, seats: Sequence[int]) -> Choices:
    """Leave actions out for some seats only."""

    def choose(state: TrucoState) -> Sequence[Action]:
        return choices(state) if state.to_act in seats else state.legal

    return choose


def solve(game: Truco, choices: Choices, iterations: int) -> str:
    """Solve a game and say what it is worth."""
    solver = TreeSolver(game, choices)
    solver.run(iterations)
    found = measure_exploitability(solver.tree, solver.average_strategy())
    low, high = found.bounds
    return f"value {found.value:+.4f} ({low:+.4f} to {high:+.4f}), {len(solver.tree.arrays.actor):,} nodes"


if __name__ == "__main__":
    main()
