"""Paulus et al. (2019): six reuse policies all against all, without clusters and with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from retruco.agents.truco.policies import NAMED, OF_2019
from retruco.agents.truco.readings import MARK, change_reading
from retruco.arena.page import Cell, Part, Table, Text
from retruco.arena.report import behaviour, matrix
from retruco.arena.tournament import results
from retruco.cbr.casebase import CaseBase
from retruco.experiments.clusters import (
    all_profiles,
    beginning,
    described,
    elbow_picture,
    heading,
    profile_table,
)
from retruco.experiments.conclusions import Shares, judged, shares_of, why_unjudged, won_by
from retruco.experiments.contest import Contest, seated
from retruco.experiments.published import claims_of, expected
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.report_sections import (
    conclusions,
    judgement,
    side_by_side,
    win_bars,
)
from retruco.experiments.study import TRUCO, Found, Results, Stage, Study, Work

SIX: Final = tuple(OF_2019)
SIX_RAW: Final = tuple(f"{name}-raw" for name in SIX)
SAID: Final = expected("paulus2019")
TEXT: Final[str] = SAID["readings"]["raw"]["reading"]
"""How the text reads all six, which is how their literal readings (`-raw`) play."""
NEXT: Final = "as in 2020"
"""The reading that compares cases as the same group's next paper does."""
CHANGES: Final[Mapping[str, str]] = {
    "threshold of 90 %": TEXT.replace("0.75", "0.9"),
    "retrieval adaptive": TEXT.replace("threshold=0.75", "adaptive"),
    "criteria with support": TEXT.replace("plain", "support"),
    "the dissertation's revision": TEXT.replace("none", "published"),
    "our revision": TEXT.replace("none", "ours"),
    "Euclid instead of the mean": f"{TEXT}+similarity=euclid",
    "points compared as equal": f"{TEXT}+points=equal",
    "ties to the item with more cases": f"{TEXT}+ties=cases",
}
"""The reading of the text, with one thing changed at a time."""


def base_of(study: Study) -> CaseBase:
    """The first 2,044 hands of the base, as many as the paper had."""
    return beginning(study.base, SAID["base"]["hands"])[0]


def contest(study: Study, name: str, names: tuple[str, ...]) -> Contest:
    """All against all, over the same deals whoever plays."""
    pairs = study.size(SAID["plan"]["pairs"], 3)
    return Contest(name, TRUCO, names, pairs, study.seed, lambda: seated(names, base_of(study)))


def read_as(reading: str) -> tuple[str, ...]:
    """The six in a reading."""
    return tuple(f"{name}{MARK}{reading}" for name in SIX)


def readings(study: Study) -> Mapping[str, Contest]:
    """The contests in every reading."""
    return {
        "ours": contest(study, "default", SIX),
        "raw": contest(study, "raw", SIX_RAW),
        NEXT: contest(study, NEXT, read_as(SAID["readings"][NEXT]["reading"])),
    }


def changes(study: Study) -> Mapping[str, str]:
    """The ablations that are played: none in a quick look, which judges nothing."""
    return {} if study.quick else CHANGES


def works(study: Study, found: Found) -> Sequence[Work]:
    """The six in every reading, and as the text says with one thing changed at a time."""
    changed = [contest(study, name, read_as(reading)) for name, reading in changes(study).items()]
    return *readings(study).values(), *changed


