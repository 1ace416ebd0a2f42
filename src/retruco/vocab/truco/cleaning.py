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


class CleaningView:
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


Hits = Callable[[CleaningView], bool]


def _over_at_once(view: CleaningView) -> bool:
    return view.own[2] == -15 and view.other[2] == -46 and "truco" not in view.hand.declined


CARDS: Final[Mapping[str, Hits]] = {
    "c1": lambda view: view.tied(1) and view.slot(2) == "low",
    "c2": lambda view: view.lost(1) and view.slot(2) == "low",
    "c3": lambda view: view.lost(1) and view.slot(2) == "high" and _saves(view, "medium"),
    "c4": lambda view: view.lost(1) and view.slot(2) == "high" and _saves(view, "low"),
    "c5": lambda view: view.lost(1) and view.slot(2) == "medium" and _saves(view, "low"),
    "c6": lambda view: not view.is_mao and view.slot(1) == "high" and view.would_win("medium", 1),
    "c7": lambda view: not view.is_mao and view.slot(1) == "high" and view.would_win("low", 1),
    "c8": lambda view: not view.is_mao and view.slot(1) == "medium" and view.would_win("low", 1),
    "c9": lambda view: view.lost(1) and view.lost(2),
    "c10": _over_at_once,
}


def _saves(view: CleaningView, slot: str) -> bool:
    return slot in view.unplayed and view.would_win(slot, 2)


TRUCO: Final[Mapping[str, Hits]] = {
    "c10": _over_at_once,
    "t1": lambda view: (
        view.lost(2) and view.other[2] > 40 and view.own[2] < 40 and view.called_in(3) and not view.declined
    ),
    "t2": lambda view: view.high >= 24 and view.medium >= 16 and view.declined,
    "t3": lambda view: view.medium < 6 and view.low < 6 and bool(view.called) and not view.declined,
    "t4": lambda view: view.won(2) and view.own[2] < 6 and view.called_in(3) and view.declined,
    "t5": lambda view: view.won(2) and view.own[2] >= 40 and view.declined,
    "t6": lambda view: view.is_mao and view.low < 6 and view.medium < 16 and _opens_in_one(view),
    "t7": lambda view: not view.is_mao and view.lost(1) and _opens_in_one(view),
    "t8": lambda view: "retruco" not in view.called and not view.declined and view.high < 12,
    "t9": lambda view: "vale4" not in view.called and not view.declined and view.high < 16,
    "t10": lambda view: bool(view.called) and not view.declined and view.high < 8,
    "t11": lambda view: view.is_mao and _opens_in_one(view) and ME not in view.hand.envido.values(),
    "t12": lambda view: view.lost(1) and view.lost(2),
    "t13": lambda view: _raises_itself(view, "truco", "retruco") or _raises_itself(view, "retruco", "vale4"),
}


def _raises_itself(view: CleaningView, call: str, raised: str) -> bool:
    return view.caller(call) is not None and view.caller(call) == view.caller(raised)


def _opens_in_one(view: CleaningView) -> bool:
    return view.caller("truco") == ME and view.when["truco"] == 1


def _accepted(view: CleaningView, call: str) -> bool:
    return call in view.hand.envido and not view.envido_declined


ENVIDO: Final[Mapping[str, Hits]] = {
    "e1b": lambda view: (
        view.is_mao and view.points < 20 and bool(view.hand.envido) and not view.envido_declined
    ),
    "e2": lambda view: _accepted(view, "falta-envido") and view.points < 28,
    "e3": lambda view: _accepted(view, "real-envido") and view.points < 25,
    "e4": lambda view: "falta-envido" in view.hand.envido and view.envido_declined and view.points > 27,
    "e5": lambda view: not view.hand.envido and view.points >= 27,
}
SEARCHED: Final[Mapping[str, Hits]] = {
    "s1": lambda view: not view.is_mao and ME in view.hand.envido.values() and view.points < 20,
    "s2": lambda view: view.is_mao and view.envido_declined,
}
"""Not read from the source: they make the published envido totals come out."""

FAMILIES: Final = {"card": CARDS, "truco": TRUCO, "envido": {**ENVIDO, **SEARCHED}}


def useful_by_rules(hand: PartialHand) -> dict[str, int]:
    """Say by the rules for which decisions a hand is useful."""
    look = CleaningView(hand)
    return {family: int(not any(hits(look) for hits in rules.values())) for family, rules in FAMILIES.items()}
