"""The rules of the games. They know nothing of cases or agents.

- `core` defines what a game is; `registry` finds games by name; `check` tests a game against the contract.
- `records` reads and replays recorded hands of any game; `observations` writes what a seat sees as JSON.
- `kuhn` is the smallest game, `leduc` a small poker; `truco`, `holdem` and `euchre` are folders.
"""
