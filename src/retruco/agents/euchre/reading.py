"""`montecarlo-reads`: as `montecarlo`, and it reads how the other seats play (the future work of Seelbinder 2012, section 6.1).

At the end of a hand all cards that were played are known, so each play of a seat can be held against what simple styles would
have played there. That makes some styles likely and others not, seat by seat, over the hands of the match. In the hand being played,
each imagined deal counts by how well the plays so far fit it, and the others play it out in their styles: who
always plays high and now plays low has nothing better.

An agent keeps no memory: what it has read follows from the observation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

from retruco.agents.core import Entry
from retruco.agents.euchre.imagining import imagined
from retruco.agents.euchre.montecarlo import MonteCarlo, sensible
from retruco.cbr.case import Decision
from retruco.games.core import Match, Seat
from retruco.games.euchre import Card, EuchreObservation, EuchreState
from retruco.games.euchre.deck import SUIT_OF
from retruco.games.euchre.tricks import SEATS, TEAMS
from retruco.streams import Stream
from retruco.vocab.euchre.values import NOTHING_LED, VALUES

SLIP: Final = 0.25
"""How often a seat is thought to leave its style for any legal card."""


def values_in(state: EuchreState) -> Mapping[Card, float]:
    """What cards are worth in the trick being played."""
    trump = state.trump
    assert trump is not None
    return VALUES[trump][SUIT_OF[trump][state.table[0]] if state.table else NOTHING_LED]


def highest(state: EuchreState) -> Card:
    """The card of the highest value."""
    return max(state.legal, key=values_in(state).__getitem__)


def lowest(state: EuchreState) -> Card:
    """The card of the lowest value."""
    return min(state.legal, key=values_in(state).__getitem__)


STYLES: Final[Mapping[str, Callable[[EuchreState], Card] | None]] = {
    "high": highest,
    "low": lowest,
    "cautious": sensible,
    "any": None,
}
"""What a style plays; `any` plays anything legal."""


def likelihood(style: str, state: EuchreState, card: Card) -> float:
    """How likely a seat of some style plays a card."""
    choose, even = STYLES[style], 1 / len(state.legal)
    return even if choose is None else SLIP * even + (1 - SLIP) * (choose(state) == card)


def plays_in(end: EuchreState) -> Iterator[tuple[EuchreState, Card]]:
    """Go through a hand: each state in which a seat chose among cards, and the card that it played."""
    state = end.game.start(end.deal, Match(end.scores, end.dealer))
    for action in end.actions:
        if state.contract is not None and state.turn is None and len(state.legal) > 1:
            yield state, action
        state = state.play(action)


@lru_cache(maxsize=1024)
def evidence_of(hand: EuchreObservation) -> tuple[dict[str, float], ...]:
    """How likely the plays of each seat in a finished hand are, style by style."""
    found = tuple(dict.fromkeys(STYLES, 1.0) for _ in range(SEATS))
    if hand.contract is None:
        return found
    for state, card in plays_in(imagined(hand, Stream("read"))):  # only cards that nobody played are imagined
        assert state.to_act is not None
        for style in STYLES:
            found[state.to_act][style] *= likelihood(style, state, card)
    return found


def styles_read(history: Sequence[EuchreObservation]) -> tuple[dict[str, float], ...]:
    """How likely each seat has each style, after some hands; all are equally likely before the first."""
    hands = [evidence_of(hand) for hand in history]
    found = []
    for seat in range(SEATS):
        weights = {style: prod((hand[seat][style] for hand in hands), start=1.0) for style in STYLES}
        whole = sum(weights.values())
        found.append({style: weight / whole for style, weight in weights.items()})
    return tuple(found)


def draw_styles(read: Sequence[Mapping[str, float]], chance: Stream) -> tuple[str, ...]:
    """Draw a style for every seat."""
    names = list(STYLES)
    return tuple(names[chance.weighted([shares[name] for name in names])] for shares in read)


def played_in_style(state: EuchreState, styles: Sequence[str], chance: Stream) -> tuple[int, ...]:
    """Play a hand to its end, every seat in its style; give the points."""
    while state.outcome is None:
        assert state.to_act is not None
        choose = STYLES[styles[state.to_act]]
        card = (
            state.legal[0]
            if len(state.legal) == 1
            else choose(state)
            if choose
            else chance.choice(state.legal)
        )
        state = state.play(card)
    return state.outcome.points


@dataclass(frozen=True, slots=True)
class ReadingMonteCarlo(MonteCarlo):
    """Plays the card that does best in imagined deals, against the styles that it has read."""

    def _imagine(self, seen: EuchreObservation, chance: Stream) -> Decision:
        read = styles_read(seen.history)
        balance, whole = dict.fromkeys(seen.legal, 0.0), 0.0
        for _ in range(self.deals):
            state, styles = imagined(seen, chance), draw_styles(read, chance)
            styles = (*styles[: seen.seat], "cautious", *styles[seen.seat + 1 :])
            weight = fit_of(state, styles, seen.seat)
            whole += weight
            for card in seen.legal:
                points = played_in_style(state.play(card), styles, chance)
                balance[card] += weight * (points[TEAMS[seen.seat]] - points[1 - TEAMS[seen.seat]])
        best = max(seen.legal, key=balance.__getitem__)
        values = {card: round(total / whole, 2) for card, total in balance.items()}
        styles_seen = {str(seat): likeliest(shares) for seat, shares in enumerate(read) if seat != seen.seat}
        return Decision(best, "euchre.read", {"deals": self.deals, "points": values, "styles": styles_seen})


def fit_of(state: EuchreState, styles: Sequence[str], me: Seat) -> float:
    """How likely the plays of the others so far are, if the cards lie so and these are their styles."""
    return prod(
        likelihood(styles[before.to_act], before, card)
        for before, card in plays_in(state)
        if before.to_act is not None and before.to_act != me
    )


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
