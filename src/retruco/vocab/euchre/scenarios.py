"""The seven kinds of question at Euchre, with what is seen and the answers there are.

Cards do not stand in the answers: a case says `win-low` or `boss`, so that what was learnt in one
suit holds in all.
"""

from __future__ import annotations

from typing import Final

from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, hindsight, interval

QUARTERS: Final = 20
"""Expected tricks are counted in quarters, five tricks at most."""
FIFTHS: Final = 5
"""Chances are told in fifths."""
NO_YES: Final = ("no", "yes")

CALL, PASS_BY = "call", "pass"
ALONE, TOGETHER = "alone", "together"

_BID: Final = (
    interval("tricks", 0, QUARTERS, weight=8),
    equal("turned", ("own-jack", "own", "theirs", "their-jack"), weight=2),
    interval("trumps", 0, 6, weight=2),
    equal("speaks", ("first", "second", "third", "dealer"), weight=2),
)
_HAND: Final = (
    interval("us", 0, 4, weight=2),
    interval("them", 0, 4, weight=2),
    equal("maker", ("me", "partner", "them"), weight=3),
    interval("trumps", 0, 5, weight=2),
)
_TRICK: Final = (
    *_HAND,
    equal("winning", ("partner", "opponent"), weight=4),
    equal("led", ("trump", "side"), weight=2),
    equal("can", ("no", "follow", "ruff"), weight=4),
    equal("boss", NO_YES, weight=2),
    interval("danger", 0, FIFTHS, weight=2),
    interval("help", 0, FIFTHS, weight=2),
)
FOLLOWS: Final = ("win-low", "win-high", "duck")
LEADS: Final = ("trump-high", "trump-low", "boss", "to-void", "side-high", "side-low")
WON: Final = hindsight("won", 0, 1, 2, 3, 4, 5)

VOCABULARY: Final = Vocabulary(
    "euchre",
    1,
    (
        Scenario("order", _BID, (WON,), (CALL, PASS_BY)),
        Scenario("name", (_BID[0], *_BID[2:]), (WON,), (CALL, PASS_BY)),
        Scenario("alone", (_BID[0], _BID[2]), (WON,), (ALONE, TOGETHER)),
        Scenario(
            "lead",
            (
                *_HAND,
                equal("best-trump", NO_YES, weight=3),
                interval("trumps-out", 0, 7, weight=2),
                interval("bosses", 0, 3, weight=3),
                equal("partner-void", NO_YES, weight=2),
            ),
            (WON,),
            LEADS,
        ),
        Scenario("second", _TRICK, (WON,), FOLLOWS),
        Scenario("third", _TRICK, (WON,), FOLLOWS),
        Scenario("last", (*_TRICK[:8],), (WON,), FOLLOWS),
    ),
)
"""The vocabulary of Euchre."""
