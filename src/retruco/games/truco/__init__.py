"""Truco for two, in the order of the rulebook.

- `deck` (strength and points of cards), `rules` (the variants as data), `rounds`.
- `envido`, `flor`, `bet`: the three auctions.
- `state` says what is legal and what follows, `observation` what a seat sees.
- `game` plays matches; `notation` and `seen` write hands and observations as JSON; `behaviour` counts what a seat did.
- `tables` and `worth` print the rules and the worth of a call from the same data.
- `compiled` is the same game as tables of integers, for millions of hands.
"""

from retruco.games.truco.deck import envido_points, flor_points, has_flor, strength
from retruco.games.truco.game import Truco, TrucoDeal
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rules import CALLS, PRESETS, Rules, preset
from retruco.games.truco.state import Acted, Announced, Awarded, TrucoState

__all__ = [
    "CALLS",
    "PRESETS",
    "Acted",
    "Announced",
    "Awarded",
    "Rules",
    "Truco",
    "TrucoDeal",
    "TrucoObservation",
    "TrucoState",
    "envido_points",
    "flor_points",
    "has_flor",
    "preset",
    "strength",
]
