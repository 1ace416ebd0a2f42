"""Euchre players: bidding and card play as separate parts, and references to compare with.

- `cardplay` and `bidding`, whose `moves` tell why, joined by `players`.
- `montecarlo` plays out deals from `imagining`, and `reading` does so against the styles of the others; `openspiel` is
  OpenSpiel's player.
- `policies` decide by cases.
"""
