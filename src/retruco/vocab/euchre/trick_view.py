"""A trick as one seat sees it when it is about to play a card."""

from __future__ import annotations

from retruco.cbr.case import Decision, Json
from retruco.games.core import Seat
from retruco.games.euchre import Card, EuchreObservation, Suit, partner_of, winning
from retruco.games.euchre.deck import POWER, SUIT_OF
from retruco.games.euchre.tricks import AROUND, SEATS
from retruco.vocab.euchre.chart import Chart
from retruco.vocab.euchre.values import NOTHING_LED, PUBLISHED, CardValues


class TrickView:
    """What lies on the table, who is winning, and what could be played."""

    def __init__(self, seen: EuchreObservation, cards: CardValues = PUBLISHED) -> None:
        assert seen.contract is not None
        self.seen = seen
        self.trump: Suit = seen.contract.trump
        self.table = seen.table
        self.led: Suit = SUIT_OF[self.trump][seen.table[0]] if seen.table else NOTHING_LED
        self.cards = cards
        """What cards are worth to whoever looks."""
        self.values = cards.values[self.trump][self.led]
        self.legal = seen.legal

    @property
    def position(self) -> int:
        """How many cards lie on the table already."""
        return len(self.table)

    @property
    def around(self) -> tuple[Seat, ...]:
        """Who plays to this trick, in order."""
        assert self.seen.contract is not None
        return AROUND[self.seen.contract.out][self.seen.leader]

    @property
    def best(self) -> int:
        """The place of the winning card on the table."""
        return winning(self.table, self.trump)

    @property
    def partner_wins(self) -> bool:
        """Whether the partner has played and is winning."""
        return bool(self.table) and self.around[self.best] == partner_of(self.seen.seat)

    @property
    def is_last(self) -> bool:
        """Whether nobody plays after this seat."""
        return len(self.table) == len(self.around) - 1

    def beats(self, card: Card, other: Card | None = None) -> bool:
        """Tell whether a card beats what lies on the table, or one card of it."""
        powers = POWER[self.trump][self.led]
        return powers[card] > powers[self.table[self.best] if other is None else other]

    @property
    def high(self) -> Card:
        """The legal card of the highest value."""
        return max(self.legal, key=self.values.__getitem__)

    @property
    def low(self) -> Card:
        """The legal card of the lowest value."""
        return min(self.legal, key=self.values.__getitem__)

    @property
    def can_win(self) -> bool:
        """Whether a legal card beats everything on the table; who leads always can."""
        return not self.table or self.beats(self.high)

    @property
    def played(self) -> list[Card]:
        """Every card that was played before this one."""
        return [card for trick in self.seen.tricks for card in trick.cards] + list(self.table)

    @property
    def share(self) -> float:
        """What part of the value not yet played this seat holds, as published."""
        return self.cards.share_of(self.seen.held, self.trump, self.led, self.played)

    @property
    def share_with_table(self) -> float:
        """The same with the cards on the table counted until their trick ends."""
        done = [card for trick in self.seen.tricks for card in trick.cards]
        return self.cards.share_of(self.seen.held, self.trump, self.led, done)

    def share_of_dealt(self, chart: Chart) -> float:
        """What part of the value in all hands this seat holds; a hidden card counts by its chance to be in one."""
        mine = sum([self.values[card] for card in self.seen.held])
        others = [seat for seat in range(SEATS) if seat != self.seen.seat]
        theirs = sum(
            value * chart.chance(seat, card) for card, value in self.values.items() for seat in others
        )
        return mine / (mine + theirs)

    def play_high(self, reason: str, **values: Json) -> Decision:
        """Play the highest card."""
        return Decision(self.high, reason, values)

    def play_low(self, reason: str, **values: Json) -> Decision:
        """Play the lowest card."""
        return Decision(self.low, reason, values)
