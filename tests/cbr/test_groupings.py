"""Groupings by scikit-learn: they find what is plainly there, always the same, and need the extra."""

from __future__ import annotations

import numpy as np
import pytest

from retruco.cbr import groupings
from retruco.cbr.clusters import Sample
from retruco.cbr.groupings import METHODS, draw_rows, group, ward_curve


def blobs(each: int = 60) -> Sample:
    """Three groups far apart."""
    chance = np.random.default_rng(0)
    points = np.concatenate(
        [chance.normal(centre, 1.0, (each, 2)).round() for centre in ((0, 0), (40, 0), (0, 40))]
    )
    numbers, counts = np.unique(points, axis=0, return_counts=True)
    return Sample(("x", "y"), numbers, counts)


@pytest.mark.parametrize("method", METHODS)
def test_groups_far_apart_are_found_and_a_new_row_joins_the_nearest_mean(method: str) -> None:
    sample = blobs()
    found = group(sample, method)
    labels = found.assign(np.array([[0.0, 0.0], [40.0, 0.0], [0.0, 40.0], [38.0, 9.0]]))
    assert len(set(labels[:3].tolist())) == 3
    assert labels[3] == labels[1]
    assert (group(sample, method).centroids == found.centroids).all()
    shuffled = Sample(sample.names, sample.numbers[::-1], sample.counts[::-1])
    assert (group(shuffled, method).centroids == found.centroids).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_of_one_or_two_patterns_is_grouped_too(method: str) -> None:
    one = Sample(("x",), np.array([[3.0]]), np.array([5]))
    assert group(one, method).k == 1
    two = Sample(("x",), np.array([[3.0], [9.0]]), np.array([5, 1]))
    assert group(two, method).assign(two.numbers).tolist() == [1, 0]


def test_the_sums_of_squares_follow_from_the_merges() -> None:
    from sklearn.cluster import ward_tree

    points = np.array([[0.0], [1.0], [10.0], [12.0]])
    curve = ward_curve(ward_tree(points, return_distance=True)[4], 5)
    assert curve == pytest.approx({1: 112.75, 2: 2.5, 3: 0.5, 4: 0.0, 5: 0.0})


def test_many_rows_are_drawn_down_in_proportion() -> None:
    sample = Sample(("x",), np.array([[1.0], [2.0]]), np.array([9000, 1000]))
    drawn = draw_rows(sample)
    assert len(drawn) == groupings.MOST_ROWS
    assert 0.05 < (drawn == 1).mean() < 0.15


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groupings, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"'ward' need scikit-learn: pip install 'retruco\[sklearn\]'"):
        group(blobs(), "ward")
