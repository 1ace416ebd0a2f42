"""Our retriever finds what CBRkit's own finds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from retruco.streams import Stream

MAKERS = ("fiat", "ford", "gurgel")


@pytest.fixture(scope="module")
def cbrkit() -> Any:
    """CBRkit, imported when the first test wants it: each worker collects this file."""
    return pytest.importorskip("cbrkit")


@pytest.fixture(scope="module")
def interface(cbrkit: Any) -> Any:
    """Our retriever for it."""
    return import_module("retruco.interfaces.cbrkit")


@pytest.fixture(scope="module")
def cars() -> dict[str, dict[str, Any]]:
    chance = Stream("cars")
    return {
        f"car {number}": {
            "price": chance.below(5000),
            "year": 1950 + chance.below(60),
            "maker": chance.choice(MAKERS),
        }
        for number in range(200)
    }


def theirs(cbrkit: Any, cars: dict[str, dict[str, Any]], **limits: Any) -> Any:
    """CBRkit's own retriever with the same measure."""
    spans = {name: span(cars, name) for name in ("price", "year")}
    return cbrkit.retrieval.build(
        cbrkit.sim.attribute_value(
            attributes={
                **{name: cbrkit.sim.numbers.linear(max=width) for name, width in spans.items()},
                "maker": cbrkit.sim.generic.equality(),
            },
            aggregator=cbrkit.sim.aggregator(
                pooling="mean", pooling_weights={"price": 3, "year": 1, "maker": 2}
            ),
        ),
        **limits,
    )


def span(cars: dict[str, dict[str, Any]], name: str) -> float:
    values = [car[name] for car in cars.values()]
    return float(max(values) - min(values))


@pytest.mark.parametrize(
    "limits", [{"limit": 7}, {"min_similarity": 0.8}, {"limit": 3, "min_similarity": 0.5}]
)
def test_the_cases_found_are_those_of_cbrkit(
    cars: dict[str, dict[str, Any]], limits: dict[str, Any], cbrkit: Any, interface: Any
) -> None:
    weights = {"price": 3, "maker": 2}
    ours, scan = interface.build(weights=weights, **limits), theirs(cbrkit, cars, **limits)
    for key in list(cars)[:20]:
        found = cbrkit.retrieval.apply(cars, cars[key], ours)
        expected = cbrkit.retrieval.apply(cars, cars[key], scan)
        assert found.ranking[0] == key
        similarities = {name: sim.value for name, sim in expected.similarities.items()}
        assert found.similarities == pytest.approx(similarities)


def test_rows_of_a_data_frame_are_cases(cbrkit: Any, interface: Any) -> None:
    pandas = pytest.importorskip("pandas")
    cases = cbrkit.loaders.dataframe(
        pandas.DataFrame({"age": [30, 41, 38], "job": ["cook", "clown", "cook"]})
    )
    found = cbrkit.retrieval.apply(cases, cases[1], interface.build(limit=1))
    assert list(found.ranking) == [1]


def test_another_case_base_gets_another_index(interface: Any) -> None:
    retriever = interface.build(limit=1)
    assert list(retriever({"a": {"x": 1}}, {"x": 1})) == ["a"]
    assert list(retriever({"b": {"x": 1}}, {"x": 1})) == ["b"]
    assert retriever({}, {"x": 1}) == {}
