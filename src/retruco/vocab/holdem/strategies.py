"""The six strategies of Sandven and Tessem (2006): an action, and what follows if it is raised.

A strategy is chosen when a player first acts in a stage, and carried out to the stage's end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from retruco.compiler import compiled_step
from retruco.games.core import Action
from retruco.games.holdem.betting import AGGRESSIVE, FOLD
from retruco.games.holdem.compiled import Longs, call_or_check, fold_or_check, raise_or_call
from retruco.games.holdem.deck import Hole
from retruco.streams import Stream

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


NAMES: Final = tuple(STRATEGIES)
"""In compiled code a strategy is its place here."""
MANNERS: Final = tuple(
    (("fold", CALL, RAISE).index(first), ("fold", CALL, RAISE).index(again))
    for first, again in STRATEGIES.values()
)


@compiled_step
def carry_out(strategy: int, again: bool, situation: Longs) -> int:
    """Turn a strategy into an action: its first, or the one that answers a raise."""
    manner = MANNERS[strategy][int(again)]
    if manner == 2:
        return raise_or_call(situation)
    return call_or_check(situation) if manner else fold_or_check(situation)


def stage_stream(
    who: str, hole: Hole, board: Sequence[str], actions: Sequence[Action], hand: int, seats: int
) -> Stream:
    """Give the chance by which a strategy is drawn: the same each time a seat acts in a stage.

    A seat's stream is new with every decision, and agents keep no memory; so what has to hold for a whole stage is
    drawn from a stream named by what the seat saw when it first acted in it.
    """
    return Stream(who, "".join(hole), "".join(board), " ".join(actions), hand, seats)


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
