"""What holds for all tests: no test asks how long something took, and CI draws the same examples."""

import os

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "here")

# Every test says itself where its store is.
os.environ.pop("RETRUCO_DATABASE", None)
