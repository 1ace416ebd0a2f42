"""Review: replay, why a move was made, and why a call is not possible."""
