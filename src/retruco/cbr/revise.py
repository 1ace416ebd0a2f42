"""Revision: named rules that may replace a proposed action, each with its reason.

The rules themselves know a game and live with its vocabulary; here is how they are applied.

>>> class NoFolding:
...     name = "no-folding"
...     def __call__(self, hand: str, proposed: str) -> Replacement | None:
...         return Replacement("call") if proposed == "fold" else None
>>> revise([NoFolding()], "aces", "fold")
('call', (Revision(rule='no-folding', before='fold', after='call', values=mappingproxy({})),))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from retruco.cbr.case import NOTHING, Json, Revision

Situation_contra = TypeVar("Situation_contra", contravariant=True)
Situation = TypeVar("Situation")


@dataclass(frozen=True, slots=True)
class Replacement:
    """What a rule would rather do, and the values that its reason needs."""

    action: str
    values: Mapping[str, Json] = field(default_factory=lambda: NOTHING)


class Rule(Protocol[Situation_contra]):
    """A named rule: looks at the situation and the proposed action, and replaces it or not."""

    @property
    def name(self) -> str:
        """The key under which its sentence is found."""

    def __call__(self, situation: Situation_contra, proposed: str, /) -> Replacement | None:
        """Replace the proposed action, or leave it."""


def revise(
    rules: Iterable[Rule[Situation]], situation: Situation, proposed: str
) -> tuple[str, tuple[Revision, ...]]:
    """Apply the rules in order, each to what the one before left, and record which fired."""
    fired: list[Revision] = []
    for rule in rules:
        better = rule(situation, proposed)
        if better is not None and better.action != proposed:
            fired.append(Revision(rule.name, proposed, better.action, better.values))
            proposed = better.action
    return proposed, tuple(fired)
