"""The six bots of Moral (2020): one way to decide, six ways to learn.

All take the guarded majority of the ten nearest cases at 90 %. What sets them apart is what they
keep (see `retruco.learning.learners`), and that BOT3 and BOT4 answer truco and envido bets by lot
where they find fewer than ten cases; cards and openings are still reused. BOT5 asks its tutor
there; without one it reuses what it has found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from retruco.agents.case_based import Policy
from retruco.agents.truco.policies import NAMED, RAW, entry, policy_of_reading
from retruco.agents.truco.readings import GUARDED, Reading

STYLES: Final = {
    "BOT0": "Takes the guarded majority of the ten nearest hands and never learns (Moral 2020).",
    "BOT1": "As BOT0; in training it keeps hands with a situation it did not know.",
    "BOT2": "As BOT1; in training better hands also take the place of worse ones.",
    "BOT3": "As BOT1, and answers bets it does not know by lot.",
    "BOT4": "As BOT2, and answers bets it does not know by lot.",
    "BOT5": "As BOT0; in training it asks a tutor what it does not know and keeps what was shown.",
}
GUESSING: Final = ("BOT3", "BOT4")


def _readings() -> dict[str, Reading]:
    usual = NAMED[GUARDED]
    ours = {name: replace(usual, unknown="lot") if name in GUESSING else usual for name in STYLES}
    return ours | {name + RAW: replace(reading, revision="none") for name, reading in ours.items()}


READINGS: Final = _readings()
"""The bots as readings: they all decide by the guarded majority, the raw ones without revision."""


def policy_of(name: str) -> Policy:
    """Give a bot its policy."""
    return policy_of_reading(name, READINGS[name])


ROSTER = tuple(
    entry(name, reading, STYLES[name.removesuffix(RAW)] + " No revision." * name.endswith(RAW))
    for name, reading in READINGS.items()
)
