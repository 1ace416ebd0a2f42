"""What a solution knows, in sentences: what each action is worth, and what the other side may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from retruco.explain.texts import Texts

SOLUTION_VALUES: Final = ("action_points", "action_chances", "other_hand")
"""The values of a decision that have sentences of their own."""


def solution_sentences(
    texts: Texts, values: Mapping[str, Any], name_answer: Callable[[str], str]
) -> list[str]:
    """Say what the values of a decision tell beside its reason."""
    found = []
    if "action_points" in values:
        found.append(
            texts("why.solution.worth", actions=_listed(values["action_points"], name_answer, "{:+.2f}"))
        )
    if "action_chances" in values:
        chances = _listed(values["action_chances"], name_answer, "{:.1%}")
        found.append(texts("why.solution.win_chance", actions=chances))
    if "other_hand" in values:
        found += _other_hand(texts, values["other_hand"])
    return found


def _listed(amounts: Mapping[str, float], name: Callable[[str], str], pattern: str) -> str:
    """Actions with their amounts, the greatest first."""
    order = sorted(amounts, key=lambda action: -amounts[action])
    return ", ".join(f"{name(action)} {pattern.format(amounts[action])}" for action in order)


def _other_hand(texts: Texts, other: Mapping[str, Any]) -> list[str]:
    points = texts(
        "why.solution.points",
        mean=other["mean_envido"],
        own=other["own_envido"],
        more=f"{other['more_envido']:.0%}",
        flor=f"{other['flor']:.0%}",
    )
    beats = ", ".join(f"{card} {share:.0%}" for card, share in other["beats"].items())
    likely = ", ".join(f"{hand['hand']} {hand['share']:.0%}" for hand in other["likely"])
    cards = texts("why.solution.cards", beats=beats) if beats else ""
    return [points, *([cards] if cards else []), texts("why.solution.likely", hands=likely)]
