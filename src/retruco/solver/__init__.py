"""Near-equilibrium strategies, how exploitable they are, and the files that hold them.

- `tree` lays out a small game as arrays; `cfr` solves it exactly and measures a strategy.
"""
