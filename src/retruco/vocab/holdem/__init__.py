"""Hold'em as questions and rows: what Casey sees, what it does, and what comes of it.

- `scenarios` and `questions`: which strategy to play in a stage; `strategies` has the six of them.
- `view` is what a seat looks at: `strength` and `starting` value its hand, `kernel` has the compiled loops, `reading` models opponents.
- `revision` corrects answers; `drawing` repeats a random choice; `rows` says what each stage of a hand brought.
"""

from retruco.vocab.holdem.questions import fallback, turn
from retruco.vocab.holdem.rows import rows
from retruco.vocab.holdem.scenarios import VOCABULARY

__all__ = ["VOCABULARY", "fallback", "rows", "turn"]
