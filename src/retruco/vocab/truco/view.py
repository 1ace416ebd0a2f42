"""A hand as the vocabulary sees it: codes for cards, players and calls, computed once a turn."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from retruco.cards import SPANISH_DECK, Card
from retruco.games.truco import Acted, TrucoObservation, envido_points, flor_points
from retruco.games.truco.rounds import TIE
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS
from retruco.vocab.truco.scenarios import LABELS, STRENGTH_CODES

CODE: Final = {card: STRENGTH_CODES.get(card, STRENGTH_CODES.get(str(card.rank), 0)) for card in SPANISH_DECK}
"""The strength code of every card."""

ABSENT_CODE, DOWN_CODE = 52, 53
"""Codes of the special values of a played card; a card itself is its strength code less 1."""

POINT_CALLS: Final = frozenset(ENVIDO_CALLS) | frozenset(FLOR_CALLS)


class View:
    """What one seat sees, in the words of the vocabulary."""

    def __init__(self, seen: TrucoObservation) -> None:
        self.seen = seen
        self.codes = tuple(sorted((CODE[card] for card in seen.hand), reverse=True))
        """The strength codes of the hand dealt: high, medium, low."""

    @cached_property
    def hand(self) -> tuple[int, ...]:
        """The hand and the seat, as visible codes."""
        high, medium, low = self.codes
        return high - 1, medium - 1, low - 1, int(self.seen.is_mao)

    @cached_property
    def own(self) -> list[int]:
        """Own cards on the table by round, as visible codes, absent where none was played."""
        return self._played(self.seen.seat)

    @cached_property
    def other(self) -> list[int]:
        """The other's cards on the table by round, as visible codes."""
        return self._played(self.seen.other)

    def _played(self, seat: int) -> list[int]:
        cards = [ABSENT_CODE, ABSENT_CODE, ABSENT_CODE]
        place = 0
        for play in self.seen.rounds.plays:
            if play.seat == seat:
                cards[place] = DOWN_CODE if play.card is None or play.down else CODE[play.card] - 1
                place += 1
        return cards

    @cached_property
    def winners(self) -> list[int]:
        """Who won each finished round, as visible codes: tie 0, me 1, other 2."""
        seat = self.seen.seat
        return [0 if winner == TIE else 1 if winner == seat else 2 for winner in self.seen.rounds.winners]

    @cached_property
    def callers(self) -> dict[str, int]:
        """Who made each call that stands, as visible codes: me 1, other 2; not called: not there.

        A second envido is `envido_again`. A truco that was cancelled does not stand.
        """
        seat, found = self.seen.seat, dict[str, int]()
        cancels = self.seen.game.rules.envido_cancels_truco
        for event in self.seen.log:
            if isinstance(event, Acted) and event.action in CALLS:
                call = event.action
                if cancels and call in POINT_CALLS:
                    for truco in TRUCO_CALLS:
                        found.pop(truco, None)
                if call == "envido" and "envido" in found:
                    call = "envido_again"
                found.setdefault(call, 1 if event.seat == seat else 2)
        return found

    def who(self, *calls: str) -> tuple[int, ...]:
        """Who made these calls, nobody being 0."""
        return tuple([self.callers.get(call, 0) for call in calls])

    @cached_property
    def slots(self) -> tuple[list[str], list[str]]:
        """The labels of own cards on the table, in order of play, and the labels still free.

        Of equal codes the one played first takes the higher free label.
        """
        free = list(LABELS)
        taken = []
        for play in self.seen.rounds.by(self.seen.seat):
            assert play.card is not None
            label = next(label for label in free if self.codes[LABELS.index(label)] == CODE[play.card])
            free.remove(label)
            taken.append(label)
        return taken, free

    def label_of(self, card: Card) -> str:
        """The label under which a held card would be played."""
        return next(label for label in self.slots[1] if self.codes[LABELS.index(label)] == CODE[card])

    @property
    def leads(self) -> bool:
        """Whether this seat leads the round being played."""
        rounds = self.seen.rounds
        return (rounds.player == self.seen.seat) == (rounds.facing is None)

    @cached_property
    def envido_points(self) -> int:
        """Own envido points."""
        return envido_points(self.seen.hand)

    @cached_property
    def flor_points(self) -> int:
        """Own flor points, nothing without a flor."""
        return flor_points(self.seen.hand)
