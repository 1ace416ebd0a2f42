"""Agents that play Kuhn poker."""
