"""What a seat's actions count as in a table of behaviour, tabulated from `behaviour`."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import Final, NamedTuple

import numpy as np

from retruco.cards import SPANISH_DECK, Card
from retruco.games.core import Action
from retruco.games.truco.behaviour import facing_after, names_of_action
from retruco.games.truco.compiled.automaton import CARD, COLUMNS, DOWN
from retruco.games.truco.compiled.tables import Array
from retruco.games.truco.deck import CLASSES, STRENGTH, Hand, envido_points
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.state import Acted

NO_CALL: Final = 0
MOST_POINTS: Final = 33


class ConductTable(NamedTuple):
    """What counts as what; compiled code takes it as it is."""

    waits: Array
    """By column: whether the other has to answer it."""
    kinds: Array
    """By column, the column it answers (0 if none), own envido points and best strength held: which of `counts`."""
    counts: Array
    """By kind and name: how often it counts."""


@cache
def conduct_table() -> tuple[tuple[str, ...], ConductTable]:
    """The names that actions count as, and what every action counts as."""
    kinds = np.zeros((len(COLUMNS), len(COLUMNS), MOST_POINTS + 1, len(CLASSES) + 1), dtype=np.int32)
    found: dict[tuple[str, ...], int] = {(): 0}
    hands, cards = hands_by_points().items(), cards_by_strength().items()
    waits = np.array([facing_after(Acted(1, column), 0) is not None for column in COLUMNS])
    for column, facing in product(range(len(COLUMNS)), (NO_CALL, *map(int, np.flatnonzero(waits)))):
        answered = None if facing == NO_CALL else COLUMNS[facing]
        for (points, hand), (strength, card) in product(hands, cards):
            action, held = played(COLUMNS[column], card)
            names = tuple(names_of_action(action, answered, hand, held))
            kinds[column, facing, points, strength] = found.setdefault(names, len(found))
    names = tuple(sorted({name for some in found for name in some}))
    counts = np.array([[some.count(name) for name in names] for some in found], dtype=np.int32)
    return names, ConductTable(waits, kinds, counts)


def hands_by_points() -> dict[int, Hand]:
    """A hand for every number of envido points that there is."""
    return {envido_points(hand): hand for hand in combinations(SPANISH_DECK, 3)}


def cards_by_strength() -> dict[int, list[Card]]:
    """A card of every strength, held alone, and no card at all."""
    return {0: [], **{STRENGTH[card]: [card] for card in SPANISH_DECK}}


def played(column: Action, held: list[Card]) -> tuple[Action, list[str]]:
    """An action of a column, and the cards that are held before it."""
    card = held[0] if held else SPANISH_DECK[0]
    if column in (CARD, DOWN):
        return (card if column == CARD else DOWN_PREFIX + card), [card]
    return column, list(held)
