"""The reasoning: named features, cases, retrieval and reuse; it knows no game."""
