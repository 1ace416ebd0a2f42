"""Hold'em described as rows: what Casey sees, does, and what came of it."""

from retruco.vocab.holdem.questions import fallback, turn
from retruco.vocab.holdem.rows import rows
from retruco.vocab.holdem.scenarios import VOCABULARY

__all__ = ["VOCABULARY", "fallback", "rows", "turn"]
