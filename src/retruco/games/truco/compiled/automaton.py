"""The public automaton of Truco, found by asking the readable engine.

A public state is what everybody at the table knows and what still counts: the rounds won, the calls
that wait, the stake. Cards enter only as the result of a round, points only as which hand has more,
a flor as whether a hand has one. So a few hundred states describe every hand that can be played.

Exploring takes one state after the other, lets the readable engine carry out each legal action, once
for every *dealing* (which hand has more envido, who has a flor, whose flor is better) and every result
of a round, and writes down which state follows and what is paid. Scores are far below zero meanwhile:
no award reaches the target, and an award that depends on the score gives itself away by its size.

The mão sits in seat 0 here; the stepper turns the table round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from retruco.cards import SPANISH_DECK, Card
from retruco.games.core import Action, Seat
from retruco.games.truco.bet import Bet
from retruco.games.truco.deck import Hand, envido_points, flor_points, has_flor, strength
from retruco.games.truco.envido import Envido
from retruco.games.truco.flor import Flor
from retruco.games.truco.game import Truco
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import CALLS
from retruco.games.truco.state import Acted, Awarded, TrucoState, Turn, freeze

CARD, DOWN = "card", "down"
COLUMNS: Final[tuple[Action, ...]] = (CARD, DOWN, *CALLS)
"""What can be done in a turn: play a card, play one face down, or say something."""

REASONS: Final = ("rounds", "declined", "fold", "target")
"""Why a hand ends; `target` is found out at run time."""

FAR: Final = 10_000
FAR_SCORES: Final = (-FAR, -2 * FAR)
"""Scores from which no award reaches a target."""
FAR_PROBES: Final = (FAR_SCORES, FAR_SCORES[::-1])

LED: Final = "3e"
ANSWERS: Final = ("4c", "3b", "1e")
"""A card that leads a round, and three that lose to it, tie with it and win."""


class CannotCompile(ValueError):
    """Rules that the tables cannot hold; it says why."""


class PublicState(NamedTuple):
    """What still counts of what everybody knows; the calls of a settled auction are only `called` or not."""

    plays: int
    winners: tuple[int, ...]
    envido: Envido | bool
    flor: Flor | bool
    bet: Bet
    spoken: bool


class Dealing(NamedTuple):
    """What a deal decides beside the cards themselves: comparisons are -1, 0 or 1, from the mão's side."""

    envido: int
    mao_flor: int
    pe_flor: int
    flor: int


class Award(NamedTuple):
    """Points paid to a seat."""

    seat: Seat
    stage: str
    points: int
    by_score: int | None = None
    """Which of the automaton's tables by score says how many points, if that depends on the score."""


class Outcome(NamedTuple):
    """What follows from an action: the next state, or the reason of the end, and what is paid, in order."""

    state: int | None
    reason: str | None
    awards: tuple[Award, ...]


NO_CONDITION, ROUND, ENVIDO, MAO_FLOR, PE_FLOR, FLOR = range(6)
"""What the outcome of an action depends on."""
PLACES: Final[Mapping[int, Callable[[Dealing], int]]] = {
    NO_CONDITION: lambda dealing: 0,
    ENVIDO: lambda dealing: dealing.envido + 1,
    MAO_FLOR: lambda dealing: dealing.mao_flor,
    PE_FLOR: lambda dealing: dealing.pe_flor,
    FLOR: lambda dealing: dealing.flor + 1,
}
"""By condition, which of the outcomes a dealing leads to."""

OUTCOMES: Final = 3
"""The most outcomes that an action has."""


class Edge(NamedTuple):
    """An action in a state: what its outcome depends on, and the outcomes by that."""

    condition: int
    outcomes: tuple[Outcome | None, ...]
    """Nothing where no deal leads."""


@dataclass(frozen=True)
class Automaton:
    """The public states of a game by number; the first is the beginning of a hand."""

    game: Truco
    states: list[PublicState] = field(default_factory=list)
    actors: list[Seat] = field(default_factory=list)
    legal: list[tuple[frozenset[Action], frozenset[Action]]] = field(default_factory=list)
    """The columns open to the actor, without a flor and with one."""
    edges: list[dict[Action, Edge]] = field(default_factory=list)
    by_score: list[Sequence[Sequence[int]]] = field(default_factory=list)
    """The awards that depend on the score: points by score of the mão, then of the other."""


ScoreVector: TypeAlias = tuple[int, ...]


def explore(game: Truco) -> Automaton:
    """Find all public states of a game."""
    return Explorer(game).explore()


