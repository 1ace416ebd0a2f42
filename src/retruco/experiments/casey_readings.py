"""Readings of Casey side by side: several learning runs at every table, intervals between runs, ablations.

A learning run is one observation: what Casey wins after 20,000 hands depends on its first, partly
random hands, so that hands of one run tell nothing of another. A published statement is judged by
the runs' results, and only where there are enough runs of full length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance
from typing import Any, Final

from retruco.agents.holdem.policies import policy_named
from retruco.arena.page import Cell, Heading, Part, Table, Text
from retruco.arena.report import plural
from retruco.arena.stats import SIGNIFICANT, holm, t_quantile, two_sided
from retruco.experiments.casey_training import Bunches, Learning, mean_result, split_phases
from retruco.experiments.published import expected
from retruco.experiments.study import Found, Study
from retruco.games.holdem import Holdem
from retruco.vocab.holdem.scenarios import WEIGHT

SAID: Final = expected("sandven2006")
ENOUGH_RUNS: Final = 5
"""How many learning runs a verdict needs."""
AS_BUILT: Final = "casey"
READINGS: Final = (AS_BUILT, "casey-newest", "casey-newest-sunk")
"""The readings that are compared where none are named."""
SENTENCES: Final = {
    AS_BUILT: "sections 3.2 and 3.4: what a stage costs counts whole, blinds included; which of equally similar cases are taken is not said, here the oldest.",
    "casey-newest": "the same, with the newest of equally similar cases: section 3.4 says only that 'his knowledge base continues to grow'.",
    "casey-newest-sunk": "section 5, 'Casey plays more blind hands than any of his opponents': with newest ties, a posted blind is lost already.",
}
"""Which part of the paper supports a reading."""
OPPONENTS: Final = ("rulebot", "simplebot")


@dataclass(frozen=True, slots=True)
class CaseyTable:
    """A table of the study: how many opponents of which kind."""

    count: int
    opponent: str

    def __str__(self) -> str:
        return f"{self.count} {self.opponent}s"

    @property
    def rules(self) -> str:
        """The preset of the table."""
        return f"casey-{self.count + 1}"


TABLES: Final = (
    *(CaseyTable(count, opponent) for opponent in OPPONENTS for count in SAID["opponents"]),
    CaseyTable(3, "random"),
)
FEW: Final = 5000
"""Hands against random players, whom Casey beats soon."""


def reading_names(study: Study) -> tuple[str, ...]:
    """The readings to run: those that are named, or all where there are several runs, else Casey as built."""
    several = study.quick or (study.runs or 1) > 1
    return study.readings or (READINGS if several else (AS_BUILT,))


def run_count(study: Study) -> int:
    """How many learning runs each table has."""
    return study.runs or study.size(1, 2)


def hands_of(study: Study, table: CaseyTable | None = None) -> int:
    """How many hands a learning run has."""
    hands: int = study.hands or study.size(SAID["hands"], 500)
    return min(hands, FEW) if table and table.opponent == "random" else hands


def reading_run(study: Study, table: CaseyTable, reading: str, run: int) -> Learning:
    """The n-th learning run of a reading at a table."""
    others, hands = (table.opponent,) * table.count, hands_of(study, table)
    return Learning(table.rules, reading, others, hands, study.seed + run)


def ablations(study: Study) -> dict[str, list[Learning]]:
    """One thing changed at a time, among three rulebots; only where there are several runs to compare."""
    if run_count(study) < 2 or study.quick:
        return {}
    changes: dict[str, tuple[str, str, dict[str, Any]]] = {
        "casey as built": (AS_BUILT, "casey-4", {}),
        "newest of equally similar cases": ("casey-newest", "casey-4", {}),
        "blinds are sunk": ("casey-sunk", "casey-4", {}),
        "newest, sunk": ("casey-newest-sunk", "casey-4", {}),
        "newest, sunk, 300 neighbours, shrinkage": ("casey-wide", "casey-4", {}),
        "best-match search": ("casey-best-match", "casey-4", {}),
        "hand strength weighs four times as much": (AS_BUILT, "casey-4", {"hand_weight": 4 * WEIGHT}),
        "FOLD cases are not retained": (AS_BUILT, "casey-4", {"keeps_folds": False}),
        "starting hands that win less than their part are folded": ("casey-starts", "casey-4", {}),
        "the paper's blinds: a bet and a raise": (AS_BUILT, "casey-paper-4", {}),
    }
    return {
        change: [
            Learning(
                rules,
                learner,
                ("rulebot",) * 3,
                hands_of(study),
                study.seed + run,
                **more,
            )
            for run in range(run_count(study))
        ]
        for change, (learner, rules, more) in changes.items()
    }


def all_runs(study: Study) -> list[Learning]:
    """The learning runs of all readings at all tables, and of all ablations."""
    of_readings = [
        reading_run(study, table, reading, run)
        for reading in reading_names(study)
        for table in TABLES
        for run in range(run_count(study))
    ]
    return [*of_readings, *(run for runs in ablations(study).values() for run in runs)]


# Results


def between_runs(values: Sequence[float]) -> dict[str, Any]:
    """The mean over learning runs with its 95 % interval; one run alone has none.

    >>> between_runs([-100.0, -60.0])["mbb"], between_runs([-100.0])["ci95"]
    (-80.0, None)
    """
    mean, count = fmean(values), len(values)
    if count < 2:
        return {"mbb": mean, "ci95": None, "runs": list(values)}
    reach = t_quantile(count - 1) * sqrt(variance(values) / count)
    return {"mbb": mean, "ci95": (mean - reach, mean + reach), "runs": list(values)}


def late_bunches(bunches: Bunches, late: int) -> Bunches:
    """The bunches after so many hands; of a shorter run, its last two fifths."""
    hands = sum(bunch["hands"] for bunch in bunches)
    start, seen, found = min(late, 3 * hands // 5), 0, []
    for bunch in bunches:
        seen += bunch["hands"]
        if seen > start:
            found.append(bunch)
    return found


def summarise_runs(runs: Sequence[Bunches], rules: str, late: int) -> dict[str, Any]:
    """What several learning runs brought, phase by phase, with intervals between runs."""
    big_blind = Holdem.named(rules).rules.big_blind
    phases = [split_phases(bunches, SAID["phases"]) for bunches in runs]
    return {
        "phases": [
            between_runs([mean_result(phase, big_blind)[0] for phase in same])
            for same in zip(*phases, strict=True)
        ],
        "late": between_runs([mean_result(late_bunches(run, late), big_blind)[0] for run in runs]),
        "blinds": blind_play(runs),
    }


def blind_play(runs: Sequence[Bunches]) -> dict[str, float | None]:
    """How often Casey, and its opponents, entered the pot from the blinds."""
    shares: dict[str, float | None] = {}
    for who in ("counts", "others"):
        entered, blinds = (
            sum(bunch[who].get(name, 0) for bunches in runs for bunch in bunches)
            for name in ("entered from the blinds", "in the blinds")
        )
        shares["casey" if who == "counts" else "opponents"] = entered / blinds if blinds else None
    return shares


def reading_results(study: Study, found: Found, late: int) -> dict[str, Any]:
    """Every reading at every table, its verdicts, and the ablations, as plain data."""
    runs, names = run_count(study), reading_names(study)
    tables = {
        reading: {
            str(table): summarise_runs(
                [found[reading_run(study, table, reading, run).name] for run in range(runs)],
                table.rules,
                late,
            )
            for table in TABLES
        }
        for reading in names
    }
    can_judge = not study.quick and runs >= ENOUGH_RUNS and hands_of(study) >= SAID["hands"]
    return {
        "runs": runs,
        "hands": hands_of(study),
        "choices": {reading: policy_named(reading).choices for reading in names},
        "tables": tables,
        "judged": {reading: judge_reading(tables[reading], can_judge) for reading in names},
        "ablations": {
            change: summarise_runs([found[run.name] for run in runs], runs[0].rules, late)["late"]
            for change, runs in ablations(study).items()
        },
    }


NOT_JUDGED: Final = "not judged"


def judge_reading(tables: Mapping[str, Any], can_judge: bool) -> list[dict[str, Any]]:
    """Hold the published statements against a reading, with rulebots and with simplebots as the paper's RuleBot."""
    found = []
    for claim in SAID["claims"]:
        opponents = OPPONENTS if "rulebots" in claim["table"] else ("random",)
        for opponent in opponents:
            count = claim["table"].split()[0]
            phases = tables[str(CaseyTable(int(count), opponent))]["phases"]
            said = f"{claim['said']} ({opponent}s)"
            found.append({"said": said, "result": claim["result"], **claim_result(claim, phases)})
    return with_verdicts(found, can_judge)


