"""Paulus (2020): twenty policies, learning by imitation, what it is worth, the ten best, people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final

from retruco.agents.core import Agent
from retruco.agents.truco.policies import NAMED, TWENTY
from retruco.agents.truco.readings import MARK, change_reading
from retruco.arena.duel import widest
from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Panel, panels
from retruco.arena.report import behaviour, matrix, percent
from retruco.arena.stats import pooled_share_interval, ratio_interval, share_interval
from retruco.arena.tournament import Pairing, TournamentPlan, results, scores_of
from retruco.cbr.casebase import CaseBase
from retruco.experiments.appendix import appendix_parts, index_of
from retruco.experiments.clusters import described
from retruco.experiments.conclusions import (
    CONFIRMED,
    CONTRADICTED,
    UNJUDGED,
    Claim,
    Shares,
    count_chance,
    count_interval,
    judged,
    over_seeds,
    over_trainings,
    shares_of,
    totals,
    why_unjudged,
)
from retruco.experiments.contest import Contest, Scores, seated
from retruco.experiments.people import people_against
from retruco.experiments.people_report import people_parts
from retruco.experiments.published import claims_of, expected
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.report_sections import (
    OURS,
    RAW,
    both_readings,
    by_name,
    conclusions,
    counted,
    rate,
    win_bars,
)
from retruco.experiments.study import TRUCO, Found, Results, Stage, Study, Work
from retruco.experiments.training import Training, TrainingStart
from retruco.games.core import Game
from retruco.learning.learners import TEN_BEST, plan_for
from retruco.vocab.truco.forbidden import clean

SAID: Final = expected("paulus2020")
TEN: Final[tuple[str, ...]] = tuple(name for name in TWENTY if name in TEN_BEST)
"""The ten that went on in the dissertation, in the order of the twenty."""
MEASURED: Final = "PVCNPS"
"""Who plays for the base as it grows."""
MARKS: Final = 5
ENDING: Final = "-raw"
AT_START: Final = " at the start"
READ_AS: Final = {"default": "ours", "raw": "raw", "published": "as the text says"}
"""How the readings of the later stages are called in tables."""
ALONE: Final = (5.0, 2.2)
"""The size of a panel that stands by itself."""


READINGS: Final[Mapping[str, Any]] = SAID["readings"]
"""The readings that the text supports, and ours: what is read in stage 1, what later, and which sentences say so."""
SUPPORTED: Final = ("5.3", "3.1.1")
"""The readings that rest on sentences of the dissertation alone."""
LATER: Final[str] = READINGS["5.3"]["later"]
"""How both supported readings read the stages on the learned base."""
SEEDS: Final = 3
"""Over how many seeds the supported readings play stage 1."""
ABLATIONS: Final[Mapping[str, str]] = {
    "as 5.3 says": READINGS["5.3"]["first"],
    "retrieval adaptive": READINGS["3.1.1"]["first"],
    "criteria with support": "threshold=0.75+support+revision=published",
    "no revision": "threshold=0.75+plain+revision=none",
    "our revision": "threshold=0.75+plain+revision=ours",
    "search in two steps": "threshold=0.75+two-step+plain+revision=published",
    "ties to the item with more cases": "threshold=0.75+plain+revision=published+ties=cases",
}
"""Stage 1 as 5.3 says, with one thing changed at a time."""


def raw(names: Sequence[str]) -> tuple[str, ...]:
    """The literal readings of some policies."""
    return tuple(f"{name}{ENDING}" for name in names)


def read_as(names: Sequence[str], reading: str) -> tuple[str, ...]:
    """Some policies in a reading."""
    return tuple(f"{name}{MARK}{reading}" for name in names)


LATER_NAMES: Final = {"": TEN, " raw": raw(TEN), " published": read_as(TEN, LATER)}
"""The readings of stages 2 and 3, by what ends the name of the contest."""


# Works


def numbered(name: str, number: int) -> str:
    """The name of a work of one of several trainings; of the first it is the name alone."""
    return f"{name} {number + 1}" if number else name


def learning(study: Study, number: int = 0) -> Training:
    """Self-play of the ten until as many cases have come as published, from 3,195 to 27,515; one of several."""
    more = study.size(SAID["plan"]["cases"] - SAID["plan"]["hands"], 100)
    start = TrainingStart(study.base.cases, study.base.hands, study.base.elbows)
    plan = plan_for("imitation", seed=study.seed + number)
    until = study.base.hands + more
    name = numbered("imitation", number)
    return Training(name, plan, TRUCO, start, study.folder, until=until, marks=MARKS)


@cache
def learnt(training: Training, mark: int | None = None) -> CaseBase:
    """The base that was learnt, opened once."""
    return training.learnt(mark)


@cache
def cleaned(training: Training) -> tuple[CaseBase, Mapping[str, int]]:
    """The learned base without the cases that the published revision would have forbidden (section 4.1.3)."""
    return clean(learnt(training))


def contest(
    study: Study,
    name: str,
    names: tuple[str, ...],
    cases: CaseBase | None = None,
    meetings: Sequence[Pairing] | None = None,
    later_seed: int = 0,
) -> Contest:
    """All against all, or in some meetings, with the starting base or the one learnt."""

    def seats() -> Mapping[str, Agent]:
        return seated(names, study.base.cases if cases is None else cases)

    seed = study.seed + later_seed
    return Contest(name, TRUCO, names, _pairs(study), seed, seats, meetings, study.readable)


def first_stage(study: Study, reading: str, number: int = 0) -> Contest:
    """Stage 1 in a reading, over the deals of one of several seeds."""
    name = f"stage 1, {reading}, seed {study.seed + number}"
    return contest(study, name, read_as(TWENTY, reading), later_seed=number)


def first_readings(study: Study) -> list[Contest]:
    """Stage 1 in the supported readings over several seeds, and every ablation over one."""
    seeds = range(study.size(SEEDS, 1))
    supported = [READINGS[name]["first"] for name in SUPPORTED]
    others = [reading for reading in ABLATIONS.values() if reading not in supported]
    return [
        *(first_stage(study, reading, number) for reading in supported for number in seeds),
        *(first_stage(study, reading) for reading in others),
    ]


def _pairs(study: Study) -> int:
    return study.size(SAID["plan"]["pairs"], 2)


def first_works(study: Study, found: Found) -> Sequence[Work]:
    """Stage 1 in both readings, and meanwhile the learning."""
    return (
        *(learning(study, number) for number in range(study.trainings)),
        contest(study, "stage 1", TWENTY),
        contest(study, "stage 1 raw", raw(TWENTY)),
        *first_readings(study),
    )


def before_and_after(
    study: Study, name: str, names: tuple[str, ...], clean_first: bool = False, number: int = 0
) -> Contest:
    """Stage 2: every policy on the learned base, or on it once it is clean, against itself on the starting one."""
    both = (*names, *(one + AT_START for one in names))

    def seats() -> Mapping[str, Agent]:
        start = seated(names, study.base.cases)
        training = learning(study, number)
        cases = cleaned(training)[0] if clean_first else learnt(training)
        return {
            **seated(names, cases),
            **{one + AT_START: agent for one, agent in start.items()},
        }

    meetings = [(place, place + len(names)) for place in range(len(names))]
    seed = study.seed + number
    return Contest(name, TRUCO, both, _pairs(study), seed, seats, meetings, study.readable)


def further_trainings(study: Study) -> list[Contest]:
    """Stages 2 and 3 after every training but the first."""
    return [
        work
        for number in range(1, study.trainings)
        for ending, names in LATER_NAMES.items()
        for work in (
            before_and_after(study, numbered(f"stage 2{ending}", number), names, number=number),
            contest(
                study,
                numbered(f"stage 3{ending}", number),
                names,
                learnt(learning(study, number)),
                later_seed=number,
            ),
        )
    ]


def road(study: Study) -> Contest:
    """One policy on the base as it was at every mark, against itself on the starting base."""
    names = (MEASURED + AT_START, *(f"{MEASURED}@{mark}" for mark in range(1, MARKS + 1)))

    def seats() -> Mapping[str, Agent]:
        grown = {
            f"{MEASURED}@{mark}": seated([MEASURED], learnt(learning(study), mark))[MEASURED]
            for mark in range(1, MARKS + 1)
        }
        return {names[0]: seated([MEASURED], study.base.cases)[MEASURED], **grown}

    meetings = [(0, place) for place in range(1, len(names))]
    pairs = study.size(50, 2)
    return Contest("road", TRUCO, names, pairs, study.seed, seats, meetings, study.readable)


def who_goes_on(found: Found) -> tuple[str, ...]:
    """Those who won more than half of their matches in stage 1, ours."""
    shares = shares_of(found["stage 1"])
    won = {name: sum(totals(TWENTY, shares, name)) / len(shares[0, 1]) for name in TWENTY}
    return tuple(name for name in TWENTY if won[name] > 0.5)


def entrants(found: Found) -> tuple[str, ...]:
    """Who plays stage 3: the published ten, and whoever went on in ours."""
    wanted = {*TEN, *who_goes_on(found)}
    return tuple(name for name in TWENTY if name in wanted)


def third_meetings(found: Found) -> list[Pairing]:
    """Who meets whom in stage 3: the published ten each other, and those who went on in ours."""
    names, fields = entrants(found), (set(TEN), set(who_goes_on(found)))
    return [
        (a, b)
        for (a, agent), (b, other) in combinations(enumerate(names), 2)
        if any({agent, other} <= field for field in fields)
    ]


def later_works(study: Study, found: Found) -> Sequence[Work]:
    """Stages 2 and 3 in both readings, and the road there."""
    cases = learnt(learning(study))
    return (
        before_and_after(study, "stage 2", TEN),
        before_and_after(study, "stage 2 raw", raw(TEN)),
        before_and_after(study, "stage 2 published", read_as(TEN, LATER)),
        contest(study, "stage 3", entrants(found), cases, third_meetings(found)),
        contest(study, "stage 3 raw", raw(TEN), cases),
        contest(study, "stage 3 published", read_as(TEN, LATER), cases),
        before_and_after(study, "stage 2 cleaned", read_as(TEN, LATER), clean_first=True),
        contest(study, "stage 3 cleaned", read_as(TEN, LATER), cleaned(learning(study))[0]),
        road(study),
        *further_trainings(study),
    )


# The experiment


class Paulus2020(PublishedExperiment):
    """The experiment."""

    name = "paulus2020"
    title = "Twenty policies, and learning by imitation"
    paper = SAID["paper"]
    stages = (
        Stage("stage 1 and learning", first_works, 330, 20),
        Stage("stages 2 and 3", later_works, 200, 15),
    )

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """All stages, what the dissertation says, and the clusters of the learned base."""
        cases = learnt(learning(study))
        third = among(TEN, entrants(found), found["stage 3"])
        return {
            "pairs": _pairs(study),
            "stage 1": _standing(study, TWENTY, found["stage 1"]),
            "stage 1 raw": _standing(study, raw(TWENTY), found["stage 1 raw"]),
            "agent_readings": _full_readings(),
            "stage 1 readings": _first_readings(study, found),
            "ablations": _ablations(study, found),
            "went on": list(who_goes_on(found)),
            "learning": _learnt(found["imitation"]),
            "road": _road(study, found),
            "stage 2": _second(TEN, found["stage 2"]),
            "stage 2 raw": _second(TEN, found["stage 2 raw"]),
            "stage 2 published": _second(TEN, found["stage 2 published"]),
            "stage 3": _standing(study, TEN, third),
            "stage 3 raw": _standing(study, raw(TEN), found["stage 3 raw"]),
            "stage 3 published": _standing(study, read_as(TEN, LATER), found["stage 3 published"]),
            "cleaning": _cleaning(study, found),
            "stage 3, who went on in ours": _standing(
                study, who_goes_on(found), among(who_goes_on(found), entrants(found), found["stage 3"])
            ),
            "table 16": {
                "default": differences(TRUCO, TEN, third),
                "raw": differences(TRUCO, TEN, found["stage 3 raw"]),
                "published": differences(TRUCO, TEN, found["stage 3 published"]),
            },
            "stage 4": people_against(list(SAID["table 17"]["rows"])),
            "claims": judged(_claims(study, found, third)),
            "clusters": described(cases),
            "indexes": [
                index_of(cases, "card-index", SAID["appendix B"]["scenarios"]),
                index_of(cases, "point-index", SAID["appendix B"]["scenarios"]),
            ],
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return (
            "stage 1, twenty policies all against all; learning by self-play; stage 2, each policy before "
            "and after it; stage 3, the ten best; stage 4, people."
        )

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        return [
            *_readings_parts(results),
            *_stage_1(results),
            *_learning_parts(results),
            *_stage_2(results),
            *_stage_3(results),
            *_cleaning_parts(results),
            *_table_16(results),
            *_stage_4(results),
            *conclusions(results["claims"]),
            *matrix(results["stage 1"], "win_rate", "p_wins_holm", "stage 1, default"),
            *matrix(results["stage 1 raw"], "win_rate", "p_wins_holm", "stage 1, raw"),
            *behaviour(results["stage 1"], "stage 1, default"),
            *behaviour(results["stage 1 raw"], "stage 1, raw"),
            *behaviour(results["stage 3"], "stage 3, default"),
            *appendix_parts(results, SAID["appendix B"]),
        ]

    def settings(self, results: Results) -> dict[str, str]:
        """Who learns, and how the paper is read literally."""
        return {
            "learning": "the published ten play each other on the growing base, whoever went on in ours, "
            "so that stages 2 and 3 can be held against the published figures",
            "raw": "no support, no prior, no revision; on the base that the default policies have learnt",
        }


# Results


def _standing(study: Study, names: Sequence[str], scores: Scores) -> dict[str, Any]:
    if len(names) < 2:
        return {}
    found = results(TournamentPlan(TRUCO, tuple(names), _pairs(study), study.seed), scores)
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
    third = {name: won_by(shares_of(found[f"stage 3 {name}"]), TEN) for name in ("published", "cleaned")}
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
            "won": won_by(_shares(study, found, READINGS[name]["first"], seeds)),
            "verdicts": [
                _verdicts(study, shares_of(found[first_stage(study, READINGS[name]["first"], number).name]))
                for number in range(seeds)
            ],
        }
        for name in SUPPORTED
    }


def won_by(shares: Shares, names: Sequence[str] = TWENTY) -> dict[str, Any]:
    """The share of matches that everybody won, the best first."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        won, interval = share_interval(totals(names, shares, name))
        found[name] = {"win_rate": won, "win_rate_ci95": interval}
    return dict(sorted(found.items(), key=lambda item: -item[1]["win_rate"]))


