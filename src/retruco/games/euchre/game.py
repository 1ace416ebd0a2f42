"""Euchre as a game: deals, games to ten, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from retruco.games.core import Match, PointsGame, Seat, Team
from retruco.games.euchre.behaviour import RATES, behaviour
from retruco.games.euchre.deck import DECK, Card, Hand
from retruco.games.euchre.observation import EuchreObservation
from retruco.games.euchre.rules import PRESETS, Rules, preset
from retruco.games.euchre.state import EuchreState, begin
from retruco.games.euchre.stepper import DECK_SIZE, DRAWN, NINE, TWELVE, draw
from retruco.games.euchre.tricks import SEATS, TEAMS
from retruco.streams import Stream


class EuchreDeal(NamedTuple):
    """The five cards of each seat and the card turned up; three more lie face down."""

    hands: tuple[Hand, ...]
    upcard: Card

    def __str__(self) -> str:
        return " / ".join(" ".join(hand) for hand in self.hands) + f" / {self.upcard} up"


@dataclass(frozen=True, slots=True, repr=False)
class Euchre(PointsGame):
    """Euchre by one set of rules and to one target; `match.first` is the dealer.

    >>> Euchre.named("stick", target=5)
    Euchre.named('stick', target=5)
    """

    rules: Rules
    find_rules: ClassVar[Callable[[str], Rules]] = preset
    name: ClassVar[str] = "euchre"
    version: ClassVar[int] = 1
    usual_agent: ClassVar[str] = "NPS"
    usual_base: ClassVar[str | None] = "euchre"
    behaviour_ratios: ClassVar[Mapping[str, tuple[str, str]]] = RATES

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """The named variants."""
        return tuple(PRESETS)

    @property
    def most_points(self) -> int:
        """All five tricks alone, where that is played."""
        return 2 if self.rules.alone == "never" else 4

    @property
    def seats(self) -> int:
        """Four."""
        return SEATS

    @property
    def teams(self) -> tuple[Team, ...]:
        """Partners sit across the table."""
        return TEAMS

    def deal(self, chance: Stream) -> EuchreDeal:
        """Give each seat five of the twenty-four cards and turn one up."""
        deck = np.empty(DECK_SIZE, np.int64)
        draw(deck, chance.below(TWELVE), chance.below(NINE))
        cards = tuple(DECK[card] for card in deck[:DRAWN].tolist())
        return EuchreDeal((cards[:5], cards[5:10], cards[10:15], cards[15:20]), cards[20])

    def read_deal(self, text: str) -> EuchreDeal:
        """Read a deal back from how it prints.

        >>> game = Euchre.named()
        >>> deal = game.deal(Stream("any"))
        >>> game.read_deal(str(deal)) == deal
        True
        """
        from retruco.games.euchre.notation import read_deal

        *hands, upcard = text.removesuffix(" up").split(" / ")
        return read_deal([hand.split() for hand in hands], upcard)

    def start(self, deal: EuchreDeal, match: Match) -> EuchreState:
        """Begin a hand; `match.first` deals."""
        return begin(self, deal, match.scores, match.first)

    def behaviour(self, end: EuchreState, seat: Seat) -> Counter[str]:
        """Count what a seat called, made and took."""
        return behaviour(end, seat)

    @classmethod
    def read_observation(cls, plain: object, history: tuple[Any, ...] = ()) -> EuchreObservation:
        """Read what a seat sees from JSON."""
        from retruco.games.euchre.notation import read_observation

        return read_observation(cls, plain, history)

    @classmethod
    def read(cls, record: Mapping[str, object]) -> EuchreState:
        """Replay a recorded hand."""
        from retruco.games.euchre.notation import read

        return read(record)
