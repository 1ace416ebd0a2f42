"""Moral et al. (2020): five ways to retain cases, trained against BOT0 and tested in duplicate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from retruco.agents.core import Agent
from retruco.agents.truco.policies import RAW as ENDING
from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Panel, panels
from retruco.arena.report import behaviour, matrix
from retruco.arena.sets import Score
from retruco.arena.stats import share_interval
from retruco.arena.tournament import results, scores_of
from retruco.cbr.casebase import CaseBase
from retruco.experiments.clusters import beginning, heading
from retruco.experiments.conclusions import judged, shares_of
from retruco.experiments.contest import Contest, Scores, seated
from retruco.experiments.published import claims_of, expected
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.report_sections import (
    OURS,
    RAW,
    both_readings,
    by_name,
    conclusions,
    win_bars,
)
from retruco.experiments.study import TRUCO, Found, Results, Stage, Study, Work
from retruco.experiments.training import Training, TrainingStart
from retruco.learning.learners import plan_for

SAID: Final = expected("moral2020")
BOTS: Final = ("BOT0", "BOT1", "BOT2", "BOT3", "BOT4", "BOT5")
LEARNERS: Final = BOTS[1:]
STAGES: Final = ("envido", "flor", "truco")
MARKS: Final = 5
PUPIL: Final = "BOT5"
"""Who asks a tutor; a person's own pupil may take its place."""


def first_base(study: Study) -> CaseBase:
    """The first 513 hands, with which everybody begins."""
    return beginning(study.base, SAID["plan"]["first"])[0]


def training(study: Study, bot: str, ending: str = "") -> Training:
    """300 training matches of a bot against BOT0, both with our revision or both without."""
    changes = {"policies": (bot + ending,), "against": f"BOT0{ending}", "learner": bot + ending}
    plan = replace(plan_for(bot, seed=study.seed), **changes)  # type: ignore[arg-type]
    start = TrainingStart(study.base.cases, study.base.hands, {})
    matches = study.size(SAID["plan"]["training"], 10)
    return Training(bot + ending, plan, TRUCO, start, study.folder, matches, marks=MARKS)


def trainings(study: Study, found: Found) -> Sequence[Work]:
    """All bots that are to be trained, in both readings."""
    return [
        *(training(study, bot) for bot in trained(study)),
        *(training(study, bot, ENDING) for bot in LEARNERS),
    ]


def trained(study: Study) -> list[str]:
    """The bots that learn here; a pupil that a person has taught has learnt already."""
    return [bot for bot in LEARNERS if not (study.taught and bot == PUPIL)]


def bases(study: Study, ending: str) -> Mapping[str, Agent]:
    """Every bot with the base that it has learnt."""
    players = dict(seated([f"BOT0{ending}"], first_base(study)))
    for bot in LEARNERS:
        by_a_person = study.taught if bot == PUPIL and not ending else None
        cases = by_a_person.base.cases if by_a_person else training(study, bot, ending).learnt()
        players |= seated([bot + ending], cases)
    return players


def test(study: Study, name: str, ending: str) -> Contest:
    """All against all; the matches with BOT0 are figure 1."""
    names, pairs = tuple(bot + ending for bot in BOTS), study.size(SAID["plan"]["pairs"], 3)
    return Contest(
        name, TRUCO, names, pairs, study.seed, lambda: bases(study, ending), readable=study.readable
    )


def at_marks(study: Study) -> Mapping[str, Agent]:
    """Every bot as it was at every mark of its training, and BOT0."""
    players = dict(seated(["BOT0"], first_base(study)))
    for bot in trained(study):
        for mark in range(1, MARKS + 1):
            players[f"{bot}@{mark}"] = seated([bot], training(study, bot).learnt(mark))[bot]
    return players


def curve(study: Study) -> Contest:
    """Every bot at every mark against BOT0, over the deals of the test."""
    names = ("BOT0", *(f"{bot}@{mark}" for bot in trained(study) for mark in range(1, MARKS + 1)))
    meetings = [(0, place) for place in range(1, len(names))]
    pairs = study.size(SAID["plan"]["pairs"], 3)
    return Contest(
        "curve", TRUCO, names, pairs, study.seed, lambda: at_marks(study), meetings, study.readable
    )


