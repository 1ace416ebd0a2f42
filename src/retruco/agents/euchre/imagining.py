"""Hands as they might be: a deal drawn from all that agree with what a seat has seen.

Every such deal is equally likely, as in the chance chart; the hand is then played again up to now,
so that an imagined state is one that the rules can reach.
"""

from __future__ import annotations

from typing import Final

from retruco.games.core import Match
from retruco.games.euchre import DECK, Card, EuchreDeal, EuchreObservation, EuchreState
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import SUIT_OF, SUITS, listed
from retruco.games.euchre.observation import actions_seen
from retruco.games.euchre.state import after
from retruco.games.euchre.stepper import situation_of
from retruco.games.euchre.tricks import SEATS
from retruco.streams import Stream

TRIES: Final = 10_000
"""How often cards are dealt before somebody who may hold them has them; far more than it takes."""


def imagined(seen: EuchreObservation, chance: Stream) -> EuchreState:
    """Draw a deal that agrees with what was seen, and play the hand again up to now."""
    situation, dealer = situation_of(seen).tolist(), seen.dealer
    played = [listed(cards) for cards in situation[at.PLAYED : at.PLAYED + SEATS]]
    ordered = seen.contract is not None and seen.contract.ordered and not seen.is_discarding
    hands, rest = _dealt(seen, situation, ordered and seen.upcard not in played[dealer], chance)
    discard = seen.discard
    if ordered and dealer != seen.seat:
        discard = rest[0] if seen.upcard in (*hands[dealer], *played[dealer]) else seen.upcard
    deals = []
    for seat in range(SEATS):
        five = (*hands[seat], *played[seat])
        if ordered and seat == dealer and discard is not None and discard != seen.upcard:
            five = tuple(discard if card == seen.upcard else card for card in five)
        deals.append(seen.dealt if seat == seen.seat else five)
    start = seen.game.start(EuchreDeal(tuple(deals), seen.upcard), Match(seen.scores, dealer))
    return after(start, actions_seen(seen, discard))


def _dealt(
    seen: EuchreObservation, situation: list[int], may_be_with_dealer: bool, chance: Stream
) -> tuple[list[list[Card]], list[Card]]:
    """Deal the cards that may lie anywhere until nobody holds what it cannot hold; give what is left over, too."""
    left, known = situation[at.LEFT : at.LEFT + SEATS], [list[Card]() for _ in range(SEATS)]
    lacks = situation[at.LACKS : at.LACKS + SEATS]
    voids = [{suit for place, suit in enumerate(SUITS) if bits >> place & 1} for bits in lacks]
    if (
        may_be_with_dealer
        and seen.dealer != seen.seat
        and left[seen.dealer]
        and seen.trump not in voids[seen.dealer]
    ):
        known[seen.dealer].append(seen.upcard)
        left[seen.dealer] -= 1
    left[seen.seat] = 0
    gone = sum(situation[at.PLAYED : at.PLAYED + SEATS])
    shown = {*seen.held, *seen.dealt, seen.upcard, *listed(gone)}
    hidden, suit_of = [card for card in DECK if card not in shown], SUIT_OF[seen.trump or seen.upcard[1]]
    for _ in range(TRIES):
        chance.shuffle(hidden)
        hands, start = [], 0
        for seat in range(SEATS):
            cards = hidden[start : start + left[seat]]
            start += left[seat]
            if voids[seat] and any(suit_of[card] in voids[seat] for card in cards):
                break
            hands.append([*known[seat], *cards])
        else:
            return hands, hidden[start:]
    raise ValueError(f"no deal in {TRIES} agrees with what seat {seen.seat} has seen")
