"""Kuhn poker, the smallest game with a bluff in it: the file to start from.

Each seat antes one chip and is dealt one card of a deck that has one card more than there are
seats. The first bet is one chip; the others call or fold. The best card still in wins the pot.
Two seats: H. W. Kuhn, "A simplified two-person poker", 1950. Three seats: Szafron, Gibson and
Sturtevant, "A parameterized family of equilibrium profiles for three-player Kuhn poker", 2013.

>>> from retruco.streams import Stream
>>> game = Kuhn()
>>> state = game.start(game.deal(Stream("example")), game.opening())
>>> state.legal
('check', 'bet')
>>> state.play("bet").legal
('call', 'fold')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar

from retruco.games.core import Action, BadRecord, Game, IllegalAction, Match, Outcome, Seat, short_repr
from retruco.games.records import check_keys, played, seat_of
from retruco.streams import Stream

DECKS = {2: ("J", "Q", "K"), 3: ("T", "J", "Q", "K")}
"""The cards for two and for three seats, low to high."""


class KuhnDeal(tuple[str, ...]):
    """One card for each seat.

    >>> print(KuhnDeal(("K", "J")))
    K / J
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " / ".join(self)


@dataclass(frozen=True, slots=True)
class KuhnObservation:
    """What one seat sees: its own card and what everybody did."""

    seat: Seat
    to_act: Seat | None
    legal: tuple[Action, ...]
    card: str
    actions: tuple[Action, ...]
    outcome: Outcome | None
    shown: tuple[str | None, ...]
    """The cards on the table at the end: those of the seats that did not fold, if two are left."""
    history: tuple[KuhnObservation, ...] = ()


