"""Euchre as questions and rows.

- `scenarios` and `questions`: calling, going alone, leading, following.
- `values` of cards and those `learnt` from play, the `chart` of chances, the `strength` of a hand, the `trick_view` of a seat.
- `rows` says what each answer in a hand brought.
"""

from retruco.vocab.euchre.questions import fallback, turn
from retruco.vocab.euchre.rows import rows
from retruco.vocab.euchre.scenarios import VOCABULARY

__all__ = ["VOCABULARY", "fallback", "rows", "turn"]
