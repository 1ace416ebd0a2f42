"""The trainings and tests of Moral et al. (2020), in the readings that the text supports and in ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.agents.truco.policies import RAW as ENDING
from retruco.cbr.casebase import CaseBase
from retruco.experiments.clusters import beginning
from retruco.experiments.contest import Contest, seated
from retruco.experiments.published import expected
from retruco.experiments.study import TRUCO, Found, Study, Work
from retruco.experiments.training import Training, TrainingStart
from retruco.learning.case_bases import base_named
from retruco.learning.learners import ONE_BY_ONE, Plan, plan_for
from retruco.storage.library import Base

SAID: Final = expected("moral2020")
BOTS: Final = ("BOT0", "BOT1", "BOT2", "BOT3", "BOT4", "BOT5")
LEARNERS: Final = BOTS[1:]
STAGES: Final = ("envido", "flor", "truco")
MARKS: Final = 5
TEXT: Final[str] = "@" + SAID["readings"]["text"]["reading"]
"""Ends the name of a bot that is read as the paper's text has it."""
ALL_WORSE: Final = "substitution"
"""The way to retain in which every worse case goes; in `ONE_BY_ONE` one case goes for one that comes."""


@dataclass(frozen=True)
class BotReading:
    """How all bots are read: what ends their names, which cases go when a better one comes, and who teaches."""

    ending: str
    substitution: str = ALL_WORSE
    tutors: str | None = None
    """The tutors of `BOT5`, one of whom is drawn for every match; the plan's own if none are named."""

    def plan(self, bot: str, seed: int) -> Plan:
        """The plan of a bot in this reading."""
        plan = plan_for(bot, seed=seed, policies=(bot + self.ending,), against=f"BOT0{self.ending}")
        strategy = self.substitution if plan.strategy == ALL_WORSE else plan.strategy
        tutor = self.tutors or plan.tutor if plan.tutor else None
        return replace(plan, learner=bot + self.ending, strategy=strategy, tutor=tutor)

    def name(self, bot: str) -> str:
        """The name of a training: the bot's own, and what else is done otherwise than usual in its reading."""
        plan = self.plan(bot, 0)
        goes = ", every worse case goes" if self.ending == TEXT and plan.strategy == ALL_WORSE else ""
        tutors = f", taught by {plan.tutor}" if self.tutors and plan.tutor else ""
        return bot + self.ending + goes + tutors


READINGS: Final = {
    "ours": BotReading(""),
    "raw": BotReading(ENDING),
    "text": BotReading(TEXT, ONE_BY_ONE),
}
"""The readings by name."""
ABLATIONS: Final[Mapping[str, BotReading]] = {
    "as the text says": READINGS["text"],
    "points as an interval": BotReading(TEXT.replace("points=equal", "points=interval"), ONE_BY_ONE),
    "the mean instead of Euclid": BotReading(
        TEXT.replace("similarity=euclid", "similarity=mean"), ONE_BY_ONE
    ),
    "only actions that won": BotReading(TEXT.replace("guard=not-lost", "guard=won"), ONE_BY_ONE),
    "the majority without a guard": BotReading(TEXT.replace("guard=not-lost", "guard=none"), ONE_BY_ONE),
    "our revision": BotReading(TEXT.replace("revision=none", "revision=ours"), ONE_BY_ONE),
    "every worse case goes": BotReading(TEXT, ALL_WORSE),
    "several tutors": BotReading(TEXT, ONE_BY_ONE, "balanced,aggressive,cautious,bluffer"),
}
"""The reading of the text, with one thing changed at a time."""
PUPIL: Final = "BOT5"
"""Who asks a tutor; a person's own pupil may take its place."""


def base_in(study: Study, version: int | None) -> Base:
    """The base of a study in a version of the vocabulary: the first, or the one that a reading asks for."""
    return study.base if version is None else base_named(study.base.name, TRUCO.name, version=version)


def first_base(study: Study, version: int | None = None) -> CaseBase:
    """The first 513 hands, with which everybody begins."""
    return beginning(base_in(study, version), SAID["plan"]["first"])[0]


