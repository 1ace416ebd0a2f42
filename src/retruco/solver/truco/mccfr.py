"""Monte Carlo CFR with external sampling: every iteration deals a hand and plays it once for each seat.

The seat that learns tries all its actions; the other plays one, drawn from its current strategy.
Iterations count for regrets in proportion to their number, and for the average strategy to its square
(Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019).
An action whose regret lies far below zero is rarely tried, until enough iterations have passed that it
counts for little (Brown and Sandholm, "Regret-based pruning in extensive-form games", 2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, random
from retruco.compiler import compiled_loop, inlined
from retruco.games.truco.compiled.stepper import ACTIONS, DECK, SCORES, STATE, Row
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.estimates import Estimate
from retruco.solver.files import Solution, SolutionFacts
from retruco.solver.policy import Policy, draw_action, make_policy
from retruco.solver.truco.abstraction import (
    LEVELS,
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    deal_hand,
    hand_value,
    information_key,
    keys_digest,
    solver_actions,
)
from retruco.solver.truco.best_response import Exploitability, measure_exploitability
from retruco.solver.truco.infosets import (
    AVERAGE,
    EMPTY,
    REGRET,
    SETS,
    Infosets,
    fill_infosets,
    find_or_add,
    find_set,
    grow,
    has_room,
    make_infosets,
)
from retruco.solver.truco.policy_duel import compare_policies
from retruco.streams import begin_key

START_SHARE: Final = 0.1
"""How much of what a coarser run has learnt a new information set begins with."""
FIRST_ROOM: Final = 1 << 18
DUEL_DEALS: Final = 10_000
"""How many deals a strategy plays against that of the last checkpoint."""
NODES: Final = 0
COARSEST_LEVEL: Final = LEVELS[0]
START_PREFIX: Final = "start_"


class Settings(NamedTuple):
    """How the solver samples; compiled code takes it as it is."""

    pruning: float = 1.0
    """An action is seldom tried while its regret is below so many points, in iterations of the present weight."""
    explore: float = 0.01
    """How often it is tried all the same: what follows an action that is never tried would never be learnt."""
    floor: float = 3.0
    """No regret falls below so many points, in iterations of the present weight: what went wrong once is tried again soon."""
    tremble: float = 0.01
    """How often the other seat plays any action, so that answers to what it should not do are learnt, too."""


class Workspace(NamedTuple):
    """Room for one hand in progress; compiled code takes it as it is.

    There is one row, played on and put back; by depth, which is a decision of the seat that learns, lies
    what is needed to put it back. Rows of an array by depth would be easier to read but much slower:
    every view of an array costs compiled code more than the step it is taken for.
    """

    deal: NDArray[np.int32]
    """The row of the hand at its beginning."""
    row: NDArray[np.int32]
    actions: NDArray[np.int32]
    strategy: NDArray[np.float64]
    rows: NDArray[np.int32]
    """By depth: the row at the decision."""
    choices: NDArray[np.int32]
    """By depth: the actions."""
    strategies: NDArray[np.float64]
    """By depth and action: how probable it is."""
    values: NDArray[np.float64]
    """By depth and action: what it was worth, or not a number if it was not tried."""
    first: NDArray[np.int64]
    """By depth: the first place of the information set."""
    size: NDArray[np.int64]
    """By depth: how many actions there are."""
    place: NDArray[np.int64]
    """By depth: the action that is being tried."""
    deck: NDArray[np.int32]
    stream: StreamState
    counters: NDArray[np.int64]
    """How many nodes have been visited."""


def make_workspace(tables: Tables) -> Workspace:
    """Room for hands of some rules."""
    depth = tables.longest + 1
    return Workspace(
        deal=np.zeros(SOLVER_ROW, dtype=np.int32),
        row=np.zeros(SOLVER_ROW, dtype=np.int32),
        actions=np.zeros(ACTIONS, dtype=np.int32),
        strategy=np.zeros(ACTIONS),
        rows=np.zeros((depth, SOLVER_ROW), dtype=np.int32),
        choices=np.zeros((depth, ACTIONS), dtype=np.int32),
        strategies=np.zeros((depth, ACTIONS)),
        values=np.zeros((depth, ACTIONS)),
        first=np.zeros(depth, dtype=np.int64),
        size=np.zeros(depth, dtype=np.int64),
        place=np.zeros(depth, dtype=np.int64),
        deck=np.zeros(DECK, dtype=np.int32),
        stream=np.zeros(1, dtype=np.uint64),
        counters=np.zeros(1, dtype=np.int64),
    )


class Start(NamedTuple):
    """What a coarser run has learnt; compiled code takes it as it is."""

    abstraction: Abstraction
    infosets: Infosets
    """Empty if the run begins with nothing."""


class TrucoSolver:
    """Solves Truco by some rules, within an abstraction; `iterations` says how far it is."""

    batch: int = 20_000
    """How many iterations take a second or a few."""
    is_exact: Final = False
    """Exploitability is estimated from a sample of hands, which takes a while."""

    def __init__(self, game: Truco, level: str, seed: int) -> None:
        self.game, self.level, self.seed = game, level, seed
        self.settings = Settings()
        self.tables = tables_for(game)
        self.abstraction = abstraction_for(game, level)
        self.infosets = make_infosets(FIRST_ROOM)
        self.start = Start(abstraction_for(game, COARSEST_LEVEL), make_infosets(1))
        self.iterations = 0
        self.workspace = make_workspace(self.tables)

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        self.run_share(iterations, 1)

    def run_share(self, iterations: int, stride: int) -> None:
        """Go on as one of several workers: for so many iterations, of every `stride` one."""
        key = np.uint64(begin_key(3, "mccfr", self.seed))
        last = self.iterations + iterations * stride
        while self.iterations < last:
            if not has_room(self.infosets.sets):
                self.infosets = grow(self.infosets)
            self.iterations = run_iterations(
                self.tables,
                self.abstraction,
                self.infosets,
                self.start,
                self.workspace,
                self.settings,
                key,
                self.iterations,
                last,
                stride,
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
            meaning=keys_digest(self.game, self.level),
            seed=self.seed,
            iterations=self.iterations,
        )

    def solution(self) -> Solution:
        """The average strategy; where it has never been played to, the current one."""
        sets, places = (int(number) for number in self.infosets.sets.used)
        counts = self.infosets.sets.actions[:sets]
        owner = np.repeat(np.arange(sets), counts)
        learnt = self.infosets.learnt[:places].astype(np.float64)
        average, regret = learnt[:, AVERAGE], np.maximum(learnt[:, REGRET], 0)
        has_average = np.bincount(owner, average, sets) > 0
        weights = np.where(has_average[owner], average, regret)
        return Solution(self.facts, make_policy(self.infosets.sets.key[:sets], counts, weights))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that has been learnt, and what it began with."""
        return arrays_of(self.infosets) | {
            f"{START_PREFIX}{name}": array for name, array in arrays_of(self.start.infosets).items()
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], iterations: int) -> None:
        """Go back to what had been learnt after so many iterations."""
        self.infosets = infosets_of(arrays, "", FIRST_ROOM)
        if len(arrays.get(f"{START_PREFIX}keys", ())):
            self.start = self.start._replace(infosets=infosets_of(arrays, START_PREFIX, 1))
        self.iterations = iterations

    def begin_with(self, coarser: TrucoSolver) -> None:
        """Begin where a run of the coarsest abstraction has come to."""
        if coarser.level != COARSEST_LEVEL or self.level == COARSEST_LEVEL:
            raise ValueError(f"{self.level} can begin with {COARSEST_LEVEL} only, not with {coarser.level}")
        self.start = self.start._replace(infosets=coarser.infosets)
        self.iterations = coarser.iterations

    def describe(self) -> str:
        """How far it is, in a line."""
        return f"{self.infoset_count:,} information sets"

    @property
    def infoset_count(self) -> int:
        """How many information sets have been met."""
        return int(self.infosets.sets.used[SETS])

    merging_seconds: float = 0.0
    """How long the regrets of several workers were added up."""

    def measure(self, policy: Policy, hands: int) -> Exploitability:
        """How exploitable a strategy is, estimated from so many hands."""
        return measure_exploitability(self.game, self.level, policy, hands, self.seed)

    def compare(self, policy: Policy, older: Policy) -> Estimate:
        """What a strategy wins a hand from another one."""
        return compare_policies(self.game, self.level, policy, older, DUEL_DEALS, self.seed)


