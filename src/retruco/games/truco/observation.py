"""What one seat sees of a hand: its own cards, the table, what was said and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from retruco.cards import Card
from retruco.games.core import Action, Outcome, Seat
from retruco.games.truco.bet import Bet
from retruco.games.truco.deck import Hand, has_flor
from retruco.games.truco.envido import Envido
from retruco.games.truco.flor import Flor
from retruco.games.truco.rounds import DOWN, DOWN_PREFIX, Rounds
from retruco.games.truco.rules import CALLS, FLOR_CALLS
from retruco.games.truco.state import Acted, Announced, Awarded, Event, Pair, TrucoState
from retruco.notebook import card_html, text_html

if TYPE_CHECKING:
    from retruco.games.truco.game import Truco


class TrucoObservation(NamedTuple):
    """A hand as one seat sees it, with the hands of the match before it."""

    game: Truco
    seat: Seat
    to_act: Seat | None
    legal: tuple[Action, ...]
    """What this seat may do; empty when it is not its turn."""
    hand: Hand
    """The three cards this seat was dealt."""
    held: tuple[Card, ...]
    """Those it has not played yet."""
    scores: Pair
    rounds: Rounds
    """The table; the other seat's face-down cards have no face."""
    envido: Envido
    flor: Flor
    bet: Bet
    points: tuple[Pair, Pair, Pair]
    log: tuple[Event, ...]
    outcome: Outcome | None
    history: tuple[TrucoObservation, ...] = ()
    """The finished hands of this match, as this seat saw them end."""

    @property
    def mao(self) -> Seat:
        """The seat that leads and wins ties."""
        return self.rounds.mao

    @property
    def is_mao(self) -> bool:
        """Whether this seat is the mão."""
        return self.rounds.mao == self.seat

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return 1 - self.seat

    def _repr_html_(self) -> str:
        """For notebooks: the hand as cards, the table, and what may be done."""
        hand = "".join(card_html(card, faded=card not in self.held) for card in self.hand)
        table = " ".join(
            f"{'own' if play.seat == self.seat else 'other'}:{play}" for play in self.rounds.plays
        )
        scores = (
            f"score {self.scores[self.seat]} to {self.scores[self.other]}, {'mao' if self.is_mao else 'pe'}"
        )
        lines = [scores, f"table: {table or 'empty'}", f"legal: {' '.join(self.legal) or 'nothing'}"]
        return f"<div>{hand}</div>{''.join(map(text_html, lines))}"

    def announced(self, stage: str) -> tuple[int | None, int | None]:
        """The points that each seat has shown in envido or flor."""
        said = {e.seat: e.points for e in self.log if isinstance(e, Announced) and e.stage == stage}
        return said.get(0), said.get(1)

    def knows_flor(self, seat: Seat) -> bool | None:
        """Tell whether a seat was dealt a flor, as far as the rules have shown it."""
        if not self.game.rules.flor:
            return None
        return has_flor(self.hand) if seat == self.seat else self._shown_flor(seat)

    def _shown_flor(self, seat: Seat) -> bool | None:
        acted = [event.action for event in self.log if isinstance(event, Acted) and event.seat == seat]
        if any(action in FLOR_CALLS for action in acted):
            return True
        if self.flor.calls:
            return not self._flor_paid_at_once()  # only a seat with a flor is asked to answer one
        if acted and self.game.rules.flor_compulsory:
            return False  # a compulsory flor would have been sung
        if self._folded_at_once(1 - seat) and self.game.rules.fold_unspoken_flor:
            return any(isinstance(event, Awarded) and event.stage == "flor" for event in self.log)
        return None

    def _flor_paid_at_once(self) -> bool:
        sung = next(
            i for i, event in enumerate(self.log) if isinstance(event, Acted) and event.action in FLOR_CALLS
        )
        return any(
            isinstance(event, Awarded) and event.stage == "flor" for event in self.log[sung + 1 : sung + 2]
        )

    def _folded_at_once(self, seat: Seat) -> bool:
        acted = [event for event in self.log if isinstance(event, Acted)]
        if not acted or acted[-1] != Acted(seat, "baralho") or self.rounds.has_played(seat):
            return False
        return not any(event.action in CALLS for event in acted[:-1])


def observe(state: TrucoState, seat: Seat, history: tuple[Any, ...] = ()) -> TrucoObservation:
    """Show a hand to one seat."""
    hand = state.hands[seat]
    return TrucoObservation(
        state.game,
        seat,
        state.to_act,
        state.legal if seat == state.to_act else (),
        hand,
        state.rounds.held(seat, hand),
        state.scores,
        state.rounds.seen_by(seat),
        state.envido,
        state.flor,
        state.bet,
        state.points,
        _seen_by(seat, state.log),
        state.outcome,
        history,
    )


def observe_public(state: TrucoState) -> TrucoObservation:
    """Show a hand to somebody who holds no cards, as if from seat 0: what lies face up, and what was said."""
    seen = observe(state, 0)
    rounds, log = seen.rounds.seen_by(1), _seen_by(1, seen.log)
    return seen._replace(legal=(), hand=(), held=(), rounds=rounds, log=log)


def _seen_by(seat: Seat, log: tuple[Event, ...]) -> tuple[Event, ...]:
    """The log without the faces of the other seat's face-down cards."""
    if not any(type(e) is Acted and e.seat != seat and e.action.startswith(DOWN_PREFIX) for e in log):
        return log
    return tuple(
        Acted(event.seat, DOWN)
        if isinstance(event, Acted) and event.seat != seat and event.action.startswith(DOWN_PREFIX)
        else event
        for event in log
    )
