"""The base that Casey plays with when none is named: `casey`, its own first hands, played once.

Casey sits with three rulebots and learns from nothing; its hands are kept with the plans and
reads that its actions do not show, so that `casey-reads` can go by them too. All chance is keyed:
the hands are the same bytes on every machine. No person played them, and they are called synthetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from retruco.games.holdem import Holdem
from retruco.storage.baseline import Tell
from retruco.storage.opening import silent
from retruco.storage.reading import Hand
from retruco.storage.store import Store

CASEY: Final = "casey"
HANDS: Final = 6000
RULES: Final = "casey-4"
NOTE: Final = "the hands by which Casey learnt among three rulebots; no person played them"


def provide_casey(store: Store, tell: Tell = silent) -> None:
    """Let Casey learn, if the store does not have its base yet."""
    with store.reading() as reader:
        if reader.find(CASEY) is not None:
            return
    store.check_writable()
    tell(f"making the case base {CASEY!r}: {HANDS:,} synthetic hands of hold'em, once")
    hands = list(learnt_hands(HANDS))
    with store.writing() as writer:
        writer.hold_names()
        if writer.find(CASEY) is None:
            writer.create(CASEY, "holdem", RULES, NOTE)
            writer.append(CASEY, hands)


def learnt_hands(count: int) -> Iterator[Hand]:
    """Play Casey's first hands."""
    from retruco.arena.sitting import LEARNER, Sitting  # numba is loaded with it

    sitting = Sitting(Holdem.named(RULES), "casey", ["rulebot"] * 3, seed=2006)
    for hand in sitting.play(count):
        if hand.rows:
            yield Hand.of(hand.record(), LEARNER, "synthetic")
