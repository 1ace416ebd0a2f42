"""A hand as one JSON object: written, read back and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.cards import card
from retruco.games.core import BadRecord, short_repr
from retruco.games.records import check_different, check_keys, game_of, scores_below, seat_of, states_of
from retruco.games.truco.deck import Hand
from retruco.games.truco.game import Truco
from retruco.games.truco.rules import Rules
from retruco.games.truco.state import TrucoState

KEYS: Final = ("rules", "target", "scores", "mao", "hands", "actions")
NUMBER_WORDS: Final = {1: "one card", 2: "two cards", 3: "three cards"}


def record(state: TrucoState) -> dict[str, object]:
    """Write a hand down: who acts follows from the rules, so the actions are a flat list."""
    won = [sum(pair[seat] for pair in state.points) for seat in (0, 1)]
    return {
        "game": "truco",
        "rules": state.game.rules.name,
        "target": state.game.target,
        "scores": [state.scores[seat] - won[seat] for seat in (0, 1)],
        "mao": state.mao,
        "hands": [list(map(str, hand)) for hand in state.hands],
        "actions": list(state.actions),
        "version": Truco.version,
    }


def read(record: Mapping[str, object]) -> TrucoState:
    """Replay a recorded hand, finished or not.

    >>> hand = {"game": "truco", "rules": "cbtg", "target": 24, "scores": [0, 0], "mao": 0,
    ...         "hands": [["1e", "7c", "4b"], ["3o", "2c", "5e"]], "actions": ["envido", "nao-quero"]}
    >>> read(hand).scores
    (1, 0)
    """
    return read_states(record)[-1]


def read_states(record: Mapping[str, object]) -> list[TrucoState]:
    """Replay a recorded hand: the state before each action, and the one after the last."""
    if "seen_by" in record:
        raise BadRecord(
            f"this hand is kept as seat {short_repr(record['seen_by'])} saw it: without the other's cards it cannot be replayed"
        )
    check_keys(record, "truco", KEYS)
    game = game_of(Truco, record["rules"], record["target"])
    scores = scores_below(game.target, record["scores"])
    mao = seat_of("mao", record["mao"], game.seats)
    return states_of(game.begin(read_hands(record["hands"], game.rules), scores, mao), record["actions"])


def read_hands(value: object, rules: Rules) -> tuple[Hand, Hand]:
    """Read the cards of both seats, all different."""
    if not isinstance(value, list) or len(value) != 2:
        raise BadRecord(
            f"hands must be two lists of {NUMBER_WORDS[rules.hand_size]}, not {short_repr(value)}"
        )
    first, second = _hand(value[0], rules), _hand(value[1], rules)
    check_different(first + second)
    return first, second


def _hand(value: object, rules: Rules) -> Hand:
    if not isinstance(value, list) or len(value) != rules.hand_size:
        raise BadRecord(f"a hand has exactly {NUMBER_WORDS[rules.hand_size]}, not {short_repr(value)}")
    try:
        hand = tuple(map(card, value))
    except ValueError as error:
        raise BadRecord(str(error)) from None
    if strange := [one for one in hand if one not in rules.deck]:
        raise BadRecord(f"{strange[0]} is not in the deck of {rules.name}: {' '.join(rules.deck)}")
    return hand
