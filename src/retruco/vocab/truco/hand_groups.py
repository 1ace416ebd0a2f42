"""Groups of hands by scenario, as Paulus (2019, 2020) made them: cards that were never played included.

Rows of a base exist only where a question was answered, so a tactic that ends a hand before a card is played has no
row of that card. A hand always has its columns: where no card was played they say why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np

from retruco.cbr.clusters import Clustering, Sample
from retruco.games.core import Seat
from retruco.games.truco.notation import read
from retruco.vocab.truco.groups import KINDS, shares
from retruco.vocab.truco.hindsight import hindsight_of
from retruco.vocab.truco.original import labelled_numbers
from retruco.vocab.truco.partial import PartialHand, is_partial
from retruco.vocab.truco.scenarios import NOBODY, VOCABULARY

SECOND: Final = ("card-1-follow", "truco-1-second", "envido-second")
"""The scenarios of who plays second, whose groups are described in print."""


def hand_numbers(record: Mapping[str, object], seat: Seat, scenario: str) -> tuple[int, ...] | None:
    """The columns of a hand in a scenario of who plays second; none if the seat is mão or a column is unknown."""
    assert scenario in SECOND, scenario
    if is_partial(record):
        hand = PartialHand.of({key: value for key, value in record.items() if key != "result"})
        return None if hand.mao == seat else labelled_numbers(hand, scenario)
    seen = read(record).observe(seat)
    if seen.is_mao:
        return None
    known = hindsight_of(seen)
    return tuple(known[feature.name] for feature in VOCABULARY[scenario].hindsight)


def hand_sample(hands: Iterable[tuple[Mapping[str, object], Seat]], scenario: str) -> Sample:
    """The columns of all hands of a scenario, distinct ones with how many hands have them."""
    numbers = [found for record, seat in hands if (found := hand_numbers(record, seat, scenario)) is not None]
    if not numbers:
        raise ValueError(f"no hand has all columns of {scenario}")
    distinct, counts = np.unique(np.array(numbers, float), axis=0, return_counts=True)
    names = tuple(feature.name for feature in VOCABULARY[scenario].hindsight)
    return Sample(names, distinct, counts)


def describe_groups(sample: Sample, groups: Clustering) -> Iterator[tuple[float, str]]:
    """The share of every group and what its hands are like, the largest first."""
    labels = groups.assign(sample.numbers)
    sizes = [(int(sample.counts[labels == group].sum()), group) for group in range(groups.k)]
    for size, group in sorted(sizes, reverse=True):
        here = labels == group
        yield size / sample.counts.sum(), "; ".join(_describe(sample, here))


def _describe(sample: Sample, here: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Iterator[str]:
    """What some hands are like, column by column."""
    counts = sample.counts[here]
    categories = []
    for place, name in enumerate(sample.names):
        values = sample.numbers[here, place]
        words = KINDS.get(name.split()[0])
        if words is None:
            categories.append(f"{name.removesuffix(' category')} {np.average(values, weights=counts):.0f}")
            continue
        found = {
            words[int(value)]: counts[values == value].sum() / counts.sum() for value in np.unique(values)
        }
        found.pop(NOBODY, None)
        if found:
            yield f"{name.removeprefix('who ')}: {shares(found)}"
    if categories:
        yield "mean " + ", ".join(categories)
