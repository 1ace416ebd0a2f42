"""How the cases of `casey-tables` are learnt: Casey at tables of two to ten seats, among opponents of several kinds.

At each table it begins with what it has learnt there so far; tables do not share cases while
learning, and are put together at the end. Hands are kept with plans and reads, so that every Casey
can go by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.games.holdem import Holdem
from retruco.games.holdem.rules import FEWEST_SEATS, MOST_SEATS
from retruco.learning.holdem.training import LEARNER, casey_loop
from retruco.vocab.holdem import VOCABULARY, rows

HANDS: Final = 400
"""Hands against each group of opponents at each table; twice as many where two or three sit."""
SMALL: Final = 3
POLICY: Final = "casey-newest-sunk"
GROUPS: Final = ("rulebot", "simplebot", "random", "random")
"""The opponents, one group after the other."""
SEATS: Final = range(FEWEST_SEATS, MOST_SEATS + 1)


def hands_at(seats: int, hands: int = HANDS) -> int:
    """How many hands are played against each group."""
    return 2 * hands if seats <= SMALL else hands


def all_hands(hands: int = HANDS) -> int:
    """How many hands are played at all tables together."""
    return len(GROUPS) * sum(hands_at(seats, hands) for seats in SEATS)


def table_rows(seats: int, hands: int, seed: int, first: int) -> Iterator[list[Row]]:
    """Learn at a table against every group in turn; give the rows of each hand that taught something."""
    game, cases = Holdem.named(f"casey-{seats}"), CaseBase(VOCABULARY)
    for group, opponent in enumerate(GROUPS):
        others = [opponent] * (seats - 1)
        loop = casey_loop(game, POLICY, others, seed + group, cases, number=group * hands)
        for hand in loop.hands(hands):
            for experience in hand.retained:
                record: dict[str, Any] = dict(experience.record())
                yield rows(record, LEARNER, first + group * hands + hand.number)


def learn_tables(seed: int = 1, hands: int = HANDS) -> CaseBase:
    """Learn at every table; give all cases in one base."""
    base, first = CaseBase(VOCABULARY), 0
    for seats in SEATS:
        count = hands_at(seats, hands)
        for some in table_rows(seats, count, seed, first):
            base.add(some)
        first += count * len(GROUPS)
    return base
