"""What a seat sees as one JSON object, for players elsewhere: written, and read back as it was.

>>> from retruco.games.truco import Truco
>>> from retruco.streams import Stream
>>> game = Truco.named("cbtg")
>>> sight = game.start(game.deal(Stream("seen")), game.opening()).play("truco").observe(1)
>>> read_seen(write_seen(sight)) == sight
True
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from retruco.cards import Card, card
from retruco.games.core import BadRecord, Outcome, short_repr
from retruco.games.truco.bet import Bet
from retruco.games.truco.deck import Hand
from retruco.games.truco.envido import Envido
from retruco.games.truco.flor import Flor
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import Play, Rounds
from retruco.games.truco.state import STAGES, Acted, Announced, Awarded, Event

Json = dict[str, Any]


def write_seen(seen: TrucoObservation) -> Json:
    """Write down what a seat sees of a hand; cards, calls and actions are in the notation."""
    return {
        "game": "truco",
        "rules": seen.game.rules.name,
        "target": seen.game.target,
        "seat": seen.seat,
        "mao": seen.mao,
        "to_act": seen.to_act,
        "legal": list(seen.legal),
        "hand": list(seen.hand),
        "held": list(seen.held),
        "scores": list(seen.scores),
        "plays": [play._asdict() for play in seen.rounds.plays],
        "winners": list(seen.rounds.winners),
        "envido": _plain(seen.envido),
        "flor": _plain(seen.flor),
        "bet": seen.bet._asdict(),
        "points": {stage: list(pair) for stage, pair in zip(STAGES, seen.points, strict=True)},
        "log": [_event(event) for event in seen.log],
        "outcome": _outcome(seen.outcome),
    }


def _plain(chain: Envido | Flor) -> Json:
    return {name: list(one) if isinstance(one, tuple) else one for name, one in chain._asdict().items()}


def _event(event: Event) -> Json:
    if isinstance(event, Acted):
        return {"seat": event.seat, "action": event.action}
    kind = "announced" if isinstance(event, Announced) else "awarded"
    return {"seat": event.seat, kind: event.points, "stage": event.stage}


def _outcome(outcome: Outcome | None) -> Json | None:
    if outcome is None:
        return None
    return {"reason": outcome.reason, "winner": outcome.winner, "points": list(outcome.points)}


def read_seen(plain: Mapping[str, Any], history: tuple[TrucoObservation, ...] = ()) -> TrucoObservation:
    """Read what a seat saw; refuse what was not written by `write_seen`."""
    try:
        return _read(plain, history)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"this is not what a seat of truco sees: {error!r} in {short_repr(plain)}") from None


def _read(plain: Mapping[str, Any], history: tuple[TrucoObservation, ...]) -> TrucoObservation:
    plays = tuple(Play(one["seat"], _card(one["card"]), one["down"]) for one in plain["plays"])
    envido, flor, outcome = plain["envido"], plain["flor"], plain["outcome"]
    points = [tuple(plain["points"][stage]) for stage in STAGES]
    return TrucoObservation(
        Truco.named(plain["rules"], plain["target"]),
        plain["seat"],
        plain["to_act"],
        tuple(plain["legal"]),
        cast(Hand, tuple(map(card, plain["hand"]))),
        tuple(map(card, plain["held"])),
        (plain["scores"][0], plain["scores"][1]),
        Rounds(plain["mao"], plays, tuple(plain["winners"])),
        Envido(tuple(envido["calls"]), envido["caller"], envido["closed"]),
        Flor(tuple(flor["calls"]), tuple(flor["singers"]), flor["closed"]),
        Bet(**plain["bet"]),
        (points[0], points[1], points[2]),
        tuple(_read_event(one) for one in plain["log"]),
        Outcome(outcome["reason"], outcome["winner"], tuple(outcome["points"])) if outcome else None,
        history,
    )


def _card(text: str | None) -> Card | None:
    return None if text is None else card(text)


def _read_event(plain: Mapping[str, Any]) -> Event:
    if "action" in plain:
        return Acted(plain["seat"], plain["action"])
    if "announced" in plain:
        return Announced(plain["seat"], plain["stage"], plain["announced"])
    return Awarded(plain["seat"], plain["stage"], plain["awarded"])