def _verdicts(study: Study, shares: Shares) -> list[str]:
    return [claim["readings"][""]["verdict"] for claim in _first_claims(study, shares)]


def _ablations(study: Study, found: Found) -> list[dict[str, Any]]:
    """Stage 1 with one thing changed at a time: places, and what becomes of the published statements."""
    lines = []
    for changed, reading in ABLATIONS.items():
        shares = _shares(study, found, reading)
        order = list(won_by(shares))
        lines.append(
            {
                "changed": changed,
                "reading": reading,
                "places": {name: order.index(name) + 1 for name in ("PVCNPS", "NPS")},
                "above half": sum(row["win_rate"] > 0.5 for row in won_by(shares).values()),
                "verdicts": _verdicts(study, shares),
            }
        )
    return lines


def _later_shares(study: Study, found: Found, name: str, first: Shares) -> Shares:
    """What everybody won in a later stage: pair by pair after one training, else a number a training."""
    others = [shares_of(found[numbered(name, number)]) for number in range(1, study.trainings)]
    return over_trainings([first, *others]) if others else first


def _claims(study: Study, found: Found, third: Scores) -> list[Claim]:
    """Every statement in the readings that there are of its stage."""
    pairs, seeds = SAID["plan"]["pairs"], study.size(SEEDS, 1)
    first = {
        **{name: _shares(study, found, READINGS[name]["first"], seeds) for name in SUPPORTED},
        "ours": shares_of(found["stage 1"]),
        "raw": shares_of(found["stage 1 raw"]),
    }
    claims = claims_of(SAID["claims"]["stage 1"], TWENTY, first, pairs, why_unjudged(study.quick))
    for stage, names in (("stage 2", (*TEN, *(name + AT_START for name in TEN))), ("stage 3", TEN)):
        later = {
            ending: _later_shares(
                study,
                found,
                f"{stage}{ending}",
                shares_of(third if f"{stage}{ending}" == "stage 3" else found[f"{stage}{ending}"]),
            )
            for ending in LATER_NAMES
        }
        readings = {**dict.fromkeys(SUPPORTED, later[" published"]), "ours": later[""], "raw": later[" raw"]}
        unjudged = why_unjudged(study.quick, study.trainings)
        in_unit = _pairs(study) if study.trainings > 1 else 1
        claims += claims_of(SAID["claims"][stage], names, readings, pairs, unjudged, in_unit)
    return claims


