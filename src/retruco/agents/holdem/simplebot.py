"""SimpleBot, by the public rules of the Meerkat interface's sample player."""

from __future__ import annotations

from typing import Final

import numpy as np

from retruco.agents.core import Entry, alone
from retruco.agents.holdem.rulebot import BETS, CALLS, DRAWS, FOLDS, RAISES, decision_of, hand_to_judge
from retruco.cbr.case import Decision
from retruco.compiled_streams import StreamState, random
from retruco.compiler import compiled_step
from retruco.games.holdem import HoldemObservation
from retruco.games.holdem.compiled import AT, Longs, bets_to_call
from retruco.games.holdem.deck import RANKS, SUIT_WIDTH
from retruco.streams import Stream
from retruco.vocab.holdem.strength import Odds, chance_of, potentials_of, price_of
from retruco.vocab.holdem.strength import odds as shared_odds

TEN, ACE = RANKS.index("T"), RANKS.index("A")
LOOSE: Final = 0.05
"""How often it calls one bet with nothing."""
NOTHING: Final = -1
"""What the list says of most starting hands."""


@compiled_step
def simplebot(situation: Longs, odds: Odds, stream: StreamState) -> int:
    """Follow the list before the flop; later hand strength, its potential and the price, with chance."""
    bets, to_call = bets_to_call(situation), situation[AT.to_call]
    if not situation[AT.stage]:
        listed = starting(situation[AT.held], situation[AT.held + 1])
        if listed != NOTHING:
            return listed
        return CALLS if bets <= 1 and random(stream) < LOOSE else FOLDS
    rank = chance_of(situation, odds)
    if rank == 1:
        return RAISES
    if not to_call:
        is_bold = random(stream) < rank**2 or random(stream) < potentials_of(situation, odds)[0]
        return BETS if is_bold else FOLDS
    if random(stream) < rank ** np.float64(1 + situation[AT.raises]):
        return RAISES
    if rank**2 * situation[AT.pot] > to_call:
        return CALLS
    return DRAWS if potentials_of(situation, odds)[0] > price_of(situation) else FOLDS


@compiled_step
def starting(first: int, second: int) -> int:
    """Look a starting hand up, two places in the deck: raise it, call with it, or nothing in particular.

    >>> from retruco.games.holdem.deck import PLACE
    >>> hands = (("Ts", "Th"), ("2s", "2h"), ("9s", "9h"), ("Ks", "Qh"), ("7s", "2h"))
    >>> [starting(PLACE[one], PLACE[other]) for one, other in hands] == [RAISES, RAISES, CALLS, CALLS, NOTHING]
    True
    """
    low, high = min(first % SUIT_WIDTH, second % SUIT_WIDTH), max(first % SUIT_WIDTH, second % SUIT_WIDTH)
    suited = first // SUIT_WIDTH == second // SUIT_WIDTH
    if low == high:
        return RAISES if low >= TEN or low == 0 else CALLS
    if low >= TEN:
        return RAISES if suited else CALLS
    if suited and high == ACE:
        return RAISES if low == 0 else CALLS
    return CALLS if suited and high - low == 1 else NOTHING


class SimpleBot:
    """Starting hands by a short list; later by hand strength, its potential and the price, with chance."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Follow the list before the flop, the formulas after it."""
        situation, stream = hand_to_judge(seen), np.array([chance.state], np.uint64)
        with np.errstate(over="ignore"):  # sums of 64 bits run over
            reason = simplebot(situation, shared_odds(), stream)
        chance.state = int(stream[0])
        return decision_of(reason, situation)


ROSTER = (
    Entry(
        "simplebot",
        "holdem",
        "Plays a short list of starting hands, then by strength, potential and price, with chance.",
        alone(SimpleBot),
    ),
)
