"""Our retrieval as scikit-learn estimators with `kneighbors`, for people's own data frames.

>>> from sklearn.datasets import load_iris
>>> flowers = load_iris(as_frame=True)
>>> model = CaseClassifier(n_neighbors=5, weights={"petal length (cm)": 3}).fit(flowers.data, flowers.target)
>>> model.score(flowers.data, flowers.target)
0.9666666666666667
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.similarity import Amount
from retruco.interfaces.extras import import_extra
from retruco.interfaces.frames import read_columns
from retruco.interfaces.neighbours import Kind, RowIndex

base: Any = import_extra("sklearn.base", "sklearn")
validation: Any = import_extra("sklearn.utils.validation", "sklearn")


class CaseNeighbors(base.BaseEstimator):  # type: ignore[misc]  # published without types
    """Finds the nearest rows of a table by weighted similarity; see `retruco.interfaces.neighbours`.

    `kinds` says how features are compared (`number`, `category`, or the list of an ordered feature's values);
    `weights` how much they count. Both are by the name of the feature; what is not named is found out, and counts 1.
    The columns of an array are called x0, x1 and so on, unless `feature_names` names them.
    """

    def __init__(
        self,
        n_neighbors: int = 5,
        kinds: Mapping[str, Kind] | None = None,
        weights: Mapping[str, Amount] | None = None,
        feature_names: Sequence[str] | None = None,
    ) -> None:
        self.n_neighbors, self.kinds, self.weights = n_neighbors, kinds, weights
        self.feature_names = feature_names

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  # scikit-learn's name
        """Index the rows."""
        columns = read_columns(X, self.feature_names)
        self.feature_names_in_ = np.array(list(columns), object)
        self.n_features_in_ = len(columns)
        self.index_ = RowIndex(columns, self.kinds, self.weights)
        return self

    def kneighbors(
        self,
        X: Any = None,  # noqa: N803  # scikit-learn's name
        n_neighbors: int | None = None,
        return_distance: bool = True,
    ) -> Any:
        """The nearest rows of each query and their distances, from 0 to 1; without queries, of each row but itself."""
        validation.check_is_fitted(self, "index_")
        count = self.n_neighbors if n_neighbors is None else n_neighbors
        pairs = (
            self._of_rows(count) if X is None else [self.index_.nearest(row, count) for row in self._rows(X)]
        )
        rows, distances = (np.array(part) for part in zip(*pairs, strict=True))
        return (distances, rows) if return_distance else rows

    def _rows(self, queries: Any) -> list[dict[str, Any]]:
        names = [str(name) for name in self.feature_names_in_]
        columns = read_columns(queries, names)
        if missing := [name for name in names if name not in columns]:
            raise ValueError(f"the queries lack {', '.join(missing)}: they have {', '.join(columns)}")
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _of_rows(self, count: int) -> list[tuple[Any, Any]]:
        index, found = self.index_, []
        for row, numbers in enumerate(index.numbers):
            rows, distances = index.nearest_numbers(numbers.tolist(), count + 1)
            others = np.flatnonzero(rows != row)[:count]
            found.append((rows[others], distances[others]))
        return found


class CaseClassifier(base.ClassifierMixin, CaseNeighbors):  # type: ignore[misc]  # published without types
    """Answers with the class that most of the nearest rows have."""

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  # scikit-learn's name
        """Index the rows, and note their classes."""
        super().fit(X)
        self.classes_, self._y = np.unique(np.asarray(y), return_inverse=True)
        check_length(self._y, self.index_)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: N803  # scikit-learn's name
        """The share of each class among the nearest rows."""
        classes = self._y[self.kneighbors(X, return_distance=False)]
        return np.stack([(classes == place).mean(axis=1) for place in range(len(self.classes_))], axis=1)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803  # scikit-learn's name
        """The most frequent class; of two, the one that sorts first."""
        found: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return found


class CaseRegressor(base.RegressorMixin, CaseNeighbors):  # type: ignore[misc]  # published without types
    """Answers with the mean of the nearest rows."""

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  # scikit-learn's name
        """Index the rows, and note their values."""
        super().fit(X)
        self._y = np.asarray(y, float)
        check_length(self._y, self.index_)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:  # noqa: N803  # scikit-learn's name
        """The mean of the nearest rows."""
        found: NDArray[np.float64] = self._y[self.kneighbors(X, return_distance=False)].mean(axis=1)
        return found


def check_length(answers: NDArray[Any], index: RowIndex) -> None:
    """Refuse answers that do not belong to the rows."""
    if answers.shape != (len(index),):
        raise ValueError(
            f"there are {len(index)} rows and answers of shape {answers.shape}: one each is needed"
        )
