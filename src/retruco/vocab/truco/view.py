"""A hand as the vocabulary sees it: codes for cards, players and calls, computed once a turn.

Every question of every decision goes through here, so it is written to be quick: plain slots,
one pass over the table, and the calls only where somebody has called.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from retruco.cards import SPANISH_DECK, Card
from retruco.games.core import BadRecord
from retruco.games.truco import Acted, TrucoObservation, envido_points, flor_points
from retruco.games.truco.deck import Hand
from retruco.games.truco.rounds import TIE
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS, FLOR_CALLS, FULL_HAND, TRUCO_CALLS
from retruco.vocab.truco.scenarios import LABELS, STRENGTH_CODES

CODE: Final = {card: STRENGTH_CODES.get(card, STRENGTH_CODES.get(str(card.rank), 0)) for card in SPANISH_DECK}
"""The strength code of every card."""

ABSENT_CODE, DOWN_CODE = 52, 53
"""Codes of the special values of a played card; a card itself is its strength code less 1."""

POINT_CALLS: Final = frozenset(ENVIDO_CALLS) | frozenset(FLOR_CALLS)


@lru_cache(maxsize=8192)
def _codes(hand: Hand) -> tuple[int, int, int]:
    """The strength codes of a hand: high, medium, low."""
    if len(hand) != FULL_HAND:
        raise BadRecord(f"cases of Truco are hands of three cards, not {len(hand)}: {' '.join(hand)}")
    high, medium, low = sorted((CODE[card] for card in hand), reverse=True)
    return high, medium, low


class View:
    """What one seat sees, in the words of the vocabulary."""

    __slots__ = ("_callers", "codes", "hand", "is_mao", "other", "own", "seen", "winners")

    def __init__(self, seen: TrucoObservation) -> None:
        self.seen = seen
        self.is_mao = int(seen.rounds.mao == seen.seat)
        self.codes = high, medium, low = _codes(seen.hand)
        """The strength codes of the hand dealt: high, medium, low."""
        self.hand = (high - 1, medium - 1, low - 1, self.is_mao)
        """The hand and the seat, as visible codes."""
        self.own = [ABSENT_CODE, ABSENT_CODE, ABSENT_CODE]
        """Own cards on the table by round, as visible codes, absent where none was played."""
        self.other = [ABSENT_CODE, ABSENT_CODE, ABSENT_CODE]
        """The other's cards on the table by round."""
        self._read_table()
        self._callers: dict[str, int] | None = None

    def _read_table(self) -> None:
        seat, rounds = self.seen.seat, self.seen.rounds
        for place, play in enumerate(rounds.plays):
            code = DOWN_CODE if play.down or play.card is None else CODE[play.card] - 1
            (self.own if play.seat == seat else self.other)[place >> 1] = code
        self.winners = [0 if winner == TIE else 1 if winner == seat else 2 for winner in rounds.winners]
        """Who won each finished round, as visible codes: tie 0, me 1, other 2."""

    @property
    def callers(self) -> dict[str, int]:
        """Who made each call that stands, as visible codes: me 1, other 2; not called: not there.

        A second envido is `envido_again`. A truco that was cancelled does not stand.
        """
        if self._callers is None:
            self._callers = self._read_calls()
        return self._callers

    def _read_calls(self) -> dict[str, int]:
        seat, found = self.seen.seat, dict[str, int]()
        cancels = self.seen.game.rules.envido_cancels_truco
        for event in self.seen.log:
            if type(event) is Acted and event.action in CALLS:
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
        callers = self.callers
        return tuple([callers.get(call, 0) for call in calls])

    def labels(self) -> dict[Card, str]:
        """The labels under which the held cards would be played, equal cards under the same.

        Of equal codes the one played first takes the higher free label.
        """
        held, codes = self.seen.held, self.codes
        counts = [CODE[card] for card in held]
        found = {}
        for card in held:
            code = CODE[card]
            last = 2 if codes[2] == code else 1 if codes[1] == code else 0
            found[card] = LABELS[last + 1 - counts.count(code)]
        return found

    def played_labels(self) -> list[str]:
        """The labels of own cards on the table, in order of play."""
        free, taken = list(LABELS), []
        for play in self.seen.rounds.by(self.seen.seat):
            assert play.card is not None
            label = next(label for label in free if self.codes[LABELS.index(label)] == CODE[play.card])
            free.remove(label)
            taken.append(label)
        return taken

    @property
    def leads(self) -> bool:
        """Whether this seat leads the round being played."""
        rounds = self.seen.rounds
        return (rounds.player == self.seen.seat) == (rounds.facing is None)

    @property
    def envido_points(self) -> int:
        """Own envido points."""
        return envido_points(self.seen.hand)

    @property
    def flor_points(self) -> int:
        """Own flor points, nothing without a flor."""
        return flor_points(self.seen.hand)
