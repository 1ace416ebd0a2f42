"""Matches in compiled code: each in a lane, played side by side until all are over.

`compiled_loop` plays the lanes, `compiled_players` has the players and their trees, `compiled_asking` asks
them what their trees do not say yet, and `compiled_scores` sums up.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from retruco.agents.core import Agent, agent_key
from retruco.agents.truco.situation_tables import MOST_PRICED_TARGET
from retruco.arena.compiled import SILENT, Asking, PlayReadable
from retruco.arena.compiled_asking import Asker, LaneMatch
from retruco.arena.compiled_loop import (
    ALL_HANDS,
    ASKING,
    CHECKING,
    DEALING,
    HAND_NUMBER,
    HITS,
    OVER,
    PLAYER,
    PLAYING,
    READY,
    STATUS,
    Lanes,
    advance,
    new_lanes,
)
from retruco.arena.compiled_players import MOST_TAGS, CompiledPlayers, Reading
from retruco.arena.compiled_scores import ScoreSheet
from retruco.arena.seatings import seatings
from retruco.arena.sets import DealsFor, Score, deal_key, first_seat
from retruco.games.truco import Truco
from retruco.games.truco.compiled.stepper import CARDS, HAND, MAO, row_of


@lru_cache(maxsize=4)
def compiled_matches(game: Truco) -> CompiledMatches:
    """The matches of a game, with all that has been learnt of its players in this process."""
    return CompiledMatches(game)


class CompiledMatches:
    """Plays matches of one game."""

    def __init__(self, game: Truco) -> None:
        self.game, self.players = game, CompiledPlayers(game)

    @property
    def reading(self) -> Reading:
        """How often decisions were read."""
        return self.players.reading

    def play(
        self,
        entrants: Sequence[Agent],
        seed: int,
        numbers: Sequence[int],
        most_hands: int | None = None,
        deals_for: DealsFor | None = None,
        asking: Asking = SILENT,
    ) -> list[Score]:
        """Play duplicate pairs by their numbers; raises `PlayReadable` where somebody breaks the rules."""
        started = time.perf_counter()
        if self.game.target > MOST_PRICED_TARGET and any(
            hasattr(agent, "decide_traced") for agent in entrants
        ):
            raise PlayReadable(f"scripted players are compiled up to a target of {MOST_PRICED_TARGET}")
        if self.players.is_full:
            self.players.forget()
        matches = [
            LaneMatch(number, order, seating, seed, deals_for(number) if deals_for else None)
            for number in numbers
            for order, seating in enumerate(seatings(self.game))
        ]
        lanes = self._new_lanes(entrants, matches)
        self._play_lanes(matches, lanes, ALL_HANDS if most_hands is None else most_hands, asking)
        return ScoreSheet(self.players, matches, lanes).scores(time.perf_counter() - started)

    def _new_lanes(self, entrants: Sequence[Agent], matches: Sequence[LaneMatch]) -> Lanes:
        players = self.players
        lanes = new_lanes(len(matches), players.tables.longest, MOST_TAGS, len(players.conduct.counts))
        for lane, match in enumerate(matches):
            lanes.rows[lane, MAO] = first_seat(self.game, match.seed, match.number)
            lanes.agent_keys[lane] = agent_key(match.match_seed)
            if match.deals is None:
                lanes.deal_keys[lane] = deal_key(match.seed, match.number)
            for seat, (entrant, _) in enumerate(match.seating):
                lanes.numbers[lane, PLAYER + seat] = players.number_of(entrants[entrant])
        return lanes

    def _play_lanes(
        self, matches: Sequence[LaneMatch], lanes: Lanes, most_hands: int, asking: Asking
    ) -> None:
        """Play on until all matches are over."""
        players, status = self.players, lanes.numbers[:, STATUS]
        asker = Asker(players, matches, lanes, asking)
        while not (status == OVER).all():
            advance(
                players.tables, players.conduct, players.looks.tables, players.trees.arrays, players.parts, lanes,
                players.room, most_hands,
            )  # fmt: skip
            for lane in np.flatnonzero(status == DEALING):
                deal_fixed(matches[int(lane)], lanes, int(lane))
            answer_lanes(asker, lanes)
        players.reading.read += int(lanes.numbers[:, HITS].sum())


def deal_fixed(match: LaneMatch, lanes: Lanes, lane: int) -> None:
    """Put the cards of a fixed deal into a lane."""
    assert match.deals is not None
    hands = match.deals(int(lanes.numbers[lane, HAND_NUMBER])).hands
    lanes.rows[lane, CARDS : CARDS + 2 * HAND] = row_of(hands, (0, 0))[CARDS : CARDS + 2 * HAND]
    lanes.numbers[lane, STATUS] = READY


def answer_lanes(asker: Asker, lanes: Lanes) -> None:
    """Ask the players of the lanes that wait for a decision; lanes that wait for the same one ask once."""
    status, answered = lanes.numbers[:, STATUS], set[tuple[int, int]]()
    for lane in np.flatnonzero(status == CHECKING):
        asker.ask(int(lane), check=True)
        status[lane] = PLAYING
    for lane in np.flatnonzero(status == ASKING):
        first, second = lanes.keys[lane].tolist()
        if (first, second) not in answered:
            asker.ask(int(lane))
            answered.add((first, second))
        status[lane] = PLAYING
