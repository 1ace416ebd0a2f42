"""Retruco for other libraries, as they expect it.

- `pettingzoo` and `gymnasium` make environments of every game; `vector` plays many tables of Truco in arrays.
- `openspiel` registers the games at OpenSpiel, and seats our agents beside its bots.
- `sklearn` and `cbrkit` retrieve from people's own tables, by `neighbours`; `frames` reads and writes data frames.
- `encodings` turn actions into numbers and observations into arrays; `episodes` plays a hand or a match.

Each library is an extra: nothing here is imported before it is needed.
"""
