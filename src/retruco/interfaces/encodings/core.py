"""What an encoding is: a fixed list of actions, and arrays of a fixed length."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.games.core import Action, short_repr

Floats: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]


class Encoding(ABC):
    """Turns the actions of one table into numbers, and what a seat sees into an array.

    An array shows the hand that is being played, from the seat's own point of view: seats are counted from
    the seat itself. Earlier hands of the match are not in it, only the scores.
    """

    def __init__(self, actions: Sequence[str], fields: Mapping[str, int]) -> None:
        self.actions = tuple(actions)
        """What each number means."""
        self.fields = dict(fields)
        """The parts of an array, in order: the name and the length of each."""
        self.size = sum(self.fields.values())
        """The length of an array."""
        self._numbers = {action: number for number, action in enumerate(self.actions)}

    @abstractmethod
    def values(self, observation: Any) -> list[float]:
        """The entries of the array of an observation, each from 0 to 1 or a small count."""

    def encode(self, observation: Any) -> Floats:
        """What a seat sees, as an array."""
        return np.array(self.values(observation), np.float32)

    def mask(self, observation: Any) -> Mask:
        """1 for each action that the seat may take now."""
        mask = np.zeros(len(self.actions), np.int8)
        for action in observation.legal:
            mask[self.action_number(observation, action)] = 1
        return mask

    def action_number(self, observation: Any, action: Action) -> int:
        """The number of an action."""
        return self._numbers[action]

    def action_text(self, observation: Any, number: object) -> Action:
        """The action of a number: one of `observation.legal`, or the number is refused."""
        legal: dict[object, Action] = {
            self.action_number(observation, action): action for action in observation.legal
        }
        if number not in legal:
            listed = ", ".join(f"{known} ({action})" for known, action in legal.items())
            raise ValueError(f"illegal action {short_repr(number)}: legal here are {listed or 'none'}")
        return legal[number]


def one_hot(place: int | None, size: int) -> list[float]:
    """A one at a place among zeros; all zeros without a place.

    >>> one_hot(1, 3), one_hot(None, 2)
    ([0.0, 1.0, 0.0], [0.0, 0.0])
    """
    values = [0.0] * size
    if place is not None:
        values[place] = 1.0
    return values


def many_hot(places: Iterable[int], size: int) -> list[float]:
    """A one at each of some places.

    >>> many_hot([0, 2], 3)
    [1.0, 0.0, 1.0]
    """
    values = [0.0] * size
    for place in places:
        values[place] = 1.0
    return values


def sequence_hot(places: Sequence[int], slots: int, size: int) -> list[float]:
    """A sequence of places as one slot after the other; slots that are not used are zeros.

    >>> sequence_hot([1], 2, 2)
    [0.0, 1.0, 0.0, 0.0]
    """
    values = [0.0] * (slots * size)
    for slot, place in enumerate(places):
        values[slot * size + place] = 1.0
    return values


def turn(observation: Any, seats: int) -> list[float]:
    """Whose turn it is, counted from the seat itself; all zeros when the hand is over."""
    to_act = observation.to_act
    return one_hot(None if to_act is None else (to_act - observation.seat) % seats, seats)