def arrays_of(infosets: Infosets) -> dict[str, NDArray[Any]]:
    """The information sets of a table in order, and what has been learnt."""
    sets, places = (int(number) for number in infosets.sets.used)
    return {
        "keys": infosets.sets.key[:sets],
        "counts": infosets.sets.actions[:sets],
        "learnt": infosets.learnt[:places],
    }


def infosets_of(arrays: Mapping[str, NDArray[Any]], prefix: str, least_room: int) -> Infosets:
    """The table that `arrays_of` wrote, names beginning with a prefix."""
    keys, counts, learnt = (arrays[f"{prefix}{name}"] for name in ("keys", "counts", "learnt"))
    return fill_infosets(keys, counts, learnt, max(least_room, 1 << (2 * len(keys)).bit_length()))


@compiled_loop
def run_iterations(
    tables: Tables,
    abstraction: Abstraction,
    infosets: Infosets,
    start: Start,
    work: Workspace,
    settings: Settings,
    key: Any,
    done: int,
    last: int,
    stride: int,
) -> int:
    """Play iterations until the last one, or until the table may be full; return the number done."""
    while done < last and has_room(infosets.sets):
        done += stride
        work.stream[0] = add_part(key, done)
        work.deal[SCORES], work.deal[SCORES + 1] = 0, 0
        deal_hand(tables, work.deal, work.stream, work.deck)
        for seat in range(2):
            for place in range(SOLVER_ROW):
                work.row[place] = work.deal[place]
            learn(tables, abstraction, infosets, start, work, settings, seat, float(done))
    return done


