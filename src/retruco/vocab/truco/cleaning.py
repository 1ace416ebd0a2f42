"""The cleaning rules of the original program: which hands it held to be useful for what.

Read from its public source (class ValidaPersistir of clusterbasedgamer); a rule that hits makes
a hand useless for its family of decisions. They are kept under their short names to compare
counts with the published ones; our agents do not use them. The two envido rules that were
found by search against the published totals stand apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from retruco.games.core import Seat
from retruco.games.truco.rounds import TIE
from retruco.vocab.truco.partial import INCOMPLETE, OTHER_FOLDED, OWN_FOLD, OWN_LOST, UNKNOWN, PartialHand
from retruco.vocab.truco.scenarios import DOWN

NUMBERS: Final = {OWN_FOLD: -10, OWN_LOST: -15, OTHER_FOLDED: -46, INCOMPLETE: -130, UNKNOWN: 0, DOWN: -1}
"""What stood in the place of a card that is not there."""

ME, OTHER = 0, 1


class Look:
    """A hand as the original rules look at it: numbers only, and unknown rounds taken for the first."""

    def __init__(self, hand: PartialHand) -> None:
        self.hand = hand
        self.high, self.medium, self.low = hand.hand
        self.own, self.other = (
            [card if isinstance(card, int) else NUMBERS[card] for card in cards] for cards in hand.cards
        )
        self.is_mao = hand.mao == ME
        self.declined = hand.declined.get("truco") == ME
        self.envido_declined = hand.declined.get("envido") == ME
        self.called = {call: seat for call, seat, _ in hand.truco}
        self.when = {call: number or 1 for call, _, number in hand.truco}
        self.points = hand.points[0] if hand.points[0] is not None else 0

    def lost(self, number: int) -> bool:
        """Whether a round is recorded as lost."""
        return self.hand.winners[number - 1] == OTHER

    def won(self, number: int) -> bool:
        """Whether a round is recorded as won."""
        return self.hand.winners[number - 1] == ME

    def tied(self, number: int) -> bool:
        """Whether a round is recorded as tied."""
        return self.hand.winners[number - 1] == TIE

    def slot(self, number: int) -> str:
        """Which card was played in a round; a double strength counts as the higher."""
        card = self.own[number - 1]
        if card <= 0:
            return ""
        return "high" if card == self.high else "medium" if card == self.medium else "low"

    @cached_property
    def unplayed(self) -> set[str]:
        """The cards not played in the first round."""
        return {"high", "medium", "low"} - {self.slot(1)}

    def would_win(self, slot: str, number: int) -> bool:
        """Whether a card would have beaten the other's of that round."""
        return self.other[number - 1] > 0 and getattr(self, slot) > self.other[number - 1]

    def called_in(self, number: int) -> bool:
        """Whether some truco call was made in a round."""
        return number in self.when.values()

    def caller(self, call: str) -> Seat | None:
        """Who made a truco call."""
        return self.called.get(call)


Hits = Callable[[Look], bool]


def _over_at_once(one: Look) -> bool:
    return one.own[2] == -15 and one.other[2] == -46 and "truco" not in one.hand.declined


CARDS: Final[Mapping[str, Hits]] = {
    "c1": lambda one: one.tied(1) and one.slot(2) == "low",
    "c2": lambda one: one.lost(1) and one.slot(2) == "low",
    "c3": lambda one: one.lost(1) and one.slot(2) == "high" and _saves(one, "medium"),
    "c4": lambda one: one.lost(1) and one.slot(2) == "high" and _saves(one, "low"),
    "c5": lambda one: one.lost(1) and one.slot(2) == "medium" and _saves(one, "low"),
    "c6": lambda one: not one.is_mao and one.slot(1) == "high" and one.would_win("medium", 1),
    "c7": lambda one: not one.is_mao and one.slot(1) == "high" and one.would_win("low", 1),
    "c8": lambda one: not one.is_mao and one.slot(1) == "medium" and one.would_win("low", 1),
    "c9": lambda one: one.lost(1) and one.lost(2),
    "c10": _over_at_once,
}


def _saves(one: Look, slot: str) -> bool:
    return slot in one.unplayed and one.would_win(slot, 2)


TRUCO: Final[Mapping[str, Hits]] = {
    "c10": _over_at_once,
    "t1": lambda one: (
        one.lost(2) and one.other[2] > 40 and one.own[2] < 40 and one.called_in(3) and not one.declined
    ),
    "t2": lambda one: one.high >= 24 and one.medium >= 16 and one.declined,
    "t3": lambda one: one.medium < 6 and one.low < 6 and bool(one.called) and not one.declined,
    "t4": lambda one: one.won(2) and one.own[2] < 6 and one.called_in(3) and one.declined,
    "t5": lambda one: one.won(2) and one.own[2] >= 40 and one.declined,
    "t6": lambda one: one.is_mao and one.low < 6 and one.medium < 16 and _opens_in_one(one),
    "t7": lambda one: not one.is_mao and one.lost(1) and _opens_in_one(one),
    "t8": lambda one: "retruco" not in one.called and not one.declined and one.high < 12,
    "t9": lambda one: "vale4" not in one.called and not one.declined and one.high < 16,
    "t10": lambda one: bool(one.called) and not one.declined and one.high < 8,
    "t11": lambda one: one.is_mao and _opens_in_one(one) and ME not in one.hand.envido.values(),
    "t12": lambda one: one.lost(1) and one.lost(2),
    "t13": lambda one: _raises_itself(one, "truco", "retruco") or _raises_itself(one, "retruco", "vale4"),
}


def _raises_itself(one: Look, call: str, raised: str) -> bool:
    return one.caller(call) is not None and one.caller(call) == one.caller(raised)


def _opens_in_one(one: Look) -> bool:
    return one.caller("truco") == ME and one.when["truco"] == 1


def _accepted(one: Look, call: str) -> bool:
    return call in one.hand.envido and not one.envido_declined


ENVIDO: Final[Mapping[str, Hits]] = {
    "e1b": lambda one: one.is_mao and one.points < 20 and bool(one.hand.envido) and not one.envido_declined,
    "e2": lambda one: _accepted(one, "falta-envido") and one.points < 28,
    "e3": lambda one: _accepted(one, "real-envido") and one.points < 25,
    "e4": lambda one: "falta-envido" in one.hand.envido and one.envido_declined and one.points > 27,
    "e5": lambda one: not one.hand.envido and one.points >= 27,
}
SEARCHED: Final[Mapping[str, Hits]] = {
    "s1": lambda one: not one.is_mao and ME in one.hand.envido.values() and one.points < 20,
    "s2": lambda one: one.is_mao and one.envido_declined,
}
"""Not read from the source: they make the published envido totals come out."""

FAMILIES: Final = {"card": CARDS, "truco": TRUCO, "envido": {**ENVIDO, **SEARCHED}}


def useful_by_rules(hand: PartialHand) -> dict[str, int]:
    """Say by the rules for which decisions a hand is useful."""
    look = Look(hand)
    return {family: int(not any(hits(look) for hits in rules.values())) for family, rules in FAMILIES.items()}
