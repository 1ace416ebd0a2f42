"""Monte Carlo CFR with external sampling: every iteration deals a hand and plays it once for each seat.

The seat that learns tries all its actions; the other plays one, drawn from its current strategy.
Iterations count for regrets in proportion to their number, and for the average strategy to its square
(Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019).
An action whose regret lies far below zero is not tried, until enough iterations have passed that it
counts for little (Brown and Sandholm, "Regret-based pruning in extensive-form games", 2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, random
from retruco.compiler import compiled
from retruco.games.truco.compiled.stepper import ACTIONS, DECK, SCORES, STATE
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.files import Solution, SolutionFacts
from retruco.solver.policy import Policy, make_policy
from retruco.solver.truco.abstraction import (
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    automaton_digest,
    deal_hand,
    hand_value,
    information_key,
    solver_actions,
)
from retruco.solver.truco.best_response import measure_exploitability
from retruco.solver.truco.infosets import (
    SETS,
    Infosets,
    fill_infosets,
    find_or_add,
    grow,
    has_room,
    make_infosets,
)
from retruco.streams import begin_key

PRUNING: Final = 1.0
"""An action is not tried while its regret is below so many points, in iterations of the present weight."""
FIRST_ROOM: Final = 1 << 18
NODES: Final = 0


class Workspace(NamedTuple):
    """Room for one hand in progress, by depth; compiled code takes it as it is."""

    rows: NDArray[np.int32]
    actions: NDArray[np.int32]
    strategy: NDArray[np.float64]
    values: NDArray[np.float64]
    deck: NDArray[np.int32]
    stream: StreamState
    counters: NDArray[np.int64]
    """How many nodes have been visited."""


def make_workspace(tables: Tables) -> Workspace:
    """Room for hands of some rules."""
    depth = tables.longest + 1
    return Workspace(
        rows=np.zeros((depth, SOLVER_ROW), dtype=np.int32),
        actions=np.zeros((depth, ACTIONS), dtype=np.int32),
        strategy=np.zeros((depth, ACTIONS)),
        values=np.zeros((depth, ACTIONS)),
        deck=np.zeros(DECK, dtype=np.int32),
        stream=np.zeros(1, dtype=np.uint64),
        counters=np.zeros(1, dtype=np.int64),
    )


class TrucoSolver:
    """Solves Truco by some rules, within an abstraction; `iterations` says how far it is."""

    batch: Final = 20_000
    """How many iterations take a second or a few."""
    is_exact: Final = False
    """Exploitability is estimated from a sample of hands, which takes a while."""

    def __init__(self, game: Truco, level: str, seed: int, pruning: float = PRUNING) -> None:
        self.game, self.level, self.seed, self.pruning = game, level, seed, pruning
        self.tables = tables_for(game)
        self.abstraction = abstraction_for(game, level)
        self.infosets = make_infosets(FIRST_ROOM)
        self.iterations = 0
        self.workspace = make_workspace(self.tables)

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        key = np.uint64(begin_key(3, "mccfr", self.seed))
        last = self.iterations + iterations
        while self.iterations < last:
            if not has_room(self.infosets):
                self.infosets = grow(self.infosets)
            self.iterations = run_iterations(
                self.tables,
                self.abstraction,
                self.infosets,
                self.workspace,
                key,
                self.iterations,
                last,
                self.pruning,
            )

    @property
    def nodes(self) -> int:
        """How many nodes have been visited."""
        return int(self.workspace.counters[NODES])

    @property
    def facts(self) -> SolutionFacts:
        """What the solution is for, and how far it is."""
        return SolutionFacts(
            game=self.game.name,
            rules=self.game.rules_name,
            target=self.game.target,
            version=self.game.version,
            abstraction=self.level,
            meaning=automaton_digest(self.game),
            seed=self.seed,
            iterations=self.iterations,
        )

    def solution(self) -> Solution:
        """The average strategy; where it has never been played to, the current one."""
        sets, places = (int(number) for number in self.infosets.used)
        counts = self.infosets.count[:sets]
        owner = np.repeat(np.arange(sets), counts)
        average = self.infosets.average[:places].astype(np.float64)
        regret = np.maximum(self.infosets.regret[:places].astype(np.float64), 0)
        has_average = np.bincount(owner, average, sets) > 0
        weights = np.where(has_average[owner], average, regret)
        return Solution(self.facts, make_policy(self.infosets.key[:sets], counts, weights))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that has been learnt."""
        sets, places = (int(number) for number in self.infosets.used)
        return {
            "keys": self.infosets.key[:sets],
            "counts": self.infosets.count[:sets],
            "regret": self.infosets.regret[:places],
            "average": self.infosets.average[:places],
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], iterations: int) -> None:
        """Go back to what had been learnt after so many iterations."""
        room = max(FIRST_ROOM, 1 << (2 * len(arrays["keys"])).bit_length())
        self.infosets = fill_infosets(
            arrays["keys"], arrays["counts"], arrays["regret"], arrays["average"], room
        )
        self.iterations = iterations

    def describe(self) -> str:
        """How far it is, in a line."""
        return f"{int(self.infosets.used[SETS]):,} information sets"

    def measure(self, policy: Policy, hands: int) -> str:
        """How exploitable a strategy is, estimated from so many hands."""
        return str(measure_exploitability(self.game, self.level, policy, hands, self.seed))


