"""Hold'em players: `probes`, `rulebot` and `simplebot` by rules; `policies` are Casey, which learns from cases.

`compiled_players` plays hands among the players by rules in machine code.
"""
