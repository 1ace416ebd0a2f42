"""What people won and said, beside table 17 and figures 18 to 21 of Paulus (2020)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from retruco.arena.page import Cell, Part, Table, Text
from retruco.experiments.conclusions import count_interval, counts_differ, matches_to_tell
from retruco.experiments.published import expected
from retruco.web.lab.questionnaire import PUBLISHED, QUESTIONS

SAID: Final = expected("paulus2020")["table 17"]
Rows = Sequence[Mapping[str, Any]]
"""The summary of the questionnaire, agent by agent."""


def people_parts(found: Rows, who: str = "people") -> list[Part]:
    """Both tables, with ours in the last columns; `who` played here."""
    ours = {row["agent"]: row for row in found}
    return [wins_table(ours, who), *answers_parts(ours, who)]


def wins_table(ours: Mapping[str, Mapping[str, Any]], who: str) -> Table:
    """Table 17: what the agents won, and how many matches it would take to tell them apart."""
    matches, best = SAID["matches"], max(row[0] for row in SAID["rows"].values())
    rows: list[list[Cell | str]] = []
    for name, (wins, in_wins, in_losses) in SAID["rows"].items():
        low, high = count_interval(wins, matches)
        apart = wins != best
        rows.append(
            [
                name,
                f"{wins} of {matches} ({100 * low:.0f}-{100 * high:.0f} %)",
                f"{in_wins:+.2f} / {in_losses:+.2f}",
                f"{counts_differ(best, wins, matches):.2f}" if apart else "-",
                f"{matches_to_tell(best / matches, wins / matches):,}" if apart else "-",
                _wins(ours.get(name), who),
                _margins(ours.get(name)),
            ]
        )
    head = ["agent", "published wins", "mean in wins / losses", "chance of the gap to the best",
            "matches each to tell it", f"wins against {who} here", "mean in wins / losses"]  # fmt: skip
    return Table(head, rows)


def _wins(row: Mapping[str, Any] | None, who: str) -> str:
    if row is None:
        return f"no {who} yet"
    low, high = count_interval(row["wins"], row["matches"])
    return f"{row['wins']} of {row['matches']} ({100 * low:.0f}-{100 * high:.0f} %)"


def _margins(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "-"
    means = (row["mean_in_wins"], row["mean_in_losses"])
    return " / ".join("-" if mean is None else f"{mean:+.2f}" for mean in means)


def answers_parts(ours: Mapping[str, Mapping[str, Any]], who: str) -> list[Part]:
    """All four questions: how many called every agent good, fair or poor, published and here."""
    rows: list[list[Cell | str]] = [
        [
            name,
            *(
                f"{marks(PUBLISHED[name][question])} / {marks(ours[name]['groups'][question]) if name in ours else '-'}"
                for question in QUESTIONS
            ),
            str(ours[name]["answers"]) if name in ours else "0",
        ]
        for name in PUBLISHED
    ]
    return [
        Text(
            f"Answers (figures 18 to 21): of 13 published ones, and of those of {who} here, how many called the agent "
            "good, fair or poor. A question mark stands where the text tells no number."
        ),
        Table(["agent", *(f"{question}: published / here" for question in QUESTIONS), "answers here"], rows),
    ]


def marks(groups: Sequence[int | None] | None) -> str:
    """Good, fair and poor in a few characters.

    >>> marks((9, 1, None)), marks(None)
    ('9-1-?', '?')
    """
    return "?" if groups is None else "-".join("?" if count is None else str(count) for count in groups)
