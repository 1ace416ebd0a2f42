"""What the contests and trainings of Paulus (2020) came to: standings, claims, ablations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, Final

from retruco.agents.truco.policies import NAMED, TWENTY
from retruco.agents.truco.readings import change_reading
from retruco.arena.duel import widest
from retruco.arena.stats import pooled_share_interval, ratio_interval, share_interval
from retruco.arena.tournament import TournamentPlan, results, scores_of
from retruco.experiments.appendix import index_of
from retruco.experiments.clusters import described
from retruco.experiments.conclusions import (
    Claim,
    Shares,
    judged,
    over_seeds,
    over_trainings,
    share_row,
    shares_of,
    why_unjudged,
    won_by,
)
from retruco.experiments.contest import Scores
from retruco.experiments.paulus2020_works import (
    ABLATIONS,
    AS_TEXT,
    AT_START,
    LATER,
    LATER_NAMES,
    LEARNING_CHANGES,
    MARKS,
    MEASURED,
    OWN_BASE,
    READINGS,
    SAID,
    SEEDS,
    SUPPORTED,
    TEN,
    cleaned,
    entrants,
    first_stage,
    learning,
    learning_changes,
    learnt,
    numbered,
    pairs_of,
    raw,
    read_as,
    who_goes_on,
)
from retruco.experiments.people import people_against
from retruco.experiments.published import claims_of
from retruco.experiments.study import TRUCO, Found, Study
from retruco.games.core import Game


def sum_up(study: Study, found: Found) -> dict[str, Any]:
    """All stages, what the dissertation says, and the clusters of the learned base."""
    cases = learnt(learning(study))
    third = among(TEN, entrants(found), found["stage 3"])
    later = _later_stages(study, found, third)
    return {
        "pairs": pairs_of(study),
        "stage 1": _standing(study, TWENTY, found["stage 1"]),
        "stage 1 raw": _standing(study, raw(TWENTY), found["stage 1 raw"]),
        "agent_readings": _full_readings(),
        "stage 1 readings": _first_readings(study, found),
        "ablations": _ablations(study, found),
        "learning ablations": learning_ablations(study, found),
        "went on": list(who_goes_on(found)),
        "learning": _learnt(found["imitation"]),
        "learning matches": {
            reading: [
                found[learning(study, number, learnt_as).name]["standing"]["match"]
                for number in range(study.trainings)
            ]
            for reading, learnt_as in (("ours", None), (AS_TEXT, LATER))
        },
        "road": _road(study, found),
        "stage 2": _second(TEN, found["stage 2"]),
        "stage 2 raw": _second(TEN, found["stage 2 raw"]),
        "stage 2 published": _second(TEN, found["stage 2 published"]),
        f"stage 2{OWN_BASE}": _second(TEN, found[f"stage 2{OWN_BASE}"]),
        "stage 3": _standing(study, TEN, third),
        "stage 3 raw": _standing(study, raw(TEN), found["stage 3 raw"]),
        "stage 3 published": _standing(study, read_as(TEN, LATER), found["stage 3 published"]),
        f"stage 3{OWN_BASE}": _standing(study, read_as(TEN, LATER), found[f"stage 3{OWN_BASE}"]),
        "cleaning": _cleaning(study, found),
        "stage 3, who went on in ours": _standing(
            study, who_goes_on(found), among(who_goes_on(found), entrants(found), found["stage 3"])
        ),
        "table 16": {
            "default": differences(TRUCO, TEN, third),
            "raw": differences(TRUCO, TEN, found["stage 3 raw"]),
            "published": differences(TRUCO, TEN, found[f"stage 3{OWN_BASE}"]),
        },
        "stage 4": people_against(list(SAID["table 17"]["rows"])),
        "over trainings": _over_trainings(study, later),
        "claims": judged(_claims(study, found, later)),
        "clusters": described(cases),
        "indexes": [
            index_of(cases, "card-index", SAID["appendix B"]["scenarios"]),
            index_of(cases, "point-index", SAID["appendix B"]["scenarios"]),
        ],
    }


def _standing(study: Study, names: Sequence[str], scores: Scores) -> dict[str, Any]:
    if len(names) < 2:
        return {}
    found = results(TournamentPlan(TRUCO, tuple(names), pairs_of(study), study.seed), scores)
    return {key: found[key] for key in ("agents", "matches", "hands", "standing", "pairings")}


def among(names: Sequence[str], all_names: Sequence[str], scores: Scores) -> Scores:
    """The scores of some of those who played, in their order."""
    return {
        (a, b): scores_of(all_names.index(agent), all_names.index(other), scores)
        for (a, agent), (b, other) in combinations(enumerate(names), 2)
    }


def _learnt(found: Mapping[str, Any]) -> dict[str, Any]:
    growth = [{"match": one["match"], "cases": sum(one["cases"].values())} for one in found["growth"]]
    anew = [{key: one[key] for key in ("cases", "scenario", "k")} for one in found["anew"]]
    return {"standing": found["standing"], "clusters": found["clusters"], "growth": growth, "anew": anew}


def _road(study: Study, found: Found) -> list[dict[str, Any]]:
    begun, goal = study.base.hands, learning(study).until
    assert goal is not None
    points = []
    for mark in range(1, MARKS + 1):
        won, interval = share_interval([one.share for one in scores_of(mark, 0, found["road"])])
        cases = begun + (goal - begun) * mark // MARKS
        points.append({"cases": cases, "win_rate": won, "win_rate_ci95": interval})
    return points


def _second(names: Sequence[str], scores: Scores) -> dict[str, Any]:
    """Every policy before and after, and all together."""
    rows: dict[str, dict[str, Any]] = {}
    for place, name in enumerate(names):
        played = scores[place, place + len(names)]
        won, interval = share_interval([one.share for one in played])
        wins = sum(one.wins(0) for one in played)
        rows[name] = {"wins": wins, "matches": 2 * len(played), "win_rate": won, "win_rate_ci95": interval}
    won, interval = pooled_share_interval(list(zip(*shares_of(scores).values(), strict=True)))
    whole = {what: sum(row[what] for row in rows.values()) for what in ("wins", "matches")}
    return {"policies": rows, "all": {**whole, "win_rate": won, "win_rate_ci95": interval}}


def _cleaning(study: Study, found: Found) -> dict[str, Any]:
    """What cleaning takes out of the learned base, and what stages 2 and 3 are without it."""
    base, counts = cleaned(learning(study))
    third = {name: won_by(TEN, shares_of(found[f"stage 3 {name}"])) for name in ("published", "cleaned")}
    return {
        "cases": learnt(learning(study)).episodes(),
        "left": base.episodes(),
        "by rule": dict(counts),
        "stage 2": {name: _second(TEN, found[f"stage 2 {name}"]) for name in ("published", "cleaned")},
        "stage 3": third,
    }


def differences(game: Game, names: Sequence[str], scores: Scores) -> dict[str, Any]:
    """By how many points everybody won, when it won, and lost, when it lost, with 95 % intervals."""
    found: dict[str, Any] = {}
    for place, name in enumerate(names):
        others = [other for other in range(len(names)) if other != place]
        met = [scores_of(place, other, scores) for other in others]
        units = [
            [gains[0] - gains[1] for pair in unit for gains in pair.gains] for unit in zip(*met, strict=True)
        ]
        found[name] = {}
        for what, sign in (("wins", 1), ("losses", -1)):
            some = [[one for one in unit if one * sign > 0] for unit in units]
            tops, counts = [sum(unit) for unit in some], [len(unit) for unit in some]
            if sum(counts):
                value, interval = ratio_interval(tops, counts, widest(game))
                found[name][what] = {"mean": value, "ci95": interval, "matches": sum(counts)}
    return found


def _shares(study: Study, found: Found, reading: str, seeds: int = 1) -> Shares:
    """What everybody won in stage 1 in a reading, over some seeds."""
    return over_seeds([shares_of(found[first_stage(study, reading, number).name]) for number in range(seeds)])


def _first_claims(study: Study, shares: Shares) -> list[dict[str, Any]]:
    return judged(
        claims_of(
            SAID["claims"]["stage 1"], TWENTY, {"": shares}, SAID["plan"]["pairs"], why_unjudged(study.quick)
        )
    )


def _full_readings() -> dict[str, str]:
    """Every reading as one of the policies prints it, in stage 1 and later."""
    usual = NAMED[MEASURED]
    return {
        f"{name}, {stage}": str(change_reading(usual, reading[key]) if reading[key] else usual)
        for name, reading in READINGS.items()
        for stage, key in (("stage 1", "first"), ("later stages", "later"))
    }


def _first_readings(study: Study, found: Found) -> dict[str, Any]:
    """Stage 1 in the supported readings: who won how much over all seeds, and the verdicts seed by seed."""
    seeds = study.size(SEEDS, 1)
    return {
        name: {
            "reading": READINGS[name]["first"],
            "seeds": [study.seed + number for number in range(seeds)],
            "won": won_by(TWENTY, _shares(study, found, READINGS[name]["first"], seeds)),
            "verdicts": [
                _verdicts(study, shares_of(found[first_stage(study, READINGS[name]["first"], number).name]))
                for number in range(seeds)
            ],
        }
        for name in SUPPORTED
    }


def _verdicts(study: Study, shares: Shares) -> list[str]:
    return [claim["readings"][""]["verdict"] for claim in _first_claims(study, shares)]


def _ablations(study: Study, found: Found) -> list[dict[str, Any]]:
    """Stage 1 with one thing changed at a time: places, and what becomes of the published statements."""
    lines = []
    for changed, reading in ABLATIONS.items():
        shares = _shares(study, found, reading)
        won = won_by(TWENTY, shares)
        order = list(won)
        lines.append(
            {
                "changed": changed,
                "reading": reading,
                "places": {name: order.index(name) + 1 for name in ("PVCNPS", "NPS")},
                "above half": sum(row["win_rate"] > 0.5 for row in won.values()),
                "verdicts": _verdicts(study, shares),
                **lengths_of(found[first_stage(study, reading).name]),
            }
        )
    return lines


def lengths_of(scores: Scores) -> dict[str, float]:
    """How many hands a match had, and by how many points it was won."""
    played = [score for some in scores.values() for score in some]
    hands = [count for score in played for count in score.hands]
    margins = [abs(gains[0] - gains[1]) for score in played for gains in score.gains]
    return {"hands a match": sum(hands) / len(hands), "margin": sum(margins) / len(margins)}


def learning_ablations(study: Study, found: Found) -> list[dict[str, Any]]:
    """The first matches of self-play, reading by reading: how long they were, and how many hands were retained."""
    lines = []
    for changed, work in zip(LEARNING_CHANGES, learning_changes(study), strict=False):
        standing = found[work.name]["standing"]
        counts = {what: standing[what] for what in ("match", "hands", "kept")}
        lines.append({"changed": changed, "reading": LEARNING_CHANGES[changed] or "ours", **counts})
    return lines


LATER_READINGS: Final = {
    **dict(zip(LATER_NAMES, ("ours", "raw", f"{AS_TEXT}, base of ours"), strict=True)),
    OWN_BASE: AS_TEXT,
}
"""How the readings of the later stages are called, by what ends the name of the contest."""


def _later_stages(study: Study, found: Found, third: Scores) -> dict[str, dict[str, Shares]]:
    """What everybody won in stages 2 and 3: pair by pair after one training, else a number a training."""
    first = {**found, "stage 3": third}
    return {
        stage: {
            reading: _later_shares(study, first, f"{stage}{ending}")
            for ending, reading in LATER_READINGS.items()
        }
        for stage in ("stage 2", "stage 3")
    }


def _later_shares(study: Study, found: Found, name: str) -> Shares:
    return over_trainings([shares_of(found[numbered(name, number)]) for number in range(study.trainings)])


def _over_trainings(study: Study, later: Mapping[str, Mapping[str, Shares]]) -> dict[str, Any]:
    """Stages 2 and 3 with intervals between trainings, if there are several."""
    if study.trainings == 1:
        return {}
    in_unit = study.pairs_in_unit(pairs_of(study))
    return {
        "stage 2": {reading: _second_of(shares, in_unit) for reading, shares in later["stage 2"].items()},
        "stage 3": {reading: won_by(TEN, shares, in_unit) for reading, shares in later["stage 3"].items()},
    }


def _second_of(shares: Shares, in_unit: int) -> dict[str, Any]:
    """What every policy won on the learned base, and all together, training by training."""
    rows = {name: share_row(shares[place, place + len(TEN)], in_unit) for place, name in enumerate(TEN)}
    everybody = [fmean(some) for some in zip(*shares.values(), strict=True)]
    return {"policies": rows, "all": share_row(everybody, in_unit * len(TEN))}


def _claims(study: Study, found: Found, later: Mapping[str, Mapping[str, Shares]]) -> list[Claim]:
    """Every statement in the readings that there are of its stage."""
    pairs, seeds = SAID["plan"]["pairs"], study.size(SEEDS, 1)
    first = {
        **{name: _shares(study, found, READINGS[name]["first"], seeds) for name in SUPPORTED},
        "ours": shares_of(found["stage 1"]),
        "raw": shares_of(found["stage 1 raw"]),
    }
    claims = claims_of(SAID["claims"]["stage 1"], TWENTY, first, pairs, why_unjudged(study.quick))
    for stage, names in (("stage 2", (*TEN, *(name + AT_START for name in TEN))), ("stage 3", TEN)):
        won = later[stage]
        readings = {**dict.fromkeys(SUPPORTED, won[AS_TEXT]), "ours": won["ours"], "raw": won["raw"]}
        unjudged = why_unjudged(study.quick, study.trainings)
        claims += claims_of(
            SAID["claims"][stage], names, readings, pairs, unjudged, study.pairs_in_unit(pairs_of(study))
        )
    return claims
