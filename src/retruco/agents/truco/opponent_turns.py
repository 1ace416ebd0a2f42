"""What a seat was asked and what it replied, in a hand of Truco, with what it held where that is known.

A reply is told without the cards: an observer sees the calls, and often learns only after the hand what lay behind
them. The same walk over the log serves a hand as the other seat saw it, a whole hand, and a hand that people
played, so that rates counted in one can be compared with replies seen in another.

| question | situations | replies |
|---|---|---|
| opens envido | as mão, as pé | pass, envido, real envido, falta envido |
| answers envido | to envido, real envido, falta envido | decline, accept, raise |
| opens truco | round 1 leading or following; later ahead, level, behind | pass, call, fold |
| raises truco in a free turn | by round | pass, call, fold |
| answers truco | by call and round | decline, accept, raise |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from retruco.cards import Card
from retruco.games.core import Action, Seat
from retruco.games.truco.behaviour import POOR_CARD, POOR_POINTS
from retruco.games.truco.bet import NEXT_CALL
from retruco.games.truco.deck import STRENGTH, Hand, envido_points
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX, TIE
from retruco.games.truco.rules import CALLS, ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS, TRUCO_VALUE
from retruco.games.truco.state import Acted, Announced, Event

PASS, CALL, SECOND, THIRD = range(4)
"""Replies by number: pass or decline; call or accept; raise, fold or real envido; falta envido."""
REPLIES: Final = 4

ENVIDO_SITUATIONS: Final = (
    *(f"open envido {place}" for place in ("mao", "pe")),
    *(f"answer {call}" for call in ENVIDO_CALLS),
)
TRUCO_SITUATIONS: Final = (
    *(f"open truco 1 {place}" for place in ("leads", "follows")),
    *(f"open truco {number} {standing}" for number in (2, 3) for standing in ("ahead", "level", "behind")),
    *(f"raise truco {number}" for number in (1, 2, 3)),
    *(f"answer {call} {number}" for call in TRUCO_CALLS for number in (1, 2, 3)),
)
SITUATIONS: Final = (*ENVIDO_SITUATIONS, *TRUCO_SITUATIONS)
SITUATION_NUMBER: Final = {name: number for number, name in enumerate(SITUATIONS)}

POINTS_CLASSES: Final = (POOR_POINTS, 28, 31)
"""The least envido points of each class of holding but the first, which is poor."""
CARD_CLASSES: Final = (POOR_CARD + 1, STRENGTH["3c"], STRENGTH["7o"])
"""The least strength of the best card of each class of holding but the first, which is poor."""
HOLDINGS: Final = 4
"""Poor, fair, good, excellent."""
POOR: Final = 0
UNKNOWN: Final = HOLDINGS
"""The holding of a reply whose cards were not seen."""


class Reply(NamedTuple):
    """What a seat did in a situation, and the class of what it held."""

    situation: int
    reply: int
    holding: int
    action: Action

    @property
    def is_call(self) -> bool:
        """Whether the seat opened a bet or raised it."""
        return self.action in ENVIDO_CALLS or self.action in TRUCO_CALLS

    @property
    def is_bluff(self) -> bool | None:
        """Whether it called on poor cards or points; `None` if they are not known, or there was no call."""
        return None if not self.is_call or self.holding == UNKNOWN else self.holding == POOR


def class_of(amount: int, bounds: tuple[int, ...]) -> int:
    """The class of an amount by the least amounts of all classes but the first.

    >>> class_of(23, POINTS_CLASSES), class_of(24, POINTS_CLASSES), class_of(33, POINTS_CLASSES)
    (0, 1, 3)
    """
    return sum(amount >= least for least in bounds)


@dataclass(slots=True)
class PublicHand:
    """A hand as everybody at the table follows it, event by event."""

    mao: Seat
    pending: Action | None = None
    """The call that waits for an answer."""
    waiting_truco: Action | None = None
    """A truco that waits while an envido is settled first."""
    stake: int = 1
    raiser: Seat | None = None
    points_open: bool = True
    """Whether envido can still be opened."""
    lying: tuple[Seat, int] | None = None
    """The first card of the round: whose, and how strong."""
    played: tuple[int, int] = (0, 0)
    winners: tuple[int, ...] = ()

    @property
    def number(self) -> int:
        """The round being played."""
        return min(len(self.winners) + 1, 3)

    def standing(self, seat: Seat) -> str:
        """Whether a seat is ahead in rounds."""
        won = self.winners.count(seat) - self.winners.count(1 - seat)
        return "ahead" if won > 0 else "behind" if won < 0 else "level"

    def note(self, event: Acted) -> None:
        """Carry out an action."""
        action, seat = event.action, event.seat
        if action in ENVIDO_CALLS or action in FLOR_CALLS:
            if self.pending in TRUCO_CALLS:
                self.waiting_truco = None if action in FLOR_CALLS else self.pending
            self.pending, self.points_open = action, False
        elif action in TRUCO_CALLS:
            self.stake, self.pending = TRUCO_VALUE[action] - 1, action
        elif action in ("quero", "nao-quero", "achico"):
            self._settle(seat, action)
        elif action != "baralho":
            self._put_card(seat, action)

    def _settle(self, seat: Seat, action: Action) -> None:
        if self.pending in TRUCO_CALLS and action == "quero":
            self.stake, self.raiser, self.points_open = TRUCO_VALUE[self.pending], seat, False
        self.pending, self.waiting_truco = self.waiting_truco, None

    def _put_card(self, seat: Seat, action: Action) -> None:
        power = 0 if action.startswith("down") else STRENGTH[action]
        self.pending = None  # a flor that nobody can answer waits for nothing
        mine, other = self.played
        self.played = (mine + 1, other) if seat == 0 else (mine, other + 1)
        if self.lying is None:
            self.lying = (seat, power)
            return
        first, faced = self.lying
        self.winners += (TIE if power == faced else seat if power > faced else first,)
        self.lying = None

    def questions(self, seat: Seat, action: Action) -> Iterator[tuple[str, int]]:
        """The situations that an action of a seat is a reply to, with the replies."""
        pending = self.pending
        if pending in ENVIDO_CALLS:
            yield f"answer {pending}", _answer(action)
            return
        if self.points_open and not self.played[seat] and action not in FLOR_CALLS:
            place = "mao" if seat == self.mao else "pe"
            yield f"open envido {place}", _ENVIDO_REPLY.get(action, PASS)
        if action in ENVIDO_CALLS or action in FLOR_CALLS or pending in FLOR_CALLS:
            return
        if pending in TRUCO_CALLS:
            yield f"answer {pending} {self.number}", _answer(action)
        elif self.raiser in (None, seat) and self.stake in NEXT_CALL:
            yield self._free_situation(seat), _free_reply(action)

    def _free_situation(self, seat: Seat) -> str:
        if self.stake > 1:
            return f"raise truco {self.number}"
        if self.number == 1:
            return f"open truco 1 {'follows' if self.lying else 'leads'}"
        return f"open truco {self.number} {self.standing(seat)}"


_ENVIDO_REPLY: Final = {"envido": CALL, "real-envido": SECOND, "falta-envido": THIRD}


def _answer(action: Action) -> int:
    return PASS if action in ("nao-quero", "baralho") else CALL if action == "quero" else SECOND


def _free_reply(action: Action) -> int:
    return CALL if action in TRUCO_CALLS else SECOND if action == "baralho" else PASS


class KnownCards(NamedTuple):
    """What is known of a seat's hand: its points, and its cards if all are known."""

    points: int | None = None
    cards: Hand | None = None

    def holding(self, situation: str, gone: list[str]) -> int:
        """The class of what was held in a situation, once some cards had been played; the last one counts still."""
        if situation in ENVIDO_SITUATIONS:
            return UNKNOWN if self.points is None else class_of(self.points, POINTS_CLASSES)
        if self.cards is None:
            return UNKNOWN
        left = [STRENGTH[card] for card in self.cards if card not in gone] or [STRENGTH[gone[-1]]]
        return class_of(max(left), CARD_CLASSES)


