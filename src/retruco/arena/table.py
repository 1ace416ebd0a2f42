"""The table: a match played action by action, without any input or output of its own.

Whoever drives it, a loop over agents, a person at a terminal, a page or a bot far away, asks
`to_act`, shows `observe(seat)` and answers with `act(seat, action)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from retruco.games.core import TEXTS, Action, Game, IllegalAction, Match, Observation, Seat, State, Team


class OutOfTurn(ValueError):
    """A seat acted when it was not its turn."""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that was played to its end, and how the match stood before it."""

    before: Match
    state: State
    gains: tuple[int, ...]
    """What it was worth to each team towards the match."""


class Table:
    """A match in progress."""

    def __init__(self, game: Game, deals: Callable[[int], Any], first: Seat = 0) -> None:
        self.game = game
        self.match = game.opening(first)
        self.hands: list[FinishedHand] = []
        self.decisions = [0] * game.seats
        """How many times each seat has acted in this hand."""
        self._deals = deals
        self._seen: list[tuple[Observation, ...]] = [()] * game.seats
        self.state: State = game.start(deals(0), self.match)

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is; nobody when the match is over."""
        return self.state.to_act

    @property
    def is_over(self) -> bool:
        """Whether the match is decided."""
        return self.game.is_over(self.match)

    @property
    def winner(self) -> Team | None:
        """The team that won, once the match is over."""
        return self.game.winner(self.match) if self.is_over else None

    def observe(self, seat: Seat) -> Observation:
        """What a seat sees now: this hand, and the earlier ones of the match as it saw them."""
        return self.state.observe(seat, self._seen[seat])

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out a seat's action; a finished hand is entered and the next one dealt."""
        state = self.state
        if seat != state.to_act:
            whose = "the match is over" if state.to_act is None else f"it is seat {state.to_act}'s turn"
            raise OutOfTurn(f"seat {seat} cannot act: {whose}")
        if type(action) not in TEXTS:
            raise IllegalAction(action, state.legal)
        self.state = state = state.play(action)
        self.decisions[seat] += 1
        if state.outcome is not None:
            self._enter_hand()

    def _enter_hand(self) -> None:
        game, before = self.game, self.match
        self.hands.append(FinishedHand(before, self.state, game.gains(before, self.state)))
        for seat in range(game.seats):
            self._seen[seat] = (*self._seen[seat], self.state.observe(seat))
        self.match = game.after(before, self.state)
        self.decisions = [0] * game.seats
        if not self.is_over:
            self.state = game.start(self._deals(self.match.hand), self.match)
