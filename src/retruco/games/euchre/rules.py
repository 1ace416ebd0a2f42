"""The variants of Euchre as data: one frozen record a variant, no code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Alone: TypeAlias = Literal["never", "with the call", "after the discard"]
"""When a maker may leave the partner out: not at all, in the same breath as the call, or once the
dealer has discarded."""

MENU_TARGETS: Final = (5, 7, 10, 11)
"""The targets offered in menus; any target from 1 on can be played."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One variant of the game."""

    name: str
    summary: str
    target: int = 10
    """The target played to when nobody asks for another."""
    stick_the_dealer: bool = False
    """Whether the dealer must name a suit when all others have passed twice; else the deal passes."""
    alone: Alone = "with the call"
    may_discard_upcard: bool = True
    """Whether the dealer may throw away the very card that was ordered up."""
    dealer_leads: bool = False
    """Whether the dealer leads to the first trick; else the seat to its left does."""


def first_leader(rules: Rules, dealer: int) -> int:
    """The seat that leads to the first trick, unless its partner plays alone."""
    return dealer if rules.dealer_leads else (dealer + 1) % 4


PRESETS: Final = {
    rules.name: rules
    for rules in (
        Rules("classic", "the deal passes when nobody calls; a maker may go alone"),
        Rules(
            "stick", "the dealer must call when nobody else does; a maker may go alone", stick_the_dealer=True
        ),
        Rules(
            "seelbinder2012",
            "the game of the published cooperative agents: the dealer must call, nobody goes alone",
            stick_the_dealer=True,
            alone="never",
        ),
        Rules(
            "seelbinder2012-dealer-leads",
            "as seelbinder2012, with the dealer leading to the first trick, as its section 1.2 says",
            stick_the_dealer=True,
            alone="never",
            dealer_leads=True,
        ),
        Rules(
            "openspiel",
            "as OpenSpiel plays: the dealer must call and keeps the upcard, alone comes after the discard",
            stick_the_dealer=True,
            alone="after the discard",
            may_discard_upcard=False,
        ),
        Rules(
            "openspiel-pass",
            "as OpenSpiel plays without stick-the-dealer: the deal passes when nobody calls",
            alone="after the discard",
            may_discard_upcard=False,
        ),
    )
}
"""The named variants."""


def preset(name: object) -> Rules:
    """Find a variant by its name.

    >>> preset("classic").target
    10
    >>> preset("british")
    Traceback (most recent call last):
    ...
    ValueError: unknown rules 'british': one of classic, stick, seelbinder2012, seelbinder2012-dealer-leads, openspiel, openspiel-pass
    """
    if not isinstance(name, str) or name not in PRESETS:
        raise ValueError(f"unknown rules {name!r}: one of {', '.join(PRESETS)}")
    return PRESETS[name]
