"""A response to one agent, learnt against a model of it: only the seat that responds learns.

Every iteration deals a hand at a score that was met in matches, and plays it once from each seat. The
responder plays the best action so far and, now and then, the others too; the agent plays one, drawn from what
it was counted to do. What an action was worth more than the best one in the same hand is its regret, and the
action with the greatest regret is the best one.

A response distinguishes what its abstraction does, and the class of the score.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import StreamState, add_part, below, random
from retruco.compiler import compiled, inlined
from retruco.games.truco.compiled.stepper import ACTIONS, DECK, SCORES, STATE, Row, deal_cards
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.policy import UNKNOWN, Policy, find_key, make_policy
from retruco.solver.truco.abstraction import (
    DECLINE,
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    begin_hand,
    hand_value,
    information_key,
    solver_actions,
)
from retruco.solver.truco.infosets import (
    SETS,
    Infosets,
    find_or_add,
    grow,
    has_room,
    make_infosets,
)
from retruco.solver.truco.opponent_model import (
    SCORE_BITS,
    SCORE_CLASSES,
    Distinctions,
    agent_actions,
    distinctions_for,
    fill_model_mixture,
    score_class,
)
from retruco.streams import begin_key

LEVEL: Final = "xs"
"""The abstraction of a response."""
TRYING, RARELY = 0.25, 0.05
"""How often an action is tried that does not seem best, and how often a poor one."""
PRUNING: Final = 5.0
"""An action is poor while its regret is below so many points, in iterations of the present weight."""
LEAST_VISITS: Final = 3
"""An information set that was met more rarely is left out."""
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
    choices: NDArray[np.int64]
    """By decision: how many actions there are."""
    best: NDArray[np.int64]
    """By decision: the best action so far."""
    tried: NDArray[np.int64]
    """By decision: the action that is being tried, counted from the best one on."""
    value: NDArray[np.float64]
    """By decision: what the best action was worth in this hand."""
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
        choices=np.zeros(depth, dtype=np.int64),
        best=np.zeros(depth, dtype=np.int64),
        tried=np.zeros(depth, dtype=np.int64),
        value=np.zeros(depth),
        deck=np.zeros(DECK, dtype=np.int32),
        stream=np.zeros(1, dtype=np.uint64),
    )


class ResponseLearner:
    """Learns a response to an agent; `iterations` says how far it is."""

    def __init__(self, game: Truco, seed: int, level: str = LEVEL) -> None:
        self.game, self.level, self.seed = game, level, seed
        self.tables, self.abstraction = tables_for(game), abstraction_for(game, level)
        self.distinctions = distinctions_for(game)
        self.infosets = make_infosets(FIRST_ROOM)
        self.work = make_work(self.tables)
        self.iterations = 0

    def run(self, model: Infosets, scores: NDArray[np.int32], iterations: int) -> None:
        """Go on for so many iterations against a model, at scores drawn from a list of own and other's."""
        key = np.uint64(begin_key(3, "response", self.seed))
        last = self.iterations + iterations
        while self.iterations < last:
            if not has_room(self.infosets):
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
        """The best action of every information set that was met often enough."""
        sets, places = (int(number) for number in self.infosets.used)
        counts, first = self.infosets.actions[:sets], self.infosets.first[:sets]
        chosen = best_places(self.infosets.regret[:places], first, counts)
        is_met = self.infosets.average[first] >= LEAST_VISITS
        return one_choice_policy(self.infosets.key[:sets][is_met], counts[is_met], chosen[is_met])

    def describe(self) -> str:
        """How far it is, in a line."""
        return f"{self.iterations:,} iterations, {int(self.infosets.used[SETS]):,} information sets"


def one_choice_policy(keys: NDArray[np.int64], counts: NDArray[np.int8], chosen: NDArray[np.int8]) -> Policy:
    """A policy that always does the same in an information set."""
    ends = np.cumsum(counts, dtype=np.int64)
    weights = np.zeros(int(ends[-1]) if len(ends) else 0)
    weights[ends - counts + chosen] = 1
    return make_policy(keys, counts, weights)


@compiled
def best_places(
    regret: NDArray[np.float32], first: NDArray[np.int64], counts: NDArray[np.int8]
) -> NDArray[np.int8]:
    """By information set: the action with the greatest regret."""
    chosen = np.zeros(len(first), dtype=np.int8)
    for number in range(len(first)):
        chosen[number] = np.argmax(regret[first[number] : first[number] + counts[number]])
    return chosen


@compiled
def response_key(tables: Tables, abstraction: Abstraction, row: Row) -> Any:
    """The key of what the responder knows."""
    key = information_key(tables, abstraction, row)
    return key << SCORE_BITS | score_class(tables, row, tables.actor[row[STATE]])


