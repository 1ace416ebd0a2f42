"""The turns of a recorded hand, of whatever kind the record is: what a seat saw, and what it did.

A whole record has the turns of both seats. A partial one has those of the recorded player, as far as they
can be replayed and nothing about them is in doubt; a record of what one seat saw has that seat's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from retruco.games.core import Action, Seat
from retruco.games.records import integer
from retruco.games.truco import Truco, TrucoObservation, envido_points, has_flor
from retruco.games.truco.notation import read_states
from retruco.vocab.truco.one_sided import SEEN_BY, is_one_sided, read_one_sided
from retruco.vocab.truco.partial import PartialHand, is_partial
from retruco.vocab.truco.partial_replay import UNCALLED, replay_partial


class RecordedTurn(NamedTuple):
    """A decision of a recorded hand."""

    seen: TrucoObservation
    action: Action


class PartlyKnown(ValueError):
    """A partial record that does not say enough to know what the player saw."""


def recorded_turns(record: Mapping[str, object], seat: Seat | None = None) -> list[RecordedTurn]:
    """The turns of a hand in which there was something to choose, those of one seat or of both.

    Raises `BadRecord` or `IllegalAction` for a record that is wrong, `PartlyKnown` for one that says too little.
    """
    if is_partial(record):
        hand = PartialHand.of(record)
        turns = whole_turns(hand.record, 0) if hand.record is not None else partial_turns(hand)
    elif is_one_sided(record):
        turns = one_sided_turns(record)
    else:
        turns = whole_turns(record, seat)
    return [turn for turn in turns if len(turn.seen.legal) > 1]


def whole_turns(record: Mapping[str, object], seat: Seat | None) -> Iterator[RecordedTurn]:
    """Replay a whole record, turn by turn."""
    states = read_states(record)
    for state, action in zip(states, states[-1].actions, strict=False):
        if state.to_act is not None and seat in (None, state.to_act):
            yield RecordedTurn(state.observe(state.to_act), action)


def one_sided_turns(record: Mapping[str, object]) -> Iterator[RecordedTurn]:
    """The turns of the seat whose view was recorded."""
    turns = read_one_sided(record, integer(SEEN_BY, record[SEEN_BY])).turns
    return (RecordedTurn(seen, action) for seen, action in turns)


def partial_turns(hand: PartialHand) -> Iterator[RecordedTurn]:
    """The turns of the recorded player at the recorded score, until something is unknown."""
    reason = doubt_of(hand)
    if reason:
        raise PartlyKnown(reason)
    played, game = replay_partial(hand), Truco.named(hand.rules)
    if played is None:
        raise PartlyKnown("impossible cards")
    before = hand.scores[0] if hand.scores else (0, 0)
    for state, action in played.turns:
        scores = before[0] + state.scores[0], before[1] + state.scores[1]
        if max(scores) >= game.target:
            return
        if state.to_act == 0:
            seen = state.observe(0)
            if state.envido.untouched and _points_differ(hand, seen):
                raise PartlyKnown("envido points unknown")
            yield RecordedTurn(seen._replace(game=game, scores=scores), action)


def doubt_of(hand: PartialHand) -> str | None:
    """Why a partial hand does not tell what its player saw and did."""
    if hand.scores and max(hand.scores[0]) >= Truco.named(hand.rules).target:
        return "the score is at the target"
    if hand.has(UNCALLED):
        return "envido paid, but not called"
    if any(number is None for _, _, number in hand.truco):
        return "truco called in an unknown round"
    return None


def _points_differ(hand: PartialHand, seen: TrucoObservation) -> bool:
    return envido_points(seen.hand) != hand.points[0] or (has_flor(seen.hand) and hand.flor != 0)
