"""One player's cards in a raw row: codes, suits that can be trusted, and the cards of the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from retruco.games.core import Seat
from retruco.storage.importers import cells
from retruco.storage.importers.cells import ROUNDS, SIDES, SLOTS
from retruco.storage.importers.formats import Format
from retruco.storage.importers.lines import Raw
from retruco.vocab.truco.partial import UNKNOWN, CardOrReason, Code
from retruco.vocab.truco.partial_replay import OF_CODE

VALUE: Final = {code: cards[0].rank if cards[0].rank < 10 else 0 for code, cards in OF_CODE.items()}
"""What a card of each strength counts for envido."""

Suits = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """A player's hand as recorded; `hand` is `None` where it was not seen."""

    hand: tuple[Code, Code, Code] | None
    suits: Suits
    cards: tuple[CardOrReason, CardOrReason, CardOrReason]
    played_suits: Suits
    points: int | None


def read_side(raw: Raw, seat: Seat, table: Format) -> Side:
    """Read one player's columns."""
    name = SIDES[seat]
    high, medium, low = (cells.code(raw, f"carta{slot}{name}") for slot in SLOTS)
    hand = None if high is None or medium is None or low is None else (high, medium, low)
    suits = tuple(cells.suit(raw, f"naipeCarta{slot}{name}") for slot in SLOTS)
    first, second, third = (cells.read_card(raw, f"{one}Carta{name}", table.signed) for one in ROUNDS)
    played = tuple(cells.suit(raw, f"naipe{one.capitalize()}Carta{name}") for one in ROUNDS)
    points = cells.number(raw, f"pontosEnvido{name}")
    return Side(hand, suits, (first, second, third), played, points)


def worth(hand: Sequence[Code], suits: Suits) -> set[int]:
    """What a hand may be said to count: its envido; of one suit, also what the programs wrote.

    For three cards of one suit the web table wrote the flor, the self-play the two lowest cards.

    >>> worth((24, 16, 4), ("o", "c", "c")), sorted(worth((24, 16, 4), ("c", "c", "c")))
    ({29}, [29, 30, 32])
    """
    cards = [(VALUE[code], suit) for code, suit in zip(hand, suits, strict=True)]
    pairs = [20 + a + b for (a, one), (b, other) in combinations(cards, 2) if one == other]
    values = [value for value, _ in cards]
    flor = {20 + sum(values), 20 + sum(values[1:])} if len(set(suits)) == 1 else set()
    return {max(pairs or values)} | flor


def exists(code: Code, suit: str | None) -> bool:
    """Whether there is a card with this strength and suit."""
    return any(card.suit == suit for card in OF_CODE[code])


def trusted_suits(side: Side) -> tuple[Suits, list[str]]:
    """Give the suits that can be trusted, and the faults found in them.

    Where the points do not follow, the lowest card's suit is the wrong one; what it was when it
    was played, or the only suit that gives the points, takes its place.
    """
    hand, suits = side.hand, side.suits
    if hand is None or None in suits:
        return suits, []
    faults = []
    if side.points is not None and side.points not in worth(hand, suits):
        faults.append("wrong-suit")
    if not all(exists(code, suit) for code, suit in zip(hand, suits, strict=True)):
        faults.append("impossible-card")
    if len(set(zip(hand, suits, strict=True))) < 3:
        faults.append("card-twice")
    seen = _seen_low(side)
    if not faults and seen in (None, suits[2]):
        return suits, []
    possible = [suit for suit in "eboc" if _fits(side, suit)]
    if seen in possible:
        return (*suits[:2], seen), faults
    return (*suits[:2], possible[0] if len(possible) == 1 else None), faults


def _seen_low(side: Side) -> str | None:
    """The suit of the lowest card when it was played, if it was and is the only one of its strength."""
    assert side.hand is not None
    low = side.hand[2]
    if side.hand.count(low) > 1 or low not in side.cards:
        return None
    return side.played_suits[side.cards.index(low)]


def _fits(side: Side, suit: str) -> bool:
    assert side.hand is not None
    suits = (*side.suits[:2], suit)
    whole = len(set(zip(side.hand, suits, strict=True))) == 3 and exists(side.hand[2], suit)
    return whole and (side.points is None or side.points in worth(side.hand, suits))


def restored(
    side: Side, suits: Suits, has_suits: bool
) -> tuple[tuple[CardOrReason, CardOrReason, CardOrReason], list[str]]:
    """Read the cards of the rounds again: a card that was overwritten is found by its suit.

    The suit of a card is recorded whenever it was played. So a code of 1 without a suit is no
    four, and a reason for there being no card, with a suit, hides a card.
    """
    if not has_suits:
        return side.cards, []
    cards: list[CardOrReason] = list(side.cards)
    faults = []
    for place, (card, suit) in enumerate(zip(side.cards, side.played_suits, strict=True)):
        if card == 1 and suit is None:
            cards[place] = UNKNOWN
            faults.append("unknown-card")
        elif isinstance(card, str) and card != "down" and suit is not None and side.hand is not None:
            hidden = _hidden(side.hand, suits, cards, place, suit)
            cards[place] = UNKNOWN if hidden is None else hidden
            faults.append("overwritten-card")
        elif card == UNKNOWN:
            faults.append("unknown-card")
    first, second, third = cards
    return (first, second, third), faults


def _hidden(
    hand: tuple[Code, Code, Code], suits: Suits, cards: Sequence[CardOrReason], place: int, suit: str
) -> Code | None:
    """The only card of the hand that is not seen elsewhere and may have this suit."""
    left = list(zip(hand, suits, strict=True))
    for other, card in enumerate(cards):
        if other != place and isinstance(card, int):
            seen = next((one for one in left if one[0] == card), None)
            if seen is not None:
                left.remove(seen)
    fitting = {code for code, one in left if one in (suit, None)}
    return fitting.pop() if len(fitting) == 1 else None
