"""Old name of `retruco.learning.loop`; it goes with the next release."""

from retruco.aliases import moved

__getattr__ = moved(__name__, SelfPlay="retruco.learning.loop:LearningLoop")