@compiled
def choose_response(
    tables: Tables, abstraction: Abstraction, policy: Policy, row: Row, actions: Row
) -> tuple[int, bool]:
    """The place of the action that a response plays, among those it considers, and whether it has learnt it.

    Where it has not met this class of score, it plays as at another; where it has met none, it declines or
    plays its highest card.
    """
    count = considered_actions(tables, row, actions)
    if count == 1:
        return 0, True
    key = response_key(tables, abstraction, row)
    own = key & (1 << SCORE_BITS) - 1
    for step in range(SCORE_CLASSES):
        at = find_key(policy, key - own + (own + step) % SCORE_CLASSES)
        if at != UNKNOWN and policy.actions[at] == count:
            first = policy.first[at]
            return np.argmax(policy.probability[first : first + count]), step == 0
    for place in range(count):
        if actions[place] == DECLINE:
            return place, False
    return 0, False


@compiled
def considered_actions(tables: Tables, row: Row, actions: Row) -> int:
    """Write down the actions that a responder considers; return how many."""
    return solver_actions(tables, row, actions)


@compiled
def carry_out(tables: Tables, row: Row, action: int) -> None:
    """Carry out an action, and note what it has shown."""
    advance(tables, row, action)


# Learning


@compiled
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
    while done < last and has_room(infosets):
        done += 1
        work.stream[0] = add_part(key, done)
        at = below(work.stream, len(scores))
        deal_cards(work.deal, work.stream, work.deck)
        for seat in range(2):
            work.deal[SCORES + seat], work.deal[SCORES + 1 - seat] = scores[at, 0], scores[at, 1]
            begin_hand(tables, work.deal)
            work.rows[0, :] = work.deal
            learn_hand(tables, abstraction, distinctions, model, infosets, work, seat, float(done))
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
) -> None:
    """Try actions of the responder in the hand at depth 0. A depth is a decision of the responder."""
    depth, returns = 0, False
    value = 0.0
    while True:
        if not returns and not play_on(tables, abstraction, distinctions, model, infosets, work, depth, seat):
            value = hand_value(tables, work.rows[depth])
            value, returns = (value if seat == 0 else -value), True
        if returns:
            if depth == 0:
                return
            depth -= 1
            note_value(infosets, work, depth, value, weight)
        if try_next_action(tables, infosets, work, depth, -PRUNING * weight):
            depth, returns = depth + 1, False
        else:
            value, returns = work.value[depth], True


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
) -> bool:
    """Play on to the next decision of the responder; tell whether there is one."""
    row, actions = work.rows[depth], work.actions[depth]
    while row[STATE] >= 0:
        is_own = tables.actor[row[STATE]] == seat
        count = considered_actions(tables, row, actions) if is_own else agent_actions(tables, row, actions)
        place = 0
        if count > 1 and is_own:
            begin_decision(infosets, work, depth, response_key(tables, abstraction, row), count)
            return True
        if count > 1:
            fill_model_mixture(tables, distinctions, model, row, count, work.mixture)
            place = draw_place(work.stream, work.mixture, count)
        carry_out(tables, row, actions[place])
    return False


@inlined
def begin_decision(infosets: Infosets, work: ResponseWork, depth: int, key: Any, count: int) -> None:
    """Find the best action so far; none has been tried."""
    first = infosets.first[find_or_add(infosets, key, count)]
    infosets.average[first] += np.float32(1)
    best = 0
    for place in range(1, count):
        if infosets.regret[first + place] > infosets.regret[first + best]:
            best = place
    work.first[depth], work.choices[depth], work.best[depth], work.tried[depth] = first, count, best, -1


@inlined
def try_next_action(tables: Tables, infosets: Infosets, work: ResponseWork, depth: int, least: float) -> bool:
    """Carry out the best action of a decision, or the next of the others that is drawn; tell whether there is one."""
    first, count = work.first[depth], work.choices[depth]
    for step in range(work.tried[depth] + 1, count):
        place = (work.best[depth] + step) % count
        is_poor = infosets.regret[first + place] < least
        if step == 0 or random(work.stream) < (RARELY if is_poor else TRYING):
            work.tried[depth] = step
            work.rows[depth + 1, :] = work.rows[depth]
            carry_out(tables, work.rows[depth + 1], work.actions[depth, place])
            return True
    return False


@inlined
def note_value(infosets: Infosets, work: ResponseWork, depth: int, value: float, weight: float) -> None:
    """Note what an action was worth: the best one is what the others are compared with."""
    step = work.tried[depth]
    if step == 0:
        work.value[depth] = value
    else:
        place = work.first[depth] + (work.best[depth] + step) % work.choices[depth]
        infosets.regret[place] += np.float32(weight * (value - work.value[depth]))


@inlined
def draw_place(stream: StreamState, mixture: NDArray[np.float64], count: int) -> int:
    """Draw an action by its probability."""
    left = random(stream)
    for place in range(count - 1):
        left -= mixture[place]
        if left < 0:
            return place
    return count - 1
