"""Counterfactual regret minimisation on a whole tree, and how exploitable a strategy is.

Every iteration walks through the whole tree once for each seat, as CFR+ does (Tammelin, "Solving
large imperfect information games using CFR+", 2014): regrets never fall below zero, and the
average strategy weighs an iteration by its number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import compiled
from retruco.games.core import Game
from retruco.solver.estimates import Estimate
from retruco.solver.files import EXACT, Solution, SolutionFacts
from retruco.solver.policy import Policy, fill_mixture, make_policy
from retruco.solver.tree import END, Choices, GameTree, Tree, all_legal, build_tree, lay_out
from retruco.streams import key_number

Strategy: TypeAlias = NDArray[np.float64]
"""By information set and action: the probability; zero beyond the legal actions."""


class Regrets(NamedTuple):
    """What CFR has gathered, by information set and action."""

    regret: Strategy
    average: Strategy


class TreeSolver:
    """Solves one game; `iterations` says how far it is."""

    batch: Final = 100
    """How many iterations take a moment."""
    is_exact: Final = True
    """Whether exploitability is found exactly, and at once."""

    def __init__(self, game: Game, choices: Choices = all_legal) -> None:
        self.game, self.tree = game, build_tree(game, choices)
        shape = (len(self.tree.infosets), self.tree.arrays.child.shape[1])
        self.regrets = Regrets(np.zeros(shape), np.zeros(shape))
        self.iterations = 0

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        for _ in range(iterations):
            self.iterations += 1
            for seat in (0, 1):
                update_regrets(self.tree.arrays, self.regrets, seat, float(self.iterations))

    def average_strategy(self) -> Strategy:
        """The strategy so far: the average over all iterations."""
        return normalise_rows(self.regrets.average, self.tree.arrays.actions)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """By information set: its key as a number."""
        return np.array([key_of_text(infoset.key) for infoset in self.tree.infosets], dtype=np.int64)

    def policy_strategy(self, policy: Policy) -> Strategy:
        """The strategy that a policy plays."""
        strategy = np.zeros_like(self.regrets.average)
        fill_strategy(policy, self.keys, self.tree.arrays.actions, strategy)
        return strategy

    @property
    def facts(self) -> SolutionFacts:
        """What the solution is for, and how far it is; nothing is drawn, so the seed is 0."""
        return SolutionFacts(
            game=self.game.name,
            rules=self.game.rules_name,
            target=self.game.goal,
            version=self.game.version,
            abstraction=EXACT,
            meaning=tree_digest(self.game),
            seed=0,
            iterations=self.iterations,
        )

    def solution(self) -> Solution:
        """The average strategy as a table."""
        counts = self.tree.arrays.actions
        is_legal = np.arange(self.regrets.average.shape[1]) < counts[:, None]
        return Solution(self.facts, make_policy(self.keys, counts, self.average_strategy()[is_legal]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that has been learnt."""
        return dict(self.regrets._asdict())

    def restore(self, arrays: Mapping[str, NDArray[Any]], iterations: int) -> None:
        """Go back to what had been learnt after so many iterations."""
        self.regrets = Regrets(arrays["regret"], arrays["average"])
        self.iterations = iterations

    def describe(self) -> str:
        """How far it is, in a line."""
        found = measure_exploitability(self.tree, self.average_strategy())
        return f"value {found.value:+.5f}, exploitability {found.mean:.5f} a hand"

    def measure(self, policy: Policy, hands: int) -> Exploitability:
        """How exploitable a strategy is; all hands are looked at."""
        return measure_exploitability(self.tree, self.policy_strategy(policy))

    def compare(self, policy: Policy, older: Policy) -> Estimate:
        """What a strategy wins a hand from another one, in the mean of both seats; exactly."""
        newer, other = (self.policy_strategy(found) for found in (policy, older))
        is_first = np.array([infoset.seat == 0 for infoset in self.tree.infosets])[:, None]
        as_first = strategy_value(self.tree.arrays, np.where(is_first, newer, other))
        as_second = -strategy_value(self.tree.arrays, np.where(is_first, other, newer))
        return Estimate((as_first + as_second) / 2, 0.0)

    @property
    def infoset_count(self) -> int:
        """How many information sets the game has."""
        return len(self.tree.infosets)

    @property
    def merging_seconds(self) -> float:
        """One worker has nothing to merge."""
        return 0.0


@compiled
def fill_strategy(
    policy: Policy, keys: NDArray[np.int64], actions: NDArray[np.int8], strategy: Strategy
) -> None:
    """Write down what a policy plays, by information set."""
    for place in range(len(keys)):
        fill_mixture(policy, keys[place], actions[place], strategy[place])


def key_of_text(key: str) -> int:
    """An information key as a number below 2^63."""
    return key_number("information", key) >> 1


def tree_digest(game: Game) -> str:
    """A digest of what the keys of a solution mean: the information sets of one deal, and how many deals there are."""
    deals = list(game.all_deals())
    meaning = (len(deals), lay_out(game, deals[:1]).infosets)
    return hashlib.sha256(repr(meaning).encode()).hexdigest()[:16]


