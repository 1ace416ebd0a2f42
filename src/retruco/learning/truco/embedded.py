"""`baseline`, the embedded base of Truco: 3,195 synthetic hands, so that agents can remember from the first day.

A panel of scripted players of several styles plays matches by the rules of the published
experiments; who sits where is drawn for every match, whose view is kept for every hand. All
chance is keyed, so the hands are the same bytes on every machine. They stand in for the 3,195
human hands of Paulus (2020) and are called synthetic wherever they appear.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.match import play_match
from retruco.arena.table import FinishedHand
from retruco.games.core import Game
from retruco.games.registry import find_game
from retruco.storage.embedded import EmbeddedBase, ShippedBase
from retruco.storage.reading import EMBEDDED, Hand
from retruco.streams import Stream, key_number

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

GAME, RULES, TARGET = "truco", "trucogame", 24
PANEL: Final = ("novice", "cautious", "balanced", "aggressive", "bluffer")


def baseline_hands() -> Iterator[Hand]:
    """Play matches without end and give their hands, each as one seat saw it."""
    game = find_game(GAME, RULES, TARGET)
    panel = {name: find_agent(name, GAME) for name in PANEL}
    for match in itertools.count():
        yield from _match_hands(game, panel, match)


def _match_hands(game: Game, panel: dict[str, Agent], match: int) -> Iterator[Hand]:
    draw = Stream(EMBEDDED, "seats", match)
    names = [draw.choice(PANEL) for _ in range(game.seats)]
    first = draw.below(game.seats)
    deals = partial(_deal, game, match)
    played = play_match(game, [panel[name] for name in names], deals, first, key_number(EMBEDDED, match))
    assert played.forfeit is None, played.forfeit
    for number, hand in enumerate(played.hands):
        seat = Stream(EMBEDDED, "view", match, number).below(game.seats)
        yield Hand.of(_record(hand, names), seat, "synthetic")


def _deal(game: Game, match: int, number: int) -> object:
    return game.deal(Stream(EMBEDDED, "deal", match, number))


def _record(hand: FinishedHand, names: list[str]) -> dict[str, object]:
    points = hand.state.summary()["points"]
    return {**hand.state.record(), "agents": names, "result": {"points": points}}


def read_maestro(file: Traversable) -> CaseBase:
    """Read the cases of `maestro`."""
    from retruco.agents.truco.maestro import read_shipped  # numpy and numba are loaded with it

    return read_shipped()


MAESTRO: Final = ShippedBase(
    "maestro",
    GAME,
    RULES,
    "hands of the solver against itself, scripted players and learnt responses, in vocabulary 2; no person played them",
    hands=220_009,
    file=files("retruco.agents.truco") / "maestro.npz",
    read=read_maestro,
)
"""The cases of the agent `maestro`; `tools/make_maestro.py` makes them."""

BASELINE: Final = EmbeddedBase(
    EMBEDDED,
    GAME,
    RULES,
    "scripted players of five styles, to 24; no person played these hands",
    hands=3195,
    play=lambda hands: itertools.islice(baseline_hands(), hands),
    version=1,  # raised when the panel plays differently
)