class Explorer:
    """Walks through the readable engine, breadth first."""

    def __init__(self, game: Truco) -> None:
        self.game = game
        self.found = Automaton(game)
        self.numbers: dict[PublicState, int] = {}
        self.examples: list[TrucoState] = []
        """A hand in every state."""
        self.symbols: dict[ScoreVector, int] = {}

    def explore(self) -> Automaton:
        """Visit every state once; new ones are added while it goes."""
        self._number(Turn(self.game.begin(PLAIN_HANDS, FAR_SCORES, 0)))
        for example in self.examples:
            self._visit(example)
        return self.found

    def _number(self, turn: Turn) -> int:
        """The number of the state that a turn leads to, a new one if it was not seen before."""
        public = public_state(turn)
        number = self.numbers.get(public)
        if number is None:
            number = self.numbers[public] = len(self.examples)
            turn.scores = FAR_SCORES
            self.examples.append(turn.finished())
            self.found.states.append(public)
        return number

    def _visit(self, state: TrucoState) -> None:
        assert state.to_act is not None
        seat = state.to_act
        legal = [columns_of(seated(state, hands), seat) for hands in (PLAIN_HANDS, FLOR_HANDS)]
        self.found.actors.append(seat)
        self.found.legal.append((legal[0], legal[1]))
        self.found.edges.append(
            {
                column: self._card_edge(state, column)
                if column in (CARD, DOWN)
                else self._call_edge(state, column, [column in open_ for open_ in legal])
                for column in COLUMNS
                if column in legal[0] | legal[1]
            }
        )

    def _card_edge(self, state: TrucoState, column: Action) -> Edge:
        """The first card of a round has one outcome, the second loses, ties or wins."""
        if len(state.rounds.plays) % 2 == 0:
            card = LED if column == CARD else DOWN_PREFIX + LED
            return Edge(NO_CONDITION, (self._outcome(state, card), None, None))
        if column == CARD:
            return Edge(ROUND, tuple(self._outcome(state, answer) for answer in ANSWERS))
        hidden = DOWN_PREFIX + ANSWERS[0]
        return Edge(ROUND, (self._outcome(state, hidden), self._outcome(facing_down(state), hidden), None))

    def _call_edge(self, state: TrucoState, call: Action, open_to: Sequence[bool]) -> Edge:
        """Carry out a call in every dealing in which it is legal, and find what its outcome depends on."""
        results = {}
        for dealing, hands in dealings():
            has = (dealing.mao_flor, dealing.pe_flor)[state.to_act or 0]
            if open_to[has]:
                results[dealing] = self._outcome(state._replace(hands=hands), call)
        for condition, place in PLACES.items():
            outcomes: dict[int, set[Outcome]] = {}
            for dealing, outcome in results.items():
                outcomes.setdefault(place(dealing), set()).add(outcome)
            if all(len(some) == 1 for some in outcomes.values()):
                return Edge(condition, tuple(next(iter(outcomes.get(at, {None}))) for at in range(OUTCOMES)))
        raise CannotCompile(f"the outcome of {call} depends on more than one thing")

    def _outcome(self, state: TrucoState, action: Action) -> Outcome:
        turn = take_far(state, action)
        awards = tuple(
            self._award(state, action, place, paid) for place, paid in enumerate(awards_of(turn, state))
        )
        if len(awards) > 2 or any(award.by_score is not None for award in awards[1:]):
            raise CannotCompile(f"{action} pays more than two awards, or a second one by the score")
        if turn.reason is not None:
            return Outcome(None, turn.reason, awards)
        return Outcome(self._number(turn), None, awards)

    def _award(self, state: TrucoState, action: Action, place: int, paid: Awarded) -> Award:
        """Read an award; one that changes with the score gets a table of its own, or shares an equal one."""
        probes = (
            self._probes() if place == 0 else FAR_PROBES
        )  # a second one is paid if the first ends nothing
        vector = tuple(points_at(state, action, place, scores) for scores in probes)
        if len(set(vector)) == 1:
            return Award(paid.seat, paid.stage, paid.points)
        if vector not in self.symbols:
            self.symbols[vector] = len(self.found.by_score)
            board = range(self.game.target)
            self.found.by_score.append(
                [[points_at(state, action, place, (mao, pe)) for pe in board] for mao in board]
            )
        return Award(paid.seat, paid.stage, 0, self.symbols[vector])

    def _probes(self) -> Sequence[tuple[int, int]]:
        last = self.game.target - 1
        return (*FAR_PROBES, (0, 0), (last, 0), (0, last), (last // 2, last // 3))


def take_far(state: TrucoState, action: Action) -> Turn:
    """Carry out an action where it does not end the match: a falta may win it for the leader, but not for the other."""
    for scores in FAR_PROBES:
        turn = Turn(state._replace(scores=scores))
        turn.take(action)
        if turn.reason != "target":
            return turn
    raise CannotCompile(f"{action} wins the match from any score")


def points_at(state: TrucoState, action: Action, place: int, scores: tuple[int, int]) -> int:
    """What the first or second award of an action pays at these scores."""
    turn = Turn(state._replace(scores=scores))
    turn.take(action)
    return awards_of(turn, state)[place].points


def awards_of(turn: Turn, state: TrucoState) -> list[Awarded]:
    """What a turn in a state has paid, in order."""
    return [event for event in turn.log[len(state.log) :] if isinstance(event, Awarded)]


def public_state(state: TrucoState | Turn) -> PublicState:
    """The public state of a hand in which the mão sits in seat 0."""
    envido, flor = state.envido, state.flor
    return PublicState(
        len(state.rounds.plays),
        state.rounds.winners,
        bool(envido.calls) if envido.closed else envido,
        bool(flor.calls) if flor.closed else flor,
        state.bet,
        any(isinstance(event, Acted) and event.action in CALLS for event in state.log),
    )


def columns_of(state: TrucoState, seat: Seat) -> frozenset[Action]:
    """What is legal in a state, by column; it is listed cards first, then face-down cards, then calls in their order."""
    cards = [action for action in state.legal if action in state.hands[seat]]
    down = [action for action in state.legal if action.startswith(DOWN_PREFIX)]
    calls = [call for call in CALLS if call in state.legal]
    if state.legal != (*cards, *down, *calls) or len(cards) not in (0, 3) or len(down) not in (0, 3):
        raise CannotCompile(f"{' '.join(state.legal)} is not cards, face-down cards and calls in order")
    return frozenset({CARD} if cards else ()) | frozenset({DOWN} if down else ()) | frozenset(calls)


def seated(state: TrucoState, hands: tuple[Hand, Hand]) -> TrucoState:
    """The same public state with other hands; none of their cards has been played."""
    return freeze(
        state.game, hands, state.scores, state.rounds, state.envido, state.flor, state.bet, state.points,
        state.log, None,
    )  # fmt: skip


def facing_down(state: TrucoState) -> TrucoState:
    """The same public state with the last card on the table face down."""
    *others, last = state.rounds.plays
    return state._replace(rounds=state.rounds._replace(plays=(*others, last._replace(down=True))))


# Hands for every dealing, without the cards that are played while exploring


@cache
def dealings() -> list[tuple[Dealing, tuple[Hand, Hand]]]:
    """Every dealing that there is, with hands that have it."""
    examples = {dealing_of((mao, pe)): (mao, pe) for mao, pe in product(some_hands(), some_hands())}
    return list(examples.items())


def dealing_of(hands: tuple[Hand, Hand]) -> Dealing:
    """What a deal decides, the first hand being the mão's."""
    mao, pe = hands
    return Dealing(
        sign(envido_points(mao) - envido_points(pe)),
        int(has_flor(mao)),
        int(has_flor(pe)),
        sign(flor_points(mao) - flor_points(pe)),
    )


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


@cache
def some_hands() -> tuple[Hand, ...]:
    """Plain hands and flores of few and of many points, envido and flor ranked apart."""
    unplayed = [card for card in SPANISH_DECK if card not in (LED, *ANSWERS)]
    by_points: dict[tuple[int, int], Hand] = {}
    for hand in combinations(unplayed, 3):
        by_points.setdefault((envido_points(hand), flor_points(hand)), hand)
    flores = [points for points in by_points if points[1]]
    plain = [points for points in by_points if not points[1]]
    return tuple(by_points[points] for points in (*plain[::8], *flores[::3]))


PLAIN_HAND: Final[Hand] = (Card("6e"), Card("5b"), Card("12o"))
FLOR_HAND: Final[Hand] = (Card("6e"), Card("5e"), Card("12e"))
PLAIN_HANDS: Final = (PLAIN_HAND, PLAIN_HAND)
FLOR_HANDS: Final = (FLOR_HAND, FLOR_HAND)

assert [sign(strength(answer) - strength(LED)) for answer in ANSWERS] == [-1, 0, 1]
