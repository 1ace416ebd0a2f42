"""Revise: named rules that may replace a proposed action, each with its reason.

The rules belong to a game and live with its vocabulary; this module applies them.

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
    """The action that a rule prefers, and the values of its reason."""

    action: str
    values: Mapping[str, Json] = field(default_factory=lambda: NOTHING)


class Rule(Protocol[Situation_contra]):
    """A named rule: looks at the situation and the proposed action, and may replace it."""

    @property
    def name(self) -> str:
        """The key of its sentence in the texts."""

    def __call__(self, situation: Situation_contra, proposed: str, /) -> Replacement | None:
        """Return a replacement, or None to leave the proposed action."""


def revise(
    rules: Iterable[Rule[Situation]], situation: Situation, proposed: str
) -> tuple[str, tuple[Revision, ...]]:
    """Apply the rules in order, each to the result of the one before; return the action and what fired."""
    fired: list[Revision] = []
    for rule in rules:
        replacement = rule(situation, proposed)
        if replacement is not None and replacement.action != proposed:
            fired.append(Revision(rule.name, proposed, replacement.action, replacement.values))
            proposed = replacement.action
    return proposed, tuple(fired)
