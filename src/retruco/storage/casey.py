"""The base that Casey plays with when none is named: `casey`, its own first hands, played once.

Casey sits with three rulebots and learns from nothing; its hands are kept with the plans and
reads that its actions do not show, so that `casey-reads` can go by them too. All chance is keyed:
the hands are the same bytes on every machine. No person played them, and they are called synthetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from retruco.games.holdem import Holdem
from retruco.storage.progress import Progress, count_off, silent
from retruco.storage.reading import Hand
from retruco.storage.store import Store

CASEY: Final = "casey"
HANDS: Final = 6000
RULES: Final = "casey-4"
NOTE: Final = "the hands by which Casey learnt among three rulebots; no person played them"


def provide_casey(store: Store, progress: Progress = silent) -> None:
    """Let Casey learn, if the store does not have its base yet."""
    if _is_there(store):
        return
    with store.making():
        if not _is_there(store):
            _learn(store, progress)


def _is_there(store: Store) -> bool:
    with store.reading() as reader:
        return reader.find(CASEY) is not None


def _learn(store: Store, progress: Progress) -> None:
    message = f"making the case base {CASEY!r}: {HANDS:,} synthetic hands of hold'em, once"
    hands = list(filter(None, count_off(learnt_hands(HANDS), HANDS, message, progress)))
    with store.writing() as writer:
        writer.hold_names()
        if writer.find(CASEY) is None:
            writer.create(CASEY, "holdem", RULES, NOTE)
            writer.append(CASEY, hands)


def learnt_hands(count: int) -> Iterator[Hand | None]:
    """Play Casey's first hands; one that taught it nothing is none."""
    from retruco.arena.sitting import LEARNER, Sitting  # numba is loaded with it

    sitting = Sitting(Holdem.named(RULES), "casey", ["rulebot"] * 3, seed=2006)
    for hand in sitting.play(count):
        yield Hand.of(hand.record(), LEARNER, "synthetic") if hand.rows else None
