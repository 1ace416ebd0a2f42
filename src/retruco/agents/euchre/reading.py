"""`montecarlo-reads`: as `montecarlo`, and it reads how the other seats play (the future work of Seelbinder 2012, section 6.1).

At the end of a hand all cards that were played are known, so each play of a seat can be held against what simple styles would
have played there. That makes some styles likely and others not, seat by seat, over the hands of the match. In the hand being played,
each imagined deal counts by how well the plays so far fit it, and the others play it out in their styles: who
always plays high and now plays low has nothing better.

An agent keeps no memory: what it has read follows from the observation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Entry
from retruco.agents.euchre.imagining import imagined
from retruco.agents.euchre.montecarlo import MonteCarlo
from retruco.cbr.case import Decision
from retruco.compiled_streams import StreamState, below
from retruco.compiler import compiled, compiled_step
from retruco.games.euchre import DECK, EuchreObservation, EuchreState
from retruco.games.euchre import stepper as at
from retruco.games.euchre.state import begin
from retruco.games.euchre.stepper import Row, balance, count_of, nth_of, numbered, play
from retruco.games.euchre.tricks import SEATS
from retruco.streams import Stream
from retruco.vocab.euchre.cards import PUBLISHED, Floats, highest, look_at_trick, lowest, sensible

SLIP: Final = 0.25
"""How often a seat is thought to leave its style for any legal card."""
STYLES: Final = ("high", "low", "cautious", "any")
"""The styles; in compiled code a style is its place here."""
HIGH, LOW, CAUTIOUS, ANY = range(len(STYLES))


@compiled_step
def is_choice(row: Row) -> bool:
    """Whether the seat to act chooses among cards to play."""
    return bool(row[at.STAGE] == at.PLAYING and row[at.LEGAL] & (row[at.LEGAL] - 1))


@compiled_step
def card_in_style(row: Row, style: int) -> int:
    """The card that a style plays; `ANY` has none of its own."""
    if style == CAUTIOUS:
        return sensible(row)
    trick = look_at_trick(row, PUBLISHED)
    return highest(trick.values, trick.legal) if style == HIGH else lowest(trick.values, trick.legal)


@compiled_step
def likelihood(row: Row, style: int, card: int) -> float:
    """How likely the seat to act plays a card if it has a style."""
    even = 1 / count_of(row[at.LEGAL])
    if style == ANY:
        return even
    return SLIP * even + (1 - SLIP) * (card_in_style(row, style) == card)


@compiled_step
def fit(row: Row, actions: NDArray[np.int64], styles: NDArray[np.int64]) -> float:
    """How likely the plays of a hand are if these are the styles of the seats; a seat without one (-1) is passed over."""
    found = 1.0
    for action in actions:
        style = styles[row[at.SEAT]]
        if style != at.NONE and is_choice(row):
            found *= likelihood(row, style, action)
        play(row, action)
    return found


def fit_of(state: EuchreState, styles: Sequence[int]) -> float:
    """How likely the plays so far are, if the cards lie so and these are the styles; a seat without one is passed over."""
    actions, start = numbered(state.actions), np.array(styles, np.int64)
    return fit(np.array(begin(state.game, state.deal, state.scores, state.dealer).row), actions, start)


@lru_cache(maxsize=1024)
def evidence_of(hand: EuchreObservation) -> tuple[dict[str, float], ...]:
    """How likely the plays of each seat in a finished hand are, style by style."""
    if hand.contract is None:
        return (dict.fromkeys(STYLES, 1.0),) * SEATS
    state = imagined(hand, Stream("read"))  # only cards that nobody played are imagined

    def alone(seat: int, style: int) -> list[int]:
        return [style if other == seat else at.NONE for other in range(SEATS)]

    return tuple(
        {name: fit_of(state, alone(seat, style)) for style, name in enumerate(STYLES)}
        for seat in range(SEATS)
    )


def styles_read(history: Sequence[EuchreObservation]) -> tuple[dict[str, float], ...]:
    """How likely each seat has each style, after some hands; all are equally likely before the first."""
    hands = [evidence_of(hand) for hand in history]
    found = []
    for seat in range(SEATS):
        weights = {style: prod((hand[seat][style] for hand in hands), start=1.0) for style in STYLES}
        whole = sum(weights.values())
        found.append({style: weight / whole for style, weight in weights.items()})
    return tuple(found)


@compiled
def try_in_style(
    row: Row, styles: NDArray[np.int64], stream: StreamState, weight: float, sums: Floats
) -> None:
    """Play each legal card out, every seat in its style, and add what that brings, weighed."""
    for card in range(at.DECK_SIZE):
        if row[at.LEGAL] >> card & 1:
            end = row.copy()
            play(end, card)
            while end[at.STAGE] != at.OVER:
                style = styles[end[at.SEAT]]
                if style == ANY and is_choice(end):
                    chosen = nth_of(end[at.LEGAL], below(stream, count_of(end[at.LEGAL])))
                else:
                    chosen = card_in_style(end, style)
                play(end, chosen)
            sums[card] += weight * balance(end, row[at.SEAT])


@dataclass(frozen=True, slots=True)
class ReadingMonteCarlo(MonteCarlo):
    """Plays the card that does best in imagined deals, against the styles that it has read."""

    def _imagine(self, seen: EuchreObservation, chance: Stream) -> Decision:
        read = styles_read(seen.history)
        sums, whole = np.zeros(at.DECK_SIZE), 0.0
        for _ in range(self.deals):
            state = imagined(seen, chance)
            styles = [chance.weighted(list(shares.values())) for shares in read]
            weight = fit_of(state, [*styles[: seen.seat], at.NONE, *styles[seen.seat + 1 :]])
            whole += weight
            styles[seen.seat] = CAUTIOUS
            stream = np.array([chance.state], np.uint64)
            try_in_style(np.array(state.row), np.array(styles), stream, weight, sums)
            chance.state = int(stream[0])
        balances = {card: float(sums[DECK.index(card)]) for card in seen.legal}
        best = max(seen.legal, key=balances.__getitem__)
        values = {card: round(total / whole, 2) for card, total in balances.items()}
        styles_seen = {str(seat): likeliest(shares) for seat, shares in enumerate(read) if seat != seen.seat}
        return Decision(best, "euchre.read", {"deals": self.deals, "points": values, "styles": styles_seen})


def likeliest(shares: Mapping[str, float]) -> str:
    """The style that fits best."""
    return max(shares, key=shares.__getitem__)


ROSTER = (
    Entry(
        "montecarlo-reads",
        "euchre",
        "As montecarlo, and it reads from the hands before in which style the others play.",
        lambda cases_for: ReadingMonteCarlo(),
    ),
)
