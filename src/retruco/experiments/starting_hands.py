"""The assessment of Casey's starting hands, which its paper names as future work: which it plays, and what they bring.

Two cards are judged by the share of all two cards that win more against as many random hands as there
are opponents. A player who knows starting hands enters with the best and folds the worst.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from retruco.arena.page import Cell, Heading, Part, Table, Text
from retruco.games.holdem.deck import Hole
from retruco.vocab.holdem.starting import better_hands, kind_of

GROUPS: Final = {"best 10 %": 0.1, "to 20 %": 0.2, "to 40 %": 0.4, "to 60 %": 0.6, "worst 40 %": 1.0}
"""The groups of starting hands, each by the share of better ones below which it lies."""


def group_of(better: float) -> str:
    """The group of a hand that so many are better than.

    >>> group_of(0.0), group_of(0.1), group_of(0.95)
    ('best 10 %', 'to 20 %', 'worst 40 %')
    """
    return next(name for name, end in GROUPS.items() if better < end)


@cache
def group_of_hole(hole: Hole, opponents: int) -> str:
    """The group of two cards against so many opponents."""
    return group_of(better_hands(kind_of(hole), opponents))


def starting_counts(hole: Hole, opponents: int, entered: bool, points: int) -> dict[str, int]:
    """Count a hand by the group of its two cards: dealt, entered, and what it brought.

    >>> starting_counts(("As", "Ah"), 3, True, 12)
    {'dealt: best 10 %': 1, 'entered: best 10 %': 1, 'points: best 10 %': 12}
    """
    group = group_of_hole(hole, opponents)
    return {f"dealt: {group}": 1, f"entered: {group}": int(entered), f"points: {group}": points * entered}


def starting_results(
    bunches: Sequence[Mapping[str, Any]], big_blind: int
) -> dict[str, dict[str, float | None]]:
    """By group: how often such hands were dealt and entered, and what an entered one brought, in mbb."""
    sums = {
        (what, group): sum(bunch["starting"].get(f"{what}: {group}", 0) for bunch in bunches)
        for what in ("dealt", "entered", "points")
        for group in GROUPS
    }
    return {
        group: {
            "dealt": sums["dealt", group],
            "entered": _ratio(sums["entered", group], sums["dealt", group]),
            "mbb": _ratio(1000 / big_blind * sums["points", group], sums["entered", group]),
        }
        for group in GROUPS
    }


def _ratio(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def starting_parts(sittings: Mapping[str, Mapping[str, Any]], names: Sequence[str], late: int) -> list[Part]:
    """The table of the report."""
    rows: list[list[Cell | str]] = [
        [name, *(_cell(sittings[name]["starting"][group]) for group in GROUPS)] for name in names
    ]
    return [
        Heading("Starting hands"),
        Text(
            "How often two cards were entered with, and what an entered hand brought in thousandths of a big blind, by how many "
            f"of all two cards win more against as many random hands; from hand {late:,} on, or all of a shorter sitting. "
            "casey-starts folds before the flop what wins less than one pot in n among n players."
        ),
        Table(["", *GROUPS], rows),
    ]


def _cell(found: Mapping[str, float | None]) -> str:
    entered, mbb = found["entered"], found["mbb"]
    share = "-" if entered is None else f"{100 * entered:.0f} %"
    return share if mbb is None else f"{share}, {mbb:+.0f}"
