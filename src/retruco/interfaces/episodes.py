"""An episode: one hand or one match, dealt from a seed, as the environments play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from retruco.arena.table import Table
from retruco.games.core import Action, Game, Observation, Seat
from retruco.streams import Stream

Unit: TypeAlias = Literal["hand", "match"]
UNITS: Final[Mapping[str, Unit]] = {"hand": "hand", "match": "match"}


def check_unit(unit: str) -> Unit:
    """Read what an episode is.

    >>> check_unit("set")
    Traceback (most recent call last):
    ...
    ValueError: unknown episode 'set': one of hand, match
    """
    if unit not in UNITS:
        raise ValueError(f"unknown episode {unit!r}: one of {', '.join(UNITS)}")
    return UNITS[unit]


class Episode:
    """A hand at an even score, or a match, with the first seat and all deals drawn from a seed."""

    def __init__(self, game: Game, unit: Unit, seed: int, number: int = 0) -> None:
        self.game, self.unit, self.seed = game, unit, seed
        first = Stream("episode", seed, number, "first").below(game.seats)
        self.table = Table(game, lambda hand: game.deal(Stream("episode", seed, number, hand)), first)

    @property
    def is_over(self) -> bool:
        """Whether the hand or the match has ended."""
        return self.table.is_over or (self.unit == "hand" and bool(self.table.hands))

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is; nobody at the end."""
        return None if self.is_over else self.table.to_act

    def observe(self, seat: Seat) -> Observation:
        """What a seat sees; at the end, the last hand as it ended."""
        return self.table.hands[-1].state.observe(seat) if self.is_over else self.table.observe(seat)

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out an action."""
        self.table.act(seat, action)

    def rewards(self) -> list[float]:
        """By seat, once it is over: the points of the hand, or 1, 0 or -1 for the match."""
        teams = self.game.teams
        if not self.is_over:
            return [0.0] * len(teams)
        if self.unit == "match":
            winner = self.table.winner
            return [0.0 if winner is None else 1.0 if team == winner else -1.0 for team in teams]
        gains = zero_sum(self.table.hands[-1].gains)
        return [gains[team] for team in teams]


def zero_sum(gains: Sequence[int]) -> list[float]:
    """What each team gains over the mean of the others; chips, which sum to zero, stay as they are.

    >>> zero_sum((4, 1)), zero_sum((2, -1, -1))
    ([3.0, -3.0], [2.0, -1.0, -1.0])
    """
    total = sum(gains)
    if total == 0:
        return [float(gain) for gain in gains]
    return [gain - (total - gain) / (len(gains) - 1) for gain in gains]


def new_seed() -> int:
    """A seed for whoever gives none."""
    import secrets

    return secrets.randbits(31)
