"""What was published: numbers with the table or figure they stand in, as plain data in `expected/`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from retruco.experiments.conclusions import (
    Claim,
    Lead,
    Shares,
    best_against,
    between,
    head_to_head,
    over_half,
    over_the_rest,
    together,
)

LEADS: Final[Mapping[str, Callable[[Sequence[str], Shares, str, str], Lead]]] = {
    "first": lambda names, shares, a, b: over_the_rest(names, shares, a),
    "half": lambda names, shares, a, b: over_half(names, shares, a),
    "between": between,
    "head": head_to_head,
    "lost head": lambda names, shares, a, b: head_to_head(names, shares, b, a),
    "best against": best_against,
    "together": lambda names, shares, a, b: together(names, shares),
}
"""The kinds of claim: first of all, above one half, above another; ahead or behind in their own matches;
best of those who met another; and all meetings taken together."""


@cache
def expected(name: str) -> Any:
    """Read what an experiment's paper says."""
    return json.loads((files("retruco.experiments") / "expected" / f"{name}.json").read_text("utf-8"))


def claims_of(
    told: Sequence[Any], names: Sequence[str], shares: Shares, raw: Shares, sets: int
) -> list[Claim]:
    """Turn claims of a paper into leads of a contest and of the same contest read literally.

    The names of both contests stand in the same order; a claim about somebody who did not take part is left out.
    """
    return [
        Claim(
            one["said"],
            one["where"],
            _lead(one, names, shares),
            _lead(one, names, raw),
            sets,
            one["wins"] / one["matches"] if "wins" in one else None,
            one.get("suspect", ""),
        )
        for one in told
        if {one["a"], one.get("b", one["a"])} <= set(names)
    ]


def _lead(one: Any, names: Sequence[str], shares: Shares) -> Lead:
    return LEADS[one["kind"]](names, shares, one["a"], one.get("b", ""))
