"""What a player thinks of its opponent, in sentences: how alike it is to known styles, what it showed, what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from retruco.explain.texts import Texts

OPPONENT: Final = "opponent"
"""The value of a decision that holds what its player thinks of the opponent."""
LEAST_SHARE: Final = 0.05
"""Styles that are less likely are not named."""
FREE: Final = "free"


def opponent_sentences(texts: Texts, values: Mapping[str, Any]) -> list[str]:
    """Say what a player thinks of its opponent, since when, and what it does about it."""
    if OPPONENT not in values:
        return []
    opponent = values[OPPONENT]
    if not opponent["hands"]:
        return [texts("why.opponent.nothing")]
    found = [texts("why.opponent.styles", hands=opponent["hands"], styles=_styles(texts, opponent["styles"]))]
    if opponent["calls_shown"]:
        shown, bluffs = opponent["calls_shown"], opponent["bluffs_shown"]
        found.append(texts("why.opponent.bluffs", shown=shown, bluffs=bluffs))
    if opponent.get("call"):
        found += _call_sentences(texts, opponent["call"])
    if opponent["responds_to"] is None:
        return [*found, texts("why.opponent.waits")]
    gain, risk = f"{opponent['expected_gain']:.2f}", f"{opponent['risk']:.2f}"
    style, since = opponent["responds_to"], opponent["since"]
    return [*found, texts("why.opponent.responds", style=style, since=since, gain=gain, risk=risk)]


def _call_sentences(texts: Texts, call: Mapping[str, Any]) -> list[str]:
    """How likely the call is a bluff: by what is believed of the caller, and by the most similar calls."""
    found = [texts("why.opponent.call", share=f"{call['bluff']:.0%}")]
    if "cases" in call:
        share = f"{call['bluff_by_cases']:.0%}"
        found.append(texts("why.opponent.like_calls", cases=call["cases"], share=share))
    return found


def _styles(texts: Texts, shares: Mapping[str, float]) -> str:
    named = {name: share for name, share in shares.items() if share >= LEAST_SHARE}
    return ", ".join(
        f"{texts('why.opponent.free') if name == FREE else name} {share:.0%}" for name, share in named.items()
    )
