"""A small game as one tree of arrays: every deal, every way to play it.

Nodes are numbered by depth, so children always come later than their parents. Nodes in which the
seat to act knows the same share an *information set*.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.games.core import Action, Game, State

END: Final = -1
"""The actor of a node where the hand is over."""


class Tree(NamedTuple):
    """The nodes; compiled code takes it as it is."""

    actor: NDArray[np.int8]
    """By node: the seat to act, 0 being the first of the hand, or `END`."""
    infoset: NDArray[np.int32]
    """By node: the number of the information set."""
    child: NDArray[np.int32]
    """By node and action: the node that follows."""
    value: NDArray[np.float64]
    """By node: what a finished hand is worth to seat 0."""
    chance: NDArray[np.float64]
    """By root: the probability of the deal; the roots are the first nodes."""
    levels: NDArray[np.int64]
    """The first node of every depth, and the number of nodes."""
    actions: NDArray[np.int8]
    """By information set: how many actions are legal."""


class Infoset(NamedTuple):
    """What a seat knows when it acts."""

    seat: int
    key: str
    legal: tuple[Action, ...]


class GameTree(NamedTuple):
    """The arrays of a game, and the information sets in the order of their numbers."""

    arrays: Tree
    infosets: tuple[Infoset, ...]


def build_tree(game: Game) -> GameTree:
    """Lay out a game of two seats that can list its deals."""
    if game.seats != 2:
        raise ValueError(f"only games of two seats are solved, and {game.name} has {game.seats} here")
    deals = list(game.all_deals())
    opening = game.opening()
    nodes = [game.start(deal, opening) for deal, _ in deals]
    chance = np.array([probability for _, probability in deals])
    builder = TreeBuilder(game)
    while nodes:
        nodes = builder.add_level(nodes)
    return builder.finish(chance)


class TreeBuilder:
    """Collects the nodes level by level."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.numbers: dict[tuple[int, str], int] = {}
        self.infosets: list[Infoset] = []
        self.depths: list[int] = []
        """By information set: its depth."""
        self.levels = [0]
        self.rows: list[tuple[int, int, float, list[int]]] = []
        """By node: actor, information set, value, children."""

    def add_level(self, states: list[State]) -> list[State]:
        """Add all nodes of one depth; return those that follow."""
        begin, children = self.levels[-1] + len(states), list[State]()
        for state in states:
            following = [state.play(action) for action in state.legal]
            numbers = list(range(begin + len(children), begin + len(children) + len(following)))
            self.rows.append((*self._describe(state), numbers))
            children += following
        self.levels.append(begin)
        return children

    def _describe(self, state: State) -> tuple[int, int, float]:
        if state.to_act is None:
            return END, 0, hand_value(self.game, state)
        return state.to_act, self._number(state, state.to_act), 0.0

    def _number(self, state: State, seat: int) -> int:
        key = self.game.information_key(state.observe(seat))
        depth = len(self.levels)
        number = self.numbers.setdefault((seat, key), len(self.infosets))
        if number == len(self.infosets):
            self.infosets.append(Infoset(seat, key, state.legal))
            self.depths.append(depth)
        if self.infosets[number].legal != state.legal or self.depths[number] != depth:
            raise ValueError(f"{key!r} of {self.game.name} is the key of situations that differ")
        return number

    def finish(self, chance: NDArray[np.float64]) -> GameTree:
        """Turn what was collected into arrays."""
        width = max(len(children) for *_, children in self.rows)
        child = [children + [0] * (width - len(children)) for *_, children in self.rows]
        arrays = Tree(
            actor=np.array([actor for actor, *_ in self.rows], dtype=np.int8),
            infoset=np.array([infoset for _, infoset, *_ in self.rows], dtype=np.int32),
            child=np.array(child, dtype=np.int32).reshape(len(child), width),
            value=np.array([value for _, _, value, _ in self.rows]),
            chance=chance,
            levels=np.array(self.levels, dtype=np.int64),
            actions=np.array([len(infoset.legal) for infoset in self.infosets], dtype=np.int8),
        )
        return GameTree(arrays, tuple(self.infosets))


def hand_value(game: Game, state: State) -> float:
    """What a finished hand is worth to seat 0: the chips it won, or the points it is ahead by."""
    mine, other = game.gains(game.opening(), state)
    return float(mine if mine + other == 0 else mine - other)
