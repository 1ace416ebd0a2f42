"""`montecarlo`: imagines deals that agree with what it has seen and plays each card out in all of them.

The rest of an imagined hand is played as HIGH! would, with the cheapest winner where that is the last
card of a trick; the card with the best mean balance of points is played. Bidding counts tricks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from retruco.agents.core import Entry
from retruco.agents.euchre.bidding import BIDDERS, Bidder
from retruco.agents.euchre.imagining import imagined
from retruco.cbr.case import Decision
from retruco.games.euchre import Card, EuchreObservation, EuchreState, partner_of, winning
from retruco.games.euchre.deck import POWER, SUIT_OF
from retruco.games.euchre.tricks import AROUND, TEAMS
from retruco.games.euchre.words import ALONE, DISCARD
from retruco.streams import Stream
from retruco.vocab.euchre.values import NOTHING_LED, VALUES


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """Plays the card that does best in imagined deals."""

    deals: int = 20
    bidder: Bidder = field(default=BIDDERS["tricks"][0], repr=False)

    def decide(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Bid by counting tricks; play by imagining."""
        if seen.contract is None:
            return self.bidder.bid(seen, chance)
        if seen.legal[0] == ALONE:
            return self.bidder.alone(seen, chance)
        if seen.legal[0].startswith(DISCARD):
            return self.bidder.discard(seen, chance)
        if len(seen.legal) == 1:
            return Decision(seen.legal[0], "euchre.only-card")
        return self._imagine(seen, chance)

    def _imagine(self, seen: EuchreObservation, chance: Stream) -> Decision:
        team = TEAMS[seen.seat]
        balance = dict.fromkeys(seen.legal, 0)
        for _ in range(self.deals):
            state = imagined(seen, chance)
            for card in seen.legal:
                points = played_out(state.play(card))
                balance[card] += points[team] - points[1 - team]
        best = max(seen.legal, key=balance.__getitem__)
        values = {card: round(sum_ / self.deals, 2) for card, sum_ in balance.items()}
        return Decision(best, "euchre.imagined", {"deals": self.deals, "points": values})


def played_out(state: EuchreState) -> tuple[int, ...]:
    """Play a hand to its end, every seat by the same plain sense; give the points."""
    while state.outcome is None:
        state = state.play(state.legal[0] if len(state.legal) == 1 else sensible(state))
    return state.outcome.points


def sensible(state: EuchreState) -> Card:
    """Let a winning partner win; else win, cheaply if nobody plays after, or throw the lowest."""
    contract, table, legal = state.contract, state.table, state.legal
    assert contract is not None
    trump = contract.trump
    if not table:
        return max(legal, key=VALUES[trump][NOTHING_LED].__getitem__)
    led = SUIT_OF[trump][table[0]]
    values, powers = VALUES[trump][led], POWER[trump][led]
    around, best = AROUND[contract.out][state.leader], winning(table, trump)
    assert state.to_act is not None
    if around[best] != partner_of(state.to_act):
        winners = [card for card in legal if powers[card] > powers[table[best]]]
        if winners:
            return (min if len(table) == len(around) - 1 else max)(winners, key=values.__getitem__)
    return min(legal, key=values.__getitem__)


ROSTER = (
    Entry(
        "montecarlo",
        "euchre",
        "Imagines twenty deals and plays each card out in all of them; bids counting tricks.",
        lambda cases_for: MonteCarlo(),
    ),
)
