"""A hand as one JSON object: written, read back and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.cards import card
from retruco.games.core import BadRecord, IllegalAction, shown
from retruco.games.truco.deck import Hand
from retruco.games.truco.game import Truco
from retruco.games.truco.rules import preset
from retruco.games.truco.state import Pair, TrucoState

REQUIRED: Final = ("game", "rules", "target", "scores", "mao", "hands", "actions")
OPTIONAL: Final = ("id", "version", "agents", "decisions", "result")


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
    _check_keys(record)
    game = _game(record)
    scores = _scores(record["scores"], game.target)
    mao = _integer("mao", record["mao"])
    if mao not in (0, 1):
        raise BadRecord(f"mao must be 0 or 1, not {shown(mao)}")
    state = game.begin(_hands(record["hands"]), scores, mao)
    actions = record["actions"]
    if not isinstance(actions, list):
        raise BadRecord(f"actions must be a list of strings, not {shown(actions)}")
    for number, action in enumerate(actions, 1):
        if action not in state.legal:
            raise IllegalAction(action, state.legal, f" as action {number}")
        state = state.play(action)
    return state


def _check_keys(record: Mapping[str, object]) -> None:
    for key in REQUIRED:
        if key not in record:
            raise BadRecord(f"missing key {key!r}: a hand has {', '.join(REQUIRED)}")
    for key in record:
        if key not in REQUIRED and key not in OPTIONAL:
            raise BadRecord(f"unknown key {shown(key)}: a hand has {', '.join(REQUIRED + OPTIONAL)}")
    if record["game"] != "truco":
        raise BadRecord(f"game must be 'truco', not {shown(record['game'])}")


def _game(record: Mapping[str, object]) -> Truco:
    try:
        rules = preset(record["rules"])
    except ValueError as error:
        raise BadRecord(str(error)) from None
    target = _integer("target", record["target"])
    if target < 1:
        raise BadRecord(f"target must be at least 1, not {shown(target)}")
    return Truco(rules, target)


def _integer(name: str, value: object) -> int:
    if type(value) is not int:
        raise BadRecord(f"{name} must be an integer, not {shown(value)}")
    return value


def _scores(value: object, target: int) -> Pair:
    if not isinstance(value, list) or len(value) != 2:
        raise BadRecord(f"scores must be a list of two integers, not {shown(value)}")
    for score in value:
        if not 0 <= _integer("a score", score) < target:
            raise BadRecord(f"a score must be from 0 to {target - 1}, below the target, not {shown(score)}")
    return value[0], value[1]


def _hands(value: object) -> tuple[Hand, Hand]:
    if not isinstance(value, list) or len(value) != 2:
        raise BadRecord(f"hands must be two lists of three cards, not {shown(value)}")
    first, second = _hand(value[0]), _hand(value[1])
    twice = {one for one in first + second if (first + second).count(one) > 1}
    if twice:
        raise BadRecord(f"card {sorted(twice)[0]!r} is dealt twice")
    return first, second


def _hand(value: object) -> Hand:
    if not isinstance(value, list) or len(value) != 3:
        raise BadRecord(f"a hand has exactly three cards, not {shown(value)}")
    try:
        return card(value[0]), card(value[1]), card(value[2])
    except ValueError as error:
        raise BadRecord(str(error)) from None
