"""Decisions in words: the sentences that a reason's key and values stand for."""

from __future__ import annotations

from typing import Final

from retruco.cbr.case import Asked, Decision, Revision

BY_RULE: Final = {
    "MJ": "most of them answered {answer}",
    "PL": "a draw among them fell on {answer}",
    "PV": "{answer} won most often",
    "NP": "{answer} brought the most points",
    "GM": "{answer} has the most votes among what did not lose",
    "lost-least": "all of it lost, and {answer} lost least",
}

REVISED: Final = {
    "logical-bet": "but the last card wins for sure, so {after}",
    "hopeless-bet": "but the last card cannot win any more, so {after}",
    "compulsive-bluff": "but {points} points are too few to open the envido, so {after}",
    "reckless-falta": "but {points} points are too few to open with falta, so {after}",
    "wasted-card": "but {beats} can be beaten cheaper, so {after}",
    "thrown-hand": "but no hand is thrown away while a card can be played, so {after}",
    "dear-fold": "but going to the deck would give the hand away too, so {after}",
}

NO_EXPERIENCE: Final = "No similar hand is remembered; by plain sense {answer}."


def sentence(decision: Decision) -> str:
    """Say in a sentence why an action was chosen."""
    if not decision.asked:
        return _scripted(decision)
    last = decision.asked[-1]
    text = _remembered(last)
    fired = [one for one in decision.revised_by if one.after == last.answer]
    return f"{text.removesuffix('.')}, {_revised(fired[-1])}." if fired else text


def _remembered(asked: Asked) -> str:
    choice = asked.choice
    if asked.evidence is None:
        return f"There was nothing to choose: only {asked.answer} is possible."
    if choice.answer is None:
        return NO_EXPERIENCE.format(answer=asked.answer)
    similar = len(asked.matches)
    closest = min(match.similarity for match in asked.matches)
    because = BY_RULE[choice.rule].format(answer=choice.answer)
    group = f" in group {choice.cluster + 1}" if choice.cluster is not None else ""
    return f"Of {similar} remembered questions at least {closest:.0%} alike,{group} {because}.".replace(
        ",  ", ", "
    )


def _revised(revision: Revision) -> str:
    return REVISED[revision.rule].format(after=revision.after, **revision.values)


def _scripted(decision: Decision) -> str:
    reason = decision.reason.replace("-", " ") or "it did not say why"
    values = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in decision.values.items())
    return f"{decision.action}: {reason}{f' ({values})' if values else ''}."