class Paulus2019(PublishedExperiment):
    """The experiment."""

    name = "paulus2019"
    title = "Six reuse policies, with clusters and without"
    paper = SAID["paper"]
    stages = (Stage("six policies, all against all", works, 110, 5),)

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """The contests, what the paper says, and the clusters."""
        played = readings(study)
        default, raw = played["ours"], played["raw"]
        shares = {name: shares_of(found[one.name]) for name, one in played.items()}
        cases, elbows = beginning(study.base, SAID["base"]["hands"])
        return {
            "hands": min(study.base.hands, SAID["base"]["hands"]),
            "pairs": default.pairs,
            "agent_readings": _full_readings(),
            "default": results(default.plan, found["default"]),
            "raw": results(raw.plan, found["raw"]),
            "won": {name: won_by(SIX, some) for name, some in shares.items()},
            "claims": _claims(study, shares),
            "ablations": _ablations(study, found),
            "clusters": described(cases, elbows),
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return "six policies play all against all in duplicate; the question is whether clusters help."

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        won = results["won"]
        order = list(won["ours"])
        return [
            *_readings_parts(),
            *heading(
                "Who won (figure 1)",
                f"{results['default']['matches']:,} matches in each reading, "
                f"{results['pairs']} duplicate pairs between every two, over the same deals. {SAID['told']}",
            ),
            win_bars("wins", "Share of matches won by each policy in every reading", order, won),
            side_by_side("policy", won, order, _published_place),
            *_ablation_parts(results["ablations"]),
            *conclusions(results["claims"]),
            *matrix(results["default"], "win_rate", "p_wins_holm", "default"),
            *matrix(results["raw"], "win_rate", "p_wins_holm", "raw"),
            *_clusters(results),
            *behaviour(results["default"], "default"),
            *behaviour(results["raw"], "raw"),
        ]

    def settings(self, results: Results) -> dict[str, str]:
        """Which hands were remembered, and how."""
        return {
            "hands used": f"the first {results['hands']:,}, as many as the paper had",
            "retrieval": "all cases at least 75 % similar, where nothing else is said",
        }


def _full_readings() -> dict[str, str]:
    """Every reading of every policy as it prints itself."""
    text = SAID["readings"][NEXT]["reading"]
    as_next = {f"{name}, {NEXT}": str(change_reading(NAMED[name], text)) for name in SIX}
    return {**{name: str(NAMED[name]) for name in (*SIX, *SIX_RAW)}, **as_next}


def _claims(study: Study, shares: Mapping[str, Shares]) -> list[dict[str, Any]]:
    """Every statement of the paper in some readings."""
    unjudged = why_unjudged(study.quick)
    return judged(claims_of(SAID["claims"], SIX, shares, SAID["plan"]["pairs"], unjudged))


def _ablations(study: Study, found: Found) -> list[dict[str, Any]]:
    """The reading of the text with one thing changed at a time: what becomes of the statements."""
    lines = []
    played = {
        "as the text says": ("raw", TEXT),
        **{name: (name, text) for name, text in changes(study).items()},
    }
    for changed, (name, reading) in played.items() if changes(study) else ():
        shares = shares_of(found[name])
        claims = [claim["readings"][""] for claim in _claims(study, {"": shares})]
        lines.append(
            {
                "changed": changed,
                "reading": reading,
                "order": [one.removesuffix("-2019") for one in won_by(SIX, shares)],
                "claims": [
                    {"lead": one["lead"], "ci95": one["ci95"], "verdict": one["verdict"]} for one in claims
                ],
            }
        )
    return lines


# The page


def _readings_parts() -> list[Part]:
    rows: list[list[Cell | str]] = [
        [
            name,
            reading["reading"],
            Cell("; ".join(reading["for"]), wide=True),
            Cell("; ".join(reading["against"]), wide=True),
        ]
        for name, reading in SAID["readings"].items()
    ]
    return [
        *heading(
            "How the paper can be read",
            "What the paper does not tell, raw takes from the dissertation, and the third reading from the same group's next "
            "paper; ours stands beside them. See docs/readings.md for the notation.",
        ),
        Table(["reading", "what it is", "for it", "against it"], rows),
    ]


def _ablation_parts(lines: Sequence[Mapping[str, Any]]) -> list[Part]:
    """What one change does to every statement."""
    if not lines:  # a quick look
        return []
    said = [claim["said"].partition(":")[0] for claim in SAID["claims"]]
    rows: list[list[Cell | str]] = [
        [
            line["changed"],
            Cell(line["reading"], wide=True),
            " ".join(line["order"]),
            *(judgement(claim) for claim in line["claims"]),
        ]
        for line in lines
    ]
    return [
        *heading(
            "What one change does",
            "The six as the text reads them, with one thing changed at a time, over the same deals. Who won the most "
            "stands first; leads are in points of per cent of matches won, with 95 % intervals.",
        ),
        Table(["changed", "reading", "order", *said], rows),
    ]


def _published_place(name: str) -> str:
    return "1st" if name == SAID["claims"][0]["a"] else "not told"


def _clusters(results: Results) -> list[Part]:
    table = SAID["table II"]
    scenario = next(one for one in results["clusters"] if one["scenario"] == table["scenario"])
    published = [(f"{one['share']:.2%}", Cell(one["like"], wide=True)) for one in table["clusters"]]
    return [
        *heading(
            "Clusters (table II)",
            f"Published ({table['where']}): {len(table['clusters'])} groups. Ours, by the elbow: {scenario['k']}.",
        ),
        Table(["share of cases", "what it is like, published"], published),
        profile_table(scenario),
        Text(
            "Cards are card categories from 3 (7 to 4) to 51 (the two highest); won counts hands, points are the "
            "mean balance of the truco stage. K-means depends on its random beginnings: the shares of two runs "
            "agree only roughly, which holds for the published table as well."
        ),
        elbow_picture(
            results["clusters"], "elbows", "Elbows: squares left within K clusters, and the K in use"
        ),
        *all_profiles(results["clusters"], table["scenario"]),
    ]


EXPERIMENT = Paulus2019()
