"""`euchre`, the embedded base of Euchre: the last of three generations of self-play, shipped as cases.

To play the generations takes minutes, so that their cases come with the program, without the hands
(`benchmarks/euchre_cases.py` makes the file again). No person played them; they are called synthetic.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final

from retruco.storage.embedded import ShippedBase

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

RULES: Final = "stick"


def read_shipped(file: Traversable) -> CaseBase:
    """Read the cases."""
    from retruco.cbr.case_file import read_cases  # numpy and numba are loaded with it
    from retruco.vocab.euchre.scenarios import VOCABULARY

    return read_cases(file, VOCABULARY)


EUCHRE: Final = ShippedBase(
    "euchre",
    "euchre",
    RULES,
    "self-play of NPS, the last of three generations; no person played these hands",
    hands=108_000,
    file=files("retruco.learning.euchre") / "cases.npz",
    read=read_shipped,
)
