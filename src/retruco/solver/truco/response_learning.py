"""A response to one agent, learnt against a model of it: only the seat that responds learns.

Every iteration deals a hand at a score that was met in matches, and plays it once from each seat. The
responder tries all its actions, the agent plays one, drawn from what it was counted to do. Regrets are those of
`mccfr`, where both seats learn: what an action was worth more than the strategy that plays in proportion to
regrets. The action with the greatest regret is the best one.

A response distinguishes what its abstraction does, and the class of the score. Beside that it learns in
coarse information sets: the public state and how good the hand is (see `opponent_model`). A new information set
begins with the regrets of its coarse one, and where a response has not met an information set, it plays as in the
coarse one.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, below
from retruco.compiler import compiled_loop, inlined
from retruco.games.truco.compiled.stepper import ACTIONS, DECK, SCORES, STATE, copy_row, deal_cards
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.policy import Policy, draw_action, starts
from retruco.solver.truco.abstraction import (
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    begin_hand,
    hand_value,
    solver_actions,
)
from retruco.solver.truco.infosets import (
    AVERAGE,
    REGRET,
    SETS,
    Infosets,
    find_or_add,
    grow,
    has_room,
    make_infosets,
)
from retruco.solver.truco.mccfr import match_regrets
from retruco.solver.truco.opponent_model import (
    Distinctions,
    agent_actions,
    distinctions_for,
    fill_model_mixture,
)
from retruco.solver.truco.response import (
    LEVEL,
    best_places,
    coarse_key,
    one_choice_policy,
    response_key,
)
from retruco.streams import begin_key

PRUNING: Final = 1.0
"""An action is not tried while its regret is below so many points, in iterations of the present weight."""
EXPLORE: Final = 20
"""Every so many iterations nothing is left out: what follows an action that is not tried would never be learnt."""
PRIOR_VISITS: Final = 4.0
"""For how many visits the regrets of the coarse information set count in a new one."""
FIRST_ROOM: Final = 1 << 18


class ResponseWork(NamedTuple):
    """Room for one hand in progress, by decision of the responder; compiled code takes it as it is."""

    deal: NDArray[np.int32]
    rows: NDArray[np.int32]
    actions: NDArray[np.int32]
    mixture: NDArray[np.float64]
    """What the agent does in its next decision."""
    first: NDArray[np.int64]
    """By decision: where the regrets of the information set begin."""
    coarse: NDArray[np.int64]
    """By decision: where those of the coarse one begin."""
    choices: NDArray[np.int64]
    """By decision: how many actions there are."""
    tried: NDArray[np.int64]
    """By decision: the action that is being tried."""
    strategy: NDArray[np.float64]
    """By decision and action: how probable it is."""
    values: NDArray[np.float64]
    """By decision and action: what it was worth in this hand, or not a number if it was not tried."""
    chances: NDArray[np.float64]
    """Room for the strategy of one decision."""
    deck: NDArray[np.int32]
    stream: StreamState


def make_work(tables: Tables) -> ResponseWork:
    """Room for hands of some rules."""
    depth = tables.longest + 1
    return ResponseWork(
        deal=np.zeros(SOLVER_ROW, dtype=np.int32),
        rows=np.zeros((depth, SOLVER_ROW), dtype=np.int32),
        actions=np.zeros((depth, ACTIONS), dtype=np.int32),
        mixture=np.zeros(ACTIONS),
        first=np.zeros(depth, dtype=np.int64),
        coarse=np.zeros(depth, dtype=np.int64),
        choices=np.zeros(depth, dtype=np.int64),
        tried=np.zeros(depth, dtype=np.int64),
        strategy=np.zeros((depth, ACTIONS)),
        values=np.zeros((depth, ACTIONS)),
        chances=np.zeros(ACTIONS),
        deck=np.zeros(DECK, dtype=np.int32),
        stream=np.zeros(1, dtype=np.uint64),
    )


class ResponseLearner:
    """Learns a response to an agent; `iterations` says how far it is."""

    def __init__(self, game: Truco, seed: int, level: str = LEVEL) -> None:
        self.game, self.level, self.seed = game, level, seed
        self.worker = 0
        """Which of several workers this is; each has chance of its own."""
        self.tables, self.abstraction = tables_for(game), abstraction_for(game, level)
        self.distinctions = distinctions_for(game)
        self.infosets = make_infosets(FIRST_ROOM)
        self.work = make_work(self.tables)
        self.iterations = 0

    def run(self, model: Infosets, scores: NDArray[np.int32], iterations: int) -> None:
        """Go on for so many iterations against a model, at scores drawn from a list of own and other's."""
        key = np.uint64(begin_key(4, "response", self.seed, self.worker))
        last = self.iterations + iterations
        while self.iterations < last:
            if not has_room(self.infosets.sets):
                self.infosets = grow(self.infosets)
            self.iterations = learn_hands(
                self.tables,
                self.abstraction,
                self.distinctions,
                model,
                self.infosets,
                scores,
                self.work,
                key,
                self.iterations,
                last,
            )

    def policy(self) -> Policy:
        """The best action of every information set."""
        sets, places = (int(number) for number in self.infosets.sets.used)
        counts = self.infosets.sets.actions[:sets]
        chosen = best_places(self.infosets.learnt[:places, REGRET].copy(), starts(counts), counts)
        return one_choice_policy(self.infosets.sets.key[:sets].copy(), counts.copy(), chosen)

    def describe(self) -> str:
        """How far it is, in a line."""
        return f"{self.iterations:,} iterations, {int(self.infosets.sets.used[SETS]):,} information sets"


