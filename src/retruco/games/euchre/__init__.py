"""Euchre: four seats, two teams, twenty-four cards; the jack of trumps and its neighbour rule.

- `deck` (bowers, suits, sets of cards as bits), `rules` (the variants as data), `words` (what is said at the table).
- `stepper` states the rules, on rows of numbers; `tricks`, `state` and `observation` (what a seat sees) show them in words.
- `game` plays matches; `notation` writes hands as JSON; `behaviour` counts what a seat did.
"""

from retruco.games.euchre.deck import DECK, SUITS, Card, Suit, power, suit_of
from retruco.games.euchre.game import Euchre, EuchreDeal
from retruco.games.euchre.observation import EuchreObservation
from retruco.games.euchre.rules import PRESETS, Rules, preset
from retruco.games.euchre.state import EuchreState
from retruco.games.euchre.tricks import Trick, partner_of, winning

__all__ = [
    "DECK",
    "PRESETS",
    "SUITS",
    "Card",
    "Euchre",
    "EuchreDeal",
    "EuchreObservation",
    "EuchreState",
    "Rules",
    "Suit",
    "Trick",
    "partner_of",
    "power",
    "preset",
    "suit_of",
    "winning",
]
