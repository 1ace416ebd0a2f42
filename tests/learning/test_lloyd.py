"""K-means for a growing base: as good as the library's, and the same whatever the order of rows."""

from __future__ import annotations

import numpy as np
import pytest
from bases import some_cases

from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Sample, elbow_curve
from retruco.cbr.lloyd import ordered, quick_curve, quick_fit
from retruco.vocab.truco import VOCABULARY

NAMES = [one.name for one in VOCABULARY.scenarios if one.hindsight]


@pytest.fixture(name="some_cases")
def fixture_some_cases() -> CaseBase:
    return some_cases()


@pytest.mark.parametrize("name", ["card-1-follow", "card-2-follow", "envido-first", "truco-1-second"])
def test_the_curve_is_as_low_as_that_of_a_general_library(name: str, some_cases: CaseBase) -> None:
    sample = ordered(some_cases.sample(name))
    ours, theirs = quick_curve(sample), elbow_curve(sample)
    assert ours.keys() == theirs.keys()
    ratios = [within / theirs[k] for k, within in ours.items() if theirs[k] > 1e-9]
    assert max(ratios) < 1.08  # both only ever find a local best
    assert sum(ratios) / len(ratios) < 1.01


def test_the_order_of_rows_makes_no_difference(some_cases: CaseBase) -> None:
    sample = some_cases.sample("truco-2-lead")
    turned = Sample(sample.names, sample.numbers[::-1], sample.counts[::-1])
    assert quick_curve(ordered(sample)) == quick_curve(ordered(turned))
    one, other = quick_fit(ordered(sample), 4), quick_fit(ordered(turned), 4)
    assert np.array_equal(one.centroids, other.centroids)


def test_clusters_are_numbered_from_the_greatest_down_and_never_more_than_patterns() -> None:
    sample = Sample(("card",), np.array([[1.0], [5.0], [9.0]]), np.array([4, 1, 2]))
    made = quick_fit(sample, 7, generation=3)
    assert (made.k, made.generation) == (3, 3)
    assert made.assign(sample.numbers).tolist() == [2, 1, 0]


@pytest.mark.parametrize("name", NAMES)
def test_every_cluster_has_rows(name: str, some_cases: CaseBase) -> None:
    sample = ordered(some_cases.sample(name))
    labels = quick_fit(sample, 5).assign(sample.numbers)
    assert len(set(labels.tolist())) == min(5, len(sample.counts))
