"""What a seat looks at when it chooses its strategy for a stage."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from retruco.cbr.case import Problem
from retruco.cbr.similarity import Value
from retruco.games.core import Action
from retruco.games.holdem import Betting, HoldemObservation
from retruco.games.holdem.betting import REMEMBERED, after, opening
from retruco.games.holdem.deck import Hole
from retruco.games.holdem.rules import BOARD, Rules
from retruco.vocab.holdem import scenarios
from retruco.vocab.holdem.reading import aggression
from retruco.vocab.holdem.starting import equity
from retruco.vocab.holdem.strength import Strength, strength


class View(NamedTuple):
    """One seat's situation as it first acts in a stage: nothing that it cannot know."""

    hole: Hole
    board: tuple[str, ...]
    betting: Betting
    actions: tuple[Action, ...]
    """All that was done before it acts."""
    hand: int
    """How many hands of the match came before."""
    read: int = scenarios.UNREAD
    """How aggressive those still in have been, in per cent."""

    @property
    def strength(self) -> Strength | None:
        """The hand against all holdings, once there is a board."""
        return strength(self.hole, self.board) if self.board else None

    @property
    def chance(self) -> float:
        """The chance to be the best of those still in: equity before the flop, strength after."""
        seen, opponents = self.strength, self.betting.opponents
        return equity(self.hole, opponents) if seen is None else seen.against(opponents)

    @property
    def price(self) -> float:
        """The share of the pot that a call has to pay for."""
        to_call = self.betting.to_call
        return to_call / (self.betting.pot + to_call)

    def values(self) -> dict[str, Value]:
        """The indexed features, by name."""
        betting, seen = self.betting, self.strength
        common: dict[str, Value] = {
            "hand": percent(self.chance),
            "position": percent(1 - betting.yet_to_act / betting.opponents),
            "bets": min(betting.bets_to_call, scenarios.MOST_BETS),
        }
        if seen is None:
            return {**common, "opponents": betting.opponents}
        return {
            **common,
            "stage": betting.stage,
            "positive": percent(seen.positive),
            "negative": percent(seen.negative),
            "pot": min(betting.pot // betting.rules.sizes[0], scenarios.BIGGEST_POT),
        }

    def problem(self, with_read: bool = False) -> Problem:
        """The situation as a question to the case base, with the opponent model or without."""
        if with_read:
            kind = scenarios.READ_POSTFLOP if self.board else scenarios.READ_PREFLOP
            return kind.problem({**self.values(), "read": self.read})
        return (scenarios.POSTFLOP if self.board else scenarios.PREFLOP).problem(self.values())


def percent(share: float) -> int:
    """Round a share to whole per cents.

    >>> percent(0.585)
    58
    """
    return round(100 * share)


def view_of(seen: HoldemObservation, with_read: bool = False) -> tuple[View, bool]:
    """Give the view in which a seat first acted in this stage, and whether it acts again now."""
    if seen.hole is None:
        raise ValueError(f"seat {seen.seat} cannot decide without seeing its cards")
    stage = seen.stage
    own = first_turn(seen.game.rules, seen.actions, seen.position, stage)
    number, betting = own or (len(seen.actions), seen.betting)
    read = aggression(seen) if with_read else scenarios.UNREAD
    board = seen.board[: BOARD[stage]]
    return View(seen.hole, board, betting, seen.actions[:number], len(seen.history), read), own is not None


@lru_cache(maxsize=REMEMBERED)
def first_turn(
    rules: Rules, actions: tuple[Action, ...], position: int, stage: int
) -> tuple[int, Betting] | None:
    """Find the first action of a position in a stage: its number and the betting before it."""
    betting = opening(rules)
    for number, action in enumerate(actions):
        if betting.to_act == position and betting.stage == stage:
            return number, betting
        betting = after(betting, action)
    return None
