"""Kuhn poker players: `policies` of the case-based agent."""
