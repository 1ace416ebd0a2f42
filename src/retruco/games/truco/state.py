"""A hand of Truco: what may be done, and what follows, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from retruco.cards import card
from retruco.games.core import Action, IllegalAction, Outcome, Seat
from retruco.games.truco import envido as envidos
from retruco.games.truco import flor as flores
from retruco.games.truco.bet import Bet
from retruco.games.truco.deck import Hand, envido_points, flor_points, has_flor
from retruco.games.truco.envido import Envido
from retruco.games.truco.flor import Flor
from retruco.games.truco.rounds import DOWN_PREFIX, Play, Rounds, decided
from retruco.games.truco.rules import ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS, Rules

if TYPE_CHECKING:
    from retruco.games.truco.game import Truco
    from retruco.games.truco.observation import TrucoObservation

STAGES: Final = ("envido", "flor", "truco")
"""What points are won in, in the order in which they are paid."""

Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat played a card or said something."""

    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Announced:
    """A seat's points became public."""

    seat: Seat
    stage: str
    points: int


@dataclass(frozen=True, slots=True)
class Awarded:
    """A seat was paid."""

    seat: Seat
    stage: str
    points: int


Event: TypeAlias = Acted | Announced | Awarded


class TrucoState(NamedTuple):
    """A hand in progress, as the cards themselves know it: both hands open."""

    game: Truco
    hands: tuple[Hand, Hand]
    scores: Pair
    """The board now, awards of this hand included."""
    rounds: Rounds
    envido: Envido
    flor: Flor
    bet: Bet
    points: tuple[Pair, Pair, Pair]
    """What each seat has won in this hand, by stage."""
    log: tuple[Event, ...]
    outcome: Outcome | None
    to_act: Seat | None
    legal: tuple[Action, ...]
    """What the seat to act may do: cards as held, face-down cards as held, then calls."""

    @property
    def mao(self) -> Seat:
        """The seat that leads and wins ties."""
        return self.rounds.mao

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that was played and said, in order."""
        return tuple(event.action for event in self.log if isinstance(event, Acted))

    def play(self, action: Action) -> TrucoState:
        """Return the hand after the seat to act has done this."""
        if action not in self.legal:
            raise IllegalAction(action, self.legal, f" after {len(self.actions)} actions")
        turn = Turn(self)
        turn.take(action)
        return turn.finished()

    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> TrucoObservation:
        """Show the hand to one seat."""
        from retruco.games.truco.observation import observe

        return observe(self, seat, history)

    def record(self) -> dict[str, object]:
        """Write the hand down in the notation."""
        from retruco.games.truco.notation import record

        return record(self)

    @property
    def match_winner(self) -> Seat | None:
        """The seat that has reached the target."""
        target = self.game.target
        return next((seat for seat in (0, 1) if self.scores[seat] >= target), None)

    def summary(self) -> dict[str, object]:
        """Tell where the hand stands, as `retruco replay` prints it."""
        return {
            "turn": self.to_act,
            "legal": list(self.legal),
            "over": self.outcome is not None,
            "winner": self.outcome.winner if self.outcome else None,
            "match_winner": self.match_winner,
            "points": {stage: list(pair) for stage, pair in zip(STAGES, self.points, strict=True)},
            "scores": list(self.scores),
        }


class Turn:
    """One action being carried out: a copy of the hand that may change until it is finished."""

    __slots__ = (
        "bet",
        "envido",
        "flor",
        "game",
        "hands",
        "log",
        "points",
        "reason",
        "rounds",
        "scores",
        "seat",
    )

    def __init__(self, state: TrucoState) -> None:
        assert state.to_act is not None
        self.game = state.game
        self.seat: Seat = state.to_act
        self.hands = state.hands
        self.scores = state.scores
        self.rounds = state.rounds
        self.envido = state.envido
        self.flor = state.flor
        self.bet = state.bet
        self.points = state.points
        self.log: list[Event] = list(state.log)
        self.reason: str | None = None

    @property
    def other(self) -> Seat:
        """The seat that is not acting."""
        return 1 - self.seat

    def take(self, action: Action) -> None:
        """Carry out a legal action."""
        self.log.append(Acted(self.seat, action))
        handler = HANDLERS.get(action)
        if handler is not None:
            handler(self, action)
        else:
            self._card(action)

    def finished(self) -> TrucoState:
        """Freeze the hand as it is now."""
        outcome = None if self.reason is None else self._outcome(self.reason)
        return freeze(
            self.game, self.hands, self.scores, self.rounds, self.envido, self.flor, self.bet, self.points,
            tuple(self.log), outcome,
        )  # fmt: skip

    def _outcome(self, reason: str) -> Outcome:
        envido, flor, truco = self.points
        winner = None if truco == (0, 0) else int(truco[1] > 0)
        return Outcome(reason, winner, (envido[0] + flor[0] + truco[0], envido[1] + flor[1] + truco[1]))

    # Points.

    def _award(self, stage: str, seat: Seat, points: int, reason: str | None = None) -> None:
        """Pay at once; the award that reaches the target ends hand and match.

        `reason` ends the hand in any case. After the end nothing is paid.
        """
        if self.reason is not None:
            return
        place = STAGES.index(stage)
        pairs = list(self.points)
        pairs[place] = added(pairs[place], seat, points)
        self.points = (pairs[0], pairs[1], pairs[2])
        self.scores = added(self.scores, seat, points)
        self.log.append(Awarded(seat, stage, points))
        if reason is not None:
            self.reason = reason
        elif self.scores[seat] >= self.game.target:
            self.reason = "target"

    # Cards.

    def _card(self, action: Action) -> None:
        down = action.startswith(DOWN_PREFIX)
        face = card(action.removeprefix(DOWN_PREFIX))
        self.rounds = self.rounds.add(Play(self.seat, face, down))
        winner = decided(self.rounds.winners, self.rounds.mao, self.game.rules.hand_size)
        if winner is not None:
            self._award("truco", winner, self.bet.stake, reason="rounds")

    # Envido.

    def _envido(self, action: Action) -> None:
        self._put_before_truco()
        self.envido = self.envido.call(self.seat, action)

    def _put_before_truco(self) -> None:
        """What comes first makes a pending truco wait or, in some variants, takes it back."""
        if self.bet.call is not None and self.game.rules.envido_cancels_truco:
            self.bet = self.bet.cancelled()

    def _envido_accepted(self) -> None:
        points = (envido_points(self.hands[0]), envido_points(self.hands[1]))
        winner = self._compare("envido", points)
        game = self.game
        worth = envidos.worth(game.rules, game.target, self.scores, self.envido.calls, winner)
        self._close_points()
        self._award("envido", winner, worth)

    def _envido_declined(self) -> None:
        self._close_points()
        self._award("envido", self.other, envidos.declined(self.envido.calls))

    def _close_points(self) -> None:
        """A settled envido or an accepted truco ends envido and flor for both."""
        self.envido = self.envido.close()
        self.flor = self.flor.close()

    def _compare(self, stage: str, points: Pair) -> Seat:
        """Find the better points, ties to the mão; the mão announces, the other only if better."""
        mao, pe = self.rounds.mao, 1 - self.rounds.mao
        self.log.append(Announced(mao, stage, points[mao]))
        if points[pe] <= points[mao]:
            return mao
        self.log.append(Announced(pe, stage, points[pe]))
        return pe

    # Flor.

    def _flor(self, action: Action) -> None:
        is_opening = not self.flor.calls
        self._put_before_truco()
        self.envido = self.envido.close()
        self.flor = self.flor.call(self.seat, action)
        rules = self.game.rules
        if action == "achico":
            assert rules.achico is not None
            self._flor_paid(self.other, rules.achico)
        elif is_opening and not has_flor(self.hands[self.other]):
            self._flor_paid(self.seat, rules.flor_alone)
        elif action == "flor" and not is_opening:
            self._flor_compared()

    def _flor_paid(self, seat: Seat, points: int) -> None:
        self.flor = self.flor.close()
        self._award("flor", seat, points)

    def _flor_compared(self) -> None:
        winner = self._compare("flor", (flor_points(self.hands[0]), flor_points(self.hands[1])))
        game = self.game
        self._flor_paid(winner, flores.worth(game.rules, game.target, self.scores, self.flor.calls, winner))

    def _flor_declined(self) -> None:
        self._flor_paid(self.other, flores.declined(self.game.rules, self.flor.calls))

    # Truco.

    def _truco(self, action: Action) -> None:
        if self.bet.call is not None:
            self._close_points()
        self.bet = self.bet.raised(self.seat, action)

    def _truco_declined(self) -> None:
        self._award("truco", self.other, self.bet.stake, reason="declined")

    # Answers: to the innermost call that waits.

    def _accept(self, _: Action) -> None:
        if self.flor.pending:
            self._flor_compared()
        elif self.envido.pending:
            self._envido_accepted()
        else:
            self._close_points()
            self.bet = self.bet.accepted(self.seat)

    def _decline(self, _: Action) -> None:
        if self.flor.pending:
            self._flor_declined()
        elif self.envido.pending:
            self._envido_declined()
        else:
            self._truco_declined()

    # Going to the deck.

    def _fold(self, _: Action) -> None:
        if self.flor.pending:
            self._flor_declined()
            self._award("truco", self.other, 1, reason="fold")
        elif self.envido.pending:
            self._envido_declined()
            self._award("truco", self.other, 1, reason="fold")
        else:
            self._fold_costs_points()
            self._award("truco", self.other, self.bet.stake, reason="fold")

    def _fold_costs_points(self) -> None:
        """In some variants an envido or a flor that was never called is paid too."""
        rules = self.game.rules
        if self.bet.call is not None or self.rounds.has_played(self.seat):
            return
        if self._nothing_called():
            if rules.fold_unspoken_flor and has_flor(self.hands[self.other]):
                self._award("flor", self.other, rules.flor_alone)
            elif rules.fold_unspoken_envido:
                self._award("envido", self.other, 1)
        elif (
            rules.fold_envido_after_truco
            and self.bet.stake > 1
            and not (self.envido.calls or self.flor.calls)
        ):
            self._award("envido", self.other, 1)

    def _nothing_called(self) -> bool:
        earlier = (event for event in self.log[:-1] if isinstance(event, Acted))
        return not any(event.action in HANDLERS for event in earlier)


HANDLERS: Final[dict[Action, Callable[[Turn, Action], None]]] = {
    **dict.fromkeys(FLOR_CALLS, Turn._flor),
    **dict.fromkeys(ENVIDO_CALLS, Turn._envido),
    **dict.fromkeys(TRUCO_CALLS, Turn._truco),
    "quero": Turn._accept,
    "nao-quero": Turn._decline,
    "baralho": Turn._fold,
}
"""What follows from each call; everything else is a card."""


def added(pair: Pair, seat: Seat, points: int) -> Pair:
    """Add points to one seat's side of a pair."""
    return (pair[0] + points, pair[1]) if seat == 0 else (pair[0], pair[1] + points)


