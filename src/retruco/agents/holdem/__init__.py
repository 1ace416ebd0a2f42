"""Hold'em players: `probes`, `rulebot` and `simplebot` by rules; `policies` are Casey, which learns from cases.

`choosing` is how Casey chooses by similar cases; at `table` rules and strategies are played in machine code.
"""
