"""The six strategies of Sandven and Tessem (2006): an action, and what follows if it is raised.

A strategy is chosen when a player first acts in a stage, and carried out to the stage's end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from retruco.games.core import Action
from retruco.games.holdem.betting import AGGRESSIVE, FOLD

CALL: Final = "call"
RAISE: Final = "raise"
"""With `fold` the three manners to act: check or call, bet or raise, give up unless it is free."""

STRATEGIES: Final = {
    "FOLD": (FOLD, FOLD),
    "BLUFF": (RAISE, FOLD),
    "CALL-ANY": (CALL, CALL),
    "SEMI-BLUFF": (RAISE, CALL),
    "RAISE-ANY": (RAISE, RAISE),
    "CHECK-RAISE": (CALL, RAISE),
}
"""What each does first, and when it has to act again in the same stage."""

PLAY: Final = ("CALL-ANY", "SEMI-BLUFF", "RAISE-ANY", "CHECK-RAISE")
"""Those that mean to win the pot; the others give it up or steal it."""

NOT_FOLD: Final = tuple(name for name in STRATEGIES if name != "FOLD")


def carried_out(strategy: str, again: bool, legal: Sequence[Action]) -> Action:
    """Turn a strategy into an action: its first, or the one that answers a raise.

    >>> carried_out("FOLD", False, ("check", "bet")), carried_out("BLUFF", True, ("fold", "call"))
    ('check', 'fold')
    >>> carried_out("RAISE-ANY", False, ("fold", "call"))
    'call'
    """
    manner = STRATEGIES[strategy][again]
    if manner == RAISE and legal[-1] in AGGRESSIVE:
        return legal[-1]
    if manner == FOLD and FOLD in legal:
        return FOLD
    return "call" if "call" in legal else "check"


def recognised(actions: Sequence[Action]) -> str:
    """Name the strategy that a seat's actions in a stage look like, where it did not say.

    >>> recognised(["raise"]), recognised(["check", "call"]), recognised(["check", "raise", "fold"])
    ('SEMI-BLUFF', 'CALL-ANY', 'CHECK-RAISE')
    """
    first, later = actions[0], actions[1:]
    if first == FOLD:
        return "FOLD"
    if first in AGGRESSIVE:
        return "RAISE-ANY" if later and later[0] in AGGRESSIVE else "BLUFF" if FOLD in later else "SEMI-BLUFF"
    if later and later[0] in AGGRESSIVE:
        return "CHECK-RAISE"
    return "FOLD" if FOLD in later else "CALL-ANY"


def fits(strategy: str, actions: Sequence[Action]) -> bool:
    """Whether a seat that did this may have had this strategy; who may not raise calls, and who need not fold checks.

    >>> fits("RAISE-ANY", ["call"]), fits("CALL-ANY", ["raise"]), fits("FOLD", ["check", "fold"])
    (True, False, True)
    """
    manners = STRATEGIES[strategy]
    for again, action in enumerate(actions):
        manner = manners[min(again, 1)]
        if (action == FOLD and manner != FOLD) or (action in AGGRESSIVE and manner != RAISE):
            return False
    return True