def tests(study: Study, found: Found) -> Sequence[Work]:
    """Both readings, and the way there."""
    return test(study, "default", ""), test(study, "raw", ENDING), curve(study)


class Moral2020(PublishedExperiment):
    """The experiment."""

    name = "moral2020"
    title = "Five ways to retain cases"
    paper = SAID["paper"]
    stages = (
        Stage("training of ten bots", trainings, 150, 12),
        Stage("tests in duplicate", tests, 90, 10),
    )

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """Trainings, tests, curves, and what the paper says."""
        default, raw = test(study, "default", ""), test(study, "raw", ENDING)
        shares = shares_of(found["default"]), shares_of(found["raw"])
        return {
            "first": min(study.base.hands, SAID["plan"]["first"]),
            "training_matches": training(study, "BOT1").matches,
            "pairs": default.pairs,
            "trainings": {
                **{work.name: _grown(found[work.name]) for work in trainings(study, found)},
                **({PUPIL: {"standing": study.taught.standing, "growth": []}} if study.taught else {}),
            },
            "default": results(default.plan, found["default"]),
            "raw": results(raw.plan, found["raw"]),
            "against BOT0": {
                "default": _against_first(BOTS, found["default"]),
                "raw": _against_first(BOTS, found["raw"]),
            },
            "curve": _curve(curve(study).names, found),
            "claims": judged(claims_of(SAID["claims"], BOTS, *shares, SAID["plan"]["pairs"])),
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return "each of five bots trains against BOT0 and keeps cases in its own way, then all are tested."

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        ours, raw = by_name(results["default"]), by_name(results["raw"], ENDING)
        order = [row["agent"] for row in results["default"]["standing"]]
        return [
            *_table_iv(results),
            *_figure_1(results),
            *heading(
                "All against all (figure 2)",
                f"{results['default']['matches']:,} matches in each reading. {SAID['told']}",
            ),
            win_bars("all", "Share of matches won, all against all", order, {OURS: ours, RAW: raw}),
            both_readings(order, ours, raw, lambda name: "1st" if name == "BOT3" else "not told"),
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


def _table_iv(results: Results) -> list[Part]:
    said, rows = SAID["table IV"]["rows"], []
    for bot in LEARNERS:
        cells: list[Cell | str] = [bot]
        for standing in (None, *(results["trainings"][bot + end]["standing"] for end in ("", ENDING))):
            counts = said[bot] if standing is None else {"hands": standing["hands"], **standing["cases"]}
            cells += [f"{counts[what]:,}" for what in ("hands", *STAGES)]
        rows.append(cells)
    four = ["hands", *STAGES]
    head = ["", *(f"published: {one}" if one == "hands" else one for one in four)]
    head += [f"ours: {one}" if one == "hands" else one for one in four]
    head += [f"raw: {one}" if one == "hands" else one for one in four]
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
            "of it was asked; one training is one draw of chance, as the published one is. "
            + _why_smaller(results)
        ),
        Table(head, rows),
        Picture("growth", drawn, "Cases of all three stages over training matches, default policies", 1000),
    ]


def _why_smaller(results: Results) -> str:
    """Say how long matches were, and whether substitution shrinks a base, beside the published."""
    said, matches = SAID["table IV"]["rows"], SAID["plan"]["training"]
    played = [results["trainings"][bot]["standing"] for bot in LEARNERS]
    theirs = sum(said[bot]["hands"] for bot in LEARNERS) / (matches * len(LEARNERS))
    ours = sum(one["hands"] for one in played) / sum(one["match"] for one in played)
    text = f"A match had {theirs:.1f} hands in the publication and {ours:.1f} in ours"
    text += "; shorter matches leave fewer hands to keep." if ours < theirs else "."
    shrunk = [
        bot for bot in LEARNERS if results["trainings"][bot]["standing"]["cases"]["truco"] < results["first"]
    ]
    if shrunk:
        text += (
            f" In ours the truco base of {' and '.join(shrunk)} shrinks: each of the ten cases that earned less goes for "
            "one that comes. The published bases grew, so fewer must have gone there."
        )
    return text


def _figure_1(results: Results) -> list[Part]:
    both = {OURS: results["against BOT0"]["default"], RAW: results["against BOT0"]["raw"]}
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
