"""Clusters: the elbow on numbers made by hand, nearest centroids, looks and profiles."""

from __future__ import annotations

import numpy as np
import pytest

from retruco.cbr.case import Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import (
    ReclusterSchedule,
    Sample,
    cluster,
    elbow,
    elbow_curve,
    elbow_ratios,
    fit,
    profiles,
)
from retruco.cbr.modes import Threshold
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, hindsight


def blobs(*centres: tuple[int, int], each: int = 40) -> Sample:
    chance = np.random.default_rng(0)
    points = np.concatenate([chance.normal(centre, 1.0, (each, 2)).round(1) for centre in centres])
    numbers, counts = np.unique(points, axis=0, return_counts=True)
    return Sample(("x", "y"), numbers, counts)


def test_the_derivative_rule_on_numbers_made_by_hand() -> None:
    """Normalised 1, .6, .3, .25, .22: slopes -.4 -.3 -.05 -.03; ratios .75, .1667, .6."""
    curve = {1: 200.0, 2: 120.0, 3: 60.0, 4: 50.0, 5: 44.0}
    assert elbow_ratios(curve) == pytest.approx({2: 0.75, 3: 1 / 6, 4: 0.6})
    assert elbow(curve) == 3


def test_slopes_of_different_sign_are_left_out() -> None:
    curve = {1: 100.0, 2: 50.0, 3: 51.0, 4: 40.0, 5: 39.0}
    assert elbow_ratios(curve) == pytest.approx({4: 1 / 11})
    assert elbow({1: 0.0, 2: 0.0, 3: 0.0}) == 2


@pytest.mark.slow
def test_the_elbow_finds_blobs() -> None:
    sample = blobs((0, 0), (30, 0), (0, 30), (30, 30))
    curve = elbow_curve(sample)
    assert list(curve) == list(range(1, 12))
    assert all(curve[k] >= curve[k + 1] for k in range(1, 11))
    assert elbow(curve) == 4
    assert cluster(sample, generation=3).generation == 3


def test_unique_rows_with_counts_cluster_like_all_rows() -> None:
    sample = blobs((0, 0), (30, 0), (0, 30))
    every = Sample(sample.names, np.repeat(sample.numbers, sample.counts, axis=0), np.ones(sample.rows, int))
    one, other = fit(sample, 3), fit(every, 3)
    assert one.centroids == pytest.approx(other.centroids)
    assert (one.assign(sample.numbers) == other.assign(sample.numbers)).all()


def test_clustering_is_repeatable_and_assigns_to_the_nearest_centroid() -> None:
    sample = blobs((0, 0), (30, 0), (0, 30))
    one, again = fit(sample, 3), fit(sample, 3)
    assert (one.centroids == again.centroids).all()
    scaled = (sample.numbers - one.mean) / one.spread
    distances = [[float(((row - centre) ** 2).sum()) for centre in one.centroids] for row in scaled]
    assert one.assign(sample.numbers).tolist() == [row.index(min(row)) for row in distances]


def test_fewer_distinct_rows_than_clusters() -> None:
    sample = Sample(("x",), np.array([[1.0], [5.0]]), np.array([10, 3]))
    assert fit(sample, 6).k == 2
    assert elbow_curve(sample)[2] == 0.0
    assert cluster(sample).k == 2
    constant = Sample(("x",), np.array([[7.0]]), np.array([4]))
    assert cluster(constant).k == 1
    with pytest.raises(ValueError, match="cannot make 2 clusters of 0 patterns"):
        fit(Sample(("x",), np.empty((0, 1)), np.empty(0, int)), 2)


def test_three_looks_with_the_same_new_k_make_clusters_anew() -> None:
    watch = ReclusterSchedule(k=4, rows=5000)
    assert not watch.due(5049)
    assert watch.due(5050)
    found, anew = [], []
    for rows, k in enumerate((5, 5, 4, 5, 6, 5, 5, 5, 5), start=5050):
        watch, now = watch.record(rows, k)
        found.append(watch.k)
        anew.append(now)
    assert anew == [False, False, False, False, False, False, False, True, False]
    assert found[-1] == 5
    assert watch.rows == 5058


SCENARIO = Scenario(
    "asked", (equal("is_mao", (0, 1)),), (hindsight("high", 51, 3), hindsight("own", 46, 4)), ("high", "low")
)


def test_rows_join_clusters_and_profiles_describe_them() -> None:
    base = CaseBase(Vocabulary("any", 1, (SCENARIO,)))
    base.add(
        [Row(Problem("asked", (0,)), "high", 2, (0, 0), number, 0) for number in range(6)]
        + [Row(Problem("asked", (1,)), "low", -1, (1, 1), number, 1) for number in range(3)]
    )
    sample = base.sample("asked")
    assert (sample.rows, sample.numbers.tolist()) == (9, [[51.0, 46.0], [3.0, 4.0]])
    base.cluster("asked", fit(sample, 2, generation=1))
    base.add([Row(Problem("asked", (1,)), "high", 0, (1, 1), 50, 0)])
    clustering = base.clustering("asked")
    assert clustering is not None
    first, second = profiles(base.sample("asked"), clustering, base.census("asked"))
    assert (first.rows, first.share, first.means) == (6, 0.6, {"high": 51.0, "own": 46.0})
    assert (second.rows, second.actions) == (4, {"high": 0.25, "low": 0.75})
    assert (first.victories, first.points, second.victories, second.points) == (1.0, 2.0, 0.125, -0.75)
    retrieval = base.retrieve(Problem("asked", (1,)), Threshold(1))
    assert (retrieval.clusters, {match.cluster for match in retrieval.matches}) == (1, {1})
