"""Near-equilibrium strategies, how exploitable they are, and the files that hold them.

- `tree` lays out a small game as arrays; `cfr` solves it exactly and measures a strategy.
- `truco` solves Truco within an abstraction, by sampling hands.
- `policy` is a strategy as a table; `files` reads and writes solutions; `training` runs a solver with checkpoints.
- `curve` is what was measured at each checkpoint; `estimates` are figures with their intervals.
"""
