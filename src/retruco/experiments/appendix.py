"""Appendix B of Paulus (2020): rows, K and sizes of every scenario and of the two indexes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retruco.arena.page import Cell, Heading, Part, Table, Text
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import elbow, elbow_curve, fit
from retruco.experiments.clusters import all_profiles, elbow_picture
from retruco.experiments.study import Results
from retruco.vocab.truco.index_groups import INDEXES, index_sample


def index_of(cases: CaseBase, name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Make the groups of an index: as many as published, and as many as the elbow would have."""
    sample = index_sample(cases, INDEXES[name])
    assert sample is not None, f"{name} has no rows"
    curve = elbow_curve(sample)
    clustering = fit(sample, len(said[name]["sizes"]))
    labels = clustering.assign(sample.numbers)
    return {
        "scenario": name,
        "rows": sample.rows,
        "k": clustering.k,
        "elbow": elbow(curve),
        "curve": {str(k): within for k, within in curve.items()},
        "sizes": [int(sample.counts[labels == one].sum()) for one in range(clustering.k)],
    }


def appendix_parts(results: Results, said: Mapping[str, Any]) -> list[Part]:
    """The table of the appendix beside ours, the elbow plots, and what the clusters are like."""
    rows = []
    for scenario in [*results["clusters"], *results["indexes"]]:
        published = said["scenarios"][scenario["scenario"]]
        sizes = (
            scenario["sizes"]
            if "sizes" in scenario
            else [cluster["rows"] for cluster in scenario["clusters"]]
        )
        rows.append(
            [
                scenario["scenario"],
                f"{published['hands']:,}",
                f"{scenario['rows']:,}",
                str(len(published["sizes"])),
                str(scenario["k"]),
                str(scenario["elbow"]),
                Cell(_sizes(published["sizes"]), wide=True),
                Cell(_sizes(sizes), wide=True),
            ]
        )
    head = [
        "scenario",
        "published hands",
        "our rows",
        "K",
        "our K",
        "elbow now",
        "published sizes",
        "our sizes",
    ]
    return [
        Heading("Clusters of the learned base (appendix B)"),
        Text(
            "The publication counts hands that its cleaning rules left in a scenario; ours counts questions answered, so "
            "a hand may have several rows or none. Our K is the one in use at the end of learning (for the two indexes "
            "the published one); the elbow now is what a fresh look finds. The rule is unstable: other random "
            "beginnings of k-means give another K, in the publication as here."
        ),
        Table(head, rows),
        elbow_picture(
            [*results["clusters"], *results["indexes"]],
            "elbows",
            "Elbows of the learned base: squares left within K clusters, and the K in use",
        ),
        *all_profiles(results["clusters"], ""),
    ]


def _sizes(sizes: list[int]) -> str:
    return " ".join(f"{one:,}" for one in sorted(sizes, reverse=True))
