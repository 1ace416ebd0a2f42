"""A solution made small enough to come with the package: coarse probabilities, and only the information sets that matter.

If coarse probabilities are not enough, information sets are left out. One matters if the strategy itself
can get there, whatever the other seat does. So hands are played in which one seat follows the strategy while
the other often plays any action, and those information sets are kept that come up most often. A finer solution
may bring a coarse one along: then those are kept where the two differ most, weighted by how often they come up,
and the coarse one is played elsewhere. Where there is neither, the strategy declines what it is asked, and else
plays its highest card.
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
    COARSE_MARK,
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
LEVELS: Final = 50
"""How many steps there are from never to always."""
HANDS: Final = 10_000_000
STRAY: Final = 0.5
"""How often the other seat plays any action."""


def write_small(
    file: Path,
    solution: Solution,
    most_bytes: int = SMALL_BYTES,
    hands: int = HANDS,
    coarse: Solution | None = None,
) -> int:
    """Write a solution of at most so many bytes; return how many information sets of its own it keeps."""
    write_solution(file, solution, LEVELS)
    if (size := file.stat().st_size) <= most_bytes:
        return len(solution.policy.key)
    rounded = read_solution(file)
    beside = no_policy() if coarse is None else mark_coarse(coarse.policy)
    worth = count_visits(rounded, hands, beside)
    order, kept = np.argsort(-worth, kind="stable"), int((worth > 0).sum())
    while size > most_bytes:
        if not kept:
            raise ValueError(f"the coarse solution alone takes {size:,} bytes, more than {most_bytes:,}")
        small = join_policies(keep_sets(rounded.policy, order[:kept]), beside)
        write_solution(file, Solution(solution.facts, small), LEVELS)
        size, sets = file.stat().st_size, kept
        kept = int(kept * min(0.98, most_bytes / size))
    return sets


def mark_coarse(policy: Policy) -> Policy:
    """The policy of a coarse solution with the keys by which a finer one finds it."""
    return make_policy(policy.key | COARSE_MARK, policy.actions, policy.probability.astype(np.float64))


def join_policies(first: Policy, second: Policy) -> Policy:
    """A policy with the information sets of two."""
    return make_policy(
        np.concatenate([first.key, second.key]),
        np.concatenate([first.actions, second.actions]),
        np.concatenate([first.probability, second.probability]).astype(np.float64),
    )


def no_policy() -> Policy:
    """A policy that knows nothing."""
    return make_policy(np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0))


def keep_sets(policy: Policy, numbers: NDArray[np.int64]) -> Policy:
    """Some information sets of a policy."""
    is_kept = np.zeros(len(policy.key), dtype=np.bool_)
    is_kept[numbers] = True
    places = np.repeat(is_kept, policy.actions)
    weights = policy.probability[places].astype(np.float64)
    return make_policy(policy.key[is_kept], policy.actions[is_kept], weights)


def count_visits(solution: Solution, hands: int, beside: Policy) -> NDArray[np.float64]:
    """By information set: how often the strategy gets there against a seat that often plays any action.

    A visit counts as far as what is played there differs from a coarse policy beside it.
    """
    facts, policy = solution.facts, solution.policy
    game = Truco.named(facts.rules, facts.target)
    visits = np.zeros(len(policy.key))
    key = np.uint64(begin_key(3, "visits", facts.seed))
    abstraction = abstraction_for(game, facts.abstraction)
    play_hands(tables_for(game), abstraction, policy, beside, key, hands, STRAY, visits)
    return visits


@compiled
def play_hands(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    beside: Policy,
    key: Any,
    hands: int,
    stray: float,
    visits: NDArray[np.float64],
) -> None:
    """Play hands, the strategy in each seat in turn, and count where it comes to decide."""
    row, deck = np.zeros(SOLVER_ROW, dtype=np.int32), np.zeros(DECK, dtype=np.int32)
    actions, mixture, other = np.zeros(ACTIONS, dtype=np.int32), np.zeros(ACTIONS), np.zeros(ACTIONS)
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
                    fill_strategy(tables, abstraction, beside, row, actions, count, other)
                    visits[place] += (
                        0.5 * np.abs(mixture[:count] - other[:count]).sum() if len(beside.key) else 1.0
                    )
            elif random(stream) < stray:
                mixture[:count] = 1.0 / count
            advance(tables, row, actions[draw_action(stream, mixture, count)])