def freeze(
    game: Truco, hands: tuple[Hand, Hand], scores: Pair, rounds: Rounds, envido: Envido, flor: Flor, bet: Bet,
    points: tuple[Pair, Pair, Pair], log: tuple[Event, ...], outcome: Outcome | None,
) -> TrucoState:  # fmt: skip
    """Make a state: whose turn it is and what is legal follow from the rest."""
    seat: Seat | None = None
    legal: tuple[Action, ...] = ()
    if outcome is None:
        seat = turn_of(rounds, envido, flor, bet)
        legal = legal_actions(game.rules, game.target, seat, hands[seat], rounds, envido, flor, bet)
    return TrucoState(game, hands, scores, rounds, envido, flor, bet, points, log, outcome, seat, legal)


def turn_of(rounds: Rounds, envido: Envido, flor: Flor, bet: Bet) -> Seat:
    """Name the seat to act: who must answer the innermost call, else who is to play a card."""
    if flor.pending:
        return 1 - flor.singers[-1]
    if envido.pending and envido.caller is not None:
        return 1 - envido.caller
    if bet.caller is not None:
        return 1 - bet.caller
    return rounds.player


def legal_actions(
    rules: Rules, target: int, seat: Seat, hand: Hand, rounds: Rounds, envido: Envido, flor: Flor, bet: Bet
) -> tuple[Action, ...]:
    """List what the seat to act may do."""
    if flor.pending:
        return flores.answers(rules, flor.calls[-1])
    has_played = rounds.has_played(seat)

    # What comes first: a flor that can be sung, and must be where it is compulsory.
    may_sing = rules.flor and not has_played and flor.untouched and has_flor(hand)
    sing: tuple[Action, ...] = ("flor",) if may_sing else ()
    if sing and rules.flor_compulsory:
        return sing

    # An answer to an envido.
    answers = ("quero", "nao-quero", "baralho") if rules.fold_as_answer else ("quero", "nao-quero")
    if envido.pending:
        return (
            *sing,
            *envidos.raises(envido.calls, target, rules.real_repeats, rules.envido_calls),
            *answers,
        )

    # An envido is opened before one's first card, in a free turn or before answering a truco.
    may_open = not has_played and envido.untouched
    openings = envidos.raises((), target, rules.real_repeats, rules.envido_calls) if may_open else ()
    step = bet.raise_for(seat)
    higher = (step,) if step in rules.truco_calls else ()

    # An answer to a truco.
    if bet.call is not None:
        return (*sing, *openings, *higher, *answers)

    # A free turn.
    held = rounds.held(seat, hand)
    down = tuple([DOWN_PREFIX + card for card in held]) if rounds.winners else ()
    return (*held, *down, *sing, *openings, *higher, "baralho")
