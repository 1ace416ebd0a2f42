"""Truco as a game: deals, matches to a target, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, Final

from retruco.games.core import Match, PointsGame, Seat, State
from retruco.games.truco.behaviour import RATES, behaviour
from retruco.games.truco.bet import Bet
from retruco.games.truco.deck import Hand
from retruco.games.truco.envido import Envido
from retruco.games.truco.flor import Flor
from retruco.games.truco.rounds import Rounds
from retruco.games.truco.rules import PRESETS, SMALL_PRESETS, Rules, preset
from retruco.games.truco.state import Acted, Announced, Pair, TrucoState, freeze
from retruco.streams import Stream

if TYPE_CHECKING:
    from retruco.games.truco.observation import TrucoObservation

MOST_DEALS: Final = 10_000
"""A game with more deals is not listed deal by deal."""


@dataclass(frozen=True, slots=True)
class TrucoDeal:
    """The cards of each seat."""

    hands: tuple[Hand, Hand]

    def __str__(self) -> str:
        return " / ".join(" ".join(hand) for hand in self.hands)


@dataclass(frozen=True, slots=True, repr=False)
class Truco(PointsGame):
    """Truco for two, by one set of rules and to one target.

    >>> game = Truco.named("cbtg", target=15)
    >>> game
    Truco.named('cbtg', target=15)
    """

    rules: Rules
    find_rules: ClassVar[Callable[[str], Rules]] = preset
    name: ClassVar[str] = "truco"
    version: ClassVar[int] = 1
    usual_agent: ClassVar[str] = "MJS"
    usual_base: ClassVar[str | None] = "baseline"
    contest_rules: ClassVar[str | None] = "trucogame"  # those of the published experiments
    behaviour_ratios: ClassVar[Mapping[str, tuple[str, str]]] = RATES

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """The named variants."""
        return (*PRESETS, *SMALL_PRESETS)

    @classmethod
    def preset_table(cls) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """Every variant with its target and a sentence."""
        rows = [(name, str(rules.target), rules.summary) for name, rules in (PRESETS | SMALL_PRESETS).items()]
        return ("rules", "to", "what it is"), rows

    @property
    def most_points(self) -> int:
        """The whole match at once: points beyond the target win nothing."""
        return self.target

    @property
    def seats(self) -> int:
        """Two."""
        return 2

    def deal(self, chance: Stream) -> TrucoDeal:
        """Give each seat its cards: three of forty, unless the rules say otherwise."""
        size = self.rules.hand_size
        cards = chance.sample(self.rules.deck, 2 * size)
        return TrucoDeal((tuple(cards[:size]), tuple(cards[size:])))

    def read_deal(self, text: str) -> TrucoDeal:
        """Read a deal back from how it prints.

        >>> str(Truco.named().read_deal("1e 7c 4b / 3o 2c 5e"))
        '1e 7c 4b / 3o 2c 5e'
        """
        from retruco.games.truco.notation import read_hands

        return TrucoDeal(read_hands([hand.split() for hand in text.split(" / ")], self.rules))

    def all_deals(self) -> Iterator[tuple[TrucoDeal, float]]:
        """Every deal of a small deck, all equally likely; the order of the cards in a hand does not count."""
        deck, size = self.rules.deck, self.rules.hand_size
        deals = comb(len(deck), size) * comb(len(deck) - size, size)
        if deals > MOST_DEALS:
            raise ValueError(f"the deals of truco by {self.rules_name} are too many to list")
        for mine in combinations(deck, size):
            for other in combinations([card for card in deck if card not in mine], size):
                yield TrucoDeal((mine, other)), 1 / deals

    def information_key(self, observation: TrucoObservation) -> str:
        """The own cards, what was done, and the points that were shown, by the mão or by the other."""
        known = [*sorted(observation.hand), "|"]
        for event in observation.log:
            if isinstance(event, Acted):
                known.append(event.action)
            elif isinstance(event, Announced):
                known.append(f"{'mao' if event.seat == observation.mao else 'pe'}:{event.points}")
        return " ".join(known)

    def start(self, deal: TrucoDeal, match: Match) -> TrucoState:
        """Begin a hand; `match.first` is the mão."""
        return self.begin(deal.hands, (match.scores[0], match.scores[1]), match.first)

    def begin(self, hands: tuple[Hand, Hand], scores: Pair, mao: Seat) -> TrucoState:
        """Begin a hand with these cards at this score."""
        nothing = ((0, 0), (0, 0), (0, 0))
        return freeze(self, hands, scores, Rounds(mao), Envido(), Flor(), Bet(), nothing, (), None)

    def gains(self, match: Match, state: State) -> tuple[int, ...]:
        """Count points only up to the target: what lies beyond wins nothing."""
        assert state.outcome is not None
        return tuple(
            min(points, self.target - score)
            for points, score in zip(state.outcome.points, match.scores, strict=True)
        )

    def behaviour(self, end: TrucoState, seat: Seat) -> Counter[str]:
        """Count what a seat called, accepted, declined and bluffed."""
        return behaviour(end, seat)

    def write_observation(self, observation: TrucoObservation) -> dict[str, Any]:
        """Write what a seat sees as JSON."""
        from retruco.games.truco.seen import write_seen

        return write_seen(observation)

    @classmethod
    def read_observation(cls, plain: Any, history: tuple[Any, ...] = ()) -> TrucoObservation:
        """Read what a seat sees from JSON."""
        from retruco.games.truco.seen import read_seen

        return read_seen(plain, history)

    @classmethod
    def read(cls, record: Mapping[str, object]) -> TrucoState:
        """Replay a recorded hand."""
        from retruco.games.truco.notation import read

        return read(record)
