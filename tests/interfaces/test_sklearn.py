"""Our retrieval as scikit-learn estimators, held against scikit-learn's own neighbours."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest


@pytest.fixture(scope="module")
def datasets() -> Any:
    """scikit-learn's own tables, imported when the first test wants them: each worker collects this file."""
    return pytest.importorskip("sklearn.datasets")


@pytest.fixture(scope="module")
def interface() -> Any:
    """Our estimators."""
    pytest.importorskip("sklearn")
    return import_module("retruco.interfaces.sklearn")


def scaled(data: np.ndarray) -> np.ndarray:
    """Columns from 0 to 1, so that scikit-learn's city-block distance is the sum of ours."""
    return np.asarray((data - data.min(axis=0)) / (data.max(axis=0) - data.min(axis=0)))


@pytest.mark.parametrize("name", ["load_iris", "load_wine", "load_breast_cancer"])
def test_distances_are_those_of_scikit_learn(name: str, datasets: Any, interface: Any) -> None:
    from sklearn.neighbors import NearestNeighbors

    data = getattr(datasets, name)().data[:120]
    theirs, _ = (
        NearestNeighbors(n_neighbors=4, metric="manhattan").fit(scaled(data)).kneighbors(scaled(data)[:30])
    )
    ours, rows = interface.CaseNeighbors(n_neighbors=4).fit(data).kneighbors(data[:30])
    assert ours == pytest.approx(theirs / data.shape[1])
    assert (rows[:, 0] == np.arange(30)).mean() > 0.9


def test_the_classifier_works_in_pipelines_and_searches_of_scikit_learn(
    datasets: Any, interface: Any
) -> None:
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score

    flowers = datasets.load_iris(as_frame=True)
    model = clone(interface.CaseClassifier(weights={"petal length (cm)": 2}))
    assert cross_val_score(model, flowers.data, flowers.target, cv=3).mean() > 0.9
    search = GridSearchCV(model, {"n_neighbors": [1, 5]}, cv=2).fit(flowers.data[::3], flowers.target[::3])
    assert search.best_params_["n_neighbors"] in (1, 5)
    fitted = model.fit(flowers.data, flowers.target)
    assert fitted.predict_proba(flowers.data[:2]).tolist() == [[1, 0, 0], [1, 0, 0]]


def test_the_regressor_answers_with_the_mean_of_the_nearest(interface: Any) -> None:
    model = interface.CaseRegressor(n_neighbors=2).fit([[0.0], [1.0], [10.0]], [1.0, 2.0, 30.0])
    assert model.predict([[0.2], [9.0]]).tolist() == [1.5, 16.0]


def test_neighbours_of_the_rows_themselves_leave_each_row_out(interface: Any) -> None:
    rows = interface.CaseNeighbors(n_neighbors=1).fit([[0], [0], [3]]).kneighbors(return_distance=False)
    assert rows.tolist() == [[1], [0], [0]]


def test_frames_of_all_libraries_give_the_same_neighbours(interface: Any) -> None:
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    columns = {"age": [30, 41, 38], "job": ["cook", "clown", "cook"]}
    found = [
        interface.CaseNeighbors(n_neighbors=3, weights={"job": 2})
        .fit(frame)
        .kneighbors(frame, return_distance=False)
        for frame in (columns, pandas.DataFrame(columns), polars.DataFrame(columns), arrow.table(columns))
    ]
    assert all((rows == found[0]).all() for rows in found)
    assert found[0].tolist() == [[0, 2, 1], [1, 2, 0], [2, 0, 1]]


def test_wrong_tables_are_refused_in_one_line(interface: Any) -> None:
    model = interface.CaseNeighbors(n_neighbors=1).fit({"age": [1, 2]})
    with pytest.raises(ValueError, match="the queries lack age: they have height"):
        model.kneighbors({"height": [1]})
    with pytest.raises(ValueError, match="a table has two dimensions, not 1"):
        model.kneighbors(np.array([1.0]))
    with pytest.raises(ValueError, match=r"there are 2 rows and answers of shape \(3,\)"):
        interface.CaseClassifier().fit({"age": [1, 2]}, [0, 1, 1])
