"""Agents play each other: matches, duplicate duels, tournaments, statistics.

- `table` steps through a match without input or output; `match` plays it with agents; `records` writes its hands.
- `seatings` and `sets` (the duplicate unit), `duel`, `tables` (more than two seats), `tournament`.
- `batch`: matches of Truco or Euchre side by side in `lanes`, for agents that answer many situations at once.
- `blocks`, `pool` (all cores), `cluster` (Ray), `running`, `journal` (finished work survives a crash).
- `tally`, `conduct`: what is counted; `stats`, `distributions`, `ratings`, `sequential`: what it means.
- `page`, `plots`, `report`: the results for people. `acpc` plays over the competition's protocol.
"""
