"""The betting of a hand, which knows no cards: who is in, what each has paid, who acts next.

Players are counted by *position*: 0 is the first to the left of the dealer, the last is the
dealer, who with two seats posts the small blind and acts first before the flop. As betting does
not depend on cards, the same few states come again and again: equal ones are made only once, and
each remembers those that followed it (`after`).

>>> from retruco.games.holdem.rules import preset
>>> start = opening(preset("limit-3"))
>>> start.to_act, start.legal, start.pot
(2, ('fold', 'call', 'raise'), 3)
>>> after(after(start, "call"), "fold").legal
('check', 'raise')
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from retruco.games.core import Action
from retruco.games.holdem.rules import STAGES, Rules

FOLD: Final = "fold"
PASSIVE: Final = ("check", "call")
AGGRESSIVE: Final = ("bet", "raise")

LAST_STAGE: Final = len(STAGES) - 1

REMEMBERED: Final = 200_000
"""How many states of the betting are remembered; then all are forgotten, and it begins anew."""


class Betting:
    """Where the betting stands. It does not change; equal ones are equal by what they say."""

    __slots__ = (
        "_hash", "following", "legal", "level", "live", "pending", "pot", "raises", "rules", "spent", "stage",
        "to_act",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        stage: int,
        to_act: int | None,
        live: int,
        pending: int,
        spent: tuple[int, ...],
        level: int,
        raises: int,
    ) -> None:
        self.rules, self.stage, self.raises = rules, stage, raises
        self.to_act = to_act
        """The position whose turn it is; nobody when the betting is over."""
        self.live = live
        """Who has not folded, as bits by position."""
        self.pending = pending
        """Who has yet to answer the last bet of this stage, as bits."""
        self.spent, self.level, self.pot = spent, level, sum(spent)
        """What each position has put in, what one must have put in to stay, and all together."""
        self.legal = () if to_act is None else self._legal(spent[to_act])
        self.following: dict[Action, Betting] = {}
        """What came of an action from here, as far as it was tried: no part of what the betting says."""
        self._hash = hash((to_act, pending, live, spent, stage, raises))

    def _legal(self, paid: int) -> tuple[Action, ...]:
        """List what the position to act may do; nobody folds for nothing."""
        if self.raises == self.rules.raises[self.stage]:
            return (FOLD, "call") if paid < self.level else ("check",)
        if paid < self.level:
            return (FOLD, "call", "raise")
        return ("check", "bet") if self.stage and not self.raises else ("check", "raise")

    def _inside(self) -> tuple[Any, ...]:
        spent, level = self.spent, self.level
        return self.rules, self.stage, self.to_act, self.live, self.pending, spent, level, self.raises

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Betting) and self._inside() == other._inside())

    def __repr__(self) -> str:
        whose = "over" if self.to_act is None else f"position {self.to_act} to act"
        return f"<{STAGES[self.stage]}, pot {self.pot}, {whose}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Betting, self._inside()

    @property
    def to_call(self) -> int:
        """What the position to act must pay to stay in."""
        return 0 if self.to_act is None else self.level - self.spent[self.to_act]

    @property
    def size(self) -> int:
        """What a bet or raise adds in this stage."""
        return self.rules.sizes[self.stage]

    @property
    def folded_out(self) -> bool:
        """Whether only one is left."""
        return self.live & (self.live - 1) == 0

    def live_positions(self) -> tuple[int, ...]:
        """Who has not folded, from the dealer's left."""
        return positions(self.live)


@cache
def positions(live: int) -> tuple[int, ...]:
    """List the positions that bits stand for.

    >>> positions(0b1010)
    (1, 3)
    """
    return tuple(position for position in range(live.bit_length()) if live >> position & 1)


@cache
def opening(rules: Rules) -> Betting:
    """Post the blinds."""
    seats = rules.seats
    everybody = (1 << seats) - 1
    small, big = (1, 0) if seats == 2 else (0, 1)
    spent = [0] * seats
    spent[small], spent[big] = rules.small_blind, rules.big_blind
    return Betting(rules, 0, first_to_act(seats), everybody, everybody, tuple(spent), rules.big_blind, 0)


def first_to_act(seats: int) -> int:
    """Who acts first before the flop: the one after the big blind; with two seats the dealer.

    >>> [first_to_act(seats) for seats in (2, 3, 10)]
    [1, 2, 2]
    """
    return 1 if seats == 2 else 2


def after(betting: Betting, action: Action) -> Betting:
    """Give the betting after a legal action of the position to act."""
    found = betting.following.get(action)
    if found is None:
        found = betting.following[action] = known(_after(betting, action))
    return found


_KNOWN: Final[dict[Betting, Betting]] = {}


def known(betting: Betting) -> Betting:
    """Give the one that stands for all equal to it."""
    if len(_KNOWN) >= REMEMBERED:
        _KNOWN.clear()
        opening.cache_clear()
    return _KNOWN.setdefault(betting, betting)


def _after(betting: Betting, action: Action) -> Betting:
    actor, stage, spent, level = betting.to_act, betting.stage, betting.spent, betting.level
    assert actor is not None
    mine = 1 << actor
    live, pending, raises = betting.live, betting.pending & ~mine, betting.raises
    if action == FOLD:
        live &= ~mine
    else:
        if action in AGGRESSIVE:
            level, raises, pending = level + betting.rules.sizes[stage], raises + 1, live & ~mine
        spent = (*spent[:actor], level, *spent[actor + 1 :])
    # The hand is over, the stage is over, or the next one acts.
    if live & (live - 1) == 0 or (not pending and stage == LAST_STAGE):
        return Betting(betting.rules, stage, None, live, 0, spent, level, raises)
    if not pending:
        return Betting(betting.rules, stage + 1, _next(live, 0), live, live, spent, level, 0)
    return Betting(betting.rules, stage, _next(pending, actor), live, pending, spent, level, raises)


def _next(waiting: int, start: int) -> int:
    """Find the first position at or after `start`, going round, among those in the bits."""
    among = waiting >> start << start or waiting
    return (among & -among).bit_length() - 1
