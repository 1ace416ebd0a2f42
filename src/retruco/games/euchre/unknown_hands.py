"""Hands that nobody has told: any deal of the unseen cards that fits what was said and played.

A record may be what one seat knew, with null for the hands of others and `discard:?` for a card that the
dealer has put away unseen. The engine needs cards in every hand, so the unknown ones are filled with
cards that their seats may have held: those they played, and none of a suit that they did not follow. Who
looks at the table through a seat whose cards are known sees none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from retruco.games.core import Action, BadRecord, Seat
from retruco.games.euchre.deck import ALL, BIT, FOLLOWING, Card, Cards, Hand, Suit, listed, set_of
from retruco.games.euchre.rules import Rules, first_leader
from retruco.games.euchre.tricks import AROUND, SEATS, partner_of, winning
from retruco.games.euchre.words import ALONE, AND_ALONE, CALLS, DISCARD, ORDER, PASSING, TOGETHER

UNKNOWN: Final[Hand] = ()
"""Stands for a hand that nobody has told."""
UNSEEN: Final = "?"
"""Stands for a discard that nobody has told."""
DEALT: Final = 5


class CallsAndPlays(NamedTuple):
    """The actions of a hand, taken apart without looking at any cards."""

    trump: Suit | None
    ordered: bool
    discard: str | None
    out: Seat | None
    plays: tuple[Action, ...]


def take_apart(upcard: Card, dealer: Seat, actions: Sequence[Action]) -> CallsAndPlays:
    """Find the call, the discard and the cards played; what makes no sense is left for the engine to refuse."""
    passes = next((place for place, said in enumerate(actions) if said != PASSING), len(actions))
    left = list(actions[passes:])
    if not left:
        return CallsAndPlays(None, False, None, None, ())
    said, maker, discard = left.pop(0), (dealer + 1 + passes) % SEATS, None
    call = said.removesuffix(AND_ALONE)
    if left and left[0].startswith(DISCARD):
        discard = left.pop(0).removeprefix(DISCARD)
    alone = call != said
    if left and left[0] in (ALONE, TOGETHER):
        alone = left.pop(0) == ALONE
    trump = upcard[1] if call == ORDER else CALLS.get(call)
    return CallsAndPlays(trump, call == ORDER, discard, partner_of(maker) if alone else None, tuple(left))


@dataclass
class SeatPlays:
    """What a seat has shown of its hand."""

    cards: list[Card] = field(default_factory=list)
    lacks: Cards = 0
    """The cards that it cannot hold any more, since it did not follow their suit."""


def seat_plays(rules: Rules, dealer: Seat, told: CallsAndPlays) -> list[SeatPlays]:
    """Go through the tricks, and note what every seat played and which suits it did not follow."""
    seen = [SeatPlays() for _ in range(SEATS)]
    if told.trump is None or any(card not in BIT for card in told.plays):
        return seen
    order, table = AROUND[told.out][first_leader(rules, dealer)], list[Card]()
    for card in told.plays:
        seat = order[len(table)]
        seen[seat].cards.append(card)
        table.append(card)
        following = FOLLOWING[told.trump][table[0]]
        if not BIT[card] & following:
            seen[seat].lacks |= following
        if len(table) == len(order):
            order, table = AROUND[told.out][order[winning(tuple(table), told.trump)]], []
    return seen


def complete_hands(
    rules: Rules, hands: Sequence[Hand], upcard: Card, dealer: Seat, actions: Sequence[Action]
) -> tuple[tuple[Hand, ...], list[Action]]:
    """Fill unknown hands, and an unseen discard; give all hands and the actions with nothing unknown in them."""
    told = take_apart(upcard, dealer, actions)
    seen = seat_plays(rules, dealer, told)
    if told.discard == UNSEEN and hands[dealer] != UNKNOWN:
        raise BadRecord(f"the dealer's hand is known: its discard must be, not {DISCARD + UNSEEN!r}")
    held, slots = list(map(list, hands)), list[tuple[Seat, Cards]]()
    discard = told.discard
    for seat in range(SEATS):
        if hands[seat] != UNKNOWN:
            continue
        own = [card for card in seen[seat].cards if not (seat == dealer and card == upcard)]
        if seat == dealer and told.ordered:
            discard = _dealer_discard(told, seen[seat], upcard)
            own += [discard] if discard not in (None, UNSEEN, upcard) else []
        held[seat] = own
        room = DEALT - len(own)
        free_slot = [(seat, 0)] if seat == dealer and discard == UNSEEN and room > 0 else []
        slots += [*free_slot, *[(seat, seen[seat].lacks)] * (room - len(free_slot))]
    filled = _match(
        slots, ALL & ~set_of([upcard, *(card for cards in held for card in cards if card in BIT)])
    )
    for (seat, _), card in zip(slots, filled, strict=True):
        held[seat].append(card)
        if seat == dealer and discard == UNSEEN:
            discard = card  # the first of the dealer's slots
    given = [f"{DISCARD}{discard}" if said == DISCARD + UNSEEN else said for said in actions]
    return tuple(map(tuple, held)), given


def _dealer_discard(told: CallsAndPlays, seen: SeatPlays, upcard: Card) -> str | None:
    """What an unknown dealer put away: as told, the upcard where it cannot have kept it, else still unknown."""
    if told.discard != UNSEEN:
        return told.discard
    kept = upcard in seen.cards or (len(seen.cards) < DEALT and not BIT[upcard] & seen.lacks)
    return UNSEEN if kept else upcard


def _match(slots: Sequence[tuple[Seat, Cards]], free: Cards) -> list[Card]:
    """Give every slot a card of its own that it may hold, by augmenting paths."""
    taken: dict[Card, int] = {}

    def place(slot: int, tried: set[Card]) -> bool:
        for card in listed(free & ~slots[slot][1]):
            if card in tried:
                continue
            tried.add(card)
            if card not in taken or place(taken[card], tried):
                taken[card] = slot
                return True
        return False

    for slot in range(len(slots)):
        if not place(slot, set()):
            seat = slots[slot][0]
            raise BadRecord(f"no cards for the unknown hand of seat {seat} fit what was played")
    by_slot = {slot: card for card, slot in taken.items()}
    return [by_slot[slot] for slot in range(len(slots))]
