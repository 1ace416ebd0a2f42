"""Players for the arena's tests: legal ones, and some that break the house's rules."""

import os
import time

from retruco.games.core import Observation
from retruco.streams import Stream


class First:
    """Always the first legal action: deterministic."""

    def decide(self, observation: Observation, chance: Stream) -> str:
        return observation.legal[0]


class Cheat:
    def decide(self, observation: Observation, chance: Stream) -> str:
        return "quero quero"


class Broken:
    def decide(self, observation: Observation, chance: Stream) -> str:
        raise RuntimeError("out of ideas")


class Quitter:
    def decide(self, observation: Observation, chance: Stream) -> str:
        raise SystemExit(3)


class Nothing:
    def decide(self, observation: Observation, chance: Stream) -> None:
        return None


class Sleepy:
    """Falls asleep now and then, at the same decisions every time; seldom, since each time is waited for."""

    def decide(self, observation: Observation, chance: Stream) -> str:
        if chance.chance(0.004):
            time.sleep(600)
        return observation.legal[0]


class Slow:
    """Takes two thousandths of a second."""

    def decide(self, observation: Observation, chance: Stream) -> str:
        time.sleep(0.002)
        return observation.legal[0]


class Deadly:
    """Takes its whole process down now and then, at the same decisions every time."""

    def decide(self, observation: Observation, chance: Stream) -> str:
        if chance.chance(0.01):
            os._exit(1)
        return observation.legal[0]
