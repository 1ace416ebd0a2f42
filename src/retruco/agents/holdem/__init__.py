"""Hold'em players: `probes`, `rulebot` and `simplebot` by rules; `policies` are Casey, which learns from cases.

At `table` rules, strategies and Casey's choice by its cases are played in machine code.
"""
