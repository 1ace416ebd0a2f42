"""What the other seat may hold, if it plays a solution: every hand by its probability.

All hands that the seen cards leave are followed through what was done and said, grouped by type
(strengths, envido and flor points). A type keeps the number of its hands, times the probability that
the solution acts like this with it, times nothing if it would have shown other points. An action that
the solution takes with no possible hand tells nothing, and is passed over.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK, Card
from retruco.compiler import compiled_step, fixed_types
from retruco.games.core import Action
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    CARDS,
    DECK,
    HAND,
    HELD,
    SCORES,
    STATE,
    Row,
    copy_row,
)
from retruco.games.truco.compiled.tables import Tables
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.situation import CARD_PLACE, DEALT
from retruco.solver.policy import Policy
from retruco.solver.truco.abstraction import (
    NOTHING_SETTLED,
    SETTLED,
    SHOWN,
    SOLVER_ROW,
    Abstraction,
    advance,
    begin_hand,
    solver_actions,
)
from retruco.solver.truco.best_response import HandTypes
from retruco.solver.truco.observed import NO_CARD, follow_log, known_situation, read_situation
from retruco.solver.truco.strategy import fill_strategy

MOST_LIKELY: Final = 3


class BeliefsWork(NamedTuple):
    """Room for hands with every type in the other seat; compiled code takes it as it is."""

    rows: NDArray[np.int32]
    """By type."""
    chance: NDArray[np.float64]
    """By type: how probable what was just done is with it."""
    actions: NDArray[np.int32]
    mixture: NDArray[np.float64]


def make_work(types: int) -> BeliefsWork:
    """Room for so many types."""
    return BeliefsWork(
        rows=np.zeros((types, SOLVER_ROW), dtype=np.int32),
        chance=np.zeros(types),
        actions=np.zeros(ACTIONS, dtype=np.int32),
        mixture=np.zeros(ACTIONS),
    )


class Beliefs(NamedTuple):
    """What the other seat may hold, by type of hand."""

    kinds: HandTypes
    probability: NDArray[np.float64]
    """By type."""
    held: NDArray[np.int64]
    """By type: which of its cards it still holds, as bits."""
    tables: Tables

    @property
    def flor(self) -> float:
        """The probability of a flor."""
        return float(self.probability[self.kinds.flor > 0].sum())

    @property
    def envido(self) -> dict[int, float]:
        """The probability of each number of envido points that is possible."""
        found = np.bincount(self.kinds.envido, self.probability)
        return {points: float(found[points]) for points in np.flatnonzero(found).tolist()}

    @property
    def mean_envido(self) -> float:
        """The mean of its envido points."""
        return float(self.kinds.envido @ self.probability)

    def more_envido(self, points: int) -> float:
        """The probability that it has more envido points than this."""
        return float(self.probability[self.kinds.envido > points].sum())

    def beats(self, card: Action) -> float:
        """The probability that a card in its hand is stronger than this one."""
        strengths = self.tables.strength[self.kinds.cards]
        is_held = self.held[:, None] >> np.arange(HAND) & 1
        stronger = ((strengths > STRENGTH[Card(card)]) & (is_held == 1)).any(axis=1)
        return float(self.probability[stronger].sum())

    def likely(self, count: int = MOST_LIKELY) -> list[tuple[tuple[Card, ...], float]]:
        """The most likely types, each as one of its hands, with their probability."""
        order = np.argsort(-self.probability, kind="stable")[:count]
        return [
            (tuple(SPANISH_DECK[card] for card in self.kinds.cards[place]), float(self.probability[place]))
            for place in order.tolist()
            if self.probability[place] > 0
        ]


def find_beliefs(tables: Tables, abstraction: Abstraction, policy: Policy, seen: TrucoObservation) -> Beliefs:
    """What the other seat may hold, by what this seat has seen of a hand."""
    shown = [CARD_PLACE[play.card] for play in seen.rounds.plays if play.seat != seen.seat and play.card]
    row, situation = np.zeros(SOLVER_ROW, dtype=np.int32), known_situation(tables, seen)
    read_situation(tables, situation, row)
    kinds, counts = possible_types(tables, situation[DEALT : DEALT + HAND].tolist(), shown)
    held, probability = np.zeros(len(counts), dtype=np.int64), counts.astype(np.float64)
    path = np.array(follow_log(tables, seen), dtype=np.int32).reshape(-1, 3)
    for place, seat in enumerate((seen.mao, 1 - seen.mao)):
        row[SCORES + place] -= sum(pair[seat] for pair in seen.points)
    work = make_work(len(counts))
    weigh_types(tables, abstraction, policy, row, path, int(not seen.is_mao), kinds, work, probability, held)
    if not probability.any():  # no hand explains what was seen
        probability = counts.astype(np.float64)
    return Beliefs(kinds, probability / probability.sum(), held, tables)


def possible_types(tables: Tables, own: list[int], shown: list[int]) -> tuple[HandTypes, NDArray[np.int64]]:
    """The types of hands with the cards shown, without one's own, and how many hands each has."""
    rest = [card for card in range(DECK) if card not in own and card not in shown]
    drawn = np.array(list(combinations(rest, HAND - len(shown))), dtype=np.int32)
    others = np.concatenate((np.tile(np.array(shown, dtype=np.int32), (len(drawn), 1)), drawn), axis=1)
    order = np.argsort(-tables.strength[others], axis=1, kind="stable")
    others = np.take_along_axis(others, order, axis=1)
    places = others[:, 0], others[:, 1], others[:, 2]
    envido, flor = tables.envido[places].astype(np.int32), tables.flor[places].astype(np.int32)
    codes = envido.astype(np.int64) << 8 | flor
    for place in range(HAND):
        codes = codes << 4 | tables.strength[others[:, place]]
    _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    return HandTypes(others[first], envido[first], flor[first]), counts