@dataclass(frozen=True, slots=True)
class KuhnState:
    """A hand of Kuhn poker: the cards and what was done."""

    cards: tuple[str, ...]
    first: Seat = 0
    actions: tuple[Action, ...] = ()

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.cards)

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is, or nobody when the hand is over."""
        if self._is_over():
            return None
        return (self.first + len(self.actions)) % self.seats

    @property
    def legal(self) -> tuple[Action, ...]:
        """What the seat to act may do."""
        if self._is_over():
            return ()
        return ("call", "fold") if "bet" in self.actions else ("check", "bet")

    def play(self, action: Action) -> KuhnState:
        """Return the state after this action."""
        if action not in self.legal:
            raise IllegalAction(action, self.legal)
        return KuhnState(self.cards, self.first, (*self.actions, action))

    def _is_over(self) -> bool:
        if "bet" not in self.actions:
            return len(self.actions) == self.seats
        return len(self.actions) == self.actions.index("bet") + self.seats

    def did(self) -> list[tuple[Seat, Action]]:
        """Say who did what, in order."""
        return [((self.first + turn) % self.seats, act) for turn, act in enumerate(self.actions)]

    def _in_the_pot(self) -> set[Seat]:
        """Seats that may still win: all, or those that bet or called."""
        paid = {seat for seat, act in self.did() if act in ("bet", "call")}
        return paid or set(range(self.seats))

    def paid(self) -> tuple[int, ...]:
        """What each seat has put into the pot: its ante, and a chip if it bet or called."""
        bets = {seat for seat, act in self.did() if act in ("bet", "call")}
        return tuple(1 + (seat in bets) for seat in range(self.seats))

    @property
    def outcome(self) -> Outcome | None:
        """Who won what, once the hand is over."""
        if not self._is_over():
            return None
        alive = self._in_the_pot()
        deck = DECKS[self.seats]
        winner = max(alive, key=lambda seat: deck.index(self.cards[seat]))
        paid = self.paid()
        points = tuple(sum(paid) * (seat == winner) - paid[seat] for seat in range(self.seats))
        return Outcome("showdown" if len(alive) > 1 else "fold", winner, points)

    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> KuhnObservation:
        """Show the hand to one seat."""
        outcome = self.outcome
        open_cards = self._in_the_pot() if outcome and outcome.reason == "showdown" else set()
        return KuhnObservation(
            seat=seat,
            to_act=self.to_act,
            legal=self.legal if seat == self.to_act else (),
            card=self.cards[seat],
            actions=self.actions,
            outcome=outcome,
            shown=tuple(card if at in open_cards else None for at, card in enumerate(self.cards)),
            history=history,
        )

    def record(self) -> dict[str, object]:
        """Write the hand down."""
        return {
            "game": "kuhn",
            "cards": list(self.cards),
            "first": self.first,
            "actions": list(self.actions),
            "version": Kuhn.version,
        }

    def summary(self) -> dict[str, object]:
        """Tell where the hand stands."""
        outcome = self.outcome
        return {
            "turn": self.to_act,
            "legal": list(self.legal),
            "over": outcome is not None,
            "winner": outcome.winner if outcome else None,
            "points": list(outcome.points) if outcome else [0] * self.seats,
        }


@dataclass(frozen=True, slots=True)
class Kuhn(Game):
    """Kuhn poker for two or three seats; a match is a number of hands, most chips win."""

    players: int = 2
    hands: int = 12
    name: ClassVar[str] = "kuhn"
    version: ClassVar[int] = 1
    usual_agent: ClassVar[str] = "NPS"
    usual_base: ClassVar[str | None] = "kuhn"
    behaviour_ratios: ClassVar[Mapping[str, tuple[str, str]]] = {
        "bets": ("bet", "opened"),
        "bluffs": ("bet on the lowest card", "bet"),
        "calls": ("call", "faced"),
    }

    def __post_init__(self) -> None:
        if self.players not in DECKS:
            raise ValueError(f"Kuhn poker has 2 or 3 seats, not {self.players}")

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """By the number of seats."""
        return ("two-seats", "three-seats")

    @classmethod
    def named(cls, rules: str | None = None, target: int | None = None) -> Kuhn:
        """Set a table; the target is the number of hands in a match."""
        rules = rules or "two-seats"
        if rules not in cls.presets():
            raise ValueError(f"unknown rules {rules!r}: one of {', '.join(cls.presets())}")
        if target is not None and target < 1:
            raise ValueError(f"the target must be at least 1 hand, not {target}")
        return cls(2 + cls.presets().index(rules), 12 if target is None else target)

    @property
    def rules_name(self) -> str:
        return self.presets()[self.players - 2]

    @property
    def goal(self) -> int:
        return self.hands

    @property
    def most_points(self) -> int:
        """Everybody else's ante and bet."""
        return 2 * (self.players - 1)

    @property
    def seats(self) -> int:
        """Two or three."""
        return self.players

    def deal(self, chance: Stream) -> KuhnDeal:
        """Give every seat one card."""
        return KuhnDeal(chance.sample(DECKS[self.players], self.players))

    def read_deal(self, text: str) -> KuhnDeal:
        """Read a deal back from how it prints."""
        cards = text.split(" / ")
        if len(cards) != self.players:
            raise BadRecord(
                f"a deal is {self.players} cards, such as {' / '.join(DECKS[self.players][1:])}, not {short_repr(text)}"
            )
        return read_cards(cards)

    def all_deals(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Every deal, all equally likely."""
        deals = list(permutations(DECKS[self.players], self.players))
        return ((deal, 1 / len(deals)) for deal in deals)

    def information_key(self, observation: KuhnObservation) -> str:
        """The own card and what was done."""
        return " ".join((observation.card, *observation.actions))

    def start(self, deal: tuple[str, ...], match: Match) -> KuhnState:
        """Begin a hand."""
        return KuhnState(tuple(deal), match.first)

    def is_over(self, match: Match) -> bool:
        """A match ends after a fixed number of hands."""
        return match.hand >= self.hands

    def behaviour(self, end: KuhnState, seat: Seat) -> Counter[str]:
        """Count how often a seat bet, bluffed, called and folded."""
        found = Counter(hands=1)
        for actor, action in end.did():
            if actor == seat:
                found.update([action, "opened" if action in ("check", "bet") else "faced"])
                if action == "bet" and end.cards[seat] == DECKS[end.seats][0]:
                    found["bet on the lowest card"] += 1
        return found

    @classmethod
    def read(cls, record: Mapping[str, object]) -> KuhnState:
        """Replay a recorded hand."""
        check_keys(record, "kuhn", ("cards", "first", "actions"))
        cards = read_cards(record["cards"])
        first = seat_of("first", record["first"], len(cards))
        return played(KuhnState(tuple(cards), first), record["actions"])


def read_cards(cards: object) -> KuhnDeal:
    """Read the card of every seat, all different."""
    if not isinstance(cards, list) or len(cards) not in DECKS or len(set(map(str, cards))) < len(cards):
        raise BadRecord(f"cards must be two or three different cards, not {short_repr(cards)}")
    if bad := [card for card in cards if card not in DECKS[len(cards)]]:
        raise BadRecord(f"unknown card {short_repr(bad[0])}: one of {' '.join(DECKS[len(cards)])}")
    return KuhnDeal(cards)
