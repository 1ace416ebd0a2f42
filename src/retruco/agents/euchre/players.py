"""Euchre players: a way to play cards joined with a way to bid, named PLAY or PLAY@BIDDER.

A way to play that goes by card values may go by those learnt from play instead of the published
ones: PLAY^learnt.

>>> parts_of("UF.5@alone"), parts_of("UF.5^learnt@tricks")
(('UF.5', '', 'alone'), ('UF.5', 'learnt', 'tricks'))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.euchre.bidding import BIDDERS, Bidder
from retruco.agents.euchre.cardplay import PLAYS, CardPlay
from retruco.cbr.case import Decision
from retruco.games.euchre import EuchreObservation
from retruco.games.euchre.words import ALONE, DISCARD
from retruco.streams import Stream
from retruco.vocab.euchre.learnt import learnt_values
from retruco.vocab.euchre.trick_view import TrickView
from retruco.vocab.euchre.values import PUBLISHED, CardValues


@dataclass(frozen=True, slots=True)
class EuchrePlayer:
    """Bids with one part and plays cards with the other."""

    name: str
    play: CardPlay = field(repr=False)
    bidder: Bidder = field(repr=False)
    cards: CardValues = field(default=PUBLISHED, repr=False)
    """What cards are worth when they are played; bidders have ways of their own."""

    def decide(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Bid, discard, say whether to go alone, or play a card."""
        if seen.contract is None:
            return self.bidder.bid(seen, chance)
        legal = seen.legal
        if legal[0] == ALONE:
            return self.bidder.alone(seen, chance)
        if legal[0].startswith(DISCARD):
            return self.bidder.discard(seen, chance)
        if len(legal) == 1:
            return Decision(legal[0], "euchre.only-card")
        return self.play(TrickView(seen, self.cards), chance)


def parts_of(name: str) -> tuple[str, str, str]:
    """Read a player's name as its parts: how it plays, by which values, how it bids."""
    plays, _, bidder = name.partition("@")
    play, _, values = plays.partition("^")
    return play, values, bidder


def player(name: str, cases_for: CasesFor | None = None) -> Agent:
    """Make a player by name."""
    play, values, bidder = parts_of(name)
    cards = learnt_values() if values == LEARNT else PUBLISHED
    return EuchrePlayer(name, PLAYS[play][0], BIDDERS[bidder][0], cards)


LEARNT: Final = "learnt"
BY_LEARNT_VALUES: Final = ("HIGH!", "MDP+", "UF", "UF.5")
"""The ways to play that are also listed by learnt values."""


def _names() -> dict[str, str]:
    plays = {play: how for play, (_, how) in PLAYS.items()}
    plays |= {f"{play}^{LEARNT}": f"as {play}, by card values learnt from play" for play in BY_LEARNT_VALUES}
    return {
        f"{play}@{bidder}" if bidder else play: f"Plays {how}; bids {by}."
        for play, how in plays.items()
        for bidder, (_, by) in BIDDERS.items()
    }


ROSTER = tuple(Entry(name, "euchre", style, partial(player, name)) for name, style in _names().items())
