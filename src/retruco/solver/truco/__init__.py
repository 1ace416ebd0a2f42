"""Truco solved within a card abstraction, on the compiled rules.

- `abstraction` says what a seat distinguishes: the key of an information set, and the actions considered.
- `infosets` holds regrets and averages by key; `mccfr` fills it by playing sampled hands.
- `workers` spreads the hands over processes or a cluster; `policy_duel` plays one strategy against another.
- `considered` leaves out in the readable engine what `abstraction` leaves out.
- `best_response` measures how exploitable a strategy is; `observed` finds what it plays in a situation.
- `sampling` finds what actions are worth; `values` saves and looks it up.
- `analysis` judges decisions by that; `beliefs` says what the other seat may hold.
"""
