"""What holds for all tests: no test asks how long something took, and CI draws the same examples."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

EXAMPLES = 50
"""How many examples a property is tried on, unless it says so itself."""

settings.register_profile("here", deadline=None, max_examples=EXAMPLES)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=EXAMPLES)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "here")

# Every test says itself where its store is.
os.environ.pop("RETRUCO_DATABASE", None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect no garbage while the tests are found: nearly all that is made then stays until the end."""
    gc.disable()
    yield
    gc.enable()
