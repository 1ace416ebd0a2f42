"""The two case bases of Sandven and Tessem (2006) as scenarios, all weights five."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from retruco.cbr.similarity import Attribute, Euclid
from retruco.cbr.vocabulary import Scenario, VisibleFeature, Vocabulary, interval
from retruco.vocab.holdem.strategies import STRATEGIES

WEIGHT: Final = 5
MOST_BETS: Final = 5
BIGGEST_POT: Final = 100
"""In small bets; whatever is bigger counts as this."""

UNREAD: Final = 50
"""How aggressive opponents are thought to be whom one has hardly seen."""


def _number(name: str, low: int, high: int) -> VisibleFeature:
    return interval(name, low, high, weight=WEIGHT)


HAND: Final = _number("hand", 0, 100)
POSITION: Final = _number("position", 0, 100)
OPPONENTS: Final = _number("opponents", 1, 9)
BETS: Final = _number("bets", 0, MOST_BETS)
STAGE: Final = _number("stage", 1, 3)
POSITIVE: Final = _number("positive", 0, 100)
NEGATIVE: Final = _number("negative", 0, 100)
POT: Final = _number("pot", 0, BIGGEST_POT)
READ: Final = _number("read", 0, 100)

PREFLOP_FEATURES: Final = (HAND, POSITION, OPPONENTS, BETS)
POSTFLOP_FEATURES: Final = (STAGE, HAND, POSITION, BETS, POSITIVE, NEGATIVE, POT)
ANSWERS: Final = tuple(STRATEGIES)

PREFLOP: Final = Scenario("preflop", PREFLOP_FEATURES, (), ANSWERS)
POSTFLOP: Final = Scenario("postflop", POSTFLOP_FEATURES, (), ANSWERS)
READ_PREFLOP: Final = Scenario("preflop-read", (*PREFLOP_FEATURES, READ), (), ANSWERS)
READ_POSTFLOP: Final = Scenario("postflop-read", (*POSTFLOP_FEATURES, READ), (), ANSWERS)
"""The same with an opponent model: how aggressive those still in have been so far."""

VOCABULARY: Final = Vocabulary(
    "holdem", 1, (PREFLOP, POSTFLOP, READ_PREFLOP, READ_POSTFLOP), measure=Euclid()
)


@dataclass(frozen=True, slots=True)
class HandWeight(Euclid):
    """The measure with another weight of hand strength, which the paper tried and discarded (section 3.2)."""

    hand: int = WEIGHT

    def weight(self, attribute: Attribute, /) -> int:
        """Return the weight of an attribute."""
        return self.hand if attribute.name == HAND.name else attribute.weight
