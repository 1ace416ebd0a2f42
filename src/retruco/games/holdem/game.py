"""Limit Texas hold'em for two to ten as a game: deals, matches of so many hands, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from retruco.games.core import Game, Match, Seat
from retruco.games.holdem.behaviour import RATES, behaviour
from retruco.games.holdem.betting import opening
from retruco.games.holdem.deck import drawn
from retruco.games.holdem.rules import BOARD, PRESETS, VARIANTS, Rules, preset
from retruco.games.holdem.state import HoldemDeal, HoldemObservation, HoldemState
from retruco.streams import Stream

HANDS = 100
"""Hands of a match, if nothing else is said."""


@dataclass(frozen=True, slots=True, repr=False)
class Holdem(Game):
    """Limit hold'em by one set of rules; a match is a number of hands, most chips win.

    Nobody runs out of chips, so there are no side pots. `Match.first` is the dealer.

    >>> Holdem.named("limit-6")
    Holdem.named('limit-6', target=100)
    """

    rules: Rules
    hands: int = HANDS
    name: ClassVar[str] = "holdem"
    version: ClassVar[int] = 1
    usual_agent: ClassVar[str] = "casey"
    usual_base: ClassVar[str | None] = "casey-tables"
    behaviour_ratios: ClassVar[Mapping[str, tuple[str, str]]] = RATES

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """The variants at the usual numbers of seats; others are named alike."""
        return PRESETS

    @classmethod
    def preset_table(cls) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """Every variant once; each is played by two to ten, named like `limit-6`."""
        rows = [(f"{name}-2 to {name}-10", summary) for name, (summary, _) in VARIANTS.items()]
        return ("rules", "what it is"), rows

    @classmethod
    def named(cls, rules: str | None = None, target: int | None = None) -> Holdem:
        """Set a table; the target is the number of hands in a match."""
        if target is not None and target < 1:
            raise ValueError(f"the target must be at least 1 hand, not {target}")
        return cls(preset(rules or PRESETS[0]), HANDS if target is None else target)

    @property
    def rules_name(self) -> str:
        return self.rules.name

    @property
    def goal(self) -> int:
        return self.hands

    @property
    def most_points(self) -> int:
        """Everybody else's share of the biggest pot."""
        return self.rules.most_spent * (self.seats - 1)

    @property
    def seats(self) -> int:
        """Two to ten."""
        return self.rules.seats

    @property
    def result_unit(self) -> tuple[str, float]:
        """Thousandths of a big blind."""
        return "mbb", 1000 / self.rules.big_blind

    def deal(self, chance: Stream) -> HoldemDeal:
        """Give every seat two cards, and lay five for the board."""
        seats = self.rules.seats
        cards = drawn(chance, 2 * seats + BOARD[-1])
        held = iter(cards[: 2 * seats])
        return tuple.__new__(HoldemDeal, (tuple(zip(held, held, strict=True)), tuple(cards[2 * seats :])))

    def read_deal(self, text: str) -> HoldemDeal:
        """Read a deal back from how it prints.

        >>> str(Holdem.named("limit-2").read_deal("As Kd / 2c 7d | Qh Jh Ts 3c 4c"))
        'As Kd / 2c 7d | Qh Jh Ts 3c 4c'
        """
        from retruco.games.holdem.notation import read_deal

        held, _, board = text.partition(" | ")
        return read_deal([hand.split() for hand in held.split(" / ")], board.split(), self.seats)

    def start(self, deal: HoldemDeal, match: Match) -> HoldemState:
        """Begin a hand; `match.first` deals."""
        return self.begin(deal, match.first)

    def begin(self, deal: HoldemDeal, dealer: Seat) -> HoldemState:
        """Begin a hand with these cards and this dealer."""
        betting = opening(self.rules)
        return tuple.__new__(HoldemState, (self, deal, dealer, betting, betting.legal, (), None))

    def is_over(self, match: Match) -> bool:
        """A match ends after a fixed number of hands."""
        return match.hand >= self.hands

    def behaviour(self, end: HoldemState, seat: Seat) -> Counter[str]:
        """Count what a seat played, won and raised."""
        return behaviour(end, seat)

    def write_observation(self, observation: HoldemObservation) -> dict[str, Any]:
        """Write what a seat sees as JSON."""
        from retruco.games.holdem.notation import write_observation

        return write_observation(observation)

    @classmethod
    def read_observation(cls, plain: object, history: tuple[Any, ...] = ()) -> HoldemObservation:
        """Read what a seat sees from JSON."""
        from retruco.games.holdem.notation import read_observation

        return read_observation(cls, plain, history)

    @classmethod
    def read(cls, record: Mapping[str, object]) -> HoldemState:
        """Replay a recorded hand."""
        from retruco.games.holdem.notation import read

        return read(cls, record)
