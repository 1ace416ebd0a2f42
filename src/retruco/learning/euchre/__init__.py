"""Euchre's part in learning: its embedded base, card values, and how it is trained."""

from retruco.learning.euchre.embedded import EUCHRE, RULES
from retruco.learning.learners import EVERYTHING, Plan
from retruco.learning.registry import FirstUse, GameLearning

LEARNING = GameLearning(
    (EUCHRE,),
    first_use=FirstUse("NPS", seconds=1.0),
    training="retruco.learning.euchre.training:EuchreTraining",
    plans={"NPS": Plan("NPS", EVERYTHING, ("NPS",), first=0, game="euchre", tries=0.25)},
    usual_plan="NPS",
    rules=RULES,
    opponents=("UF.5", "random"),
)
