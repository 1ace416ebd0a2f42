"""Euchre in words that cases are made of: card values, chances, strength, questions, rows."""

from retruco.vocab.euchre.questions import fallback, turn
from retruco.vocab.euchre.rows import rows
from retruco.vocab.euchre.scenarios import VOCABULARY

__all__ = ["VOCABULARY", "fallback", "rows", "turn"]
