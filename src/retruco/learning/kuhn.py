"""Kuhn poker's part in learning: the embedded base, which is self-play at both tables, and its plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from retruco.games.kuhn import Kuhn
from retruco.learning.learners import EVERYTHING, Plan
from retruco.learning.registry import TRIES, FirstUse, GameLearning
from retruco.storage.embedded import EmbeddedBase
from retruco.storage.reading import Hand

PLAN: Final = Plan("NPS", EVERYTHING, ("NPS",), first=0, game="kuhn", tries=TRIES)


def selfplay_hands(count: int) -> Iterator[Hand | None]:
    """Learn by so many hands, half of them at each table; a hand without a turn of the learner is none."""
    from retruco.cbr.casebase import CaseBase  # numba is loaded with it
    from retruco.learning.checkpoints import Discard
    from retruco.learning.loop import LearningLoop
    from retruco.vocab.kuhn import VOCABULARY

    for rules in Kuhn.presets():
        loop = LearningLoop(PLAN, Kuhn.named(rules), CaseBase(VOCABULARY), Discard(), number=0)
        for hand in loop.hands(count // len(Kuhn.presets())):
            hands = [Hand.of(one.record(), one.seat, "synthetic") for one in hand.retained]
            yield hands[0] if hands else None


KUHN: Final = EmbeddedBase(
    "kuhn",
    "kuhn",
    ", ".join(sorted(Kuhn.presets())),
    "self-play of NPS; no person played these hands",
    hands=6000,
    play=selfplay_hands,
)

LEARNING = GameLearning((KUHN,), FirstUse("NPS", seconds=3.0), plans={"NPS": PLAN}, usual_plan="NPS")
