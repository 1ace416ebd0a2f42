"""The hand view: hands per scenario, as the original program counted them.

It kept hands, not questions: a hand belongs to every scenario whose seat or earlier round fits,
if the flag of that family says that it is useful. Our rows are counted beside, elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from retruco.games.truco.rounds import TIE
from retruco.vocab.truco.cleaning import useful_by_rules
from retruco.vocab.truco.partial import SELF_PLAY, PartialHand

SCENARIOS: Final = (
    "card-1-lead", "card-1-follow", "card-2-lead", "card-2-follow", "card-3-lead", "card-3-follow",
    "envido-first", "envido-second",
    "truco-1-first", "truco-1-second", "truco-2-lead", "truco-2-follow", "truco-3-lead", "truco-3-follow",
    "card-index", "point-index",
)  # fmt: skip

APPENDIX_B: Final[Mapping[str, int]] = dict(
    zip(
        SCENARIOS,
        (9573, 7427, 10539, 6402, 11003, 5962, 7654, 11486, 5029, 5755, 7231, 3513, 6520, 4235, 18263, 20273),
        strict=True,
    )
)
"""Hands per scenario after learning, Paulus (2020), appendix B."""


def hand_view(hands: Iterable[PartialHand], rules_for_self_play: bool = False) -> Counter[str]:
    """Count the hands of every scenario.

    Flags are those stored with a hand or, where it has none, those the cleaning rules give;
    `rules_for_self_play` goes by the rules for all hands that programs played.
    """
    found: Counter[str] = Counter(dict.fromkeys(SCENARIOS, 0))
    for hand in hands:
        by_rules = not hand.useful or (rules_for_self_play and hand.source == SELF_PLAY)
        flags = useful_by_rules(hand) if by_rules else hand.useful
        found.update(scenarios_of(hand, flags))
    return found


def scenarios_of(hand: PartialHand, flags: Mapping[str, int]) -> list[str]:
    """Name the scenarios a hand belongs to."""
    card, truco, envido = (flags.get(family) == 1 for family in ("card", "truco", "envido"))
    after = {2: _leads_second(hand), 3: _leads_third(hand)}
    first = "first" if hand.mao == 0 else "second"
    found = ["card-1-lead" if hand.mao == 0 else "card-1-follow"] if card else []
    found += [f"truco-1-{first}"] if truco else []
    for number, leads in after.items():
        if leads is not None:
            place = "lead" if leads else "follow"
            found += [f"card-{number}-{place}"] if card else []
            found += [f"truco-{number}-{place}"] if truco else []
    found += [f"envido-{first}"] if envido else []
    found += ["card-index"] if card or truco else []
    return found + (["point-index"] if envido or flags.get("flor") == 1 else [])


def _leads_second(hand: PartialHand) -> bool | None:
    """Whether round 1 was won, a tie counting for the mão; unknown if it was not recorded."""
    won = hand.winners[0]
    if won is None:
        return None
    return hand.mao == 0 if won == TIE else won == 0


def _leads_third(hand: PartialHand) -> bool | None:
    """Whether round 2 was won, a tie counting for who won round 1."""
    won = hand.winners[1]
    if won is None:
        return None
    return _leads_second(hand) if won == TIE else won == 0
