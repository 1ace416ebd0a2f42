"""What each game brings to learning: its embedded bases and how it is trained, found by the game's name.

A game's part of `learning` holds a `LEARNING`; a game without one has no embedded base and is
trained as any game with a vocabulary can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, cast

from retruco.games.registry import USUAL_GAME, game_class, game_names
from retruco.learning.learners import EVERYTHING, Plan, plan_among
from retruco.parts import find_part
from retruco.storage.embedded import Provider

if TYPE_CHECKING:
    from retruco.learning.training import GameTraining


TRIES: Final = 0.25
"""How often a learner of a game without plans of its own tries another answer than its cases give."""


@dataclass(frozen=True)
class FirstUse:
    """An agent whose first decision makes a game ready: base opened, kernels compiled."""

    agent: str
    seconds: float
    """How long it takes where nothing is there yet; a guess by which the time left is estimated."""


@dataclass(frozen=True)
class GameLearning:
    """A game's part in learning."""

    bases: tuple[Provider, ...] = ()
    """The case bases that are made when they are first asked for."""
    first_use: FirstUse | None = None
    training: str = "retruco.learning.training:GameTraining"
    """Where the class is that trains the game; it is imported when somebody learns."""
    plans: Mapping[str, Plan] = field(default_factory=dict)
    """How agents of the game learn, by the name of a plan."""
    usual_plan: str | None = None
    """The plan that is meant when none is named."""
    rules: str | None = None
    """The rules by which the game is learnt, where no hands of a base say it."""
    opponents: tuple[str, ...] = ("random",)
    """Whom learning curves measure against; none of them remembers."""


def find_learning(game: str) -> GameLearning:
    """Find a game's part in learning."""
    found: GameLearning = getattr(find_part("learning", game), "LEARNING", GameLearning())
    return found


def find_training(game: str) -> type[GameTraining]:
    """Find how a game is trained."""
    return cast("type[GameTraining]", resolve_name(find_learning(game).training))


def find_plan(game: str, name: str | None = None, /, **changes: Any) -> Plan:
    """Find how an agent of a game learns, with some things done differently.

    >>> find_plan("holdem").learner, find_plan("euchre").strategy
    ('casey', 'everything')
    >>> find_plan("euchre", "osmosis")
    Traceback (most recent call last):
    ...
    ValueError: unknown strategy 'osmosis': one of NPS
    """
    learning = find_learning(game)
    name = name or learning.usual_plan or game_class(game).usual_agent
    plans = learning.plans or {name: Plan(name, EVERYTHING, (name,), first=0, game=game, tries=TRIES)}
    return plan_among(plans, name, **changes)


def providers() -> Iterator[Provider]:
    """Every embedded base of every game."""
    for game in game_names():
        yield from find_learning(game).bases


def first_uses() -> dict[str, FirstUse]:
    """What makes each game ready, the usual game first."""
    names = sorted(game_names(), key=lambda game: game != USUAL_GAME)
    found = {game: find_learning(game).first_use for game in names}
    return {game: use for game, use in found.items() if use is not None}
