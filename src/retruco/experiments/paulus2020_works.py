"""The contests and trainings of Paulus (2020), in the readings that the text supports and in ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final

from retruco.agents.core import Agent
from retruco.agents.truco.policies import TWENTY
from retruco.agents.truco.readings import MARK
from retruco.arena.tournament import Pairing
from retruco.cbr.casebase import CaseBase
from retruco.experiments.conclusions import (
    shares_of,
    totals,
)
from retruco.experiments.contest import Contest, seated
from retruco.experiments.published import expected
from retruco.experiments.study import TRUCO, Found, Study, Work
from retruco.experiments.training import Training, TrainingStart
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
    "points compared as equal": "threshold=0.75+plain+points=equal+revision=published",
    "Euclid instead of the mean": "threshold=0.75+plain+similarity=euclid+revision=published",
}
"""Stage 1 as 5.3 says, with one thing changed at a time."""
LEARNING_CHANGES: Final[Mapping[str, str]] = {
    "as the later stages": LATER,
    "threshold of 75 %": LATER.replace("adaptive", "threshold=0.75"),
    "criteria with support": LATER.replace("plain", "support"),
    "no revision": LATER.replace("revision=published", "revision=none"),
    "our revision": LATER.replace("revision=published", "revision=ours"),
    "ours": READINGS["ours"]["later"],
}
"""How the ten are read while they learn: as the text has it, with one thing changed at a time, and as in ours."""
LEARNING_MATCHES: Final = 100
"""How many matches of self-play show what a change does to learning."""


def raw(names: Sequence[str]) -> tuple[str, ...]:
    """The literal readings of some policies."""
    return tuple(f"{name}{ENDING}" for name in names)


def read_as(names: Sequence[str], reading: str) -> tuple[str, ...]:
    """Some policies in a reading."""
    return tuple(f"{name}{MARK}{reading}" for name in names)


LATER_NAMES: Final = {"": TEN, " raw": raw(TEN), " published": read_as(TEN, LATER)}
"""The readings of stages 2 and 3 on the base that ours has learnt, by what ends the name of the contest."""
AS_TEXT: Final = "as the text says"
OWN_BASE: Final = f" {AS_TEXT}"
"""Ends the name of a contest in the reading of the text, on the base that it has learnt itself."""


def numbered(name: str, number: int) -> str:
    """The name of a work of one of several trainings; of the first it is the name alone."""
    return f"{name} {number + 1}" if number else name


def learning(study: Study, number: int = 0, reading: str | None = None) -> Training:
    """Self-play of the ten, as they are in ours or in a reading, until as many cases have come as published.

    That is from 3,195 to 27,515; the number says which of several trainings it is.
    """
    more = study.size(SAID["plan"]["cases"] - SAID["plan"]["hands"], 100)
    start = TrainingStart(study.base.cases, study.base.hands, study.base.elbows)
    policies = read_as(TEN_BEST, reading) if reading else TEN_BEST
    plan = plan_for("imitation", seed=study.seed + number, policies=policies)
    until = study.base.hands + more
    name = numbered(f"imitation, {AS_TEXT}" if reading else "imitation", number)
    return Training(name, plan, TRUCO, start, study.folder, until=until, marks=MARKS)


def learning_changes(study: Study) -> list[Training]:
    """The first matches of self-play in every reading; none in a quick look."""
    start = TrainingStart(study.base.cases, study.base.hands, study.base.elbows)
    return [
        Training(
            f"imitation, {changed}",
            plan_for(
                "imitation", seed=study.seed, policies=read_as(TEN_BEST, reading) if reading else TEN_BEST
            ),
            TRUCO,
            start,
            study.folder,
            LEARNING_MATCHES,
            marks=1,
        )
        for changed, reading in LEARNING_CHANGES.items()
        if not study.quick
    ]


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
    return Contest(name, TRUCO, names, pairs_of(study), seed, seats, meetings)


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


def pairs_of(study: Study) -> int:
    """How many duplicate pairs a meeting has."""
    return study.size(SAID["plan"]["pairs"], 2)


def first_works(study: Study, found: Found) -> Sequence[Work]:
    """Stage 1 in both readings, and meanwhile the learning."""
    return (
        *(learning(study, number) for number in range(study.trainings)),
        *learning_changes(study),
        contest(study, "stage 1", TWENTY),
        contest(study, "stage 1 raw", raw(TWENTY)),
        *first_readings(study),
        *(learning(study, number, LATER) for number in range(study.trainings)),
    )


def before_and_after(
    study: Study,
    name: str,
    names: tuple[str, ...],
    clean_first: bool = False,
    number: int = 0,
    learnt_as: str | None = None,
) -> Contest:
    """Stage 2: every policy on the learned base, or on it once it is clean, against itself on the starting one."""
    both = (*names, *(one + AT_START for one in names))

    def seats() -> Mapping[str, Agent]:
        start = seated(names, study.base.cases)
        training = learning(study, number, learnt_as)
        cases = cleaned(training)[0] if clean_first else learnt(training)
        return {
            **seated(names, cases),
            **{one + AT_START: agent for one, agent in start.items()},
        }

    meetings = [(place, place + len(names)) for place in range(len(names))]
    seed = study.seed + number
    return Contest(name, TRUCO, both, pairs_of(study), seed, seats, meetings)


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


def on_own_base(study: Study) -> list[Contest]:
    """Stages 2 and 3 as the text says, on the bases that policies so read have learnt themselves."""
    names = read_as(TEN, LATER)
    return [
        work
        for number in range(study.trainings)
        for work in (
            before_and_after(
                study, numbered(f"stage 2{OWN_BASE}", number), names, number=number, learnt_as=LATER
            ),
            contest(
                study,
                numbered(f"stage 3{OWN_BASE}", number),
                names,
                learnt(learning(study, number, LATER)),
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
    return Contest("road", TRUCO, names, pairs, study.seed, seats, meetings)


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
        *on_own_base(study),
    )
