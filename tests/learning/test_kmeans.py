"""Our k-means: as good as a general library's, and the same whatever the order of rows."""

from __future__ import annotations

import numpy as np
import pytest
from bases import some_cases

from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Sample, elbow_curve, fit
from retruco.vocab.truco import VOCABULARY

NAMES = [scenario.name for scenario in VOCABULARY.scenarios if scenario.hindsight]


@pytest.fixture(name="some_cases")
def fixture_some_cases() -> CaseBase:
    return some_cases()


def sklearn_within(sample: Sample, k: int) -> float:
    cluster = pytest.importorskip("sklearn.cluster")
    from threadpoolctl import threadpool_limits

    points, weights = sample.standardise()
    with threadpool_limits(1):
        return float(cluster.KMeans(k, n_init=10, random_state=0).fit(points, sample_weight=weights).inertia_)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["card-1-follow", "card-2-follow", "envido-first", "truco-1-second"])
def test_the_curve_is_as_low_as_that_of_a_general_library(name: str, some_cases: CaseBase) -> None:
    sample = some_cases.sample(name)
    curve = {k: within for k, within in elbow_curve(sample).items() if within > 1e-9}
    ratios = [within / sklearn_within(sample, k) for k, within in curve.items()]
    assert max(ratios) < 1.08  # both only ever find a local best
    assert sum(ratios) / len(ratios) < 1.01


def test_the_order_of_rows_makes_no_difference(some_cases: CaseBase) -> None:
    sample = some_cases.sample("truco-2-lead")
    turned = Sample(sample.names, sample.numbers[::-1], sample.counts[::-1])
    assert elbow_curve(sample) == elbow_curve(turned)
    assert np.array_equal(fit(sample, 4).centroids, fit(turned, 4).centroids)


def test_clusters_are_numbered_from_the_greatest_down_and_never_more_than_patterns() -> None:
    sample = Sample(("card",), np.array([[1.0], [5.0], [9.0]]), np.array([4, 1, 2]))
    clustering = fit(sample, 7, generation=3)
    assert (clustering.k, clustering.generation) == (3, 3)
    assert clustering.assign(sample.numbers).tolist() == [2, 1, 0]


@pytest.mark.parametrize("name", NAMES)
def test_every_cluster_has_rows(name: str, some_cases: CaseBase) -> None:
    sample = some_cases.sample(name)
    labels = fit(sample, 5).assign(sample.numbers)
    assert len(set(labels.tolist())) == min(5, len(sample.counts))
