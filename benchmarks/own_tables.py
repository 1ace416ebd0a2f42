"""Queries a second on tables of people's own: our index beside CBRkit's scan and scikit-learn's neighbours.

    python benchmarks/own_tables.py                       tables of scikit-learn, and 2,000 synthetic rows
    python benchmarks/own_tables.py --rows 100000

All find the ten nearest rows by the same similarity, and their distances are compared. Processor time counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, Final

import cbrkit
import numpy as np
from sklearn import datasets
from sklearn.neighbors import NearestNeighbors

from retruco.interfaces.neighbours import RowIndex

COUNT: Final = 10


def synthetic(rows: int) -> Any:
    """Six features: two with few values, four real numbers of which two depend on the others."""
    chance = np.random.default_rng(1)
    few = chance.integers(0, 8, (rows, 2)).astype(float)
    real = chance.normal(size=(rows, 2))
    return np.hstack([few, real, real @ [[0.9, 0.2], [0.1, 0.8]] + 0.1 * chance.normal(size=(rows, 2))])


def seconds_of(ask: Callable[[int], Any], queries: int) -> tuple[float, list[Any]]:
    """Processor time of a query, and the answers."""
    ask(0)
    begun = time.process_time()
    answers = [ask(query) for query in range(queries)]
    return (time.process_time() - begun) / queries, answers


def compare(name: str, data: Any, queries: int) -> None:
    """Print a line of the table."""
    names = [f"x{place}" for place in range(data.shape[1])]
    rows = [dict(zip(names, row, strict=True)) for row in data.tolist()]
    spans = np.where(np.ptp(data, axis=0) > 0, np.ptp(data, axis=0), 1)
    index = RowIndex({column: data[:, place].tolist() for place, column in enumerate(names)})
    attributes = {
        column: cbrkit.sim.numbers.linear(max=span) for column, span in zip(names, spans, strict=True)
    }
    measure: Any = cbrkit.sim.attribute_value(
        attributes=attributes, aggregator=cbrkit.sim.aggregator(pooling="mean")
    )
    scan: Any = cbrkit.retrieval.build(measure, limit=COUNT)
    cases, neighbours = (
        dict(enumerate(rows)),
        NearestNeighbors(n_neighbors=COUNT, metric="manhattan").fit(data / spans),
    )
    ours, found = seconds_of(lambda row: index.nearest(rows[row], COUNT)[1], queries)
    theirs, _ = seconds_of(lambda row: scan(cases, rows[row], 1), min(queries, 5))
    sklearn, exact = seconds_of(lambda row: neighbours.kneighbors(data[row : row + 1] / spans)[0][0], queries)
    assert np.allclose(found, np.array(exact) / data.shape[1])
    size = f"{data.shape[0]:,} | {data.shape[1]}"
    print(f"| {name} | {size} | {1 / ours:,.0f} | {1 / theirs:,.1f} | {1 / sklearn:,.0f} |", flush=True)


def main() -> None:
    """Compare on the tables of scikit-learn and on a synthetic one."""
    parser = argparse.ArgumentParser(description="Queries a second on tables of people's own.")
    parser.add_argument("--rows", type=int, default=2000, help="rows of the synthetic table")
    parser.add_argument("--queries", type=int, default=50)
    options = parser.parse_args()
    print("| table | rows | features | Retruco | CBRkit | scikit-learn |\n|---|---|---|---|---|---|")
    for name in ("iris", "wine", "breast_cancer"):
        compare(name, getattr(datasets, f"load_{name}")().data, options.queries)
    compare("synthetic", synthetic(options.rows), options.queries)


if __name__ == "__main__":
    main()