# The page


def _reading_of(name: str) -> str:
    first, later = (READINGS[name][stage] or "as the names have it" for stage in ("first", "later"))
    return f"stage 1: {first}; later: {later}"


def _readings_parts(found: Results) -> list[Part]:
    """Which sentence supports which reading, what stage 1 gives in each, and what one change does to it."""
    if "ablations" not in found:  # results of earlier versions
        return []
    rows: list[list[Cell | str]] = [
        [
            name,
            Cell(_reading_of(name), wide=True),
            Cell("; ".join(READINGS[name]["for"]), wide=True),
            Cell("; ".join(READINGS[name]["against"]), wide=True),
        ]
        for name in READINGS
    ]
    return [
        Heading("How the dissertation can be read"),
        Text(
            "The text names two ways of retrieval. Both are played, and our own readings beside them; "
            "see docs/readings.md for the notation."
        ),
        Table(["reading", "what it is", "for it (section: what it says)", "against it"], rows),
        *_first_readings_parts(found["stage 1 readings"]),
        *_ablation_parts(found["ablations"]),
    ]


def _first_readings_parts(readings: Mapping[str, Any]) -> list[Part]:
    places = _place(SAID["order"])
    order = list(readings[SUPPORTED[0]]["won"])
    rows: list[list[Cell | str]] = []
    for name in order:
        won = [reading["won"][name] for reading in readings.values()]
        cells = [Cell(rate(row), 2 * row["win_rate"] - 1) for row in won]
        rows.append([name, places.get(name, "below half"), *cells])
    told = [
        f"Reading {name}, seed {seed}: {counted(verdicts, 'it')}"
        for name, reading in readings.items()
        for seed, verdicts in zip(reading["seeds"], reading["verdicts"], strict=True)
    ]
    return [
        Heading("Stage 1 in the readings of the text (figure 10)"),
        Text(" ".join(told)),
        win_bars(
            "stage-1-readings",
            "Stage 1: share of matches won in the readings that the text supports, over all seeds",
            order,
            {f"reading {name}": reading["won"] for name, reading in readings.items()},
        ),
        Table(["policy", "published", *(f"reading {name}" for name in readings)], rows),
    ]


