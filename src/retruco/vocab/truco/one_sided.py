"""A hand as one seat saw it: a record that has nothing of the other seat but what it showed.

A whole record has the cards of both seats. Where only one of two people agreed to have their hands kept,
what is kept of a hand is what the one who agreed saw at each of their turns, what they did, and how they saw
the hand end. That is all that the rows of a seat are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from retruco.games.core import Action, BadRecord, Seat, short_repr
from retruco.games.truco import Truco, TrucoObservation, TrucoState
from retruco.games.truco.notation import read_states
from retruco.games.truco.seen import read_seen, write_seen

SEEN_BY: Final = "seen_by"
"""The key that marks such a record; its value is the seat."""
KEYS: Final = frozenset({"game", "rules", "target", SEEN_BY, "turns", "end", "version"})
OPTIONAL: Final = frozenset({"id", "result", "agents"})


SeenTurn: TypeAlias = tuple[TrucoObservation, Action]
"""What a seat saw, and what it did."""


class SeenHand(NamedTuple):
    """A hand as a seat saw it: how it ended, and its turns."""

    end: TrucoObservation
    turns: list[SeenTurn]


def one_sided(end: TrucoState, seat: Seat) -> dict[str, object]:
    """Write down a finished hand as a seat saw it."""
    assert end.outcome is not None, "only a finished hand is kept"
    turns = [{"seen": write_seen(seen), "action": action} for seen, action in turns_of(end, seat)]
    return {
        "game": "truco",
        "rules": end.game.rules.name,
        "target": end.game.target,
        SEEN_BY: seat,
        "turns": turns,
        "end": write_seen(end.observe(seat)),
        "version": Truco.version,
    }


def turns_of(end: TrucoState, seat: Seat) -> Iterator[SeenTurn]:
    """Go through a hand's turns of one seat: what it saw, what it did."""
    record = end.record()
    scores = record["scores"]
    assert isinstance(scores, list)
    state = Truco(end.game.rules, end.game.target).begin(end.hands, (scores[0], scores[1]), end.mao)
    for action in end.actions:
        if state.to_act == seat:
            yield state.observe(seat), action
        state = state.play(action)


def as_seen(record: Mapping[str, object], seat: Seat) -> SeenHand:
    """A recorded hand, whole or one-sided, as a seat saw it."""
    if is_one_sided(record):
        return read_one_sided(record, seat)
    *states, end = read_states(record)
    turns = zip(states, end.actions, strict=True)
    return SeenHand(end.observe(seat), [(now.observe(seat), one) for now, one in turns if now.to_act == seat])


def is_one_sided(record: Mapping[str, object]) -> bool:
    """Tell a record of what one seat saw from a whole one.

    >>> is_one_sided({"game": "truco", "seen_by": 1}), is_one_sided({"game": "truco"})
    (True, False)
    """
    return SEEN_BY in record


def read_one_sided(record: Mapping[str, Any], seat: Seat) -> SeenHand:
    """Read how a seat saw a hand end, and its turns; refuse what was not written by `one_sided`."""
    missing, unknown = KEYS - record.keys(), record.keys() - KEYS - OPTIONAL
    if missing or unknown:
        raise BadRecord(
            f"a hand as one seat saw it lacks {sorted(missing)} and does not know {sorted(unknown)}"
        )
    if record[SEEN_BY] != seat:
        raise BadRecord(
            f"this hand is kept as seat {short_repr(record[SEEN_BY])} saw it: seat {seat} has no part in it"
        )
    if not isinstance(record["turns"], list) or not all(isinstance(one, Mapping) for one in record["turns"]):
        raise BadRecord(f"turns must be a list of what was seen and done, not {short_repr(record['turns'])}")
    end = read_seen(record["end"])
    turns = [(read_seen(one.get("seen", {})), str(one.get("action"))) for one in record["turns"]]
    if end.outcome is None or {seen.seat for seen, _ in turns} - {seat} or end.seat != seat:
        raise BadRecord(f"this is no finished hand as seat {seat} saw it: {short_repr(record['end'])}")
    for seen, action in turns:
        if action not in seen.legal:
            raise BadRecord(f"{short_repr(action)} was not possible: one of {', '.join(seen.legal)}")
    return SeenHand(end, turns)
