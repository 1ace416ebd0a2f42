"""The clusters of a base as plain data, and as tables and elbow plots beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Panel, panels
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import elbow, elbow_curve, profiles
from retruco.learning.reclustering import Elbow
from retruco.learning.starting import clusters_of, first_cases
from retruco.storage.library import Base
from retruco.vocab.truco.groups import likeness, shares

COLUMNS: Final = 4


@cache
def beginning(base: Base, first: int | None) -> tuple[CaseBase, Mapping[str, Elbow]]:
    """The first so many hands of a base, or all, with their clusters."""
    if first is None or first >= base.hands:
        return base.cases, base.elbows
    cases = first_cases(base.cases, first)
    return cases, clusters_of(cases)


def described(cases: CaseBase, elbows: Mapping[str, Elbow] | None = None) -> list[dict[str, Any]]:
    """Describe the clusters of every scenario; where no elbow is given, it is looked for now."""
    found = []
    for scenario in cases.vocabulary.scenarios:
        clustering = cases.clustering(scenario.name)
        if clustering is not None:
            sample = cases.sample(scenario.name)
            curve = elbows[scenario.name].curve if elbows else elbow_curve(sample)
            census = cases.census(scenario.name)
            labels = clustering.assign(sample.numbers)
            found.append(
                {
                    "scenario": scenario.name,
                    "rows": sample.rows,
                    "k": clustering.k,
                    "elbow": elbow(curve),
                    "curve": {str(k): within for k, within in curve.items()},
                    "clusters": [
                        {
                            "rows": profile.rows,
                            "share": profile.share,
                            "like": "; ".join(likeness(profile, sample, labels == profile.cluster)),
                            "answers": shares(profile.actions),
                            "won": profile.victories,
                            "points": profile.points,
                        }
                        for profile in profiles(sample, clustering, census)
                    ],
                }
            )
    return found


# Parts of a page


def profile_table(scenario: Mapping[str, Any]) -> Table:
    """What the clusters of one scenario are like."""
    rows: list[list[Cell | str]] = [
        [
            str(number),
            f"{cluster['rows']:,}",
            f"{cluster['share']:.1%}",
            Cell(cluster["like"], wide=True),
            Cell(cluster["answers"], wide=True),
            f"{cluster['won']:.0%}",
            f"{cluster['points']:+.2f}",
        ]
        for number, cluster in enumerate(scenario["clusters"])
    ]
    return Table(["", "rows", "share", "what it is like", "answers", "won", "points"], rows)


def elbow_picture(found: Sequence[Mapping[str, Any]], name: str, caption: str) -> Picture:
    """The elbow plots, one a scenario, the number of clusters in use marked."""
    some = []
    for scenario in found:
        most = max(scenario["curve"].values()) or 1.0
        ks = sorted(map(int, scenario["curve"]))
        within = [scenario["curve"][str(k)] / most for k in ks]
        title = f"{scenario['scenario']} · {scenario['rows']:,}"
        some.append(Panel(title, ks, within, marked=scenario["k"], mark=f"K = {scenario['k']}"))
    drawn = panels(some, COLUMNS, ("number of clusters", "squares within, share of the most"), (0.0, 1.05))
    return Picture(name, drawn, caption, 840)


def all_profiles(found: Sequence[Mapping[str, Any]], skip: str) -> list[Part]:
    """The profiles of all scenarios but one, folded up."""
    parts: list[Part] = []
    for scenario in found:
        if scenario["scenario"] != skip:
            table = profile_table(scenario)
            parts.append(
                Table(table.head, table.rows, folded=f"{scenario['scenario']}: {scenario['k']} clusters")
            )
    return parts


def heading(title: str, text: str) -> list[Part]:
    """A section's beginning."""
    return [Heading(title), Text(text)]
