"""Leduc hold'em, a poker of six cards and two rounds of betting: small, but with a card on the board.

Each seat antes one chip and is dealt one card of a deck of two jacks, two queens and two kings. A
round of betting follows, then a card on the board, then a second round. A bet or raise is two chips
in the first round and four in the second, at most two of them in a round. A pair with the board
wins, else the higher card; equal cards share the pot. Southey and others, "Bayes' bluff: opponent
modelling in poker", 2005.

>>> game = Leduc()
>>> state = game.start(LeducDeal(("K", "Q"), "Q"), game.opening())
>>> state.legal
('check', 'bet')
>>> state.play("bet").play("call").observe(0).board
'Q'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, ClassVar, Final, NamedTuple

from retruco.games.core import Action, BadRecord, Game, IllegalAction, Match, Outcome, Seat, short_repr
from retruco.games.records import check_keys, played, seat_of
from retruco.streams import Stream

RANKS: Final = ("J", "Q", "K")
"""The ranks, low to high."""
DECK: Final = tuple(rank for rank in RANKS for _ in range(2))
BET_SIZES: Final = (2, 4)
"""The chips of a bet or raise, by round."""
MOST_RAISES: Final = 2
"""How often a round can be bet and raised."""


class LeducDeal(NamedTuple):
    """The card of each seat, and the card on the board."""

    cards: tuple[str, str]
    board: str

    def __str__(self) -> str:
        return f"{' '.join(self.cards)} / {self.board}"


class Betting(NamedTuple):
    """How the betting stands; places count from the seat that acts first."""

    round: int = 0
    paid: tuple[int, int] = (1, 1)
    turn: int = 0
    raises: int = 0
    acted: int = 0
    """How many actions this round has had."""
    folded: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether nobody acts any more."""
        return self.folded is not None or self.round == len(BET_SIZES)

    @property
    def legal(self) -> tuple[Action, ...]:
        """What the place whose turn it is may do."""
        if self.is_over:
            return ()
        if not self.raises:
            return ("check", "bet")
        return ("call", "raise", "fold") if self.raises < MOST_RAISES else ("call", "fold")

    def add(self, action: Action) -> Betting:
        """The betting after an action."""
        if action == "fold":
            return self._replace(folded=self.turn)
        both = max(self.paid)
        if action in ("bet", "raise"):
            mine = both + BET_SIZES[self.round]
            paid = (mine, self.paid[1]) if self.turn == 0 else (self.paid[0], mine)
            return Betting(self.round, paid, 1 - self.turn, self.raises + 1, self.acted + 1)
        if self.acted:
            return Betting(self.round + 1, (both, both))
        return self._replace(turn=1 - self.turn, acted=1)


@lru_cache(maxsize=4096)
def follow_betting(actions: tuple[Action, ...]) -> Betting:
    """How the betting stands after these actions."""
    return follow_betting(actions[:-1]).add(actions[-1]) if actions else Betting()


@dataclass(frozen=True, slots=True)
class LeducObservation:
    """What one seat sees: its own card, the board once it lies open, and what both did."""

    seat: Seat
    to_act: Seat | None
    legal: tuple[Action, ...]
    card: str
    board: str | None
    actions: tuple[Action, ...]
    outcome: Outcome | None
    shown: tuple[str | None, ...]
    """The cards that were shown at the end: both, unless somebody folded."""
    history: tuple[LeducObservation, ...] = ()


