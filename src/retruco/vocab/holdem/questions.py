"""The question a turn asks at hold'em: which strategy to play in this stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from retruco.cbr.case import Problem
from retruco.games.core import Action
from retruco.games.holdem import HoldemObservation
from retruco.vocab.holdem.strategies import STRATEGIES, carried_out
from retruco.vocab.holdem.view import View, view_of

EACH: Final[Mapping[str, str]] = {name: name for name in STRATEGIES}


class Question(NamedTuple):
    """What a seat looks at when it chooses its strategy for a stage."""

    problem: Problem
    view: View

    @property
    def answers(self) -> Mapping[str, str]:
        """All strategies; the action that one comes to depends on whether the seat acts again."""
        return EACH

    @property
    def adapted(self) -> Mapping[str, str]:
        """Every strategy can be played."""
        return {}


def turn(seen: HoldemObservation, answer: Callable[[Question], str], with_read: bool = False) -> Action:
    """Ask for the strategy of this stage, the same each time the seat acts in it, and carry it out."""
    view, again = view_of(seen, with_read)
    return carried_out(answer(Question(view.problem(with_read), view)), again, seen.legal)


def fallback(question: Question) -> str:
    """Play without experience: see the hand through as cheaply as it goes."""
    return "CALL-ANY"
