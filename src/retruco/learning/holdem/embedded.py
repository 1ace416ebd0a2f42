"""`casey`, the embedded base of hold'em: Casey's own first hands, played once.

Casey sits with three rulebots and learns from nothing; its hands are stored with the plans and
reads that its actions do not show, so that `casey-reads` can go by them too. All chance is keyed:
the hands are the same bytes on every machine. No person played them, and they are called synthetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from retruco.games.holdem import Holdem
from retruco.storage.embedded import EmbeddedBase
from retruco.storage.reading import Hand

RULES: Final = "casey-4"


def casey_hands(count: int) -> Iterator[Hand | None]:
    """Play Casey's first hands; one that taught it nothing is none."""
    from retruco.learning.holdem.training import LEARNER, casey_loop  # numba is loaded with it

    loop = casey_loop(Holdem.named(RULES), "casey", ["rulebot"] * 3, seed=2006)
    for hand in loop.hands(count):
        hands = [Hand.of(experience.record(), LEARNER, "synthetic") for experience in hand.retained]
        yield hands[0] if hands else None


CASEY: Final = EmbeddedBase(
    "casey",
    "holdem",
    RULES,
    "the hands by which Casey learnt among three rulebots; no person played them",
    hands=6000,
    play=casey_hands,
)