def _ablation_parts(lines: Sequence[Mapping[str, Any]]) -> list[Part]:
    rows: list[list[Cell | str]] = [
        [
            line["changed"],
            Cell(line["reading"], wide=True),
            str(line["places"]["PVCNPS"]),
            str(line["places"]["NPS"]),
            str(line["above half"]),
            *(_count_verdicts(line["verdicts"], verdict) for verdict in (CONFIRMED, CONTRADICTED)),
        ]
        for line in lines
    ]
    return [
        Heading("What one change does to stage 1"),
        Text(
            f"Stage 1 as section 5.3 says, with one thing changed at a time, over one seed; "
            f"{len(lines[0]['verdicts'])} statements. Published: PVCNPS first, NPS second, ten above one half."
        ),
        Table(
            ["changed", "reading", "place of PVCNPS", "of NPS", "above half", "confirmed", "contradicted"],
            rows,
        ),
    ]


def _count_verdicts(verdicts: Sequence[str], verdict: str) -> str:
    return UNJUDGED if UNJUDGED in verdicts else str(verdicts.count(verdict))


def _place(order: Sequence[str]) -> Mapping[str, str]:
    return {name: str(place) for place, name in enumerate(order, 1)}


def _stage_1(found: Results) -> list[Part]:
    ours, literal = by_name(found["stage 1"]), by_name(found["stage 1 raw"], ENDING)
    order = [row["agent"] for row in found["stage 1"]["standing"]]
    places = _place(SAID["order"])
    both = [name for name in found["went on"] if name in SAID["order"]]
    return [
        Heading("Stage 1: twenty policies, all against all (figure 10)"),
        Text(
            f"{found['stage 1']['matches']:,} matches in each reading, {found['pairs']} duplicate pairs between every two. "
            f"{SAID['told']} In ours {len(found['went on'])} won more than half and go on, {len(both)} of them among "
            f"the published ten: {', '.join(both) or 'none'}."
        ),
        win_bars(
            "stage-1", "Stage 1: share of matches won in both readings", order, {OURS: ours, RAW: literal}
        ),
        both_readings(order, ours, literal, lambda name: places.get(name, "below half")),
    ]


