"""Limit Texas hold'em for two to ten: deck, ranking, rules, betting, state, notation."""

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
