"""K-means beside other groupings of the same cases: how they group, and how two-step policies play with them.

    python benchmarks/groupings.py            the published hands of people (RETRUCO_TRUCOGAME), or the embedded base
    python benchmarks/groupings.py page       only write docs/groupings.md from what has been found

Findings are kept in docs/groupings as JSON; delete them to play anew.
"""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score, silhouette_score

from retruco.agents.registry import find_agent
from retruco.arena.duel import play_duel
from retruco.cbr.groupings import METHODS, draw_rows
from retruco.games.registry import find_game
from retruco.learning.case_bases import open_cases
from retruco.storage.library import ORIGINAL, OWN, Base

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "groupings"
HUMAN = "human" if "RETRUCO_TRUCOGAME" in os.environ else None
GAME = find_game("truco", "trucogame")
POLICIES = ("NPCS", "MJCS")
PAIRS, SEED = 500, 22
GROUPINGS = (OWN, *METHODS, *((ORIGINAL,) if HUMAN else ()))

Found = dict[str, Any]
Labels = dict[str, Any]


def label_rows(base: Base) -> Labels:
    """The standardised points and the groups of the rows of each scenario."""
    found = {}
    for name, elbow in base.elbows.items():
        sample = base.cases.sample(name).sort()
        rows = draw_rows(sample)
        points = sample.standardise()[0][rows]
        found[name] = points, elbow.clustering.assign(sample.numbers[rows]), int(sample.counts.sum())
    return found


def describe(labels: Labels) -> Found:
    """How well the rows are grouped: groups, silhouette and the share of squares within groups, by rows."""
    weights = np.array([rows for _, _, rows in labels.values()], float)
    silhouettes, within = [], []
    for points, groups, _ in labels.values():
        silhouettes.append(silhouette_score(points, groups) if len(set(groups.tolist())) > 1 else 0.0)
        squares = sum(
            ((points[groups == one] - points[groups == one].mean(axis=0)) ** 2).sum() for one in set(groups)
        )
        within.append(squares / ((points - points.mean(axis=0)) ** 2).sum())
    return {
        "groups": {name: len(set(groups.tolist())) for name, (_, groups, _) in labels.items()},
        "silhouette": float(np.average(silhouettes, weights=weights)),
        "within": float(np.average(within, weights=weights)),
    }


def agreement(one: Labels, other: Labels) -> float:
    """The adjusted Rand index of two groupings, by rows."""
    shared = one.keys() & other.keys()
    scores = [adjusted_rand_score(one[name][1], other[name][1]) for name in sorted(shared)]
    return float(np.average(scores, weights=[one[name][2] for name in sorted(shared)]))


def play(base: Base, policy: str) -> Found:
    """A policy with these groups against a scripted player."""
    agents = find_agent(policy, GAME.name, lambda _: base.cases), find_agent("balanced", GAME.name)
    result = play_duel(GAME, agents, (policy, "balanced"), PAIRS, SEED)
    return {"points": result.points_per_hand, "ci95": result.ci95, "won": result.win_rate}


def measure() -> None:
    """Group and play; duels that were found before are not played again."""
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / "found.json"
    found: Found = json.loads(file.read_text()) if file.exists() else {"groupings": {}, "agreement": {}}
    labels = {}
    for name in GROUPINGS:
        started = time.perf_counter()
        base = open_cases(HUMAN, GAME.name, clusters=name)
        seconds = time.perf_counter() - started
        found |= {"base": base.name, "hands": base.hands}
        labels[name] = label_rows(base)
        row = found["groupings"].setdefault(name, {"seconds": seconds})
        row |= describe(labels[name])
        for policy in POLICIES:
            row[policy] = row.get(policy) or play(base, policy)
            file.write_text(json.dumps(found, indent=1) + "\n")
    for one, other in combinations(labels, 2):
        found["agreement"][f"{one} {other}"] = agreement(labels[one], labels[other])
    file.write_text(json.dumps(found, indent=1) + "\n")


HEAD = """# Groupings of cases

The two-step policies (`MJCS`, `NPCS` and others) first pick a group of similar cases, then an action within it. Groups
come from what hindsight adds to a case. `--clusters` of `duel`, `tournament` and `decide` chooses how they are made:

| `--clusters` | how |
|---|---|
| `own` | k-means on all rows; the elbow of the sums of squares says how many groups (the default) |
| `ward` | Ward's hierarchy (scikit-learn); the elbow of its merges says how many |
| `mixture` | a Gaussian mixture with diagonal covariances (scikit-learn); the Bayesian information criterion says how many |
| `original` | the groups that imported hands brought along |

`ward` and `mixture` need the extra `retruco[sklearn]`. They group at most 3,000 rows of a scenario, drawn with a fixed
seed, so the same base always has the same groups. Each group then stands for its mean, and every row, old or new,
joins the group with the nearest mean. They are made when the base is opened and are not stored.
"""


def page() -> None:
    """Write the page."""
    found = json.loads((FOLDER / "found.json").read_text())
    lines = [HEAD]
    lines.append(
        f"Measured by `python benchmarks/groupings.py` on the case base `{found['base']}`, {found['hands']:,} hands; "
        f"{PAIRS} duplicate pairs against `balanced` for each policy, seed {SEED}, 95 % intervals. Silhouette and the "
        "share of squares within groups are means over the scenarios, weighted by rows.\n"
    )
    lines.append(
        "| clusters | groups by scenario | silhouette | squares within | `NPCS`, points per hand | `MJCS`, points per hand |"
    )
    lines.append("|---|---|---:|---:|---:|---:|")
    for name, row in found["groupings"].items():
        groups = " ".join(str(count) for count in row["groups"].values())
        cells = (f"`{name}`", groups, f"{row['silhouette']:.2f}", f"{row['within']:.0%}")
        lines.append(f"| {' | '.join((*cells, *(interval(row[policy]) for policy in POLICIES)))} |")
    lines.append("\n## How far they agree\n")
    lines.append("The adjusted Rand index: 1 for the same groups, about 0 for groups by chance.\n")
    lines.append("| | | index |\n|---|---|---:|")
    for pair, index in found["agreement"].items():
        one, other = pair.split()
        lines.append(f"| `{one}` | `{other}` | {index:.2f} |")
    (DOCS / "groupings.md").write_text("\n".join(lines) + "\n")


def interval(found: Found) -> str:
    """An estimate with its interval."""
    low, high = found["ci95"]
    return f"{found['points']:+.3f} ({low:+.3f} to {high:+.3f})"


if __name__ == "__main__":
    if sys.argv[1:] != ["page"]:
        measure()
    page()
