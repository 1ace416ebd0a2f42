"""Agents learn: they play, judge each hand, and retain what is worth it.

- `loop` is the learning loop of all games; `training` is what a game may do differently.
- `learners` and `tutor` say who learns how; `starting`, `checkpoints`, `reclustering` are its steps.
- `curve` and `agreement` measure what was learnt; `use_counts` counts which cases play goes by.
- `case_bases` opens case bases by name, `prepare` makes those that first use needs; `registry` finds a game's part.
- One folder per game holds its training and its embedded base.
"""
