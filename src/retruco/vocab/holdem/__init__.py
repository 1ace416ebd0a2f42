"""Hold'em as questions and rows: what Casey sees, what it does, and what comes of it.

- `scenarios` and `questions`: which strategy to play in a stage; `strategies` has the six of them.
- `strength` and `starting` value a hand, `kernel` has the compiled loops, `reading` models opponents.
- `revision` corrects answers; `rows` says what each stage of a hand brought.
"""

from retruco.vocab.holdem.questions import fallback, turn
from retruco.vocab.holdem.rows import rows
from retruco.vocab.holdem.scenarios import VOCABULARY

__all__ = ["VOCABULARY", "fallback", "rows", "turn"]