@fixed_types
@compiled_step
def weigh_types(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    seen: Row,
    path: NDArray[np.int32],
    seat: int,
    kinds: HandTypes,
    work: BeliefsWork,
    weights: NDArray[np.float64],
    held: NDArray[np.int64],
) -> None:
    """Play a hand again with every type in the other seat, and multiply weights by how probable that is.

    `seen` is what a seat knows, at the scores before the hand; `path` is what `follow_log` has found.
    """
    other, types, rows, state = 1 - seat, len(weights), work.rows, 0
    for kind in range(types):
        copy_row(rows[kind], seen)
        for place in range(HAND):
            rows[kind, CARDS + HAND * other + place] = kinds.cards[kind, place]
        begin_hand(tables, rows[kind])
    for number, power, after in path:
        if tables.actor[state] == seat:
            for kind in range(types):
                if weights[kind] > 0:
                    advance(tables, rows[kind], number)
        else:
            follow_other(tables, abstraction, policy, work, other, number, power, weights)
        state = after
        for kind in range(types):
            if weights[kind] > 0 and differs(rows[kind], state, seen, other):
                weights[kind] = 0
    for kind in range(types):
        held[kind] = rows[kind, HELD + other]


@compiled_step
def follow_other(
    tables: Tables,
    abstraction: Abstraction,
    policy: Policy,
    work: BeliefsWork,
    other: int,
    number: int,
    power: int,
    weights: NDArray[np.float64],
) -> None:
    """Let every type do what the other seat did; those that cannot are no longer possible."""
    actions, mixture, chance = work.actions, work.mixture, work.chance
    total = 0.0
    for kind in range(len(weights)):
        chance[kind] = 0.0
        if weights[kind] == 0:
            continue
        row = work.rows[kind]
        count = solver_actions(tables, row, actions)
        if not fill_strategy(tables, abstraction, policy, row, actions, count, mixture):
            mixture[:count] = 1 / count  # what the solution does not know tells nothing
        action = number if power == NO_CARD else card_of_strength(tables, row, other, power)
        if action == NO_CARD:
            weights[kind] = 0
            continue
        for at in range(count):
            if actions[at] == action:
                chance[kind] = mixture[at]
        total += weights[kind] * chance[kind]
        advance(tables, row, action)
    if total > 0:
        for kind in range(len(weights)):
            weights[kind] *= chance[kind]


@compiled_step
def card_of_strength(tables: Tables, row: Row, other: int, power: int) -> int:
    """The action that plays a card of some strength, the lowest one face down; `NO_CARD` without such a card."""
    found = NO_CARD
    for place in range(HAND):
        if row[HELD + other] >> place & 1:
            if power == 0:
                found = HAND + place
            elif tables.strength[row[CARDS + HAND * other + place]] == power and found == NO_CARD:
                found = place
    return found


@compiled_step
def differs(row: Row, state: int, seen: Row, other: int) -> bool:
    """Whether a type has led to another state, or would have shown something else."""
    has_shown = row[SETTLED] != NOTHING_SETTLED
    return bool(row[STATE] != state or (has_shown and row[SHOWN + other] != seen[SHOWN + other]))
