"""Limit Texas hold'em for two to ten seats.

- `deck` (cards as bits), `ranking` (the worth of a hand), `rules` (the variants as data).
- `betting` knows no cards; `state` joins cards and betting.
- `game` plays matches; `behaviour` counts what a seat did; `compiled` plays many hands in machine code
  and writes down what a seat knows, for those who decide there.
- `notation`, `acpc` and `phh` write hands as JSON, for the computer poker competition, and as hand histories.
"""

from retruco.games.holdem.betting import Betting
from retruco.games.holdem.game import Holdem
from retruco.games.holdem.rules import PRESETS, STAGES, VARIANTS, Rules, preset
from retruco.games.holdem.state import HoldemDeal, HoldemObservation, HoldemState, Step

__all__ = [
    "PRESETS",
    "STAGES",
    "VARIANTS",
    "Betting",
    "Holdem",
    "HoldemDeal",
    "HoldemObservation",
    "HoldemState",
    "Rules",
    "Step",
    "preset",
]
