"""`retruco cases weights`: learn the weights of features from a base, beside equal ones."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.console import Console

from retruco.cbr.weights import ScenarioWeights, learn_weights
from retruco.cli.cases import open_library
from retruco.cli.formatting import plain_table

INTERVAL = 1.96


def show_weights(name: str, goal: str, version: int | None, as_json: bool) -> None:
    """Learn the weights of every scenario, and print what they bring on rows that were not learnt from."""
    with open_library() as library:
        base = library.open(name, version=version)
    learnt = {
        scenario.name: found
        for scenario in base.cases.vocabulary.scenarios
        if (found := learn_weights(base.cases, scenario.name, goal)) is not None
    }
    if not learnt:
        raise ValueError(f"case base {name!r} has too few rows to learn weights from")
    if as_json:
        print(json.dumps({scenario: asdict(found) for scenario, found in learnt.items()}))
    else:
        print_weights(learnt)


def print_weights(learnt: dict[str, ScenarioWeights]) -> None:
    """Print a line for every scenario."""
    table = plain_table("scenario", "questions", "equal", "learnt", "difference", "weights")
    for scenario, found in learnt.items():
        difference = f"{found.after - found.before:+.3f} ± {INTERVAL * found.error:.3f}"
        weights = ", ".join(f"{name} {weight}" for name, weight in found.weights.items())
        table.add_row(
            scenario, str(found.questions), f"{found.before:.3f}", f"{found.after:.3f}", difference, weights
        )
    Console().print(table)
