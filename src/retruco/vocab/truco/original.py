"""The original clusters: the groups that imported hands bring with them, made ready to play with.

A k-means cluster is its centroid: from the labels of the imported hands and the columns they
were clustered by, the centroids are found again, and every row joins the nearest. So rows of
hands that had no label, and rows that come later, have their place too.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from retruco.cbr.clusters import Clustering, Floats
from retruco.vocab.truco.partial import PartialHand
from retruco.vocab.truco.scenarios import CALLER_CODES, CATEGORIES, LABELS, ME, NOBODY, OTHER, VOCABULARY

ROUNDS = {"first": 0, "second": 1, "third": 2}
CALLS = {"real": "real-envido", "falta": "falta-envido"}


def original_clusters(hands: Iterable[PartialHand]) -> dict[str, Clustering]:
    """Find the centroids of every scenario that has labels; group 1 of the original is our 0."""
    hands = list(hands)
    found = {}
    for scenario in VOCABULARY.scenarios:
        names = tuple(one.name for one in scenario.hindsight)
        labelled = [
            (hand.labels[scenario.name], numbers)
            for hand in hands
            if scenario.name in hand.labels and (numbers := _numbers(hand, names)) is not None
        ]
        if labelled:
            found[scenario.name] = _centroids(names, labelled)
    return found


def labelled_numbers(hand: PartialHand, scenario: str) -> tuple[int, ...] | None:
    """The columns by which the original program clustered a hand, if they are all known."""
    return _numbers(hand, tuple(one.name for one in VOCABULARY[scenario].hindsight))


def _numbers(hand: PartialHand, names: tuple[str, ...]) -> tuple[int, ...] | None:
    found = [_number(hand, name) for name in names]
    known = [one for one in found if one is not None]
    return tuple(known) if len(known) == len(found) else None


def _number(hand: PartialHand, name: str) -> int | None:
    if name == "points":
        return hand.points[0]
    first, last = name.split()
    if last == "category":
        return CATEGORIES[hand.hand[LABELS.index(first)]]
    if first == "who":
        calls = {**hand.envido, **{call: seat for call, seat, _ in hand.truco}}
        caller = calls.get(CALLS.get(last, last))
        return CALLER_CODES[NOBODY if caller is None else (ME, OTHER)[caller]]
    if hand.coded is None:
        return None
    return hand.coded[first == "other"][ROUNDS[last]]


def _centroids(names: tuple[str, ...], labelled: list[tuple[int, tuple[int, ...]]]) -> Clustering:
    """Put the means of each label on the scale of all, as R's `scale` does it."""
    labels = np.array([label for label, _ in labelled])
    numbers: Floats = np.array([one for _, one in labelled], float)
    mean, spread = numbers.mean(axis=0), numbers.std(axis=0, ddof=1)
    spread = np.where(spread > 0, spread, 1.0)
    scaled = (numbers - mean) / spread
    far = np.full(len(names), 1e6)  # a label that no hand has stays empty
    means = [
        scaled[labels == label].mean(axis=0) if (labels == label).any() else far
        for label in range(1, labels.max() + 1)
    ]
    return Clustering(names, mean, spread, np.array(means))
