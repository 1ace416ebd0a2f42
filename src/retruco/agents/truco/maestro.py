"""The case-based players of vocabulary 2, and `maestro`, who has cases of its own.

A base of an expert's hands has many cases of nearly every situation. The nearest few say what the expert does here and
how often; a draw among them plays its mixture, without what is rare. Safeguards stop what cannot be right.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.truco.sound_play import FALTA_ODDS, KEPT_WINNER, LOSING_CARD, NOTHING_TO_LOSE
from retruco.cbr.modes import Top
from retruco.cbr.reuse import Conventional, Lottery, Majority
from retruco.games.truco.rules import PRESETS
from retruco.vocab.registry import find_vocabulary

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

GAME: Final = "truco"
VERSION: Final = 2
NEAREST: Final = Top(24, at_least=0)
COMMON: Final = Lottery(least=0.12)
SAFEGUARDS: Final = (FALTA_ODDS, LOSING_CARD, KEPT_WINNER, NOTHING_TO_LOSE)
"""What an expert would not do either. It does call and decline against the odds of its cards, and fold at once, where
that pays."""
FILE: Final = files("retruco.agents.truco") / "maestro.npz"
"""The cases of `maestro`; `tools/make_maestro.py` makes them."""

MAESTRO: Final = Policy("maestro", GAME, NEAREST, (), Conventional(COMMON), SAFEGUARDS, VERSION)
POLICIES: Final = {
    "PLS-2": replace(MAESTRO, name="PLS-2"),
    "MJS-2": replace(MAESTRO, name="MJS-2", model=Conventional(Majority())),
}


@cache
def read_shipped() -> CaseBase:
    """Read the cases that come with the program, once."""
    from retruco.cbr.case_file import read_cases  # numpy and numba are loaded with it

    words = find_vocabulary(GAME, VERSION)
    assert words is not None, "Truco has a vocabulary 2"
    return read_cases(FILE, words.VOCABULARY)


def make_maestro(cases_for: CasesFor) -> Agent:
    """Make the player with cases of its own."""
    return CaseBasedAgent(MAESTRO, read_shipped())


def make(policy: Policy, cases_for: CasesFor) -> Agent:
    """Give a policy its case base, in vocabulary 2."""
    return CaseBasedAgent(policy, cases_for(GAME, VERSION))


RULES: Final = tuple(PRESETS)

ROSTER = (
    Entry(
        "maestro",
        GAME,
        "Remembers the hands of an expert and plays as that did in the most similar ones.",
        make_maestro,
        RULES,
    ),
    Entry(
        "PLS-2",
        GAME,
        "Remembers whole decisions of similar hands and draws among what was done often.",
        partial(make, POLICIES["PLS-2"]),
        RULES,
    ),
    Entry(
        "MJS-2",
        GAME,
        "Remembers whole decisions of similar hands and takes what most did.",
        partial(make, POLICIES["MJS-2"]),
        RULES,
    ),
)
