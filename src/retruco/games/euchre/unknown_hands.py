"""Hands that nobody has told: any deal of the unseen cards that fits what was said and played.

A record may be what one seat knew, with null for the hands of others and `discard:?` for a card that the
dealer has put away unseen. The engine needs cards in every hand, so the unknown ones are filled with
cards that their seats may have held: those they played, and none of a suit that they did not follow. Who
looks at the table through a seat whose cards are known sees none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from retruco.games.core import Action, BadRecord, Seat
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import ALL, BIT, DECK, Card, Cards, Hand, listed, set_of
from retruco.games.euchre.rules import Rules
from retruco.games.euchre.tricks import SEATS
from retruco.games.euchre.words import DISCARD

UNKNOWN: Final[Hand] = ()
"""Stands for a hand that nobody has told."""
UNSEEN: Final = "?"
"""Stands for a discard that nobody has told."""
DEALT: Final = 5


def shown_by(rules: Rules, upcard: Card, dealer: Seat, actions: Sequence[Action]) -> list[int]:
    """What a hand has shown of its seats, as a row, without looking at any cards; it ends before what makes no sense."""
    row = at.new_row(rules, (0, 0))
    at.begin(row, dealer, DECK.index(upcard))
    for action in actions:
        number = at.NUMBERS.get(DISCARD + upcard if action == DISCARD + UNSEEN else action, at.NONE)
        if row[at.STAGE] == at.PLAYING:
            fits = 0 <= number < at.DECK_SIZE
        elif row[at.STAGE] == at.DISCARDING:
            fits = number >= at.FIRST_DISCARD
        else:
            fits = at.is_legal(row, number)
        if not fits:
            break
        at.play(row, number)
    return list(row.tolist())


def complete_hands(
    rules: Rules, hands: Sequence[Hand], upcard: Card, dealer: Seat, actions: Sequence[Action]
) -> tuple[tuple[Hand, ...], list[Action]]:
    """Fill unknown hands, and an unseen discard; give all hands and the actions with nothing unknown in them."""
    row = shown_by(rules, upcard, dealer, actions)
    told = next((said.removeprefix(DISCARD) for said in actions if said.startswith(DISCARD)), None)
    if told == UNSEEN and hands[dealer] != UNKNOWN:
        raise BadRecord(f"the dealer's hand is known: its discard must be, not {DISCARD + UNSEEN!r}")
    held, slots, discard = list(map(list, hands)), list[tuple[Seat, Cards]](), told
    for seat in range(SEATS):
        if hands[seat] != UNKNOWN:
            continue
        played, lacks = row[at.PLAYED + seat], cannot_hold(row, seat)
        own = [card for card in listed(played) if not (seat == dealer and card == upcard)]
        if seat == dealer and row[at.ORDERED]:
            kept = played & BIT[upcard] or (row[at.LEFT + seat] and not BIT[upcard] & lacks)
            if told == UNSEEN and not kept:
                discard = upcard
            own += [discard] if discard not in (None, UNSEEN, upcard) else []
        held[seat] = own
        room = DEALT - len(own)
        free_slot = [(seat, 0)] if seat == dealer and discard == UNSEEN and room > 0 else []
        slots += [*free_slot, *[(seat, lacks)] * (room - len(free_slot))]
    known = [upcard, *(card for cards in held for card in cards if card in BIT)]
    for (seat, _), card in zip(slots, _match(slots, ALL & ~set_of(known)), strict=True):
        held[seat].append(card)
        if seat == dealer and discard == UNSEEN:
            discard = card  # the first of the dealer's slots
    given = [f"{DISCARD}{discard}" if said == DISCARD + UNSEEN else said for said in actions]
    return tuple(map(tuple, held)), given


def cannot_hold(row: Sequence[int], seat: Seat) -> Cards:
    """The cards of the suits that a seat did not follow."""
    suits = [suit for suit in range(at.SUIT_COUNT) if row[at.LACKS + seat] >> suit & 1]
    return sum(int(at.SUIT_CARDS[row[at.TRUMP], suit]) for suit in suits)


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
