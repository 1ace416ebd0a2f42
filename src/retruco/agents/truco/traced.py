"""A look that records what a scripted player compares, so that compiled code can compare the same.

The page of a style is run as it is. Its numbers are `Traced`: each comparison is a step of the decision
tree (see `retruco.agents.trees`), beside what the page draws. What cannot be recorded is refused.
"""

from __future__ import annotations

from typing import Any, NoReturn

from retruco.agents.trees import COMPARE, Step
from retruco.agents.truco.sense import Situation
from retruco.agents.truco.situation_tables import (
    ABOVE,
    ANSWERED_FLOR_ODDS,
    AT_LEAST,
    AT_MOST,
    BELOW,
    BEST_CARD,
    CHEAPEST_WINNER,
    FLOR_ODDS,
    FLOR_PRICE,
    HAND_ODDS,
    INDEX,
    LOST_HAND,
    NO_FEATURE,
    OTHER_LACKS,
    OWN_LACKS,
    POINTS,
    POINTS_ODDS,
    POINTS_PRICE,
    TRUCO_PRICE,
    WEAKEST,
)
from retruco.cards import Card
from retruco.games.truco import TrucoObservation


class Traced(float):
    """A feature of a look; comparing it with a number or another feature is recorded."""

    feature: int
    steps: list[Step]
    shift: float

    def __new__(cls, value: float, feature: int, steps: list[Step], shift: float = 0.0) -> Traced:
        self = super().__new__(cls, value)
        self.feature, self.steps, self.shift = feature, steps, shift
        return self

    def __add__(self, number: float) -> Traced:
        if self.shift or isinstance(number, Traced):
            self._refuse()
        return Traced(float(self) + number, self.feature, self.steps, number)

    def __sub__(self, number: float) -> Traced:
        return self + -number

    def __ge__(self, other: float) -> bool:
        return self._compare(AT_LEAST, other, float(self) >= float(other))

    def __gt__(self, other: float) -> bool:
        return self._compare(ABOVE, other, float(self) > float(other))

    def __le__(self, other: float) -> bool:
        return self._compare(AT_MOST, other, float(self) <= float(other))

    def __lt__(self, other: float) -> bool:
        return self._compare(BELOW, other, float(self) < float(other))

    def _compare(self, relation: int, other: float, outcome: bool) -> bool:
        if self.shift:
            self._refuse()
        terms = (other.feature, other.shift) if isinstance(other, Traced) else (NO_FEATURE, float(other))
        self.steps.append(Step(COMPARE, 2, int(outcome), (self.feature, relation, *terms)))
        return outcome

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("a scripted player may compare what it counts, with a number added; nothing else")

    __radd__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = __abs__ = _refuse
    __eq__ = __ne__ = __bool__ = __hash__ = __int__ = _refuse  # so nothing goes unrecorded


class TracedSituation(Situation):
    """One look at the table whose numbers are recorded; whatever everybody knows is as it is."""

    __slots__ = ("real", "steps")

    def __init__(self, obs: TrucoObservation, steps: list[Step]) -> None:
        super().__init__(obs)
        self.real, self.steps = Situation(obs), steps
        self.strengths: Any = tuple(
            Traced(strength, WEAKEST + place, steps) for place, strength in enumerate(self.real.strengths)
        )

    def _number(self, feature: int, value: float) -> Any:
        return Traced(value, feature, self.steps)

    def _index(self, feature: int, outcomes: int, value: int) -> int:
        self.steps.append(Step(COMPARE, outcomes, value, (feature, INDEX, NO_FEATURE, 0.0)))
        return value

    @property
    def lacks(self) -> Any:
        mine, theirs = self.real.lacks
        return self._number(OWN_LACKS, mine), self._number(OTHER_LACKS, theirs)

    @property
    def points(self) -> Any:
        return self._number(POINTS, self.real.points)

    @property
    def points_odds(self) -> Any:
        return self._number(POINTS_ODDS, self.real.points_odds)

    @property
    def points_price(self) -> Any:
        return self._number(POINTS_PRICE, self.real.points_price)

    @property
    def flor_odds(self) -> Any:
        return self._number(FLOR_ODDS, self.real.flor_odds)

    @property
    def answered_flor_odds(self) -> Any:
        return self._number(ANSWERED_FLOR_ODDS, self.real.answered_flor_odds)

    @property
    def flor_price(self) -> Any:
        return self._number(FLOR_PRICE, self.real.flor_price)

    @property
    def truco_price(self) -> Any:
        return self._number(TRUCO_PRICE, self.real.truco_price)

    @property
    def hand_odds(self) -> Any:
        return self._number(HAND_ODDS, self.real.hand_odds)

    @property
    def card_odds(self) -> Any:
        raise TypeError("a scripted player may take the best card, but not look at the chances of each")

    @property
    def lost(self) -> bool:
        return bool(self._index(LOST_HAND, 2, int(self.real.lost)))

    @property
    def best_card(self) -> Card:
        return self.cards[self._index(BEST_CARD, len(self.cards), self.cards.index(self.real.best_card))]

    @property
    def cheapest_winner(self) -> Card | None:
        card = self.real.cheapest_winner
        place = len(self.cards) if card is None else self.cards.index(card)
        place = self._index(CHEAPEST_WINNER, len(self.cards) + 1, place)
        return None if place == len(self.cards) else self.cards[place]
