"""The players: an observation in, a decision out."""
