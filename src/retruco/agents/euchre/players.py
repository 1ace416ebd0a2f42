"""Euchre players: a way to play cards joined with a way to bid, named PLAY or PLAY@BIDDER.

A way to play that goes by card values may go by those learnt from play instead of the published
ones: PLAY^learnt.

>>> parts_of("UF.5@alone"), parts_of("UF.5^learnt@tricks")
(('UF.5', '', 'alone'), ('UF.5', 'learnt', 'tricks'))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent, CasesFor, Decisions, Entry
from retruco.agents.euchre.bidding import BIDDERS, LEAST, bid, discard, say_alone
from retruco.agents.euchre.cardplay import CHARTS, PLAYS, choose_card
from retruco.agents.euchre.moves import ANY_ONE, HIGHEST, ONE, ONLY_CARD, Move, decision_of, low
from retruco.cbr.case import Decision
from retruco.compiled_streams import StreamState, below
from retruco.compiler import compiled_loop, compiled_step
from retruco.games.euchre import Euchre, EuchreObservation
from retruco.games.euchre import stepper as at
from retruco.games.euchre.stepper import Row, Situation, nth_of, play, situation_of
from retruco.streams import Stream
from retruco.vocab.euchre.cards import PUBLISHED, Floats, highest, look_at_trick, lowest
from retruco.vocab.euchre.chart import Chart, new_chart
from retruco.vocab.euchre.learnt import learnt_values


class Player(NamedTuple):
    """A player in compiled code."""

    play: int
    bidder: int
    least: float
    """The worth from which it calls."""
    cards: Floats
    """What cards are worth when they are played; bidders have ways of their own."""


@compiled_step
def decide(player: Player, seen: Situation, chart: Chart) -> Move:
    """Bid, discard, say whether to go alone, or play a card; what is drawn is still open."""
    if seen[at.STAGE] == at.BIDDING:
        return bid(player.bidder, player.least, seen)
    if seen[at.STAGE] == at.DISCARDING:
        return discard(seen)
    if seen[at.STAGE] != at.PLAYING:
        return say_alone(player.bidder, seen)
    legal = seen[at.LEGAL]
    if not legal & (legal - 1):
        return low(legal, ONLY_CARD)
    return choose_card(player.play, look_at_trick(seen, player.cards), chart)


@compiled_step
def pick(player: Player, seen: Situation, move: Move, number: int) -> int:
    """The action of a move; one that is drawn by this number."""
    if move.picks in (ONE, ANY_ONE):
        return nth_of(move.actions, number)
    led = at.NO_SUIT if not seen[at.PLACED] else at.SUIT[seen[at.TRUMP], seen[at.TABLE]]
    values = player.cards[seen[at.TRUMP], led]
    return highest(values, move.actions) if move.picks == HIGHEST else lowest(values, move.actions)


@compiled_loop
def decide_all(
    player: Player, situations: Row, streams: NDArray[np.uint64], chart: Chart, actions: NDArray[Any]
) -> None:
    """Decide in many situations, each with a stream of its own."""
    for place in range(len(situations)):
        seen = situations[place]
        move = decide(player, seen, chart)
        number = below(streams[place : place + 1], int(move.number)) if move.picks == ANY_ONE else 0
        actions[place] = pick(player, seen, move, number)


@compiled_loop
def play_hand(player: Player, row: Row, stream: StreamState, chart: Chart, actions: Row) -> int:
    """Play a hand to its end with one player in every seat; write down what was done, and give how much that is."""
    count = 0
    while row[at.STAGE] != at.OVER:
        move = decide(player, row, chart)
        actions[count] = pick(
            player, row, move, below(stream, int(move.number)) if move.picks == ANY_ONE else 0
        )
        play(row, actions[count])
        count += 1
    return count


@dataclass(frozen=True, slots=True)
class EuchrePlayer:
    """Bids with one part and plays cards with the other."""

    play: str
    bidder: str = ""
    cards: Floats = field(default_factory=lambda: PUBLISHED, repr=False, compare=False)
    """What cards are worth when they are played."""
    least: float | None = None
    """The worth from which it calls, if it is not that of its bidder."""

    @property
    def compiled(self) -> Player:
        """The player in compiled code."""
        play, bidder = list(PLAYS).index(self.play), list(BIDDERS).index(self.bidder)
        return Player(play, bidder, LEAST[bidder] if self.least is None else self.least, self.cards)

    def decide(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Decide, and say why."""
        player, situation = self.compiled, situation_of(seen)
        move = decide(player, situation, new_chart(CHARTS[player.play]))
        number = chance.below(int(move.number)) if move.picks == ANY_ONE else 0
        return decision_of(move, pick(player, situation, move, number), player.least)

    def decide_many(self, game: Euchre, situations: Row, streams: NDArray[np.uint64]) -> Decisions:
        """Decide in many situations at once."""
        player, actions = self.compiled, np.zeros(len(situations), np.int32)
        decide_all(player, situations, streams.copy(), new_chart(CHARTS[player.play]), actions)
        return Decisions(actions)


def parts_of(name: str) -> tuple[str, str, str]:
    """Read a player's name as its parts: how it plays, by which values, how it bids."""
    plays, _, bidder = name.partition("@")
    play, _, values = plays.partition("^")
    return play, values, bidder


def player(name: str, cases_for: CasesFor | None = None) -> Agent:
    """Make a player by name."""
    play, values, bidder = parts_of(name)
    return EuchrePlayer(play, bidder, learnt_values() if values == LEARNT else PUBLISHED)


LEARNT: Final = "learnt"
BY_LEARNT_VALUES: Final = ("HIGH!", "MDP+", "UF", "UF.5")
"""The ways to play that are also listed by learnt values."""


def _names() -> dict[str, str]:
    plays = {**PLAYS} | {
        f"{play}^{LEARNT}": f"as {play}, by card values learnt from play" for play in BY_LEARNT_VALUES
    }
    return {
        f"{play}@{bidder}" if bidder else play: f"Plays {how}; bids {by}."
        for play, how in plays.items()
        for bidder, by in BIDDERS.items()
    }


ROSTER = tuple(Entry(name, "euchre", style, partial(player, name)) for name, style in _names().items())
