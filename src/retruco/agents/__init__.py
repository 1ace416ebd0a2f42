"""The players: an observation in, a decision out.

- `core` defines what an agent is and asks it; `registry` finds agents by name.
- `case_based` is the agent that decides by cases, for all games; a game hands it a policy.
- `trees` hold the decisions that compiled matches read.
- `chance` plays at random, `solver` by a solution file. One folder per game holds its policies and scripted players.
"""
