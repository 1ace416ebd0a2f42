"""Paulus (2020): twenty policies, learning by imitation, what it is worth, the ten best, people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final

from retruco.agents.core import Agent
from retruco.agents.truco.policies import TWENTY
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
    Claim,
    count_chance,
    count_interval,
    counts_differ,
    judged,
    matches_to_tell,
    shares_of,
    totals,
)
from retruco.experiments.contest import Contest, Scores, seated
from retruco.experiments.people import people_against
from retruco.experiments.published import claims_of, expected
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.report_sections import (
    OURS,
    RAW,
    both_readings,
    by_name,
    conclusions,
    rate,
    win_bars,
)
from retruco.experiments.study import TRUCO, Found, Results, Stage, Study, Work
from retruco.experiments.training import Training, TrainingStart
from retruco.games.core import Game
from retruco.learning.learners import TEN_BEST, plan_for

SAID: Final = expected("paulus2020")
TEN: Final[tuple[str, ...]] = tuple(name for name in TWENTY if name in TEN_BEST)
"""The ten that went on in the dissertation, in the order of the twenty."""
MEASURED: Final = "PVCNPS"
"""Who plays for the base as it grows."""
MARKS: Final = 5
ENDING: Final = "-raw"
AT_START: Final = " at the start"
ALONE: Final = (5.0, 2.2)
"""The size of a panel that stands by itself."""


def raw(names: Sequence[str]) -> tuple[str, ...]:
    """The literal readings of some policies."""
    return tuple(f"{name}{ENDING}" for name in names)


# Works


def learning(study: Study) -> Training:
    """Self-play of the ten until as many cases have come as published: from 3,195 to 27,515."""
    more = study.size(SAID["plan"]["cases"] - SAID["plan"]["hands"], 100)
    start = TrainingStart(study.base.cases, study.base.hands, study.base.elbows)
    plan = plan_for("imitation", seed=study.seed)
    until = study.base.hands + more
    return Training("imitation", plan, TRUCO, start, study.folder, until=until, marks=MARKS)


@cache
def learnt(training: Training, mark: int | None = None) -> CaseBase:
    """The base that was learnt, opened once."""
    return training.learnt(mark)


def contest(
    study: Study,
    name: str,
    names: tuple[str, ...],
    cases: CaseBase | None = None,
    meetings: Sequence[Pairing] | None = None,
) -> Contest:
    """All against all, or in some meetings, with the starting base or the one learnt."""

    def seats() -> Mapping[str, Agent]:
        return seated(names, study.base.cases if cases is None else cases)

    return Contest(name, TRUCO, names, _pairs(study), study.seed, seats, meetings, study.readable)


def _pairs(study: Study) -> int:
    return study.size(SAID["plan"]["pairs"], 2)


def first_works(study: Study, found: Found) -> Sequence[Work]:
    """Stage 1 in both readings, and meanwhile the learning."""
    return (
        learning(study),
        contest(study, "stage 1", TWENTY),
        contest(study, "stage 1 raw", raw(TWENTY)),
    )


def before_and_after(study: Study, name: str, names: tuple[str, ...]) -> Contest:
    """Stage 2: every policy on the learned base against itself on the starting one."""
    both = (*names, *(one + AT_START for one in names))

    def seats() -> Mapping[str, Agent]:
        start = seated(names, study.base.cases)
        return {
            **seated(names, learnt(learning(study))),
            **{one + AT_START: agent for one, agent in start.items()},
        }

    meetings = [(place, place + len(names)) for place in range(len(names))]
    return Contest(name, TRUCO, both, _pairs(study), study.seed, seats, meetings, study.readable)


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
        contest(study, "stage 3", entrants(found), cases, third_meetings(found)),
        contest(study, "stage 3 raw", raw(TEN), cases),
        road(study),
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
            "went on": list(who_goes_on(found)),
            "learning": _learnt(found["imitation"]),
            "road": _road(study, found),
            "stage 2": _second(TEN, found["stage 2"]),
            "stage 2 raw": _second(TEN, found["stage 2 raw"]),
            "stage 3": _standing(study, TEN, third),
            "stage 3 raw": _standing(study, raw(TEN), found["stage 3 raw"]),
            "stage 3, who went on in ours": _standing(
                study, who_goes_on(found), among(who_goes_on(found), entrants(found), found["stage 3"])
            ),
            "table 16": {
                "default": differences(TRUCO, TEN, third),
                "raw": differences(TRUCO, TEN, found["stage 3 raw"]),
            },
            "stage 4": people_against(list(SAID["table 17"]["rows"])),
            "claims": judged(_claims(found, third)),
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
            *_stage_1(results),
            *_learning_parts(results),
            *_stage_2(results),
            *_stage_3(results),
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


def _claims(found: Found, third: Scores) -> list[Claim]:
    claims, pairs = SAID["claims"], SAID["plan"]["pairs"]
    both = (*TEN, *(name + AT_START for name in TEN))
    contests = {
        "stage 1": (TWENTY, found["stage 1"], found["stage 1 raw"]),
        "stage 2": (both, found["stage 2"], found["stage 2 raw"]),
        "stage 3": (TEN, third, found["stage 3 raw"]),
    }
    return [
        claim
        for stage, (names, ours, literal) in contests.items()
        for claim in claims_of(claims[stage], names, shares_of(ours), shares_of(literal), pairs)
    ]


# The page


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
    order = sorted(TEN, key=lambda name: -ours["policies"][name]["win_rate"])
    rows = [
        [
            name,
            "better" if name in said["better"] else "worse",
            *(_won(one["policies"][name]) for one in (ours, literal)),
        ]
        for name in order
    ]
    low, high = count_interval(said["wins"], said["matches"])
    chance = count_chance(said["wins"], said["matches"])
    rows.append(
        [
            "all",
            f"{said['wins']} of {said['matches']} ({100 * low:.0f}-{100 * high:.0f} %)",
            *(_won(one["all"]) for one in (ours, literal)),
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
        Table(["policy", "published", "ours: learned base won", "raw: learned base won"], rows),
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


def _table_16(found: Results) -> list[Part]:
    said = SAID["table 16"]["rows"]
    rows = []
    for name in sorted(
        TEN, key=lambda name: (name not in said, list(said).index(name) if name in said else 0)
    ):
        published = [f"{one:+.2f}" for one in said[name]] if name in said else ["not told"] * 2
        cells: list[Cell | str] = [name, *published]
        for reading in ("default", "raw"):
            both = found["table 16"][reading][name]
            cells += [_mean(both.get(what)) for what in ("wins", "losses")]
        rows.append(cells)
    return [
        Heading("By how much (table 16)"),
        Text(
            "The mean difference of points in matches won and in matches lost, with 95 % intervals. "
            + _sixteen_noise(found["table 16"]["default"])
        ),
        Table(
            ["policy", "published: won by", "lost by", "ours: won by", "lost by", "raw: won by", "lost by"],
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
    matches = said["matches"]
    best = max(row[0] for row in said["rows"].values())
    ours = {row["agent"]: row for row in found["stage 4"]}
    rows = []
    for name, (wins, in_wins, in_losses) in said["rows"].items():
        low, high = count_interval(wins, matches)
        apart = wins != best
        rows.append(
            [
                name,
                f"{wins} of {matches} ({100 * low:.0f}-{100 * high:.0f} %)",
                f"{in_wins:+.2f} / {in_losses:+.2f}",
                f"{counts_differ(best, wins, matches):.2f}" if apart else "-",
                f"{matches_to_tell(best / matches, wins / matches):,}" if apart else "-",
                _people(ours.get(name)),
            ]
        )
    asked = SAID["questionnaire"]["rows"]
    strong = ", ".join(f"{name} {one[0]}" for name, one in asked.items())
    nobody = "No people yet: " if not ours else ""
    return [
        Heading("Stage 4: people (table 17)"),
        Text(
            f"Published: {said['people']} people, {matches} matches against each of four agents. {nobody}"
            "retruco serve sets the table, and matches played out there against these agents are counted here."
        ),
        Table(
            ["agent", "published wins", "mean in wins / losses", "chance of the gap to the best",
             "matches each to tell it", "ours"],
            rows,
        ),
        Text(f"Questionnaire ({SAID['questionnaire']['where']}): called strong, of 13: {strong}. {_said(ours)}"),
    ]  # fmt: skip


def _said(ours: Mapping[str, Mapping[str, Any]]) -> str:
    """What people said of the agents on the web table: good, fair, poor."""
    lines = [
        f"{name} ({row['answers']} answers) "
        + ", ".join(f"{question} {'/'.join(map(str, counts))}" for question, counts in row["groups"].items())
        for name, row in ours.items()
        if row["answers"]
    ]
    return f"Here, good/fair/poor: {'; '.join(lines)}." if lines else "Here nobody has answered yet."


def _people(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "no people yet"
    low, high = count_interval(row["wins"], row["matches"])
    return f"{row['wins']} of {row['matches']} ({100 * low:.0f}-{100 * high:.0f} %)"


EXPERIMENT = Paulus2020()
