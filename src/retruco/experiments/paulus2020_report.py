"""The report on Paulus (2020), stage by stage beside what was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from retruco.agents.truco.readings import MARK
from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Panel, panels
from retruco.arena.report import behaviour, matrix, percent
from retruco.experiments.appendix import appendix_parts
from retruco.experiments.conclusions import (
    CONFIRMED,
    CONTRADICTED,
    count_chance,
    count_interval,
)
from retruco.experiments.paulus2020_results import LATER_READINGS
from retruco.experiments.paulus2020_works import (
    AS_TEXT,
    ENDING,
    LATER,
    MEASURED,
    READINGS,
    SAID,
    SUPPORTED,
    TEN,
)
from retruco.experiments.people_report import people_parts
from retruco.experiments.report_sections import (
    OURS,
    RAW,
    after_trainings,
    both_readings,
    by_name,
    conclusions,
    count_verdicts,
    counted,
    rate,
    side_by_side,
    win_bars,
)
from retruco.experiments.study import Results

READ_AS: Final = {"default": "ours", "raw": "raw", "published": AS_TEXT}
"""How the readings are called in table 16."""
ALONE: Final = (5.0, 2.2)
"""The size of a panel that stands by itself."""


def report_parts(results: Results) -> list[Part]:
    """The report, stage by stage."""
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


def _reading_of(name: str) -> str:
    first, later = (READINGS[name][stage] or "as the names have it" for stage in ("first", "later"))
    return f"stage 1: {first}; later: {later}"


def _readings_parts(found: Results) -> list[Part]:
    """Which sentence supports which reading, what stage 1 gives in each, and what one change does to it."""
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
            *(count_verdicts(line["verdicts"], verdict) for verdict in (CONFIRMED, CONTRADICTED)),
            *(f"{line[what]:.1f}" for what in ("hands a match", "margin")),
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
            ["changed", "reading", "place of PVCNPS", "of NPS", "above half", "confirmed", "contradicted",
             "hands a match", "points between the two"],
            rows,
        ),
    ]  # fmt: skip


def learning_ablation_parts(lines: Sequence[Mapping[str, Any]]) -> list[Part]:
    """What one change does to the length of matches and to what is retained of them."""
    if not lines:  # a quick look
        return []
    plan = SAID["plan"]
    published = (plan["cases"] - plan["hands"]) / plan["learning_matches"]
    rows: list[list[Cell | str]] = [
        [
            line["changed"],
            Cell(line["reading"], wide=True),
            f"{line['hands'] / line['match']:.1f}",
            percent(line["kept"] / line["hands"]),
            f"{line['kept'] / line['match']:.1f}",
            f"{(plan['cases'] - plan['hands']) * line['match'] / max(1, line['kept']):,.0f}",
        ]
        for line in lines
    ]
    return [
        Text(
            f"The first {lines[0]['match']:,} matches of self-play, with one thing changed at a time. Published: "
            f"{plan['learning_matches']:,} matches, {published:.1f} cases a match."
        ),
        Table(
            ["changed", "reading", "hands a match", "retained", "cases a match", "matches at that rate"], rows
        ),
    ]


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
            f"{standing['hands']:,} hands, of which {standing['kept']:,} were kept.{_other_trainings(found)}"
        ),
        Picture("growth", panels([grown], 1, ("matches", "cases"), size=ALONE), "How the base grew", 480),
        Picture(
            "road",
            panels([worth], 1, ("cases", "matches won"), (0.0, 1.0), 0.5, percent=True, size=ALONE),
            f"What the base is worth as it grows: {MEASURED} on it against itself on the starting base, the same deals",
            480,
        ),
        _anew(found["learning"]),
        *learning_ablation_parts(found["learning ablations"]),
    ]


def _other_trainings(found: Results) -> str:
    """How many matches it took in the reading of the text, and in other trainings, if there are several."""
    ours, text = (found["learning matches"][reading] for reading in ("ours", AS_TEXT))
    alone = f" Policies as the text has them needed {_span(text)} matches for as many cases."
    if len(ours) == 1:
        return alone
    return (
        f" This is the first of {len(ours)} trainings, which took {_span(ours)} matches.{alone} Who beat "
        "whom, table 16, the cleaned base and the clusters below are told of the first."
    )


def _span(numbers: Sequence[int]) -> str:
    """The least and the most of some numbers.

    >>> _span([1200]), _span([1200, 900])
    ('1,200', '900 to 1,200')
    """
    return " to ".join(f"{one:,}" for one in sorted({min(numbers), max(numbers)}))


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
    said = SAID["stage 2"]
    readings = found["over trainings"].get("stage 2") or {
        name: found[f"stage 2{ending}"] for ending, name in LATER_READINGS.items()
    }
    order = sorted(TEN, key=lambda name: -readings["ours"]["policies"][name]["win_rate"])
    rows = [
        [
            name,
            "better" if name in said["better"] else "worse",
            *(_won(reading["policies"][name]) for reading in readings.values()),
        ]
        for name in order
    ]
    low, high = count_interval(said["wins"], said["matches"])
    chance = count_chance(said["wins"], said["matches"])
    rows.append(
        [
            "all",
            f"{said['wins']} of {said['matches']} ({100 * low:.0f}-{100 * high:.0f} %)",
            *(_won(reading["all"]) for reading in readings.values()),
        ]
    )
    return [
        Heading("Stage 2: the learned base against the starting one (figure 11)"),
        Text(
            "Each policy on the learned base against itself on the starting one, "
            f"{found['stage 2']['all']['matches']:,} matches in all{after_trainings(found)}. Published: "
            f"{said['wins']} of {said['matches']} for the learned base, which a fair coin "
            f"gives with a chance of {chance:.1g}; a policy's own 50 matches can only tell shares outside "
            f"{100 * (1 - _edge(50)):.0f} to {100 * _edge(50):.0f} %."
        ),
        win_bars(
            "stage-2",
            "Stage 2: share of matches the learned base won",
            order,
            {name: readings[name]["policies"] for name in ("ours", "raw", AS_TEXT)},
        ),
        Table(["policy", "published", *(f"{name}: learned base won" for name in readings)], rows),
    ]


def _won(row: Mapping[str, Any]) -> Cell:
    counts = f"{row['wins']:,} of {row['matches']:,}, " if "wins" in row else ""
    return Cell(f"{counts}{rate(row)}", 2 * row["win_rate"] - 1)


def _edge(matches: int) -> float:
    """The least share of so many matches that is told from half."""
    return (
        next(wins for wins in range(matches // 2, matches + 1) if count_chance(wins, matches) < 0.05)
        / matches
    )


def _stage_3(found: Results) -> list[Part]:
    endings = ("", ENDING, MARK + LATER, MARK + LATER)
    one_training = {
        name: by_name(found[f"stage 3{contest}"], ending)
        for (contest, name), ending in zip(LATER_READINGS.items(), endings, strict=True)
    }
    won = found["over trainings"].get("stage 3") or one_training
    order = list(won["ours"])
    places = _place(SAID["stage 3"]["above_half"])
    own = found["stage 3, who went on in ours"]
    parts: list[Part] = [
        Heading("Stage 3: the ten best on the learned base (figures 12 to 16)"),
        Text(
            f"{found['stage 3']['matches']:,} matches in each reading between the ten that went on in the "
            f"publication{after_trainings(found)}."
        ),
        win_bars(
            "stage-3",
            "Stage 3: share of matches won in every reading",
            order,
            {name: won[name] for name in ("ours", "raw", AS_TEXT)},
        ),
        side_by_side("policy", won, order, lambda name: places.get(name, "below half")),
        *matrix(found["stage 3"], "win_rate", "p_wins_holm", "stage 3, default"),
        *matrix(found["stage 3 raw"], "win_rate", "p_wins_holm", "stage 3, raw"),
    ]
    if own:
        standing = ", ".join(f"{row['agent']} {percent(row['win_rate'])}" for row in own["standing"])
        parts.append(Text(f"Among those who went on in ours, on the learned base: {standing}."))
    return parts


def _cleaning_parts(found: Results) -> list[Part]:
    """Stages 2 and 3 on the learned base and on the clean one."""
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
