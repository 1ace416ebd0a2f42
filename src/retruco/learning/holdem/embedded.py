"""The embedded bases of hold'em, both learnt by Casey; no person played these hands, and they are called synthetic.

`casey-tables`, the usual one, comes with the program: cases of tables with two to ten seats, against opponents of
several kinds (`retruco.learning.holdem.tables`; `benchmarks/casey_cases.py` makes the file again). `casey` is the
first base there was: Casey's own first hands among three rulebots, played when somebody asks for it and stored
with the plans and reads that its actions do not show. All chance is keyed: the hands are the same bytes on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final

from retruco.games.holdem import Holdem
from retruco.storage.embedded import EmbeddedBase, ShippedBase
from retruco.storage.reading import Hand

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

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


def read_tables(file: Traversable) -> CaseBase:
    """Read the cases that come with the program."""
    from retruco.cbr.case_file import read_cases  # numpy and numba are loaded with it
    from retruco.vocab.holdem import VOCABULARY

    return read_cases(file, VOCABULARY)


TABLES: Final = ShippedBase(
    "casey-tables",
    "holdem",
    "casey-2 to casey-10",
    "cases that Casey learnt at tables of two to ten seats; no person played these hands",
    hands=17_600,
    file=files("retruco.learning.holdem") / "cases.npz",
    read=read_tables,
)
