"""Tables and shares as the commands print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table


def plain_table(*head: str) -> Table:
    """A table without noise: a heading, a line, the rows."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, column in enumerate(head):
        is_last = place == len(head) - 1
        table.add_column(column, style="bold" if place == 0 else None, no_wrap=not is_last)
    return table


def format_rate(found: dict[str, Any] | None) -> str:
    """A share with its interval, in per cent.

    >>> format_rate({"share": 0.5, "ci95": (0.4, 0.6)}), format_rate(None)
    ('50.0% (40-60)', '-')
    """
    if found is None:
        return "-"
    low, high = found["ci95"]
    return f"{found['share']:.1%} ({100 * low:.0f}-{100 * high:.0f})"


def print_readings(readings: Mapping[str, str]) -> None:
    """Print how every agent that remembers is read.

    >>> print_readings({"NPS": "NPS@adaptive+plain"})
    NPS is read as NPS@adaptive+plain
    """
    for name, reading in readings.items():
        print(f"{name} is read as {reading}")