@compiled
def run_iterations(
    tables: Tables,
    abstraction: Abstraction,
    infosets: Infosets,
    work: Workspace,
    key: Any,
    done: int,
    last: int,
    pruning: float,
) -> int:
    """Play iterations until the last one, or until the table may be full; return the number done."""
    while done < last and has_room(infosets):
        done += 1
        work.stream[0] = add_part(key, done)
        work.rows[0, SCORES], work.rows[0, SCORES + 1] = 0, 0
        deal_hand(tables, work.rows[0], work.stream, work.deck)
        for seat in range(2):
            visit(tables, abstraction, infosets, work, 0, seat, float(done), pruning)
    return done


@compiled
def visit(
    tables: Tables,
    abstraction: Abstraction,
    infosets: Infosets,
    work: Workspace,
    depth: int,
    seat: int,
    weight: float,
    pruning: float,
) -> float:
    """Play on from the row at a depth, and learn; return what that is worth to the seat that learns."""
    row = work.rows[depth]
    if row[STATE] < 0:
        value = hand_value(tables, row)
        return value if seat == 0 else -value
    actions, strategy = work.actions[depth], work.strategy[depth]
    count = solver_actions(tables, row, actions)
    following = work.rows[depth + 1]
    if count == 1:
        following[:] = row
        advance(tables, following, actions[0])
        return visit(tables, abstraction, infosets, work, depth + 1, seat, weight, pruning)
    work.counters[NODES] += 1
    number = find_or_add(infosets, information_key(tables, abstraction, row), count)
    first = infosets.first[number]
    match_regrets(infosets.regret, first, count, strategy)
    if tables.actor[row[STATE]] != seat:
        for place in range(count):
            infosets.average[first + place] += np.float32(weight * weight * strategy[place])
        place = draw(work.stream, strategy, count)
        following[:] = row
        advance(tables, following, actions[place])
        return visit(tables, abstraction, infosets, work, depth + 1, seat, weight, pruning)
    values, mean = work.values[depth], 0.0
    least = -pruning * weight
    for place in range(count):
        values[place] = np.nan
        if strategy[place] > 0 or infosets.regret[first + place] >= least:
            following[:] = row
            advance(tables, following, actions[place])
            values[place] = visit(tables, abstraction, infosets, work, depth + 1, seat, weight, pruning)
            mean += strategy[place] * values[place]
    for place in range(count):
        if not np.isnan(values[place]):
            infosets.regret[first + place] += np.float32(weight * (values[place] - mean))
    return mean


@compiled
def match_regrets(regret: NDArray[np.float32], first: int, count: int, strategy: NDArray[np.float64]) -> None:
    """The current strategy: in proportion to positive regrets, all actions alike where there are none."""
    total = 0.0
    for place in range(count):
        strategy[place] = max(regret[first + place], 0.0)
        total += strategy[place]
    for place in range(count):
        strategy[place] = strategy[place] / total if total > 0 else 1.0 / count


@compiled
def draw(stream: StreamState, strategy: NDArray[np.float64], count: int) -> int:
    """Draw an action by its probability."""
    left = random(stream)
    for place in range(count - 1):
        left -= strategy[place]
        if left < 0:
            return place
    return count - 1
