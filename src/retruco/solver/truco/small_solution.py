"""A solution made small enough to come with the package: coarse probabilities, and only the information sets that matter.

If coarse probabilities are not enough, information sets are left out. One matters if the strategy itself
can get there, whatever the other seat does. So hands are played in which one seat follows the strategy while
the other often plays any action, and those information sets are kept that come up most often. Elsewhere the
strategy declines what it is asked, and else plays its highest card.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.compiled_streams import add_part, random
from retruco.compiler import compiled
from retruco.games.truco.compiled.stepper import ACTIONS, DECK, SCORES, STATE
from retruco.games.truco.compiled.tables import Tables, tables_for
from retruco.games.truco.game import Truco
from retruco.solver.files import Solution, read_solution, write_solution
from retruco.solver.policy import Policy, draw_action, find_key, make_policy
from retruco.solver.truco.abstraction import (
    SOLVER_ROW,
    Abstraction,
    abstraction_for,
    advance,
    deal_hand,
    information_key,
    solver_actions,
)
from retruco.solver.truco.strategy import fill_strategy
from retruco.streams import begin_key

SMALL_BYTES: Final = 1_500_000
LEVELS: Final = 20
"""How many steps there are from never to always."""
HANDS: Final = 10_000_000
STRAY: Final = 0.5
"""How often the other seat plays any action."""


def write_small(file: Path, solution: Solution, most_bytes: int = SMALL_BYTES, hands: int = HANDS) -> int:
    """Write a solution of at most so many bytes; return how many information sets it keeps."""
    write_solution(file, solution, LEVELS)
    if (size := file.stat().st_size) <= most_bytes:
        return len(solution.policy.key)
    coarse = read_solution(file)
    visits = count_visits(coarse, hands)
    order, kept = np.argsort(-visits, kind="stable"), int((visits > 0).sum())
    while size > most_bytes:
        write_solution(file, Solution(solution.facts, keep_sets(coarse.policy, order[:kept])), LEVELS)
        size, sets = file.stat().st_size, kept
        kept = int(kept * min(0.98, most_bytes / size))
    return sets


def keep_sets(policy: Policy, numbers: NDArray[np.int64]) -> Policy:
    """Some information sets of a policy."""
    is_kept = np.zeros(len(policy.key), dtype=np.bool_)
    is_kept[numbers] = True
    places = np.repeat(is_kept, policy.actions)
    weights = policy.probability[places].astype(np.float64)
    return make_policy(policy.key[is_kept], policy.actions[is_kept], weights)


def count_visits(solution: Solution, hands: int) -> NDArray[np.int64]:
    """By information set: how often the strategy gets there against a seat that often plays any action."""
    facts, policy = solution.facts, solution.policy
    game = Truco.named(facts.rules, facts.target)
    visits = np.zeros(len(policy.key), dtype=np.int64)
    key = np.uint64(begin_key(3, "visits", facts.seed))
    play_hands(tables_for(game), abstraction_for(game, facts.abstraction), policy, key, hands, STRAY, visits)
    return visits


@compiled
def play_hands(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    key: Any,
    hands: int,
    stray: float,
    visits: NDArray[np.int64],
) -> None:
    """Play hands, the strategy in each seat in turn, and count where it comes to decide."""
    row, deck = np.zeros(SOLVER_ROW, dtype=np.int32), np.zeros(DECK, dtype=np.int32)
    actions, mixture = np.zeros(ACTIONS, dtype=np.int32), np.zeros(ACTIONS)
    stream = np.zeros(1, dtype=np.uint64)
    for hand in range(hands):
        stream[0] = add_part(key, hand)
        row[SCORES], row[SCORES + 1] = 0, 0
        deal_hand(tables, row, stream, deck)
        while row[STATE] >= 0:
            count = solver_actions(tables, row, actions)
            place = find_key(policy, information_key(tables, abstraction, row))
            fill_strategy(tables, abstraction, policy, row, actions, count, mixture)
            if tables.actor[row[STATE]] == hand % 2:
                if place >= 0 and count > 1:
                    visits[place] += 1
            elif random(stream) < stray:
                mixture[:count] = 1.0 / count
            advance(tables, row, actions[draw_action(stream, mixture, count)])
