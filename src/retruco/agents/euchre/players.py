"""Euchre players: a way to play cards joined with a way to bid, named PLAY or PLAY@BIDDER.

>>> parts_of("UF.5@alone")
('UF.5', 'alone')
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.euchre.bidding import BIDDERS, Bidder
from retruco.agents.euchre.cardplay import PLAYS, CardPlay
from retruco.cbr.case import Decision
from retruco.games.euchre import EuchreObservation
from retruco.games.euchre.words import ALONE, DISCARD
from retruco.streams import Stream
from retruco.vocab.euchre.look import Look


@dataclass(frozen=True, slots=True)
class EuchrePlayer:
    """Bids with one part and plays cards with the other."""

    name: str
    play: CardPlay = field(repr=False)
    bidder: Bidder = field(repr=False)

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
        return self.play(Look(seen), chance)


def parts_of(name: str) -> tuple[str, str]:
    """Read a player's name as its two parts."""
    play, _, bidder = name.partition("@")
    return play, bidder


def player(name: str, cases_for: CasesFor | None = None) -> Agent:
    """Make a player by name."""
    play, bidder = parts_of(name)
    return EuchrePlayer(name, PLAYS[play][0], BIDDERS[bidder][0])


def _names() -> dict[str, str]:
    return {
        f"{play}@{bidder}" if bidder else play: f"Plays {how}; bids {by}."
        for play, (_, how) in PLAYS.items()
        for bidder, (_, by) in BIDDERS.items()
    }


ROSTER = tuple(Entry(name, "euchre", style, partial(player, name)) for name, style in _names().items())
