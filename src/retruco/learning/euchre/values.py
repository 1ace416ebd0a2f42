"""Card values learnt from play: how often each card took a trick, generation after generation.

The first generation plays any legal card and so knows no values at all; each later one plays as
UF.5 by the values of the one before. All bid by the common bidding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from retruco.agents.euchre.players import EuchrePlayer, play_hand
from retruco.arena.stats import Interval, ratio_interval
from retruco.games.core import Match
from retruco.games.euchre import Euchre, EuchreState, suit_of
from retruco.games.euchre.state import after
from retruco.games.euchre.stepper import MOST_ACTIONS, TEXTS
from retruco.games.euchre.tricks import SEATS
from retruco.streams import Stream
from retruco.vocab.euchre.cards import NOTHING_LED, PUBLISHED, Floats
from retruco.vocab.euchre.chart import new_chart
from retruco.vocab.euchre.learnt import IS_KEPT, SITUATIONS, situation_of, values_of


@dataclass(frozen=True, slots=True)
class ValueGeneration:
    """Which way to play cards plays how many hands."""

    play: str
    hands: int


PLAN: Final = (
    ValueGeneration("RANDOM", 10_000),
    ValueGeneration("UF.5", 10_000),
    ValueGeneration("UF.5", 20_000),
)
"""The generations that the values of `learnt_values.json` come from."""
BATCH: Final = 100
"""Hands are independent, the cards of one hand are not: intervals are over batches of hands."""


@dataclass(frozen=True, slots=True)
class ValueShare:
    """How often a card of some rank took a trick."""

    share: float
    ci95: Interval
    cards: int
    """How often such a card was met."""


Learnt = dict[str, dict[str, ValueShare]]


def learn_values(seed: int, plan: Sequence[ValueGeneration] = PLAN, rules: str = "seelbinder2012") -> Learnt:
    """Play generation after generation; give what the cards of the last were worth."""
    game, values, learnt = Euchre.named(rules), PUBLISHED, Learnt()
    for number, generation in enumerate(plan):
        player = EuchrePlayer(generation.play, cards=values)
        learnt = shares_of(ends(game, player, generation.hands, Stream("card values", seed, number)))
        values = values_of_shares(learnt)
    return learnt


def values_of_shares(learnt: Learnt) -> Floats:
    """Make values to play by."""
    return values_of(
        {place: {rank: one.share for rank, one in ranks.items()} for place, ranks in learnt.items()}
    )


def ends(game: Euchre, player: EuchrePlayer, hands: int, chance: Stream) -> Iterator[EuchreState]:
    """Play hands with the same player in every seat."""
    compiled, chart, actions = player.compiled, new_chart(), np.empty(MOST_ACTIONS, np.int64)
    for _ in range(hands):
        state = game.start(game.deal(chance), Match((0, 0), chance.below(SEATS)))
        stream = np.array([chance.state], np.uint64)
        count = play_hand(compiled, np.array(state.row), stream, chart, actions)
        chance.state = int(stream[0])
        yield after(state, [TEXTS[action] for action in actions[:count].tolist()])


def shares_of(played: Iterator[EuchreState]) -> Learnt:
    """Count in which share of its tricks every card won, with intervals over batches of hands."""
    met: dict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for number, end in enumerate(played):
        for key, took in cards_met(end):
            batches = met[key]
            while len(batches) <= number // BATCH:
                batches.append([0, 0])
            batches[-1][0] += took
            batches[-1][1] += 1
    return {place: {rank: _share(met[place, rank]) for rank in ranks} for place, ranks in SITUATIONS.items()}


def _share(batches: list[list[int]]) -> ValueShare:
    """Estimate one share; a card that was never met cannot be told."""
    tops, bottoms = [took for took, _ in batches], [cards for _, cards in batches]
    if not sum(bottoms):
        raise ValueError("a card was never met in some situation: more hands are needed")
    share, (low, high) = ratio_interval(tops, bottoms, widest=(0.0, 1.0))
    return ValueShare(share, (max(0.0, low), min(1.0, high)), sum(bottoms))


def cards_met(end: EuchreState) -> Iterator[tuple[tuple[str, str], bool]]:
    """Go through the cards of a finished hand: the situation and rank of each, and whether it took a trick.

    A card that is played is met once, as it is led, follows, ruffs or is thrown away; a plain card
    is also met in every trick of another suit before that in which it is played.
    """
    trump = end.trump
    if trump is None:
        return
    for number, trick in enumerate(end.tricks):
        led = suit_of(trick.cards[0], trump)
        for place, (seat, card) in enumerate(zip(trick.seats, trick.cards, strict=True)):
            key = situation_of(card, trump, led if place else NOTHING_LED)
            yield key, seat == trick.winner
        for later in end.tricks[number + 1 :]:
            for seat, card in zip(later.seats, later.cards, strict=True):
                key = situation_of(card, trump, led)
                if key[0] == IS_KEPT:
                    yield key, seat == later.winner
