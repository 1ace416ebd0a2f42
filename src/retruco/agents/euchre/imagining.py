"""Hands as they might be: a deal drawn from all that agree with what a seat has seen.

Every such deal is equally likely, as in the chance chart; the hand is then played again up to now,
so that an imagined state is one that the rules can reach.
"""

from __future__ import annotations

from typing import Final

from retruco.games.core import Action, Match
from retruco.games.euchre import DECK, Card, EuchreDeal, EuchreObservation, EuchreState, Suit
from retruco.games.euchre.deck import SUIT_OF
from retruco.games.euchre.tricks import AROUND, SEATS, TRICKS
from retruco.games.euchre.words import ALONE, DISCARD, TOGETHER
from retruco.streams import Stream
from retruco.vocab.euchre.chart import plays_of

TRIES: Final = 10_000
"""How often cards are dealt before somebody who may hold them has them; far more than it takes."""


def imagined(seen: EuchreObservation, chance: Stream) -> EuchreState:
    """Draw a deal that agrees with what was seen, and play the hand again up to now."""
    played = _played(seen)
    ordered = seen.contract is not None and seen.contract.ordered and not _is_discarding(seen)
    hidden, known, left, voids = _hidden(seen, played, ordered)
    hands, rest = _dealt(hidden, known, left, voids, seen, chance)
    discard = seen.discard
    if ordered and seen.dealer != seen.seat:
        holds = seen.upcard in hands[seen.dealer] or seen.upcard in played[seen.dealer]
        discard = rest[0] if holds else seen.upcard
    deals = []
    for seat in range(SEATS):
        five = [*hands[seat], *played[seat]]
        if ordered and seat == seen.dealer and discard is not None and discard != seen.upcard:
            five = [discard if card == seen.upcard else card for card in five]
        deals.append(seen.dealt if seat == seen.seat else tuple(five))
    state = seen.game.start(EuchreDeal(tuple(deals), seen.upcard), Match(seen.scores, seen.dealer))
    for action in _actions(seen, discard if ordered else None):
        state = state.play(action)
    return state


def _is_discarding(seen: EuchreObservation) -> bool:
    return bool(seen.legal) and seen.legal[0].startswith(DISCARD)


def _played(seen: EuchreObservation) -> list[list[Card]]:
    """The cards that each seat has played."""
    found: list[list[Card]] = [[] for _ in range(SEATS)]
    out = seen.contract.out if seen.contract else None
    for seats, cards in [
        *((one.seats, one.cards) for one in seen.tricks),
        (AROUND[out][seen.leader], seen.table),
    ]:
        for seat, card in zip(seats, cards, strict=False):
            found[seat].append(card)
    return found


def _hidden(
    seen: EuchreObservation, played: list[list[Card]], ordered: bool
) -> tuple[list[Card], list[list[Card]], list[int], list[set[Suit]]]:
    """The cards that may lie anywhere, those that lie somewhere for certain, the room, the empty suits."""
    left, voids = [TRICKS] * SEATS, [set[Suit]() for _ in range(SEATS)]
    if seen.contract is not None:
        _, voids, left = plays_of(seen)
    known: list[list[Card]] = [[] for _ in range(SEATS)]
    gone = {*seen.held, *seen.dealt, seen.upcard, *(card for cards in played for card in cards)}
    at_dealer = ordered and seen.dealer != seen.seat and seen.upcard not in played[seen.dealer]
    if at_dealer and left[seen.dealer] and seen.trump not in voids[seen.dealer]:
        known[seen.dealer].append(seen.upcard)
        left[seen.dealer] -= 1
    left[seen.seat] = 0
    return [card for card in DECK if card not in gone], known, left, voids


def _dealt(
    hidden: list[Card],
    known: list[list[Card]],
    left: list[int],
    voids: list[set[Suit]],
    seen: EuchreObservation,
    chance: Stream,
) -> tuple[list[list[Card]], list[Card]]:
    """Deal the hidden cards until nobody holds what it cannot hold."""
    suit_of = SUIT_OF[seen.trump or seen.upcard[1]]
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


def _actions(seen: EuchreObservation, discard: Card | None) -> list[Action]:
    """All that was done so far, with the discard as imagined."""
    done = list(seen.bids)
    if discard is not None:
        done.append(DISCARD + discard)
    if seen.contract is not None and seen.game.rules.alone == "after the discard" and _is_playing(seen):
        done.append(ALONE if seen.contract.alone else TOGETHER)
    done += [card for trick in seen.tricks for card in trick.cards]
    return [*done, *seen.table]


def _is_playing(seen: EuchreObservation) -> bool:
    return seen.legal[:1] != (ALONE,) and not _is_discarding(seen)
