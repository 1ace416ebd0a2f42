"""Review: a finished match judged move by move, its replay, and why a move was made."""
