"""Truco's part in learning: its embedded bases and how it is trained."""

from retruco.learning.learners import PLANS
from retruco.learning.registry import FirstUse, GameLearning
from retruco.learning.truco.embedded import BASELINE, MAESTRO
from retruco.storage.human import HumanBase

LEARNING = GameLearning(
    (BASELINE, HumanBase(), MAESTRO),
    FirstUse("NPCS", seconds=10.0),
    "retruco.learning.truco.training:TrucoTraining",
    PLANS,
    usual_plan="imitation",
    opponents=("balanced", "random"),
)
