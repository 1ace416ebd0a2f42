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
        self.places = len(seatings(players.game))
        """How many matches a set has."""
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
        each = seconds / max(1, int(self.lanes.tags.sum()))
        counts = self._by_entrant(self.counts).sum(axis=1).tolist()
        gains = self._by_entrant(self.lanes.numbers[:, GAINS : GAINS + 2]).tolist()
        return [self._score(number, counts[number], gains[number], each) for number in range(len(counts))]

    def _score(
        self, number: int, done: list[list[int]], gains: list[list[int]], seconds_each: float
    ) -> Score:
        lanes = range(number * self.places, (number + 1) * self.places)
        counts = [{name: many for name, many in zip(self.names, some, strict=True) if many} for some in done]
        return Score(
            self.matches[lanes[0]].number,
            tuple(self._winner(lane) for lane in lanes),
            tuple(map(tuple, gains)),
            tuple(self.lanes.numbers[lanes[0] : lanes[-1] + 1, HAND_NUMBER].tolist()),
            tuple(counts),
            tuple(round(seconds_each * count["decisions"], 6) for count in counts),
        )

    def _by_entrant(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values by lane and seat, turned into values by set, match of the set and entrant."""
        by_set = values.reshape(-1, self.places, *values.shape[1:])
        orders = [np.argsort([entrant for entrant, _ in seating]) for seating in seatings(self.players.game)]
        return np.stack([by_set[:, place, order] for place, order in enumerate(orders)], axis=1)

    def _winner(self, lane: int) -> int | None:
        """The entrant that won a lane's match, if it was played to the end."""
        game, row = self.players.game, self.lanes.rows[lane]
        match = Match((int(row[SCORES]), int(row[SCORES + 1])), 0)
        seat = game.winner(match) if game.is_over(match) else None
        return None if seat is None else self.matches[lane].seating[seat][0]
