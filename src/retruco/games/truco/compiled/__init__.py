"""Truco compiled: the rules of the readable engine as tables of integers, and a stepper over them.

- `automaton` explores the readable engine and finds its public states, and what each action leads to.
- `tables` lays the automaton out as arrays, one set for some rules and a target, saved in the cache folder.
- `stepper` deals and plays hands over the arrays in compiled code; `random_hands` plays many of them.

No rule is stated here: whatever the tables hold, the readable engine has answered.
"""
