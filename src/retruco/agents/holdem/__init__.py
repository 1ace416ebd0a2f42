"""Hold'em players: `probes`, `rulebot` and `simplebot` by rules; `policies` are Casey, which learns from cases."""