def replies_in(log: Iterable[Event], mao: Seat, seat: Seat, known: KnownCards) -> list[Reply]:
    """All replies of a seat in a hand."""
    hand, gone, found = PublicHand(mao), list[str](), list[Reply]()
    for event in log:
        if type(event) is not Acted:
            continue
        if event.seat == seat:
            for situation, reply in hand.questions(seat, event.action):
                holding = known.holding(situation, gone)
                found.append(Reply(SITUATION_NUMBER[situation], reply, holding, event.action))
            if event.action not in CALLS:
                gone.append(event.action.removeprefix(DOWN_PREFIX))
        hand.note(event)
    return found


def replies_of_other(seen: TrucoObservation) -> list[Reply]:
    """The replies of the other seat in a hand, by what this seat has seen of it."""
    return replies_in(seen.log, seen.mao, seen.other, cards_shown(seen))


def replies_of_self(seen: TrucoObservation, hand: Hand | None = None) -> list[Reply]:
    """The replies of the seat that sees a hand, by its own cards."""
    cards = seen.hand if hand is None else hand
    return replies_in(seen.log, seen.mao, seen.seat, KnownCards(envido_points(cards), cards))


def reply_to_question(seen: TrucoObservation, kind: str, action: Action) -> Reply | None:
    """The reply of a seat to a question about envido or truco (`kind`); an empty action is a pass.

    `None` where nothing is asked that a style has rates for.
    """
    hand, gone = PublicHand(seen.mao), list[str]()
    for event in seen.log:
        if type(event) is Acted:
            if event.seat == seen.seat and event.action not in CALLS:
                gone.append(event.action.removeprefix(DOWN_PREFIX))
            hand.note(event)
    situations = ENVIDO_SITUATIONS if kind == "envido" else TRUCO_SITUATIONS
    for situation, reply in hand.questions(seen.seat, action):
        if situation in situations:
            holding = KnownCards(envido_points(seen.hand), seen.hand).holding(situation, gone)
            return Reply(SITUATION_NUMBER[situation], reply, holding, action)
    return None


def cards_shown(seen: TrucoObservation) -> KnownCards:
    """What the other seat has shown of its hand: points said aloud, and its cards if all were played face up."""
    other = seen.other
    said = [
        event.points
        for event in seen.log
        if type(event) is Announced and event.seat == other and event.stage == "envido"
    ]
    cards = [play.card for play in seen.rounds.plays if play.seat == other and play.card is not None]
    whole: Hand | None = tuple(map(Card, cards)) if len(cards) == len(seen.hand) else None
    points = said[0] if said else envido_points(whole) if whole else None
    return KnownCards(points, whole)
