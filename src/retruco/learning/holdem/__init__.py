"""Hold'em's part in learning: its embedded base and how it is trained."""

from retruco.agents.holdem.policies import STYLES
from retruco.learning.holdem.embedded import CASEY, RULES, TABLES
from retruco.learning.learners import EVERYTHING, Plan
from retruco.learning.registry import FirstUse, GameLearning

LEARNING = GameLearning(
    (TABLES, CASEY),
    FirstUse("casey", seconds=3.0),
    "retruco.learning.holdem.training:HoldemTraining",
    {name: Plan(name, EVERYTHING, (name,), "rulebot", first=0, game="holdem") for name in STYLES},
    usual_plan="casey",
    rules=RULES,
    opponents=("rulebot", "random"),
)
