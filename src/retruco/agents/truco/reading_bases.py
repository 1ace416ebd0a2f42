"""The case base as a reading compares it: the same rows, by another similarity, with index groups if they are searched by."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from weakref import WeakKeyDictionary

from retruco.agents.truco.readings import Reading
from retruco.cbr.casebase import CaseBase
from retruco.cbr.similarity import MEAN, Equal, Euclid, Interval, Local, Measure
from retruco.cbr.vocabulary import Scenario, VisibleFeature, Vocabulary
from retruco.vocab.truco.index_groups import group_index

POINTS: tuple[str, ...] = ("envido_points", "flor_points")

_copies: WeakKeyDictionary[CaseBase, dict[tuple[str, str], tuple[int, CaseBase]]] = WeakKeyDictionary()
"""Of every base, the copies that compare otherwise: agents of one reading share one."""


@lru_cache(maxsize=8)
def with_points(vocabulary: Vocabulary, points: str) -> Vocabulary:
    """The same vocabulary, with points that compare as an interval or only as equal."""
    scenarios = tuple(_with_points(scenario, points) for scenario in vocabulary.scenarios)
    return vocabulary if scenarios == vocabulary.scenarios else replace(vocabulary, scenarios=scenarios)


def _with_points(scenario: Scenario, points: str) -> Scenario:
    features = [
        replace(feature, local=_local(feature, points)) if feature.name in POINTS else feature
        for feature in scenario.visible
    ]
    return replace(scenario, visible=tuple(features))


def _local(feature: VisibleFeature, points: str) -> Local:
    return Equal() if points == "equal" else Interval(len(feature.values) - 1)


def measure_of(vocabulary: Vocabulary, similarity: str) -> Measure:
    """The global measure of a similarity; the mean is weighted where the vocabulary has weights."""
    if similarity == "euclid":
        return Euclid()
    return vocabulary.measure if not isinstance(vocabulary.measure, Euclid) else MEAN


def base_for(cases: CaseBase, reading: Reading) -> CaseBase:
    """The base by which a reading decides: the one given, or a copy of its rows that compares otherwise."""
    vocabulary = with_points(cases.vocabulary, reading.points)
    measure = measure_of(vocabulary, reading.similarity)
    if (vocabulary, measure) != (cases.vocabulary, cases.measure):
        cases = _copy(cases, vocabulary, measure, (reading.similarity, reading.points))
    if reading.retrieval.grouped:
        group_index(cases)
    return cases


def _copy(cases: CaseBase, vocabulary: Vocabulary, measure: Measure, kind: tuple[str, str]) -> CaseBase:
    copies = _copies.setdefault(cases, {})
    generation, copy = copies.get(kind, (-1, None))
    if copy is None or generation != cases.generation:
        copy = cases.compared_by(vocabulary, measure)
        copies[kind] = cases.generation, copy
    return copy