@inlined
def learn(
    tables: Tables,
    abstraction: Abstraction,
    infosets: Infosets,
    start: Start,
    work: Workspace,
    settings: Settings,
    seat: int,
    weight: float,
) -> None:
    """Try all actions of one seat in the hand of the row."""
    depth, returns = 0, False
    value = 0.0
    while True:
        if not returns and not play_on(
            tables, abstraction, infosets, start, work, depth, seat, weight, settings.tremble
        ):
            value = hand_value(tables, work.row)
            value, returns = (value if seat == 0 else -value), True
        if returns:
            if depth == 0:
                return
            depth -= 1
            work.values[depth, work.place[depth]] = value
        if try_next(tables, infosets, work, depth, -settings.pruning * weight, settings.explore):
            depth, returns = depth + 1, False
        else:
            value, returns = update_regrets(infosets, work, depth, weight, settings.floor), True


@inlined
def play_on(
    tables: Tables,
    abstraction: Abstraction,
    infosets: Infosets,
    start: Start,
    work: Workspace,
    depth: int,
    seat: int,
    weight: float,
    tremble: float,
) -> bool:
    """Play the row on to the next decision of the seat that learns; tell whether there is one."""
    while work.row[STATE] >= 0:
        count = solver_actions(tables, work.row, work.actions)
        if count == 1:
            advance(tables, work.row, work.actions[0])
            continue
        work.counters[NODES] += 1
        sets = infosets.sets.used[SETS]
        first = find_or_add(infosets.sets, information_key(tables, abstraction, work.row), count)
        if infosets.sets.used[SETS] > sets:
            begin_set(tables, infosets, start, work.row, first, count)
        match_regrets(infosets.learnt, first, count, work.strategy)
        if tables.actor[work.row[STATE]] == seat:
            keep_decision(work, depth, first, count)
            return True
        for place in range(count):
            infosets.learnt[first + place, AVERAGE] += np.float32(weight * weight * work.strategy[place])
        if tremble and random(work.stream) < tremble:
            for place in range(count):
                work.strategy[place] = 1.0 / count
        advance(tables, work.row, work.actions[draw_action(work.stream, work.strategy, count)])
    return False


@inlined
def begin_set(tables: Tables, infosets: Infosets, start: Start, row: Row, first: int, count: int) -> None:
    """Give a new information set its share of what a coarser run has learnt about it."""
    if start.infosets.sets.used[SETS] == 0:
        return
    coarse = find_set(start.infosets.sets, information_key(tables, start.abstraction, row))
    if coarse != EMPTY:
        for place in range(count):
            for part in (REGRET, AVERAGE):
                learnt = np.float32(START_SHARE) * start.infosets.learnt[coarse + place, part]
                infosets.learnt[first + place, part] = learnt


@inlined
def keep_decision(work: Workspace, depth: int, first: int, count: int) -> None:
    """Note a decision of the seat that learns, before its actions are tried."""
    work.first[depth], work.size[depth], work.place[depth] = first, count, -1
    for place in range(SOLVER_ROW):
        work.rows[depth, place] = work.row[place]
    for place in range(count):
        work.choices[depth, place] = work.actions[place]
        work.strategies[depth, place] = work.strategy[place]


@inlined
def try_next(
    tables: Tables, infosets: Infosets, work: Workspace, depth: int, least: float, explore: float
) -> bool:
    """Carry out the next action of a decision that is worth trying; tell whether there is one."""
    for place in range(work.place[depth] + 1, work.size[depth]):
        work.values[depth, place] = np.nan
        if (
            work.strategies[depth, place] > 0
            or infosets.learnt[work.first[depth] + place, REGRET] >= least
            or random(work.stream) < explore
        ):
            work.place[depth] = place
            for column in range(SOLVER_ROW):
                work.row[column] = work.rows[depth, column]
            advance(tables, work.row, work.choices[depth, place])
            return True
    return False


@inlined
def update_regrets(infosets: Infosets, work: Workspace, depth: int, weight: float, floor: float) -> float:
    """Learn from what the actions of a decision were worth; return what the strategy was worth."""
    first, mean = work.first[depth], 0.0
    for place in range(work.size[depth]):
        if work.strategies[depth, place] > 0:
            mean += work.strategies[depth, place] * work.values[depth, place]
    for place in range(work.size[depth]):
        if not np.isnan(work.values[depth, place]):
            gain = work.values[depth, place] - mean
            regret = infosets.learnt[first + place, REGRET] + np.float32(weight * gain)
            infosets.learnt[first + place, REGRET] = max(regret, np.float32(-floor * weight))
    return mean


@inlined
def match_regrets(learnt: NDArray[np.float32], first: int, count: int, strategy: NDArray[np.float64]) -> None:
    """The current strategy: in proportion to positive regrets, all actions alike where there are none."""
    total = 0.0
    for place in range(count):
        strategy[place] = max(learnt[first + place, REGRET], 0.0)
        total += strategy[place]
    for place in range(count):
        strategy[place] = strategy[place] / total if total > 0 else 1.0 / count
