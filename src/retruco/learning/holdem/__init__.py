"""Hold'em's part in learning: its embedded base and how it is trained."""

from retruco.learning.holdem.embedded import CASEY
from retruco.learning.registry import FirstUse, GameLearning

LEARNING = GameLearning((CASEY,), FirstUse("casey", seconds=16.0))
