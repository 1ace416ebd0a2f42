"""Moral et al. (2020): five ways to retain cases, trained against BOT0 and tested in duplicate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from retruco.agents.truco.bots import READINGS as BOT_READINGS
from retruco.agents.truco.policies import RAW as ENDING
from retruco.agents.truco.readings import change_reading
from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Panel, panels
from retruco.arena.report import behaviour, matrix
from retruco.arena.sets import Score
from retruco.arena.stats import share_interval
from retruco.arena.tournament import results, scores_of
from retruco.experiments.clusters import heading
from retruco.experiments.conclusions import (
    CONFIRMED,
    CONTRADICTED,
    Shares,
    judged,
    over_trainings,
    shares_of,
    why_unjudged,
)
from retruco.experiments.contest import Scores
from retruco.experiments.moral2020_works import (
    ABLATIONS,
    BOTS,
    LEARNERS,
    MARKS,
    PUPIL,
    READINGS,
    SAID,
    STAGES,
    changes,
    curve,
    duplicate_test,
    tests,
    training,
    trainings,
)
from retruco.experiments.published import claims_of
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.report_sections import (
    OURS,
    RAW,
    both_readings,
    by_name,
    conclusions,
    count_verdicts,
    win_bars,
)
from retruco.experiments.study import Found, Results, Stage, Study
from retruco.experiments.table_iii import table_iii_parts


def shares_over_trainings(study: Study, found: Found, reading: str) -> Shares:
    """What everybody won: pair by pair after one training, else a number a training."""
    every = [
        shares_of(found[duplicate_test(study, reading, number).name]) for number in range(study.trainings)
    ]
    return over_trainings(every) if len(every) > 1 else every[0]


class Moral2020(PublishedExperiment):
    """The experiment."""

    name = "moral2020"
    title = "Five ways to retain cases"
    paper = SAID["paper"]
    stages = (
        Stage("training of the bots", trainings, 300, 18),
        Stage("tests in duplicate", tests, 200, 12),
    )

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """Trainings, tests, curves, and what the paper says."""
        default, raw, text = (duplicate_test(study, reading) for reading in READINGS)
        shares = {reading: shares_over_trainings(study, found, reading) for reading in READINGS}
        return {
            "first": min(study.base.hands, SAID["plan"]["first"]),
            "training_matches": training(study, "BOT1").matches,
            "pairs": default.pairs,
            "agent_readings": _full_readings(),
            "trainings": {
                **{work.name: _grown(found[work.name]) for work in trainings(study, found)},
                **({PUPIL: {"standing": study.taught.standing, "growth": []}} if study.taught else {}),
            },
            "default": results(default.plan, found["default"]),
            "raw": results(raw.plan, found["raw"]),
            "text": results(text.plan, found["text"]),
            "against BOT0": {name: _against_first(BOTS, found[name]) for name in ("default", "raw", "text")},
            "curve": _curve(curve(study).names, found),
            "claims": _claims(study, shares),
            "ablations": _ablations(study, found),
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return "each of five bots trains against BOT0 and keeps cases in its own way, then all are tested."

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        ours, raw = by_name(results["default"]), by_name(results["raw"], ENDING)
        order = [row["agent"] for row in results["default"]["standing"]]
        return [
            *_text_parts(results),
            *table_iii_parts(),
            *_table_iv(results),
            *_figure_1(results),
            *heading(
                "All against all (figure 2)",
                f"{results['default']['matches']:,} matches in each reading. {SAID['told']}",
            ),
            win_bars("all", "Share of matches won, all against all", order, {OURS: ours, RAW: raw}),
            both_readings(order, ours, raw, lambda name: "1st" if name == "BOT3" else "not told"),
            *_ablation_parts(results),
            *conclusions(results["claims"]),
            *matrix(results["default"], "win_rate", "p_wins_holm", "default"),
            *matrix(results["raw"], "win_rate", "p_wins_holm", "raw"),
            *behaviour(results["default"], "default"),
            *behaviour(results["raw"], "raw"),
        ]

    def settings(self, results: Results) -> dict[str, str]:
        """What was trained with what."""
        return {
            "hands to begin with": f"the first {results['first']:,}",
            "training": f"{results['training_matches']:,} matches of every bot against BOT0",
            "tutor of BOT5": _tutor(results),
            "raw": "the bots without our revision rules, which the paper does not know; trained so, too",
            "text": f"{SAID['readings']['text']['reading']}; one case goes for one that comes; trained so, too",
            "trainings": str(results.get("trainings", 1)),
        }


def _claims(study: Study, shares: Mapping[str, Shares]) -> list[dict[str, Any]]:
    """Every statement of the paper in some readings."""
    pairs = duplicate_test(study, "ours").pairs
    unjudged = why_unjudged(study.quick, study.trainings)
    in_unit = pairs if study.trainings > 1 else 1
    return judged(claims_of(SAID["claims"], BOTS, shares, SAID["plan"]["pairs"], unjudged, in_unit))


def _ablations(study: Study, found: Found) -> list[dict[str, Any]]:
    """The reading of the text with one thing changed at a time: table IV, and what becomes of the statements."""
    if not changes(study):
        return []
    lines = []
    for changed, reading in ABLATIONS.items():
        name = changed if changed in changes(study) else "text"
        shares = shares_over_trainings(study, found, name)
        claims = [claim["readings"][""] for claim in _claims(study, {"": shares})]
        standings = [found[training(study, bot, reading).name]["standing"] for bot in LEARNERS]
        lines.append(
            {
                "changed": changed,
                "reading": reading.ending,
                "more": [reading.substitution, reading.tutors],
                "hands a match": sum(one["hands"] for one in standings)
                / sum(one["match"] for one in standings),
                "cases": {bot: one["cases"] for bot, one in zip(LEARNERS, standings, strict=True)},
                "leads": [claim["lead"] for claim in claims],
                "verdicts": [claim["verdict"] for claim in claims],
            }
        )
    return lines


def _full_readings() -> dict[str, str]:
    """Every reading as a bot that does not guess prints it."""
    usual, text = BOT_READINGS["BOT1"], SAID["readings"]["text"]["reading"]
    return {
        "ours": str(usual),
        "raw": str(BOT_READINGS[f"BOT1{ENDING}"]),
        "text": str(change_reading(usual, text)),
    }


def _tutor(results: Results) -> str:
    if "taught" in results:
        matches = results["trainings"][PUPIL]["standing"]["match"]
        return f"a person, {matches:,} matches into the case base {results['taught']['name']}"
    return "the scripted player balanced; the paper's was a person (retruco teach, then --taught)"


def _grown(found: Mapping[str, Any]) -> dict[str, Any]:
    """The end of a training, and how its base grew."""
    growth = [{"match": one["match"], "cases": one["cases"]} for one in found["growth"]]
    return {"standing": found["standing"], "growth": growth}


def _row(played: Sequence[Score]) -> dict[str, Any]:
    rate, interval = share_interval([one.share for one in played])
    wins, losses = (sum(one.wins(side) for one in played) for side in (0, 1))
    return {
        "wins": wins,
        "losses": losses,
        "draws": 2 * len(played) - wins - losses,
        "win_rate": rate,
        "win_rate_ci95": interval,
    }


def _against_first(names: Sequence[str], scores: Scores) -> dict[str, Any]:
    return {name: _row(scores_of(place, 0, scores)) for place, name in enumerate(names) if place}


def _curve(names: Sequence[str], found: Found) -> dict[str, list[dict[str, Any]]]:
    """What every bot was worth at every mark; at the start it is BOT0 itself."""
    curves: dict[str, list[dict[str, Any]]] = {}
    for place, name in enumerate(names):
        if place:
            bot, _, mark = name.partition("@")
            match = found[bot]["standing"]["match"] * int(mark) // MARKS
            curves.setdefault(bot, []).append({"match": match, **_row(scores_of(place, 0, found["curve"]))})
    return curves


# The page


def _readings_of(results: Results) -> dict[str, str]:
    """The readings that the results hold; those of earlier versions have two."""
    endings = {name: reading.ending for name, reading in READINGS.items()}
    return {name: end for name, end in endings.items() if f"{LEARNERS[0]}{end}" in results["trainings"]}


def _text_parts(results: Results) -> list[Part]:
    """Which sentences support the reading of the text, and against it what."""
    if "text" not in results:
        return []
    said = SAID["readings"]["text"]
    rows: list[list[Cell | str]] = [
        [what, Cell(sentence, wide=True)] for what, sentence in said["for"].items()
    ]
    return [
        Heading("How the paper can be read"),
        Text(
            f"Beside our bots and those without our revision (raw) stands the reading text: {said['reading']}, and one "
            "case goes for one that comes. What it rests on:"
        ),
        Table(["part", "section: what it says"], rows),
    ]


def _table_iv(results: Results) -> list[Part]:
    said, rows, readings = SAID["table IV"]["rows"], list[list[Cell | str]](), _readings_of(results)
    for bot in LEARNERS:
        cells: list[Cell | str] = [bot, *(f"{said[bot][what]:,}" for what in ("hands", *STAGES))]
        for ending in readings.values():
            standing = results["trainings"][bot + ending]["standing"]
            counts = {"hands": standing["hands"], **standing["cases"]}
            cells += [_near(counts[what], said[bot][what]) for what in ("hands", *STAGES)]
        rows.append(cells)
    head = [
        "",
        *(
            f"{who}: {what}" if what == "hands" else what
            for who in ("published", *readings)
            for what in ("hands", *STAGES)
        ),
    ]
    some = [
        Panel(
            bot,
            [one["match"] for one in results["trainings"][bot]["growth"]],
            [sum(one["cases"].values()) for one in results["trainings"][bot]["growth"]],
        )
        for bot in results["curve"]
    ]
    drawn = panels(some, len(some), ("training matches", "cases"))
    return [
        Heading("What training has left in the bases (table IV)"),
        Text(
            f"Hands played in {results['training_matches']:,} matches and the cases for envido, flor and truco after them; "
            f"everybody begins with {results['first']:,} of each. Ours counts an entry of a stage only if some question "
            "of it was asked. These are the bases of the first training; tinted cells are within 15 % of the published. "
            + _lengths(results)
        ),
        Table(head, rows),
        Picture("growth", drawn, "Cases of all three stages over training matches, default policies", 1000),
    ]


def _near(ours: int, published: int) -> Cell:
    """A number of ours, tinted if it is within 15 % of the published one."""
    return Cell(f"{ours:,}", 0.4 if _is_near(ours, published) else 0.0)


def _is_near(ours: int, published: int) -> bool:
    return abs(ours - published) <= 0.15 * published


def _lengths(results: Results) -> str:
    """How many hands a match had, published and in every reading."""
    said, matches = SAID["table IV"]["rows"], SAID["plan"]["training"]
    theirs = sum(said[bot]["hands"] for bot in LEARNERS) / (matches * len(LEARNERS))
    lengths = []
    for name, ending in _readings_of(results).items():
        played = [results["trainings"][bot + ending]["standing"] for bot in LEARNERS]
        hands = sum(one["hands"] for one in played) / sum(one["match"] for one in played)
        lengths.append(f"{hands:.1f} in {name}")
    return f"A match had {theirs:.1f} hands in the publication, {', '.join(lengths)}."


def _ablation_parts(results: Results) -> list[Part]:
    """What one change does to table IV, to the length of matches and to the statements."""
    lines = results.get("ablations")
    if not lines:  # a quick look, or results of earlier versions
        return []
    said = SAID["table IV"]["rows"]
    cells = [(bot, stage) for bot in LEARNERS for stage in STAGES]
    rows: list[list[Cell | str]] = [
        [
            line["changed"],
            Cell("; ".join((line["reading"].removeprefix("@"), *filter(None, line["more"]))), wide=True),
            f"{line['hands a match']:.1f}",
            str(sum(_is_near(line["cases"][bot][stage], said[bot][stage]) for bot, stage in cells)),
            str(sum(lead > 0 for lead in line["leads"])),
            *(count_verdicts(line["verdicts"], verdict) for verdict in (CONFIRMED, CONTRADICTED)),
        ]
        for line in lines
    ]
    length = sum(said[bot]["hands"] for bot in LEARNERS) / (SAID["plan"]["training"] * len(LEARNERS))
    return [
        Heading("What one change does"),
        Text(
            f"The reading of the text, with one thing changed at a time; every line is trained and tested anew. Published: "
            f"{length:.1f} hands a match. Cells of table IV are counted if they are within 15 % of the {len(cells)} "
            f"published ones, statements if ours leads in the published direction, of {len(lines[0]['leads'])}."
        ),
        Table(
            [
                "changed",
                "reading",
                "hands a match",
                "cells of table IV",
                "published direction",
                "confirmed",
                "contradicted",
            ],
            rows,
        ),
    ]


def _figure_1(results: Results) -> list[Part]:
    names = {"default": OURS, "raw": RAW, "text": "read as the text says"}
    both = {names[name]: rows for name, rows in results["against BOT0"].items()}
    some = [
        Panel(
            bot,
            [one["match"] for one in points],
            [one["win_rate"] for one in points],
            [one["win_rate_ci95"] for one in points],
        )
        for bot, points in results["curve"].items()
    ]
    labels = ("training matches", "won against BOT0")
    return [
        Heading("Against BOT0 (figure 1)"),
        Text(f"{2 * results['pairs']} matches each, {results['pairs']} duplicate pairs over the same deals."),
        win_bars("against-bot0", "Share of matches won against BOT0", LEARNERS, both),
        Picture(
            "curves",
            panels(some, len(some), labels, (0.0, 1.0), 0.5, percent=True),
            "Learning curves: every bot on its base as it was on the way, against BOT0 over the same deals",
            1000,
        ),
    ]


EXPERIMENT = Moral2020()
