"""Clusters in the words of Truco: with what cards, after which calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.clusters import Profile, Sample
from retruco.vocab.truco.scenarios import (
    CALLER_CODES,
    FACE_DOWN,
    NOBODY,
    OTHER_FOLDED,
    OWN_FOLD,
    OWN_LOST,
    SLOT_CODES,
)

Words = Mapping[int, str]

CALLERS: Final[Words] = {code: who for who, code in CALLER_CODES.items()}
UNPLAYED: Final[Words] = {
    OTHER_FOLDED: "other gave up",
    FACE_DOWN: "face down",
    OWN_FOLD: "own fold",
    OWN_LOST: "lost before",
}
OWN_CARDS: Final[Words] = {**{code: label for label, code in SLOT_CODES.items()}, **UNPLAYED}
OTHER_CARDS: Final[Words] = {
    51: "1e/1b",
    41: "7e/7o",
    20: "3-2",
    12: "1c/1o",
    7: "12-10",
    3: "7-4",
    **UNPLAYED,
}
KINDS: Final[Mapping[str, Words]] = {"who": CALLERS, "own": OWN_CARDS, "other": OTHER_CARDS}
"""How the numbers of a feature are read, by the first word of its name; else they have a mean."""


def likeness(profile: Profile, sample: Sample, here: NDArray[np.bool_]) -> Iterator[str]:
    """Say what the hands of a cluster have in common, feature by feature."""
    cards = [mean for name, mean in profile.means.items() if name.endswith("category")]
    if cards:
        yield "cards " + " ".join(f"{mean:.0f}" for mean in cards)
    for place, name in enumerate(sample.names):
        kind, *_ = name.split()
        words = KINDS.get(kind)
        if kind == "own" and len(sample.names) > 1:
            continue  # the card played is the answer, which has a column of its own
        if words is not None:
            found = _counted(sample.numbers[here, place], sample.counts[here], words)
            found.pop(NOBODY, None)
            if found:
                yield f"{name.removeprefix('who ')} {shares(found)}"
        elif not name.endswith("category"):
            yield f"{name} {profile.means[name]:.0f}"


def _counted(values: NDArray[np.float64], counts: NDArray[np.int64], words: Words) -> dict[str, float]:
    whole = counts.sum()
    return {words[int(value)]: counts[values == value].sum() / whole for value in np.unique(values)}


def shares(found: Mapping[str, float], most: int = 3) -> str:
    """Name the most frequent, with their shares unless it is always the same.

    >>> shares({"high": 0.2, "low": 0.75, "down": 0.05})
    'low 75%, high 20%, down 5%'
    >>> shares({"quero": 1.0})
    'quero'
    """
    often = sorted(found.items(), key=lambda item: -item[1])[:most]
    return ", ".join(f"{word} {share:.0%}" if share < 1 else word for word, share in often)