def _learning_parts(found: Results) -> list[Part]:
    standing, growth = found["learning"]["standing"], found["learning"]["growth"]
    cases = sum(standing["cases"].values())
    grown = Panel("cases over matches", [one["match"] for one in growth], [one["cases"] for one in growth])
    worth = Panel(
        f"{MEASURED} against itself at the start",
        [one["cases"] for one in found["road"]],
        [one["win_rate"] for one in found["road"]],
        [one["win_rate_ci95"] for one in found["road"]],
    )
    return [
        Heading("Learning by imitation"),
        Text(
            f"Published: {SAID['plan']['hands']:,} to {SAID['plan']['cases']:,} cases in {SAID['plan']['learning_matches']:,} "
            f"matches and weeks. Ours: {found['cases']['hands']:,} to {cases:,} cases in {standing['match']:,} matches, "
            f"{standing['hands']:,} hands, of which {standing['kept']:,} were kept."
        ),
        Picture("growth", panels([grown], 1, ("matches", "cases"), size=ALONE), "How the base grew", 480),
        Picture(
            "road",
            panels([worth], 1, ("cases", "matches won"), (0.0, 1.0), 0.5, percent=True, size=ALONE),
            f"What the base is worth as it grows: {MEASURED} on it against itself on the starting base, the same deals",
            480,
        ),
        _anew(found["learning"]),
    ]