class Exploitability(NamedTuple):
    """What a strategy is worth, and what the best answers to it gain."""

    value: float
    """What seat 0 wins a hand if both play it."""
    gains: tuple[float, float]
    """By seat: what the best response wins more than the strategy itself."""

    def __str__(self) -> str:
        return f"{self.mean:.5f} a hand, exactly"

    @property
    def margin(self) -> float:
        """Nothing is estimated."""
        return 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Between what the value of the game lies: neither seat can gain more than its best response."""
        return self.value - self.gains[1], self.value + self.gains[0]

    @property
    def mean(self) -> float:
        """The mean of what both best responses gain; zero in equilibrium."""
        return sum(self.gains) / 2


def measure_exploitability(tree: GameTree, strategy: Strategy) -> Exploitability:
    """Find the exact best responses to a strategy."""
    arrays = tree.arrays
    value = strategy_value(arrays, strategy)
    best = [best_response(arrays, strategy, seat) for seat in (0, 1)]
    return Exploitability(value, (best[0] - value, best[1] + value))


@compiled
def normalise_rows(weights: Strategy, actions: NDArray[np.int8]) -> Strategy:
    """Probabilities in proportion to the positive weights; all actions alike where there are none."""
    found = np.zeros_like(weights)
    for row in range(len(weights)):
        total = 0.0
        for action in range(actions[row]):
            total += max(weights[row, action], 0.0)
        for action in range(actions[row]):
            found[row, action] = max(weights[row, action], 0.0) / total if total > 0 else 1.0 / actions[row]
    return found


@compiled
def reach_probabilities(tree: Tree, strategy: Strategy) -> tuple[Strategy, Strategy]:
    """By node, the probability with which each seat plays to it; the deal counts for both."""
    mine, other = np.zeros(len(tree.actor)), np.zeros(len(tree.actor))
    for root in range(len(tree.chance)):
        mine[root], other[root] = tree.chance[root], tree.chance[root]
    for node in range(len(tree.actor)):
        actor, infoset = tree.actor[node], tree.infoset[node]
        if actor == END:
            continue
        for action in range(tree.actions[infoset]):
            child, probability = tree.child[node, action], strategy[infoset, action]
            mine[child] = mine[node] * (probability if actor == 0 else 1.0)
            other[child] = other[node] * (probability if actor == 1 else 1.0)
    return mine, other


@compiled
def node_values(tree: Tree, strategy: Strategy) -> Strategy:
    """By node, what it is worth to seat 0 if both play the strategy."""
    values = tree.value.copy()
    for node in range(len(tree.actor) - 1, -1, -1):
        if tree.actor[node] != END:
            infoset = tree.infoset[node]
            for action in range(tree.actions[infoset]):
                values[node] += strategy[infoset, action] * values[tree.child[node, action]]
    return values


@compiled
def strategy_value(tree: Tree, strategy: Strategy) -> float:
    """What seat 0 wins a hand if both play the strategy."""
    values = node_values(tree, strategy)
    total = 0.0
    for root in range(len(tree.chance)):
        total += tree.chance[root] * values[root]
    return total


@compiled
def update_regrets(tree: Tree, regrets: Regrets, seat: int, weight: float) -> None:
    """One iteration for one seat."""
    strategy = normalise_rows(regrets.regret, tree.actions)
    reach = reach_probabilities(tree, strategy)
    values = node_values(tree, strategy)
    sign = 1.0 - 2.0 * seat
    for node in range(len(tree.actor)):
        if tree.actor[node] != seat:
            continue
        infoset = tree.infoset[node]
        for action in range(tree.actions[infoset]):
            gain = sign * (values[tree.child[node, action]] - values[node])
            regrets.regret[infoset, action] += reach[1 - seat][node] * gain
            regrets.average[infoset, action] += weight * reach[seat][node] * strategy[infoset, action]
    for infoset in range(len(tree.actions)):
        for action in range(tree.actions[infoset]):
            regrets.regret[infoset, action] = max(regrets.regret[infoset, action], 0.0)


@compiled
def best_response(tree: Tree, strategy: Strategy, seat: int) -> float:
    """What the best response of one seat wins a hand against the strategy."""
    reach = reach_probabilities(tree, strategy)[1 - seat]
    sign = 1.0 - 2.0 * seat
    values, totals = tree.value * sign, np.zeros_like(strategy)
    for level in range(len(tree.levels) - 2, -1, -1):
        nodes = range(tree.levels[level], tree.levels[level + 1])
        for node in nodes:
            if tree.actor[node] == seat:
                for action in range(tree.actions[tree.infoset[node]]):
                    totals[tree.infoset[node], action] += reach[node] * values[tree.child[node, action]]
        for node in nodes:
            if tree.actor[node] != END:
                values[node] = response_value(tree, strategy, totals, values, node, seat)
    total = 0.0
    for root in range(len(tree.chance)):
        total += tree.chance[root] * values[root]
    return total


@compiled
def response_value(
    tree: Tree, strategy: Strategy, totals: Strategy, values: Strategy, node: int, seat: int
) -> float:
    """What a node is worth to the seat that responds."""
    infoset = tree.infoset[node]
    if tree.actor[node] == seat:
        best = np.argmax(totals[infoset, : tree.actions[infoset]])
        return float(values[tree.child[node, best]])
    total = 0.0
    for action in range(tree.actions[infoset]):
        total += strategy[infoset, action] * values[tree.child[node, action]]
    return total
