"""The rounds: who played what, who won, who leads, and who won the hand."""

from __future__ import annotations

from typing import Final, NamedTuple

from retruco.cards import Card
from retruco.games.core import Seat
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rules import FULL_HAND

TIE: Final = -1
"""The winner of a round that nobody won."""

DOWN: Final = "down"
DOWN_PREFIX: Final = "down:"


class Play(NamedTuple):
    """A card on the table; face down, the other seat does not learn which."""

    seat: Seat
    card: Card | None
    """The card, or `None` where this seat may not know it."""
    down: bool = False

    @property
    def power(self) -> int:
        """Its strength in the round: face down it loses to anything."""
        return 0 if self.down or self.card is None else STRENGTH[self.card]

    def __str__(self) -> str:
        if not self.down:
            return str(self.card)
        return DOWN if self.card is None else DOWN_PREFIX + self.card


class Rounds(NamedTuple):
    """The cards on the table in the order in which they were played."""

    mao: Seat
    plays: tuple[Play, ...] = ()
    winners: tuple[int, ...] = ()
    """The winner of each finished round, `TIE` for none."""

    @property
    def number(self) -> int:
        """The round being played, from 1 on."""
        return len(self.winners) + 1

    @property
    def player(self) -> Seat:
        """The seat that is about to play a card: the winner leads, after a tie the mão."""
        if len(self.plays) % 2:
            return 1 - self.plays[-1].seat
        last = self.winners[-1] if self.winners else TIE
        return self.mao if last == TIE else last

    @property
    def facing(self) -> Play | None:
        """The card that the seat about to play has to answer, unless it leads."""
        return self.plays[-1] if len(self.plays) % 2 else None

    def has_played(self, seat: Seat) -> bool:
        """Tell whether this seat has a card on the table."""
        plays = self.plays
        return len(plays) > 1 or (len(plays) == 1 and plays[0].seat == seat)

    def held(self, seat: Seat, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of a hand that are not on the table yet."""
        gone = [play.card for play in self.plays if play.seat == seat]
        return tuple([card for card in hand if card not in gone]) if gone else hand

    def add(self, play: Play) -> Rounds:
        """Put a card on the table; the second card of a round decides it."""
        plays = (*self.plays, play)
        winners = self.winners if len(plays) % 2 else (*self.winners, beats(*plays[-2:]))
        return Rounds(self.mao, plays, winners)

    def by(self, seat: Seat) -> tuple[Play, ...]:
        """What this seat has played, round by round."""
        return tuple(play for play in self.plays if play.seat == seat)

    def seen_by(self, seat: Seat) -> Rounds:
        """The table as one seat sees it: the other's face-down cards have no face."""
        if not any(play.down and play.seat != seat for play in self.plays):
            return self
        plays = tuple(
            Play(play.seat, None, down=True) if play.down and play.seat != seat else play
            for play in self.plays
        )
        return Rounds(self.mao, plays, self.winners)


def beats(first: Play, second: Play) -> int:
    """Name the seat whose card wins the round, or `TIE`.

    >>> beats(Play(0, Card("3c")), Play(1, Card("2e")))
    0
    >>> beats(Play(0, Card("3c")), Play(1, Card("3e"))) == TIE
    True
    """
    if first.power == second.power:
        return TIE
    return first.seat if first.power > second.power else second.seat


def decided(winners: tuple[int, ...], mao: Seat, rounds: int = FULL_HAND) -> Seat | None:
    """Name the winner of the hand once the rounds have decided it.

    >>> decided((0, 1), mao=0), decided((0, TIE), mao=1), decided((TIE, TIE, TIE), mao=1)
    (None, 0, 1)
    >>> decided((0,), mao=0, rounds=2), decided((1,), mao=0, rounds=2), decided((1, 0), mao=0, rounds=2)
    (0, None, 0)
    """
    enough = (rounds + 1) // 2
    if len(winners) < enough:
        return None
    # Most rounds win; of two rounds one is enough for the mão, who is ahead with one each.
    if winners.count(mao) == enough:
        return mao
    if winners.count(1 - mao) == rounds // 2 + 1:
        return 1 - mao
    # With a tie among the rounds played, the first round that somebody won decides...
    if len(winners) >= 2 and TIE in winners:
        won = [winner for winner in winners if winner != TIE]
        if won:
            return won[0]
    # ... and where nobody won any, the mão does.
    return mao if len(winners) == rounds else None
