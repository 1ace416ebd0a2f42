"""The scores of compiled matches, summed up set by set as the readable way does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retruco.arena.compiled_asking import LaneMatch
from retruco.arena.compiled_loop import GAINS, HAND_NUMBER, Lanes
from retruco.arena.compiled_players import CompiledPlayers
from retruco.arena.seatings import seatings
from retruco.arena.sets import Score
from retruco.games.core import Match
from retruco.games.truco.compiled.stepper import SCORES


class ScoreSheet:
    """What lanes whose matches are over have counted."""

    def __init__(self, players: CompiledPlayers, matches: Sequence[LaneMatch], lanes: Lanes) -> None:
        self.players, self.matches, self.lanes = players, matches, lanes
        self.names, self.counts = self._count()

    def _count(self) -> tuple[list[str], NDArray[np.int64]]:
        """All names that anything counts as, and how often by lane, seat and name."""
        players, tags = self.players, self.players.tags
        decided = sorted({name for names in tags for name in names})
        by_tag = np.array([[names.count(name) for name in decided] for names in tags], dtype=np.int64)
        hands = np.repeat(self.lanes.numbers[:, HAND_NUMBER, None, None], 2, axis=1)
        conduct = self.lanes.conduct @ players.conduct.counts
        counts = (self.lanes.tags[:, :, : len(tags)] @ by_tag, conduct, hands)
        return [*decided, *players.conduct_names, "hands"], np.concatenate(counts, axis=2)

    def scores(self, seconds: float) -> list[Score]:
        """Sum the matches up, set by set; the time is shared out by decisions."""
        places = len(seatings(self.players.game))
        each = seconds / max(1, int(self.lanes.tags.sum()))
        return [
            self._score(range(first, first + places), each) for first in range(0, len(self.matches), places)
        ]

    def _score(self, lanes: Sequence[int], seconds_each: float) -> Score:
        counts = [
            {name: many for name, many in zip(self.names, some.tolist(), strict=True) if many}
            for some in self._by_entrant(lanes, self.counts).sum(axis=0)
        ]
        gains = self._by_entrant(lanes, self.lanes.numbers[:, GAINS : GAINS + 2])
        return Score(
            self.matches[lanes[0]].number,
            tuple(self._winner(lane) for lane in lanes),
            tuple(map(tuple, gains.tolist())),
            tuple(self.lanes.numbers[lanes[0] : lanes[-1] + 1, HAND_NUMBER].tolist()),
            tuple(counts),
            tuple(round(seconds_each * count["decisions"], 6) for count in counts),
        )

    def _by_entrant(self, lanes: Sequence[int], values: NDArray[Any]) -> NDArray[Any]:
        """Values of some lanes by seat, turned into values by entrant."""
        orders = [np.argsort([entrant for entrant, _ in self.matches[lane].seating]) for lane in lanes]
        return np.stack([values[lane][order] for lane, order in zip(lanes, orders, strict=True)])

    def _winner(self, lane: int) -> int | None:
        """The entrant that won a lane's match, if it was played to the end."""
        game, row = self.players.game, self.lanes.rows[lane]
        match = Match((int(row[SCORES]), int(row[SCORES + 1])), 0)
        seat = game.winner(match) if game.is_over(match) else None
        return None if seat is None else self.matches[lane].seating[seat][0]
