"""Case-based reasoning: retrieve, reuse, revise, retain. Knows no game.

- `vocabulary` describes a game as scenarios with features; `similarity` compares their values.
- `case` holds the data types of the cycle, from problem to decision.
- `casebase` stores rows and retrieves them (`modes` say how many); `readable_search` says in twenty lines what is
  found. Inside: `case_index` with the rows of one scenario, `trie` and `kernel` with their arrays and compiled loops,
  `search` with the compiled search of many queries, and `memo`, which finds results again.
- `queries` are many questions as arrays, `tallies` what was found for them, `summary` the same for one in words.
- `reuse` turns tallies into answers, `revise` corrects an answer, `retain` decides what enters the base.
- `maintenance` chooses what a smaller base keeps, with the compiled loops of `competence_kernel`.
- `weights` learns from a base how much each feature should count; `case_file` packs a base into a small file.
- `clusters` and `kmeans` group rows by what hindsight adds; `groupings` does it by scikit-learn.

This package imports nothing itself: `retruco.cbr.case` and `retruco.cbr.vocabulary` load without numpy.
"""
