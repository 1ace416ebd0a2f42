"""Euchre in words that cases are made of: card values, chances, strength, questions."""
