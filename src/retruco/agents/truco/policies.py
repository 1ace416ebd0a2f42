"""The policies of the case-based Truco players.

Their names follow Paulus (2020): MJ majority, PL lottery, PV share of victories, NP points; `S`
picks the solution, `C` a cluster first. PVCNPS picks a cluster by PV, then the solution by NP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.truco.sound_play import SOUND_RULES
from retruco.cbr.modes import Adaptive, Mode, Threshold, Top
from retruco.cbr.reuse import (
    Conventional,
    Criterion,
    GuardedMajority,
    Lottery,
    Majority,
    Model,
    Points,
    TwoStep,
    Victory,
)
from retruco.cbr.revise import Rule
from retruco.games.truco.rules import PRESETS
from retruco.vocab.truco import Question
from retruco.vocab.truco.revision import ALL_RULES, ALWAYS_ON

GAME: Final = "truco"
ADAPTIVE: Final = Adaptive()

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


SOUND: Final = "-sound"
"""Ends the name of a policy of the twenty with the safeguards of `sound_play`."""


def model_of(name: str, literal: bool = False) -> Model:
    """Read a policy's name as its model; `literal` leaves out support and prior.

    >>> model_of("PVCMJS")
    TwoStep(clusters=Victory(support=3, percent=5, prior=4), actions=Majority())
    >>> model_of("MJCS") == model_of("MJCMJS")
    True
    """
    first, _, rest = name.removesuffix("S").partition("C")
    clusters = _criterion(first, literal)
    if "C" not in name:
        return Conventional(clusters)
    return TwoStep(clusters, _criterion(rest or first, literal))


def _criterion(code: str, literal: bool) -> Criterion:
    return CRITERIA[code](support=0, prior=0) if literal and code in ("PV", "NP") else CRITERIA[code]()


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


def truco_policy(
    name: str, model: Model, mode: Mode = ADAPTIVE, rules: tuple[Rule[Question], ...] = ALL_RULES
) -> Policy:
    """Make a policy of Truco."""
    return Policy(name, GAME, mode, rules, model)


def policies() -> dict[str, Policy]:
    """All policies by name: the twenty, literal and sound readings of them, those of 2019, the guarded majority."""
    found = [truco_policy(name, model_of(name)) for name in TWENTY]
    found += [truco_policy(f"{name}-raw", model_of(name, literal=True), rules=ALWAYS_ON) for name in TWENTY]
    found += [truco_policy(name, model_of(of), Threshold(0.75)) for name, of in OF_2019.items()]
    found += [
        truco_policy(f"{name}-raw", model_of(of, literal=True), Threshold(0.75), ALWAYS_ON)
        for name, of in OF_2019.items()
    ]
    found += [replace(truco_policy(name + SOUND, model_of(name)), safeguards=SOUND_RULES) for name in TWENTY]
    found.append(truco_policy("guarded-majority", Conventional(GuardedMajority()), Top(10, 0.90)))
    return {policy.name: policy for policy in found}


def _style(policy: Policy) -> str:
    name = policy.name
    if name == "guarded-majority":
        return "Takes the most voted move of the ten nearest hands, unless it lost (Moral 2020)."
    if name.endswith(SOUND):
        return (
            style_of(name.removesuffix(SOUND)).removesuffix(".") + ", and makes no move that cannot be right."
        )
    plain = name.removesuffix("-raw")
    style = style_of(OF_2019.get(plain, plain))
    if plain in OF_2019:
        style = style.replace("similar hands", "hands at least 75 % similar")
    return style if name == plain else style.removesuffix(".") + ", read literally: no support, no revision."


def make(policy: Policy, cases_for: CasesFor) -> Agent:
    """Give a policy its case base."""
    return CaseBasedAgent(policy, cases_for(GAME))


ROSTER = tuple(
    Entry(policy.name, GAME, _style(policy), partial(make, policy), tuple(PRESETS))
    for policy in policies().values()
)
