"""Agents play each other: matches, duplicate duels, tournaments, statistics.

- `table` steps through a match without input or output; `match` plays it with agents; `records` writes its hands.
- `seatings` and `sets` (the duplicate unit), `duel`, `tables` (more than two seats), `tournament`.
- `compiled`, `compiled_matches`, `compiled_loop`, `compiled_players`, `compiled_asking`, `compiled_scores`: duplicate
  pairs of Truco in compiled code, with the same scores.
- `blocks`, `pool` (all cores), `cluster` (Ray), `running`, `journal` (finished work survives a crash).
- `tally`, `conduct`: what is counted; `stats`, `distributions`, `ratings`, `sequential`: what it means.
- `page`, `plots`, `report`: the results for people. `acpc` plays over the competition's protocol.
"""