@dataclass(frozen=True, slots=True)
class LeducState:
    """A hand of Leduc hold'em: the cards and what was done."""

    cards: tuple[str, str]
    board: str
    first: Seat = 0
    actions: tuple[Action, ...] = ()

    @property
    def betting(self) -> Betting:
        """How the betting stands."""
        return follow_betting(self.actions)

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is, or nobody when the hand is over."""
        betting = self.betting
        return None if betting.is_over else self.first ^ betting.turn

    @property
    def legal(self) -> tuple[Action, ...]:
        """What the seat to act may do."""
        return self.betting.legal

    def play(self, action: Action) -> LeducState:
        """Return the state after this action."""
        if action not in self.legal:
            raise IllegalAction(action, self.legal)
        return LeducState(self.cards, self.board, self.first, (*self.actions, action))

    @property
    def outcome(self) -> Outcome | None:
        """Who won what, once the hand is over."""
        betting = self.betting
        if not betting.is_over:
            return None
        loss = min(betting.paid)
        if betting.folded is not None:
            winner: Seat | None = self.first ^ 1 ^ betting.folded
            return Outcome("fold", winner, (loss, -loss) if winner == 0 else (-loss, loss))
        mine, other = (self._rank(seat) for seat in (0, 1))
        if mine == other:
            return Outcome("showdown", None, (0, 0))
        return Outcome("showdown", int(other > mine), (loss, -loss) if mine > other else (-loss, loss))

    def _rank(self, seat: Seat) -> tuple[bool, int]:
        card = self.cards[seat]
        return card == self.board, RANKS.index(card)

    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> LeducObservation:
        """Show the hand to one seat."""
        outcome = self.outcome
        is_open = outcome is not None and outcome.reason == "showdown"
        return LeducObservation(
            seat=seat,
            to_act=self.to_act,
            legal=self.legal if seat == self.to_act else (),
            card=self.cards[seat],
            board=self.board if self.betting.round else None,
            actions=self.actions,
            outcome=outcome,
            shown=self.cards if is_open else (None, None),
            history=history,
        )

    def record(self) -> dict[str, object]:
        """Write the hand down."""
        return {
            "game": "leduc",
            "cards": list(self.cards),
            "board": self.board,
            "first": self.first,
            "actions": list(self.actions),
            "version": Leduc.version,
        }

    def summary(self) -> dict[str, object]:
        """Tell where the hand stands."""
        outcome = self.outcome
        return {
            "turn": self.to_act,
            "legal": list(self.legal),
            "over": outcome is not None,
            "winner": outcome.winner if outcome else None,
            "points": list(outcome.points) if outcome else [0, 0],
        }


@dataclass(frozen=True, slots=True)
class Leduc(Game):
    """Leduc hold'em for two seats; a match is a number of hands, most chips win."""

    hands: int = 12
    name: ClassVar[str] = "leduc"
    version: ClassVar[int] = 1

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """The one there is."""
        return ("six-cards",)

    @classmethod
    def named(cls, rules: str | None = None, target: int | None = None) -> Leduc:
        """Set a table; the target is the number of hands in a match."""
        if rules not in (None, *cls.presets()):
            raise ValueError(f"unknown rules {rules!r}: one of {', '.join(cls.presets())}")
        if target is not None and target < 1:
            raise ValueError(f"the target must be at least 1 hand, not {target}")
        return cls(12 if target is None else target)

    @property
    def rules_name(self) -> str:
        return self.presets()[0]

    @property
    def goal(self) -> int:
        return self.hands

    @property
    def most_points(self) -> int:
        """The ante, and all bets and raises of both rounds."""
        return 1 + MOST_RAISES * sum(BET_SIZES)

    @property
    def seats(self) -> int:
        """Two."""
        return 2

    def deal(self, chance: Stream) -> LeducDeal:
        """Give every seat one card, and one to the board."""
        mine, other, board = chance.sample(DECK, 3)
        return LeducDeal((mine, other), board)

    def read_deal(self, text: str) -> LeducDeal:
        """Read a deal back from how it prints."""
        cards, _, board = text.partition(" / ")
        return read_cards(cards.split(), board)

    def all_deals(self) -> Iterator[tuple[LeducDeal, float]]:
        """Every deal by ranks, and its probability."""
        deals = Counter(permutations(DECK, 3))
        for (mine, other, board), count in deals.items():
            yield LeducDeal((mine, other), board), count / deals.total()

    def information_key(self, observation: LeducObservation) -> str:
        """The own card, the board and what was done."""
        return " ".join((observation.card, observation.board or "-", *observation.actions))

    def start(self, deal: LeducDeal, match: Match) -> LeducState:
        """Begin a hand."""
        return LeducState(deal.cards, deal.board, match.first)

    def is_over(self, match: Match) -> bool:
        """A match ends after a fixed number of hands."""
        return match.hand >= self.hands

    @classmethod
    def read(cls, record: Mapping[str, object]) -> LeducState:
        """Replay a recorded hand."""
        check_keys(record, "leduc", ("cards", "board", "first", "actions"))
        cards, board = record["cards"], record["board"]
        deal = read_cards(cards, board)
        first = seat_of("first", record["first"], 2)
        return played(LeducState(*deal, first), record["actions"])


def read_cards(cards: object, board: object) -> LeducDeal:
    """Read the cards of a hand: two of each rank are in the deck."""
    if not isinstance(cards, list) or len(cards) != 2:
        raise BadRecord(f"cards must be two cards, not {short_repr(cards)}")
    if bad := [card for card in (*cards, board) if card not in RANKS]:
        raise BadRecord(f"unknown card {short_repr(bad[0])}: one of {' '.join(RANKS)}")
    if cards[0] == cards[1] == board:
        raise BadRecord(f"there are only two cards of each rank, not three {board}")
    return LeducDeal((cards[0], cards[1]), str(board))
