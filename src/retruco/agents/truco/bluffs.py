"""How likely a call is a bluff: by the cards that are not seen, by this opponent's style, and by cases of like situations.

A bluff is a call on poor points or poor cards, as everywhere in this package (see `games.truco.behaviour`). How often a
style holds something and calls so is counted; a holding counts for more or less by how much likelier or less likely
it is with the cards that one sees than with none; styles count as much as they are believed. Beside that stands how many
of the calls that were made in the most similar situations were bluffs, whoever called (see `bluff_cases`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.truco.bluff_cases import CallCases, CaseShare, problem_of_call
from retruco.agents.truco.opponent_model import Numbers, OpponentModel, Reading
from retruco.agents.truco.opponent_turns import (
    CARD_CLASSES,
    ENVIDO_SITUATIONS,
    HOLDINGS,
    POINTS_CLASSES,
    POOR,
    SITUATIONS,
    Reply,
    class_of,
    replies_of_other,
)
from retruco.cards import SPANISH_DECK, Card
from retruco.games.truco.deck import STRENGTH, envido_points
from retruco.games.truco.observation import TrucoObservation

DEALT: Final = 3
DECK_PLACE: Final = {card: place for place, card in enumerate(SPANISH_DECK)}


class BluffChance(NamedTuple):
    """How likely the call that waits for an answer is a bluff."""

    call: str
    chance: float
    """By the cards and by what is believed of the caller."""
    by_cards: float
    """How likely such poor cards or points are, whoever calls."""
    by_rate: float
    """How often calls in this situation are bluffs, whoever calls and whatever one holds oneself."""
    by_cases: CaseShare | None = None
    """The share of bluffs among calls of like situations, where there are cases to look at."""


def call_to_answer(seen: TrucoObservation) -> Reply | None:
    """The call of the other seat that waits for an answer."""
    if not seen.envido.pending and seen.bet.call is None:
        return None
    calls = [reply for reply in replies_of_other(seen) if reply.is_call]
    return calls[-1] if calls else None


def bluff_chance(
    model: OpponentModel, reading: Reading, seen: TrucoObservation, cases: CallCases | None = None
) -> BluffChance | None:
    """How likely the call that waits is a bluff; `None` if none does."""
    call = call_to_answer(seen)
    if call is None:
        return None
    by_cards = holding_chances(seen, SITUATIONS[call.situation])
    now = model.after(reading, replies_of_other(seen), changes=0.0)
    of_all = holding_chances_unseen(seen, SITUATIONS[call.situation])
    joint = model.calls_by_holding(now.belief, call) * by_cards / of_all
    chance, rate = joint[POOR] / joint.sum(), model.share_of_holdings(call)[POOR]
    problem = problem_of_call(seen) if cases else None
    share = cases.share_of_bluffs(problem) if cases and problem else None
    return BluffChance(call.action, float(chance), float(by_cards[POOR]), float(rate), share)


def holding_chances_unseen(seen: TrucoObservation, situation: str) -> Numbers:
    """How likely each class is for somebody of whom, and beside whom, no card is seen."""
    if situation in ENVIDO_SITUATIONS:
        return points_chances((), ())
    left = DEALT - sum(play.seat == seen.other for play in seen.rounds.plays)
    return np.array(best_card_chances(SPANISH_DECK, max(left, 1)))


def holding_chances(seen: TrucoObservation, situation: str) -> Numbers:
    """How likely the other seat holds each class, by the cards that are not seen."""
    played = tuple(play.card for play in seen.rounds.plays if play.seat == seen.other and play.card)
    if situation in ENVIDO_SITUATIONS:
        return points_chances(seen.hand, played)
    lying = [STRENGTH[play.card] for play in seen.rounds.plays[-1:] if play.seat == seen.other and play.card]
    left = DEALT - sum(play.seat == seen.other for play in seen.rounds.plays)
    if left == 0:
        certain: Numbers = np.eye(HOLDINGS)[class_of(lying[0] if lying else 0, CARD_CLASSES)]
        return certain
    known = {*seen.hand, *played}
    return np.array(best_card_chances(tuple(card for card in SPANISH_DECK if card not in known), left))


@cache
def all_hands() -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Every hand there is: its cards as bits, and the class of its points."""
    hands = list(combinations(SPANISH_DECK, DEALT))
    bits = np.array([bits_of(hand) for hand in hands], dtype=np.uint64)
    return bits, np.array([class_of(envido_points(hand), POINTS_CLASSES) for hand in hands])


def bits_of(cards: Iterable[Card]) -> int:
    """Cards as bits of a number."""
    return sum(1 << DECK_PLACE[card] for card in cards)


def points_chances(own: Iterable[Card], played: Iterable[Card]) -> Numbers:
    """By class: how likely a hand with these played cards, and none of one's own, has such points."""
    bits, classes = all_hands()
    mine, theirs = np.uint64(bits_of(own)), np.uint64(bits_of(played))
    found = np.bincount(classes[(bits & mine == 0) & (bits & theirs == theirs)], minlength=HOLDINGS)
    chances: Numbers = found / found.sum()
    return chances


@lru_cache(maxsize=1 << 12)
def best_card_chances(unseen: tuple[Card, ...], count: int) -> tuple[float, ...]:
    """By class: how likely the best of so many cards that are not seen is of that class."""
    total = comb(len(unseen), count)
    below = [
        comb(sum(STRENGTH[card] < least for card in unseen), count) / total for least in (*CARD_CLASSES, 99)
    ]
    return tuple(share - before for share, before in zip(below, (0.0, *below), strict=False))
