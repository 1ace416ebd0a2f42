"""What table III of Moral et al. (2020) says of the similarity: ten retrieved cases with their cards and per cents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from retruco.arena.page import Cell, Heading, Part, Table, Text
from retruco.experiments.published import expected

SAID: Final = expected("moral2020")["table III"]
SCALE: Final = 52
"""The range over which cards are compared (table I)."""
ATTRIBUTES: Final = 16
"""The number of attributes whose mean has the published steps."""


def steps(per_cent: float, parts: int) -> int | None:
    """How many parts of a whole a similarity lies below 100 %, if it is a whole number of them; two digits, cut off.

    >>> steps(98.79, 832), steps(98.79, 100)
    (10, None)
    """
    count = round((100 - per_cent - 0.005) * parts / 100)
    exact = 100 * (1 - count / parts)
    return count if per_cent - 1e-9 <= exact < per_cent + 0.01 - 1e-9 else None


def fitting_parts(most: int = 1_000) -> list[int]:
    """Into how many parts a whole has to be cut for all published similarities to be whole numbers of parts."""
    published: Iterable[float] = [values[-1] for values in SAID["cases"].values()]
    return [parts for parts in range(1, most) if all(steps(value, parts) is not None for value in published)]


def table_iii_parts() -> list[Part]:
    """The table, with what the cards explain of every similarity and what they leave."""
    parts = ATTRIBUTES * SCALE
    rows: list[list[Cell | str]] = []
    for case, (*cards, value) in SAID["cases"].items():
        apart = sum(abs(ours - theirs) for ours, theirs in zip(cards, SAID["query"], strict=True))
        rows.append([case, " ".join(map(str, cards)), f"{value:.2f}", str(apart), str(steps(value, parts))])
    fitting = fitting_parts()
    return [
        Heading("What is compared (table III)"),
        Text(
            f"The ten published similarities are whole numbers of equal steps: of all ways to cut 100 % into fewer than a "
            f"thousand steps only {fitting[0]} to {fitting[-1]} fit, among them {ATTRIBUTES} attributes over {SCALE}. A "
            "Euclidean measure has no such steps. Cases 378 and 164 have the very cards of the query and are 10 and 12 "
            "steps away: something is compared that the table does not show, as the score of table I would be."
        ),
        Table(["case", "its cards", "similarity", "apart in cards", "steps from 100 %"], rows),
    ]
