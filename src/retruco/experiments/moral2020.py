"""Moral et al. (2020): five ways to retain cases, trained against BOT0 and tested in duplicate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, Final

from retruco.agents.truco.bots import READINGS as BOT_READINGS
from retruco.agents.truco.policies import RAW as ENDING
from retruco.agents.truco.readings import change_reading
from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Panel, panels
from retruco.arena.ratings import seen_by
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
    share_row,
    shares_of,
    why_unjudged,
    won_by,
)
from retruco.experiments.moral2020_works import (
    ABLATIONS,
    BOTS,
    LEARNERS,
    MARKS,
    PUPIL,
    READINGS,
    SAID,
    STAGES,
    BotReading,
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
    after_trainings,
    conclusions,
    count_verdicts,
    side_by_side,
    trainings_in,
    win_bars,
)
from retruco.experiments.study import Found, Results, Stage, Study
from retruco.experiments.table_iii import table_iii_parts


def shares_over_trainings(study: Study, found: Found, reading: str) -> Shares:
    """What everybody won: pair by pair after one training, else a number a training."""
    return over_trainings(
        [shares_of(found[duplicate_test(study, reading, number).name]) for number in range(study.trainings)]
    )


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
        in_unit = study.pairs_in_unit(default.pairs)
        first_trainings = trainings(replace(study, trainings=1), found)
        return {
            "first": min(study.base.hands, SAID["plan"]["first"]),
            "training_matches": training(study, "BOT1").matches,
            "pairs": default.pairs,
            "agent_readings": _full_readings(),
            "table IV": {name: _bases_of(study, found, reading) for name, reading in READINGS.items()},
            "first trainings": {
                **{work.name: _grown(found[work.name]) for work in first_trainings},
                **({PUPIL: {"standing": study.taught.standing, "growth": []}} if study.taught else {}),
            },
            "all against all": {name: won_by(BOTS, some, in_unit) for name, some in shares.items()},
            "against BOT0": {name: _against_first(some, in_unit) for name, some in shares.items()},
            "default": results(default.plan, found["default"]),
            "raw": results(raw.plan, found["raw"]),
            "text": results(text.plan, found["text"]),
            "curve": _curve(curve(study).names, found),
            "claims": _claims(study, shares),
            "ablations": _ablations(study, found),
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return "each of five bots trains against BOT0 and keeps cases in its own way, then all are tested."

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        return [
            *_text_parts(results),
            *table_iii_parts(),
            *_table_iv(results),
            *_figure_1(results),
            *_figure_2(results),
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
            "trainings of every bot": f"{trainings_in(results)}; who beat whom and how they play is told of the first",
        }


def _claims(study: Study, shares: Mapping[str, Shares]) -> list[dict[str, Any]]:
    """Every statement of the paper in some readings."""
    unjudged = why_unjudged(study.quick, study.trainings)
    in_unit = study.pairs_in_unit(duplicate_test(study, "ours").pairs)
    return judged(claims_of(SAID["claims"], BOTS, shares, SAID["plan"]["pairs"], unjudged, in_unit))


def _standings(study: Study, found: Found, bot: str, reading: BotReading) -> list[Mapping[str, Any]]:
    """How every training of a bot ended."""
    if study.taught and bot == PUPIL and not reading.ending:
        return [study.taught.standing]
    return [
        found[training(study, bot, reading, number).name]["standing"] for number in range(study.trainings)
    ]


def _bases_of(study: Study, found: Found, reading: BotReading) -> dict[str, dict[str, list[int]]]:
    """Table IV in a reading: hands and cases of every bot, training by training."""
    ended = {bot: _standings(study, found, bot, reading) for bot in LEARNERS}
    return {
        bot: {
            "matches": [one["match"] for one in some],
            "hands": [one["hands"] for one in some],
            **{stage: [one["cases"][stage] for one in some] for stage in STAGES},
        }
        for bot, some in ended.items()
    }


def _ablations(study: Study, found: Found) -> list[dict[str, Any]]:
    """The reading of the text with one thing changed at a time: table IV, and what becomes of the statements."""
    if not changes(study):
        return []
    lines = []
    for changed, reading in ABLATIONS.items():
        name = changed if changed in changes(study) else "text"
        shares = shares_over_trainings(study, found, name)
        claims = [claim["readings"][""] for claim in _claims(study, {"": shares})]
        bases = _bases_of(study, found, reading)
        lines.append(
            {
                "changed": changed,
                "reading": reading.ending,
                "more": [reading.substitution, reading.tutors],
                "hands a match": _hands_a_match(bases),
                "cases": {bot: {stage: fmean(bases[bot][stage]) for stage in STAGES} for bot in LEARNERS},
                "leads": [claim["lead"] for claim in claims],
                "verdicts": [claim["verdict"] for claim in claims],
            }
        )
    return lines


def _hands_a_match(bases: Mapping[str, Mapping[str, Sequence[int]]]) -> float:
    """The length of matches over all trainings of all bots."""
    hands, matches = (sum(sum(base[what]) for base in bases.values()) for what in ("hands", "matches"))
    return hands / matches


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
        matches = results["first trainings"][PUPIL]["standing"]["match"]
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


def _against_first(shares: Shares, in_unit: int) -> dict[str, Any]:
    return {
        bot: share_row(seen_by(place, 0, shares), in_unit)
        for place, bot in enumerate(BOTS)
        if bot in LEARNERS
    }


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


def _text_parts(results: Results) -> list[Part]:
    """Which sentences support the reading of the text, and against it what."""
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
    said, columns = SAID["table IV"]["rows"], ("hands", *STAGES)
    rows: list[list[Cell | str]] = []
    for bot in LEARNERS:
        rows.append([bot, "published", *(f"{said[bot][what]:,}" for what in columns)])
        for reading, bases in results["table IV"].items():
            rows.append(["", reading, *(_near(bases[bot][what], said[bot][what]) for what in columns)])
    first = results["first trainings"]
    some = [
        Panel(
            bot,
            [one["match"] for one in first[bot]["growth"]],
            [sum(one["cases"].values()) for one in first[bot]["growth"]],
        )
        for bot in results["curve"]
    ]
    drawn = panels(some, len(some), ("training matches", "cases"))
    several = trainings_in(results) > 1
    return [
        Heading("What training has left in the bases (table IV)"),
        Text(
            f"Hands played in {results['training_matches']:,} matches and the cases for envido, flor and truco after them; "
            f"everybody begins with {results['first']:,} of each. Ours counts an entry of a stage only if some question "
            "of it was asked. "
            + (
                f"Ours are means of {trainings_in(results)} trainings, with the least and the most. "
                if several
                else ""
            )
            + "Tinted cells are within 15 % of the published. "
            + _lengths(results)
        ),
        Table(["", "", *columns], rows),
        Picture(
            "growth",
            drawn,
            "Cases of all three stages over training matches, default policies"
            + ", first training" * several,
            1000,
        ),
    ]


def _near(ours: Sequence[int], published: int) -> Cell:
    """Numbers of ours, their mean tinted if it is within 15 % of the published one."""
    span = f" ({min(ours):,}-{max(ours):,})" if len(ours) > 1 else ""
    return Cell(f"{fmean(ours):,.0f}{span}", 0.4 if _is_near(fmean(ours), published) else 0.0)


def _is_near(ours: float, published: int) -> bool:
    return abs(ours - published) <= 0.15 * published


def _lengths(results: Results) -> str:
    """How many hands a match had, published and in every reading."""
    said, matches = SAID["table IV"]["rows"], SAID["plan"]["training"]
    theirs = sum(said[bot]["hands"] for bot in LEARNERS) / (matches * len(LEARNERS))
    lengths = [f"{_hands_a_match(bases):.1f} in {name}" for name, bases in results["table IV"].items()]
    return f"A match had {theirs:.1f} hands in the publication, {', '.join(lengths)}."


def _ablation_parts(results: Results) -> list[Part]:
    """What one change does to table IV, to the length of matches and to the statements."""
    lines = results["ablations"]
    if not lines:  # a quick look
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


CALLED: Final = {"ours": OURS, "raw": RAW, "text": "read as the text says"}
"""How the readings are called in drawings."""


def _figure_1(results: Results) -> list[Part]:
    readings = {CALLED[name]: rows for name, rows in results["against BOT0"].items()}
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
        Text(
            f"{2 * results['pairs']} matches each, {results['pairs']} duplicate pairs over the same deals"
            f"{after_trainings(results)}."
        ),
        win_bars("against-bot0", "Share of matches won against BOT0", LEARNERS, readings),
        Picture(
            "curves",
            panels(some, len(some), labels, (0.0, 1.0), 0.5, percent=True),
            "Learning curves: every bot on its base as it was on the way, against BOT0 over the same deals",
            1000,
        ),
    ]


def _figure_2(results: Results) -> list[Part]:
    """All against all in every reading."""
    won = results["all against all"]
    order = list(won["ours"])
    matches = f"{results['default']['matches']:,} matches in each reading{after_trainings(results)}."
    return [
        *heading("All against all (figure 2)", f"{matches} {SAID['told']}"),
        win_bars(
            "all",
            "Share of matches won, all against all",
            order,
            {CALLED[name]: readings for name, readings in won.items()},
        ),
        side_by_side("bot", won, order, lambda bot: "1st" if bot == "BOT3" else "not told"),
    ]


EXPERIMENT = Moral2020()
