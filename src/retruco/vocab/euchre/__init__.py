"""Euchre as questions and rows.

- `scenarios` and `questions`: calling, going alone, leading, following.
- What `cards`, hands and tricks are worth, values `learnt` from play, the `chart` of chances.
- `rows` says what each answer in a hand brought.
"""

from retruco.vocab.euchre.questions import Turns, fallback, turn
from retruco.vocab.euchre.rows import rows
from retruco.vocab.euchre.scenarios import VOCABULARY

__all__ = ["VOCABULARY", "Turns", "fallback", "rows", "turn"]
