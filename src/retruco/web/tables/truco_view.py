"""A position as one seat sees it, as plain data for the page: nothing in it that the seat may not know."""

from __future__ import annotations

from typing import Any, Final

from retruco.games.core import Action, Seat
from retruco.games.truco import Acted, Announced, TrucoObservation, envido_points, flor_points
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import CALLS
from retruco.games.truco.state import Event
from retruco.web.review.why_not import why_not
from retruco.web.tables.live_match import LiveMatch
from retruco.web.tables.stakes import price

Json = dict[str, Any]

KEYS: Final[dict[Action, str]] = {
    "flor": "l",
    "contraflor": "c",
    "contraflor-resto": "x",
    "achico": "a",
    "envido": "e",
    "real-envido": "r",
    "falta-envido": "f",
    "truco": "t",
    "retruco": "t",
    "vale4": "t",
    "quero": "q",
    "nao-quero": "n",
    "baralho": "b",
}
"""The key for every call."""


PAGE: Final = 200
"""Positions in one answer; the rest is asked for with `after`."""


def frame(live: LiveMatch, place: int, seat: Seat, open_cards: bool = False) -> Json:
    """Show the position at a place to one seat; `open_cards` adds what practice and replays may show."""
    position = live.positions[place]
    seen = position.state.observe(seat)
    is_last = place == len(live.positions) - 1
    shown = {
        "number": live.number(place),
        "hand": position.hand,
        "seal": live.deals[position.hand].seal,
        **_table(seen),
        "moved": _last_move(seen),
        "can": _can(seen) if is_last and live.end is None else None,
        "end": _end(live) if is_last else None,
        "asks": _asks(live) if is_last else None,
        "clock": live.seconds_left if is_last else None,
    }
    if open_cards:
        other = position.state.observe(1 - seat)
        shown["other_held"] = list(other.held)
        shown["down_faces"] = [str(play.card) for play in position.state.rounds.plays]
    return shown


def frames(
    live: LiveMatch, seat: Seat, after: int = -1, most: int = PAGE, open_cards: bool = False
) -> list[Json]:
    """Show the positions after a number, one page of them."""
    with live.lock:
        first, last = max(0, after + 1 - live.stored.skipped), len(live.positions)
        last -= live.is_pupil_thinking  # its position is shown with its question, or with its move
        open_cards = open_cards or live.is_practice
        return [frame(live, place, seat, open_cards) for place in range(first, min(last, first + most))]


def _table(seen: TrucoObservation) -> Json:
    return {
        "seat": seen.seat,
        "to_act": seen.to_act,
        "mao": seen.mao,
        "scores": list(seen.scores),
        "stake": seen.bet.stake,
        "waiting": _waiting(seen),
        "dealt": list(seen.hand),
        "held": list(seen.held),
        "envido": envido_points(seen.hand),
        "flor": flor_points(seen.hand),
        "other_count": 3 - len(seen.rounds.by(seen.other)),
        "plays": [
            {"seat": play.seat, "card": play.card, "down": play.down} for play in seen.rounds.plays
        ],
        "winners": list(seen.rounds.winners),
        "log": [_event(event) for event in seen.log],
        "outcome": _outcome(seen),
    }  # fmt: skip


def _last_move(seen: TrucoObservation) -> Json | None:
    """The action that led here, as this seat saw it: the state's own log knows the faces of cards that lie face down."""
    acted = (event for event in reversed(seen.log) if isinstance(event, Acted))
    last = next(acted, None)
    return _event(last) if last else None


def _waiting(seen: TrucoObservation) -> Action | None:
    """The innermost call that waits for an answer."""
    if seen.flor.pending:
        return seen.flor.calls[-1]
    return seen.envido.calls[-1] if seen.envido.pending else seen.bet.call


def _event(event: Event) -> Json:
    if isinstance(event, Acted):
        return {"seat": event.seat, "action": event.action}
    kind = "announced" if isinstance(event, Announced) else "awarded"
    return {"seat": event.seat, kind: event.points, "stage": event.stage}


def _outcome(seen: TrucoObservation) -> Json | None:
    if seen.outcome is None:
        return None
    one = seen.outcome
    return {"reason": one.reason, "winner": one.winner, "points": list(one.points)}


def _end(live: LiveMatch) -> Json | None:
    return None if live.end is None else {"winner": live.end.winner, "ending": live.end.ending}


def _asks(live: LiveMatch) -> Json | None:
    asks = live.question
    return None if asks is None else {"scenario": asks.scenario, "proposed": asks.proposed}


def _can(seen: TrucoObservation) -> Json:
    """What this seat may do, and why it may not do the rest."""
    return {
        "cards": [action for action in seen.legal if action in seen.held],
        "down": any(action.startswith(DOWN_PREFIX) for action in seen.legal),
        "calls": [_call(seen, call) for call in CALLS],
    }


def _call(seen: TrucoObservation, call: Action) -> Json:
    worth = price(seen, call) if call in seen.legal else None
    return {
        "call": call,
        "key": KEYS[call],
        "why_not": why_not(seen, call),
        "accepted": worth.accepted if worth else None,
        "declined": worth.declined if worth else None,
    }
