"""Truco for two: deck, rounds, envido, flor, truco, score, notation, in the order of the rulebook."""

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