def _anew(training: Mapping[str, Any]) -> Table:
    """How often the clusters of every scenario were made anew, and to what K."""
    rows: list[list[Cell | str]] = []
    for scenario, k in training["clusters"].items():
        made = [one for one in training["anew"] if one["scenario"] == scenario]
        steps = ", ".join(f"{one['k']} at {one['cases']:,}" for one in made)
        rows.append([scenario, str(len(made)), str(k), Cell(steps or "-", wide=True)])
    head = ["scenario", "made anew", "K in the end", "K, at so many cases"]
    return Table(head, rows, folded="How the clusters changed on the way")


def _stage_2(found: Results) -> list[Part]:
    ours, literal, said = found["stage 2"], found["stage 2 raw"], SAID["stage 2"]
    readings = [ours, literal, *([found["stage 2 published"]] if "stage 2 published" in found else [])]
    order = sorted(TEN, key=lambda name: -ours["policies"][name]["win_rate"])
    rows = [
        [
            name,
            "better" if name in said["better"] else "worse",
            *(_won(reading["policies"][name]) for reading in readings),
        ]
        for name in order
    ]
    low, high = count_interval(said["wins"], said["matches"])
    chance = count_chance(said["wins"], said["matches"])
    rows.append(
        [
            "all",
            f"{said['wins']} of {said['matches']} ({100 * low:.0f}-{100 * high:.0f} %)",
            *(_won(reading["all"]) for reading in readings),
        ]
    )
    both = {OURS: ours["policies"], RAW: literal["policies"]}
    return [
        Heading("Stage 2: the learned base against the starting one (figure 11)"),
        Text(
            f"Each policy on the learned base against itself on the starting one, {ours['all']['matches']:,} matches in "
            f"all. Published: {said['wins']} of {said['matches']} for the learned base, which a fair coin "
            f"gives with a chance of {chance:.1g}; a policy's own 50 matches can only tell shares outside "
            f"{100 * (1 - _edge(50)):.0f} to {100 * _edge(50):.0f} %."
        ),
        win_bars("stage-2", "Stage 2: share of matches the learned base won", order, both),
        Table(
            [
                "policy",
                "published",
                *(f"{READ_AS[name]}: learned base won" for name in list(READ_AS)[: len(readings)]),
            ],
            rows,
        ),
    ]