def claim_result(claim: Mapping[str, Any], phases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What some phases brought, or how much more than an earlier one, and how likely that is by chance alone."""
    if len(phases) < claim["to"]:
        return {"mbb": None, "ci95": None, "p": 1.0}
    by_run = [
        fmean(values)
        for values in zip(*(phase["runs"] for phase in phases[claim["from"] - 1 : claim["to"]]), strict=True)
    ]
    if "since" in claim:
        before = phases[claim["since"] - 1]["runs"]
        by_run = [now - then for now, then in zip(by_run, before, strict=True)]
    result = between_runs(by_run)
    return {"mbb": result["mbb"], "ci95": result["ci95"], "p": chance_of(by_run)}


def chance_of(values: Sequence[float]) -> float:
    """How likely a mean so far from zero is by chance alone; one run alone says nothing.

    >>> round(chance_of([40, 50, 40, 50, 45]), 5), chance_of([40])
    (4e-05, 1.0)
    """
    if len(values) < 2:
        return 1.0
    error = sqrt(variance(values) / len(values))
    return two_sided(fmean(values) / error, len(values) - 1) if error else float(fmean(values) == 0)


def with_verdicts(found: Sequence[Mapping[str, Any]], can_judge: bool) -> list[dict[str, Any]]:
    """Judge all statements of a reading together (Holm)."""
    corrected = holm([one["p"] for one in found])
    return [
        {
            **one,
            "p_holm": chance,
            "verdict": verdict_of(one["result"], one["mbb"], chance)
            if can_judge and one["mbb"] is not None
            else NOT_JUDGED,
        }
        for one, chance in zip(found, corrected, strict=True)
    ]


def verdict_of(result: str, mbb: float, chance: float) -> str:
    """Chance may explain what is likely; that two are level cannot be proved, only not refuted."""
    if chance >= SIGNIFICANT:
        return "not refuted" if result == "level" else "open"
    won = "profit" if mbb > 0 else "loss"
    return "confirmed" if won == result else "contradicted"


# The page


def reading_parts(readings: Mapping[str, Any]) -> list[Part]:
    """The sections on readings and ablations."""
    return [
        Heading("Readings of the paper side by side"),
        Text(
            f"{plural(readings['runs'], 'learning run')} of {readings['hands']:,} hands at every table; thousandths of a big blind per hand, "
            "with 95 % intervals between runs. Nobody knows whether the paper's RuleBot is nearer to our rulebot or to "
            f"simplebot, so both are shown. A statement is judged by {ENOUGH_RUNS} runs of {SAID['hands']:,} hands or more, "
            "all statements of a reading together (Holm)."
        ),
        Table(["reading", "choices", "what supports it"], _choice_rows(readings["choices"])),
        *(
            part
            for reading in readings["tables"]
            for part in _one_reading(reading, readings["tables"][reading])
        ),
        *_verdict_parts(readings["judged"]),
        *_ablation_parts(readings["ablations"]),
    ]


def _choice_rows(choices: Mapping[str, Mapping[str, Any]]) -> list[list[Cell | str]]:
    return [
        [
            reading,
            Cell(", ".join(f"{name}={value}" for name, value in chosen.items()), wide=True),
            Cell(SENTENCES.get(reading, "our own"), wide=True),
        ]
        for reading, chosen in choices.items()
    ]


def _one_reading(reading: str, tables: Mapping[str, Any]) -> list[Part]:
    phases = max(len(table["phases"]) for table in tables.values())
    head = [
        reading,
        *(f"phase {number + 1}" for number in range(phases)),
        "late",
        "blinds: Casey, opponents",
    ]
    rows: list[list[Cell | str]] = [
        [
            name,
            *(run_cell(phase) for phase in table["phases"]),
            run_cell(table["late"]),
            _blinds(table["blinds"]),
        ]
        for name, table in tables.items()
    ]
    return [Table(head, rows)]


def _blinds(shares: Mapping[str, float | None]) -> str:
    return ", ".join("-" if share is None else f"{100 * share:.0f} %" for share in shares.values())


def run_cell(result: Mapping[str, Any]) -> Cell:
    """What runs brought, coloured where chance does not explain it."""
    if result["ci95"] is None:
        return Cell(f"{result['mbb']:+.0f}")
    low, high = result["ci95"]
    tint = 0.6 if low > 0 else -0.6 if high < 0 else 0.0
    return Cell(f"{result['mbb']:+.0f} ({low:+.0f} to {high:+.0f})", tint)


def _verdict_parts(judged: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Part]:
    names = list(judged)
    rows: list[list[Cell | str]] = []
    for claims in zip(*judged.values(), strict=True):
        cells: list[Cell | str] = [claims[0]["said"]]
        for claim in claims:
            cells += ["-" if claim["mbb"] is None else run_cell(claim), claim["verdict"]]
        rows.append(cells)
    head = ["published", *(title for name in names for title in (name, "verdict"))]
    told = [
        f"{name}: {', '.join(f'{count} {verdict}' for verdict, count in Counter(one['verdict'] for one in claims).items())}."
        for name, claims in judged.items()
    ]
    return [Heading("What each reading confirms"), Text(" ".join(told)), Table(head, rows)]


def _ablation_parts(results: Mapping[str, Mapping[str, Any]]) -> list[Part]:
    if not results:
        return []
    rows: list[list[Cell | str]] = [[change, run_cell(result)] for change, result in results.items()]
    return [
        Heading("One thing changed at a time"),
        Text(
            "Among three rulebots, from hand 20,000 on; of shorter runs, the last two fifths. With the paper's blinds every hand costs more, so that row is "
            "told in thousandths of its own big blind."
        ),
        Table(["change", "late"], rows),
    ]
