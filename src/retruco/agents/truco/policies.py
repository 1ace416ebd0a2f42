"""The policies of the case-based Truco players.

Their names follow Paulus (2020): MJ majority, PL lottery, PV share of victories, NP points; `S`
picks the solution, `C` a cluster first. PVCNPS picks a cluster by PV, then the solution by NP.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.truco.guessing import Guessing
from retruco.agents.truco.readings import GUARDED, Reading, change_reading
from retruco.cbr.modes import Threshold, Top
from retruco.cbr.reuse import (
    Conventional,
    Criterion,
    GuardedMajority,
    Lottery,
    Majority,
    Model,
    Points,
    Ties,
    TwoStep,
    Victory,
)
from retruco.games.truco.rules import PRESETS
from retruco.vocab.truco.scenarios import VOCABULARY

GAME: Final = "truco"

CRITERIA: Final[dict[str, Callable[..., Criterion]]] = {
    "MJ": Majority,
    "PL": Lottery,
    "PV": Victory,
    "NP": Points,
}

TWENTY: Final = (
    "MJS", "PLS", "PVS", "NPS", "MJCS", "PLCS", "PVCS", "NPCS", "NPCMJS", "NPCPVS", "NPCPLS", "MJCNPS", "MJCPVS",
    "MJCPLS", "PLCNPS", "PLCMJS", "PLCPVS", "PVCNPS", "PVCMJS", "PVCPLS",
)  # fmt: skip
"""The twenty policies of Paulus (2020), tables 13 to 15."""

OF_2019: Final = {
    "MJS-2019": "MJS",
    "PS-2019": "PLS",
    "CNPS-2019": "NPS",
    "MJC-2019": "MJCS",
    "PC-2019": "PLCS",
    "CNPC-2019": "NPCS",
}
"""The six policies of Paulus (2019), by what they are among the twenty; they retrieve at 75 %."""


RAW: Final = "-raw"
"""Ends the name of a policy that is read literally: no support, no revision."""
SOUND: Final = "-sound"
"""Ends the name of a policy of the twenty with the safeguards of `sound_play`."""


def model_of(name: str, literal: bool = False, ties: Ties = "similarity") -> Model:
    """Read a policy's name as its model; `literal` leaves out support and prior.

    >>> model_of("PVCMJS")
    TwoStep(clusters=Victory(support=3, percent=5, prior=4), actions=Majority())
    >>> model_of("MJCS") == model_of("MJCMJS")
    True
    """
    first, _, rest = name.removesuffix("S").partition("C")
    clusters = _criterion(first, literal, ties)
    if "C" not in name:
        return Conventional(clusters)
    return TwoStep(clusters, _criterion(rest or first, literal, ties))


def _criterion(code: str, literal: bool, ties: Ties) -> Criterion:
    if code == "PL":
        return Lottery()
    plain = {"support": 0, "prior": 0} if literal and code in ("PV", "NP") else {}
    return CRITERIA[code](**plain, ties=ties)


STYLES: Final = {
    "MJ": "what most did",
    "PL": "a draw among what was done",
    "PV": "what won most often",
    "NP": "what brought the most points",
}


def style_of(name: str) -> str:
    """Say in a sentence how a policy of the twenty decides.

    >>> style_of("PVCMJS")
    'Remembers similar hands; among groups of them takes what won most often, in it what most did.'
    """
    first, _, rest = name.removesuffix("S").partition("C")
    if "C" not in name:
        return f"Remembers similar hands and takes {STYLES[first]}."
    return (
        f"Remembers similar hands; among groups of them takes {STYLES[first]}, in it {STYLES[rest or first]}."
    )


# Readings


def read_model(reading: Reading) -> Model:
    """The model of a reading."""
    if reading.guarded:
        guarded = Conventional(GuardedMajority(reading.guard, reading.ties))
        return Guessing(guarded) if reading.unknown == "lot" else guarded
    return model_of(reading.policy, not reading.support, reading.ties)


def policy_of_reading(name: str, reading: Reading) -> Policy:
    """Make the policy of a reading, under a name."""
    return Policy(
        name,
        GAME,
        reading.retrieval,
        reading.rules,
        read_model(reading),
        reading.safeguards,
        reading.vocabulary,
        str(reading),
    )


def _named() -> dict[str, Reading]:
    twenty = {name: Reading(name) for name in TWENTY}
    of_2019 = {name: Reading(of, Threshold(0.75)) for name, of in OF_2019.items()}
    by_cases = {**twenty, **of_2019}
    literal = {
        name + RAW: replace(reading, support=False, revision="none") for name, reading in by_cases.items()
    }
    sound = {name + SOUND: replace(reading, revision="sound") for name, reading in twenty.items()}
    order = (*twenty, *(name + RAW for name in twenty), *of_2019, *(name + RAW for name in of_2019), *sound)
    return {name: {**by_cases, **literal, **sound}[name] for name in order} | {
        GUARDED: Reading(GUARDED, Top(10, 0.90))
    }


NAMED: Final[Mapping[str, Reading]] = _named()
"""The agents that are names of readings: the twenty, literal and sound readings of them, those of 2019, the guarded majority."""


def policies() -> dict[str, Policy]:
    """All policies by name."""
    return {name: policy_of_reading(name, reading) for name, reading in NAMED.items()}


def _style(name: str) -> str:
    if name == GUARDED:
        return "Takes the most voted move of the ten nearest hands, unless it lost (Moral 2020)."
    if name.endswith(SOUND):
        return (
            style_of(name.removesuffix(SOUND)).removesuffix(".") + ", and makes no move that cannot be right."
        )
    plain = name.removesuffix(RAW)
    style = style_of(OF_2019.get(plain, plain))
    if plain in OF_2019:
        style = style.replace("similar hands", "hands at least 75 % similar")
    return style if name == plain else style.removesuffix(".") + ", read literally: no support, no revision."


def make(name: str, reading: Reading, cases_for: CasesFor) -> Agent:
    """Give the policy of a reading its case base."""
    from retruco.agents.truco.reading_bases import (
        base_for,
    )  # numpy and numba, which lists of agents do without

    version = reading.vocabulary
    cases = cases_for(GAME) if version is None else cases_for(GAME, version)
    wanted = version or VOCABULARY.version
    if cases.vocabulary.version != wanted:
        raise ValueError(
            f"{name} reads score={reading.score} and needs cases in vocabulary {wanted}, not in {cases.vocabulary.version}"
        )
    return CaseBasedAgent(policy_of_reading(name, reading), base_for(cases, reading))


def make_reading(name: str, usual: Reading, parts: str, cases_for: CasesFor) -> Agent:
    """Make a named agent as another reading: `parts` is what stands after `@`."""
    reading = change_reading(usual, parts)
    return make(reading.shorten(name, usual), reading, cases_for)


def entry(name: str, reading: Reading, style: str) -> Entry:
    """List an agent that is the name of a reading."""
    return Entry(
        name, GAME, style, partial(make, name, reading), tuple(PRESETS), partial(make_reading, name, reading)
    )


ROSTER = tuple(entry(name, reading, _style(name)) for name, reading in NAMED.items())