def training(study: Study, bot: str, reading: BotReading = READINGS["ours"], number: int = 0) -> Training:
    """300 training matches of a bot against BOT0, both in the same reading; one of several trainings."""
    start = TrainingStart(_compared(study, bot + reading.ending), study.base.hands, {})
    matches = study.size(SAID["plan"]["training"], 10)
    name = reading.name(bot) + (f" {number + 1}" if number else "")
    plan = reading.plan(bot, study.seed + number)
    return Training(name, plan, TRUCO, start, study.folder, matches, marks=MARKS)


def _compared(study: Study, bot: str) -> CaseBase:
    """The base as a bot compares it."""
    found = find_agent(bot, TRUCO.name, lambda game, version=None: base_in(study, version).cases)
    assert isinstance(found, CaseBasedAgent)
    return found.cases


def trainings(study: Study, found: Found) -> Sequence[Work]:
    """All bots that are to be trained, in all readings, each as often as asked for; none twice."""
    works = [
        training(study, bot, reading, number)
        for number in range(study.trainings)
        for reading in {**READINGS, **changes(study)}.values()
        for bot in (LEARNERS if reading.ending else trained(study))
    ]
    return list({work.name: work for work in works}.values())


def changes(study: Study) -> Mapping[str, BotReading]:
    """The ablations that are trained and tested apart: none in a quick look, which judges nothing."""
    return (
        {}
        if study.quick
        else {what: reading for what, reading in ABLATIONS.items() if reading != READINGS["text"]}
    )


def trained(study: Study) -> list[str]:
    """The bots that learn here; a pupil that a person has taught has learnt already."""
    return [bot for bot in LEARNERS if not (study.taught and bot == PUPIL)]


def bases(study: Study, reading: BotReading, number: int = 0) -> Mapping[str, Agent]:
    """Every bot with the base that it has learnt."""
    ending = reading.ending
    players = {f"BOT0{ending}": _beginner(study, f"BOT0{ending}")}
    for bot in LEARNERS:
        by_a_person = study.taught if bot == PUPIL and not ending else None
        cases = by_a_person.base.cases if by_a_person else training(study, bot, reading, number).learnt()
        players |= seated([bot + ending], cases)
    return players


def _beginner(study: Study, bot: str) -> Agent:
    """A bot with the hands that everybody begins with."""
    return find_agent(bot, TRUCO.name, lambda game, version=None: first_base(study, version))


def duplicate_test(study: Study, reading: str, number: int = 0) -> Contest:
    """All against all after one of the trainings; the matches with BOT0 are figure 1."""
    found = {**READINGS, **ABLATIONS}[reading]
    names, pairs = tuple(bot + found.ending for bot in BOTS), study.size(SAID["plan"]["pairs"], 3)
    called = {"ours": "default"}.get(reading, reading) + (f" {number + 1}" if number else "")
    return Contest(
        called,
        TRUCO,
        names,
        pairs,
        study.seed + number,
        lambda: bases(study, found, number),
    )


def at_marks(study: Study) -> Mapping[str, Agent]:
    """Every bot as it was at every mark of its training, and BOT0."""
    players = {"BOT0": _beginner(study, "BOT0")}
    for bot in trained(study):
        for mark in range(1, MARKS + 1):
            players[f"{bot}@{mark}"] = seated([bot], training(study, bot).learnt(mark))[bot]
    return players


def curve(study: Study) -> Contest:
    """Every bot at every mark against BOT0, over the deals of the test."""
    names = ("BOT0", *(f"{bot}@{mark}" for bot in trained(study) for mark in range(1, MARKS + 1)))
    meetings = [(0, place) for place in range(1, len(names))]
    pairs = study.size(SAID["plan"]["pairs"], 3)
    return Contest("curve", TRUCO, names, pairs, study.seed, lambda: at_marks(study), meetings)


def tests(study: Study, found: Found) -> Sequence[Work]:
    """All readings after every training, and the way there."""
    some = [
        duplicate_test(study, reading, number)
        for number in range(study.trainings)
        for reading in (*READINGS, *changes(study))
    ]
    return [*some, curve(study)]