def _won(row: Mapping[str, Any]) -> Cell:
    return Cell(f"{row['wins']:,} of {row['matches']:,}, {rate(row)}", 2 * row["win_rate"] - 1)


def _edge(matches: int) -> float:
    """The least share of so many matches that is told from half."""
    return (
        next(wins for wins in range(matches // 2, matches + 1) if count_chance(wins, matches) < 0.05)
        / matches
    )


def _stage_3(found: Results) -> list[Part]:
    ours, literal = by_name(found["stage 3"]), by_name(found["stage 3 raw"], ENDING)
    order = [row["agent"] for row in found["stage 3"]["standing"]]
    places = _place(SAID["stage 3"]["above_half"])
    own = found["stage 3, who went on in ours"]
    parts: list[Part] = [
        Heading("Stage 3: the ten best on the learned base (figures 12 to 16)"),
        Text(
            f"{found['stage 3']['matches']:,} matches in each reading between the ten that went on in the publication."
        ),
        win_bars(
            "stage-3", "Stage 3: share of matches won in both readings", order, {OURS: ours, RAW: literal}
        ),
        both_readings(order, ours, literal, lambda name: places.get(name, "below half")),
        *matrix(found["stage 3"], "win_rate", "p_wins_holm", "stage 3, default"),
        *matrix(found["stage 3 raw"], "win_rate", "p_wins_holm", "stage 3, raw"),
    ]
    if own:
        standing = ", ".join(f"{row['agent']} {percent(row['win_rate'])}" for row in own["standing"])
        parts.append(Text(f"Among those who went on in ours, on the learned base: {standing}."))
    return parts


def _cleaning_parts(found: Results) -> list[Part]:
    """Stages 2 and 3 on the learned base and on the clean one."""
    if "cleaning" not in found:  # results of earlier versions
        return []
    cleaning = found["cleaning"]
    second, third = cleaning["stage 2"], cleaning["stage 3"]
    rows: list[list[Cell | str]] = [
        [
            name,
            *(_won(second[base]["policies"][name]) for base in second),
            *(Cell(rate(third[base][name]), 2 * third[base][name]["win_rate"] - 1) for base in third),
        ]
        for name in third["published"]
    ]
    rows.append(["all", *(_won(second[base]["all"]) for base in second), "", ""])
    rules = ", ".join(f"{rule} {count:,}" for rule, count in cleaning["by rule"].items())
    return [
        Heading("The learned base, cleaned (section 4.1.3)"),
        Text(
            "The dissertation takes cases out of its learned base by the rules that revise decisions. Of "
            f"{cleaning['cases']:,} cases that leaves {cleaning['left']:,}; cases with a move that a rule forbids: {rules}. "
            f"Policies are read as {LATER}."
        ),
        Table(
            [
                "policy",
                "stage 2: learned base won",
                "cleaned base won",
                "stage 3: on the learned base",
                "on the clean one",
            ],
            rows,
        ),
    ]


def _table_16(found: Results) -> list[Part]:
    said = SAID["table 16"]["rows"]
    rows = []
    for name in sorted(
        TEN, key=lambda name: (name not in said, list(said).index(name) if name in said else 0)
    ):
        published = [f"{one:+.2f}" for one in said[name]] if name in said else ["not told"] * 2
        cells: list[Cell | str] = [name, *published]
        for both in (reading[name] for reading in found["table 16"].values()):
            cells += [_mean(both.get(what)) for what in ("wins", "losses")]
        rows.append(cells)
    return [
        Heading("By how much (table 16)"),
        Text(
            "The mean difference of points in matches won and in matches lost, with 95 % intervals. "
            + _sixteen_noise(found["table 16"]["default"])
        ),
        Table(
            [
                "policy",
                "published: won by",
                "lost by",
                *(head for name in found["table 16"] for head in (f"{READ_AS[name]}: won by", "lost by")),
            ],
            rows,
        ),
    ]


def _mean(summary: Mapping[str, Any] | None) -> str:
    if summary is None:
        return "-"
    low, high = summary["ci95"]
    return f"{summary['mean']:+.2f} ({low:+.2f} to {high:+.2f})"


def _sixteen_noise(ours: Mapping[str, Any]) -> str:
    """Say which of the published differences between neighbours such a plan can tell from chance."""
    said = SAID["table 16"]["rows"]
    exceeding = []
    for place, what in enumerate(("wins", "losses")):
        reach = {
            name: (ours[name][what]["ci95"][1] - ours[name][what]["ci95"][0]) / 2
            for name in said
            if what in ours[name]
        }
        if len(reach) < len(said):
            return "Too few matches here to say what the published differences are worth."
        for a, b in combinations(said, 2):
            gap, noise = abs(said[a][place] - said[b][place]), (reach[a] ** 2 + reach[b] ** 2) ** 0.5
            if gap > noise:
                exceeding.append(f"{a} and {b} in {what} ({gap:.2f} apart, chance reaches {noise:.2f})")
    if not exceeding:
        return "By the spread of ours, none of the published differences between two policies exceeds chance."
    return f"By the spread of ours, only these published differences exceed chance: {'; '.join(exceeding)}."


def _stage_4(found: Results) -> list[Part]:
    said = SAID["table 17"]
    nobody = "" if found["stage 4"] else "No people yet: "
    return [
        Heading("Stage 4: people (table 17)"),
        Text(
            f"Published: {said['people']} people, {said['matches']} matches against each of four agents. {nobody}"
            "retruco serve sets the table, and whole matches of its study are counted here; retruco reproduce people "
            "reports on the study alone."
        ),
        *people_parts(found["stage 4"]),
    ]


EXPERIMENT = Paulus2020()
