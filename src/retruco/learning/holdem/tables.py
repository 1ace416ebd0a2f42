"""How the cases of `casey-tables` are learnt: Casey at tables of two to ten seats, among opponents of several kinds.

At each table it begins with what it has learnt there so far; tables do not share cases while
learning, and are put together at the end. Hands are kept with plans and reads, so that every Casey
can go by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any, Final

from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.games.holdem import Holdem
from retruco.games.holdem.rules import FEWEST_SEATS, MOST_SEATS
from retruco.learning.holdem.training import LEARNER, casey_loop
from retruco.vocab.holdem import VOCABULARY, rows

HANDS: Final = 600
"""Hands against each group of opponents at each table."""
POLICY: Final = "casey-newest-sunk"
GROUPS: Final = (("rulebot",), ("simplebot",), ("random",), ("rulebot", "simplebot", "random"))
"""The opponents, in turns where there are several kinds."""
SEATS: Final = range(FEWEST_SEATS, MOST_SEATS + 1)


def table_rows(seats: int, hands: int, seed: int, first: int) -> Iterator[list[Row]]:
    """Learn at a table against every group in turn; give the rows of each hand that taught something."""
    game, cases = Holdem.named(f"casey-{seats}"), CaseBase(VOCABULARY)
    for group, kinds in enumerate(GROUPS):
        others = list(islice(cycle(kinds), seats - 1))
        loop = casey_loop(game, POLICY, others, seed + group, cases, number=group * hands)
        for hand in loop.hands(hands):
            for experience in hand.retained:
                record: dict[str, Any] = dict(experience.record())
                yield rows(record, LEARNER, first + group * hands + hand.number)


def learn_tables(seed: int = 1, hands: int = HANDS) -> CaseBase:
    """Learn at every table; give all cases in one base."""
    base, first = CaseBase(VOCABULARY), 0
    for seats in SEATS:
        for some in table_rows(seats, hands, seed, first):
            base.add(some)
        first += hands * len(GROUPS)
    return base
