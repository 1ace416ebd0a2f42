"""Euchre's part in learning: its embedded base, card values, and how it is trained."""

from retruco.learning.registry import FirstUse, GameLearning

LEARNING = GameLearning(first_use=FirstUse("NPS", seconds=1.0))