@compiled_loop
def learn_hands(
    tables: Tables,
    abstraction: Abstraction,
    distinctions: Distinctions,
    model: Infosets,
    infosets: Infosets,
    scores: NDArray[np.int32],
    work: ResponseWork,
    key: Any,
    done: int,
    last: int,
) -> int:
    """Play iterations until the last one, or until the table may be full; return the number done."""
    while done < last and has_room(infosets.sets):
        done += 1
        work.stream[0] = add_part(key, done)
        at = below(work.stream, len(scores))
        deal_cards(work.deal, work.stream, work.deck)
        least = -PRUNING * done if done % EXPLORE else -np.inf
        for seat in range(2):
            work.deal[SCORES + seat], work.deal[SCORES + 1 - seat] = scores[at, 0], scores[at, 1]
            begin_hand(tables, work.deal)
            copy_row(work.rows[0], work.deal)
            learn_hand(tables, abstraction, distinctions, model, infosets, work, seat, float(done), least)
    return done


@inlined
def learn_hand(
    tables: Tables,
    abstraction: Abstraction,
    distinctions: Distinctions,
    model: Infosets,
    infosets: Infosets,
    work: ResponseWork,
    seat: int,
    weight: float,
    least: float,
) -> None:
    """Try actions of the responder in the hand at depth 0. A depth is a decision of the responder."""
    depth, returns = 0, False
    value = 0.0
    while True:
        if not returns and not play_on(
            tables, abstraction, distinctions, model, infosets, work, depth, seat, weight
        ):
            value = hand_value(tables, work.rows[depth])
            value, returns = (value if seat == 0 else -value), True
        if returns:
            if depth == 0:
                return
            depth -= 1
            work.values[depth, work.tried[depth]] = value
        if try_next_action(tables, infosets, work, depth, least):
            depth, returns = depth + 1, False
        else:
            value, returns = update_regrets(infosets, work, depth, weight), True


@inlined
def play_on(
    tables: Tables,
    abstraction: Abstraction,
    distinctions: Distinctions,
    model: Infosets,
    infosets: Infosets,
    work: ResponseWork,
    depth: int,
    seat: int,
    weight: float,
) -> bool:
    """Play on to the next decision of the responder; tell whether there is one."""
    row, actions = work.rows[depth], work.actions[depth]
    while row[STATE] >= 0:
        is_own = tables.actor[row[STATE]] == seat
        count = solver_actions(tables, row, actions) if is_own else agent_actions(tables, row, actions)
        place = 0
        if count > 1 and is_own:
            coarse = coarse_key(tables, abstraction, row, count)
            begin_decision(
                infosets, work, depth, response_key(tables, abstraction, row), coarse, count, weight
            )
            return True
        if count > 1:
            fill_model_mixture(tables, distinctions, model, row, count, work.mixture)
            place = draw_action(work.stream, work.mixture, count)
        advance(tables, row, actions[place])
    return False


@inlined
def begin_decision(
    infosets: Infosets, work: ResponseWork, depth: int, key: Any, coarse_key: Any, count: int, weight: float
) -> None:
    """Find the best action so far; none has been tried."""
    coarse = find_or_add(infosets.sets, coarse_key, count)
    known = infosets.sets.used[SETS]
    first, learnt = find_or_add(infosets.sets, key, count), infosets.learnt
    if infosets.sets.used[SETS] > known and learnt[coarse, AVERAGE] > 0:
        for place in range(count):
            mean = learnt[coarse + place, REGRET] / learnt[coarse, AVERAGE]
            learnt[first + place, REGRET] = np.float32(PRIOR_VISITS * weight * mean)
    learnt[first, AVERAGE] += np.float32(weight)
    learnt[coarse, AVERAGE] += np.float32(weight)
    match_regrets(learnt, first, count, work.chances)
    for place in range(count):
        work.strategy[depth, place] = work.chances[place]
    work.first[depth], work.coarse[depth] = first, coarse
    work.choices[depth], work.tried[depth] = count, -1


@inlined
def try_next_action(tables: Tables, infosets: Infosets, work: ResponseWork, depth: int, least: float) -> bool:
    """Carry out the next action of a decision that is worth trying; tell whether there is one."""
    first = work.first[depth]
    for place in range(work.tried[depth] + 1, work.choices[depth]):
        work.values[depth, place] = np.nan
        if work.strategy[depth, place] > 0 or infosets.learnt[first + place, REGRET] >= least:
            work.tried[depth] = place
            copy_row(work.rows[depth + 1], work.rows[depth])
            advance(tables, work.rows[depth + 1], work.actions[depth, place])
            return True
    return False


@inlined
def update_regrets(infosets: Infosets, work: ResponseWork, depth: int, weight: float) -> float:
    """Learn from what the actions of a decision were worth; return what the strategy was worth."""
    first, coarse, mean = work.first[depth], work.coarse[depth], 0.0
    for place in range(work.choices[depth]):
        if work.strategy[depth, place] > 0:
            mean += work.strategy[depth, place] * work.values[depth, place]
    for place in range(work.choices[depth]):
        if not np.isnan(work.values[depth, place]):
            gain = np.float32(weight * (work.values[depth, place] - mean))
            infosets.learnt[first + place, REGRET] += gain
            infosets.learnt[coarse + place, REGRET] += gain
    return mean
