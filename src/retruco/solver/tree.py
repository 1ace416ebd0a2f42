"""A small game as one tree of arrays: every deal, every way to play it.

Nodes are numbered by depth, so children always come later than their parents. Nodes in which the
seat to act knows the same share an *information set*. Actions are in the order of their names, so
that the order in which cards were dealt does not count.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.games.core import Action, Game, State

END: Final = -1
"""The actor of a node where the hand is over."""


Choices: TypeAlias = Callable[[Any], Sequence[Action]]
"""The actions of a state that a tree has."""


def all_legal(state: State) -> Sequence[Action]:
    """Every legal action."""
    return state.legal


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


def build_tree(game: Game, choices: Choices = all_legal) -> GameTree:
    """Lay out a game of two seats that can list its deals, with all legal actions or some of them."""
    if game.seats != 2:
        raise ValueError(f"only games of two seats are solved, and {game.name} has {game.seats} here")
    return lay_out(game, list(game.all_deals()), choices)


def lay_out(game: Game, deals: Sequence[tuple[Any, float]], choices: Choices = all_legal) -> GameTree:
    """Lay out some deals of a game, each with its probability."""
    opening = game.opening()
    nodes = [game.start(deal, opening) for deal, _ in deals]
    chance = np.array([probability for _, probability in deals])
    builder = TreeBuilder(game, choices)
    with without_garbage_collection():
        while nodes:
            nodes = builder.add_level(nodes)
        return builder.finish(chance)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """States refer to no later ones, so looking for cycles among so many of them only takes time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class TreeBuilder:
    """Collects the nodes level by level."""

    def __init__(self, game: Game, choices: Choices) -> None:
        self.game, self.choices = game, choices
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
            actions = tuple(sorted(self.choices(state)))
            following = [state.play(action) for action in actions]
            numbers = list(range(begin + len(children), begin + len(children) + len(following)))
            self.rows.append((*self._describe(state, actions), numbers))
            children += following
        self.levels.append(begin)
        return children

    def _describe(self, state: State, actions: tuple[Action, ...]) -> tuple[int, int, float]:
        if state.to_act is None:
            return END, 0, hand_value(self.game, state)
        return state.to_act, self._number(state, state.to_act, actions), 0.0

    def _number(self, state: State, seat: int, actions: tuple[Action, ...]) -> int:
        key = self.game.information_key(state.observe(seat))
        depth = len(self.levels)
        number = self.numbers.setdefault((seat, key), len(self.infosets))
        if number == len(self.infosets):
            self.infosets.append(Infoset(seat, key, actions))
            self.depths.append(depth)
        if self.infosets[number].legal != actions or self.depths[number] != depth:
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
