"""The table in the browser: play, see why, review, experiment.

One folder per product: `core` (application, server, security, store), `tables` (live tables, events, what a seat
is shown), `review` (a match judged, replay, why), `puzzles`, `people` (invitations, clocks, presence), `bots`, `account` (consent, archive,
forgetting), `lab` (jobs, case bases, results), `school` (teaching), `art` (cards).
"""
