"""What was published: numbers with the table or figure they stand in, as plain data in `expected/`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
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
    claims: Sequence[Any],
    names: Sequence[str],
    readings: Mapping[str, Shares],
    sets: int,
    unjudged: str = "",
    pairs_in_unit: int = 1,
) -> list[Claim]:
    """Turn claims of a paper into leads of a contest, played in several readings.

    The names of all contests stand in the same order; a claim about somebody who did not take part is left out.
    `unjudged` says why nothing can be concluded, if so. Where a unit is a whole training, it holds `pairs_in_unit` pairs.
    """
    return [
        Claim(
            claim["said"],
            claim["where"],
            {reading: _lead(claim, names, shares, pairs_in_unit) for reading, shares in readings.items()},
            max(1, sets // pairs_in_unit),
            claim["wins"] / claim["matches"] if "wins" in claim else None,
            unjudged,
        )
        for claim in claims
        if {claim["a"], claim.get("b", claim["a"])} <= set(names)
    ]


def _lead(claim: Any, names: Sequence[str], shares: Shares, pairs_in_unit: int) -> Lead:
    lead = LEADS[claim["kind"]](names, shares, claim["a"], claim.get("b", ""))
    return replace(lead, matches=lead.matches * pairs_in_unit)
