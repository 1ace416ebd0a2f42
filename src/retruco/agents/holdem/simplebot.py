"""SimpleBot, by the public rules of the Meerkat interface's sample player."""

from __future__ import annotations

from retruco.agents.core import Entry, alone
from retruco.agents.holdem.rulebot import acted, reason_of
from retruco.cbr.case import Decision
from retruco.games.holdem import HoldemObservation
from retruco.games.holdem.deck import RANKS, Hole
from retruco.streams import Stream
from retruco.vocab.holdem.view import View, percent, view_of

TEN = RANKS.index("T")
LOOSE = 0.05
"""How often it calls one bet with nothing."""


class SimpleBot:
    """Starting hands by a short list; later by hand strength, its potential and the price, with chance."""

    def decide(self, seen: HoldemObservation, chance: Stream) -> Decision:
        """Follow the list before the flop, the formulas after it."""
        view = view_of(seen)[0]._replace(betting=seen.betting)
        reason = self._after(view, chance) if view.board else self._before(view, chance)
        action = acted(reason, seen.legal)
        return Decision(action, reason_of(action, reason), {"chance": percent(view.chance)})

    def _before(self, view: View, chance: Stream) -> str:
        wanted = starting(view.hole)
        if wanted is not None:
            return wanted
        cheap = view.betting.bets_to_call <= 1
        return "hold.call" if cheap and chance.chance(LOOSE) else "hold.fold"

    def _after(self, view: View, chance: Stream) -> str:
        rank, seen, betting = view.chance, view.strength, view.betting
        assert seen is not None
        if rank == 1:
            return "hold.raise"
        if not betting.to_call:
            bets = chance.chance(rank**2) or chance.chance(seen.positive)
            return "hold.bet" if bets else "hold.fold"
        if chance.chance(rank ** (1 + betting.raises)):
            return "hold.raise"
        if rank**2 * betting.pot > betting.to_call:
            return "hold.call"
        return "hold.draw" if seen.positive > view.price else "hold.fold"


def starting(hole: Hole) -> str | None:
    """Look a starting hand up: raise it, call with it, or nothing in particular.

    >>> [starting(hand) for hand in (("Ts", "Th"), ("2s", "2h"), ("9s", "9h"), ("Ks", "Qh"), ("7s", "2h"))]
    ['hold.raise', 'hold.raise', 'hold.call', 'hold.call', None]
    """
    low, high = sorted(RANKS.index(card[0]) for card in hole)
    suited = hole[0][1] == hole[1][1]
    if low == high:
        return "hold.raise" if low >= TEN or low == 0 else "hold.call"
    if low >= TEN:
        return "hold.raise" if suited else "hold.call"
    if suited and RANKS[high] == "A":
        return "hold.raise" if low == 0 else "hold.call"
    return "hold.call" if suited and high - low == 1 else None


ROSTER = (
    Entry(
        "simplebot",
        "holdem",
        "Plays a short list of starting hands, then by strength, potential and price, with chance.",
        alone(SimpleBot),
    ),
)
