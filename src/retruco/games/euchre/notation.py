"""A hand as one JSON object: written, read back and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.games.core import BadRecord, IllegalAction, shown
from retruco.games.euchre.bidding import begin
from retruco.games.euchre.deck import Hand, card
from retruco.games.euchre.game import Euchre, EuchreDeal
from retruco.games.euchre.rules import preset
from retruco.games.euchre.state import EuchreState
from retruco.games.euchre.tricks import SEATS

REQUIRED: Final = ("game", "rules", "target", "scores", "dealer", "hands", "upcard", "actions")
OPTIONAL: Final = ("id", "version", "agents", "decisions", "result")
DEALT: Final = 5


def record(state: EuchreState) -> dict[str, object]:
    """Write a hand down: who acts follows from the rules, so the actions are a flat list."""
    return {
        "game": "euchre",
        "rules": state.game.rules.name,
        "target": state.game.target,
        "scores": list(state.scores),
        "dealer": state.dealer,
        "hands": [list(hand) for hand in state.deal.hands],
        "upcard": state.deal.upcard,
        "actions": list(state.actions),
        "version": Euchre.version,
    }


def read(record: Mapping[str, object]) -> EuchreState:
    """Replay a recorded hand, finished or not.

    >>> hand = {"game": "euchre", "rules": "classic", "target": 10, "scores": [0, 0], "dealer": 3,
    ...         "hands": [["Jh", "Jd", "Ah", "Kh", "Qh"], ["9c", "Tc", "Jc", "Qc", "Kc"],
    ...                   ["9s", "Ts", "Js", "Qs", "Ks"], ["9d", "Td", "Qd", "Kd", "Ad"]],
    ...         "upcard": "9h", "actions": ["order-alone", "discard:9d"]}
    >>> read(hand).legal
    ('Jd', 'Jh', 'Qh', 'Kh', 'Ah')
    """
    _check_keys(record)
    game = _game(record)
    scores = _scores(record["scores"], game.target)
    dealer = _integer("dealer", record["dealer"])
    if not 0 <= dealer < SEATS:
        raise BadRecord(f"dealer must be a seat from 0 to {SEATS - 1}, not {shown(dealer)}")
    state = begin(game, _deal(record["hands"], record["upcard"]), scores, dealer)
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
            raise BadRecord(f"missing key {key!r}: a hand of game 'euchre' has {', '.join(REQUIRED)}")
    for key in record:
        if key not in REQUIRED and key not in OPTIONAL:
            raise BadRecord(f"unknown key {shown(key)}: a hand has {', '.join(REQUIRED + OPTIONAL)}")
    if record["game"] != "euchre":
        raise BadRecord(f"game must be 'euchre', not {shown(record['game'])}")


def _game(record: Mapping[str, object]) -> Euchre:
    try:
        rules = preset(record["rules"])
    except ValueError as error:
        raise BadRecord(str(error)) from None
    target = _integer("target", record["target"])
    if target < 1:
        raise BadRecord(f"target must be at least 1, not {shown(target)}")
    return Euchre(rules, target)


def _integer(name: str, value: object) -> int:
    if type(value) is not int:
        raise BadRecord(f"{name} must be an integer, not {shown(value)}")
    return value


def _scores(value: object, target: int) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise BadRecord(f"scores must be a list of two integers, not {shown(value)}")
    for score in value:
        if not 0 <= _integer("a score", score) < target:
            raise BadRecord(f"a score must be from 0 to {target - 1}, below the target, not {shown(score)}")
    return value[0], value[1]


def _deal(hands: object, upcard: object) -> EuchreDeal:
    if not isinstance(hands, list) or len(hands) != SEATS:
        raise BadRecord(f"hands must be four lists of five cards, not {shown(hands)}")
    try:
        deal = EuchreDeal(tuple(map(_hand, hands)), card(upcard))
    except ValueError as error:
        raise BadRecord(str(error)) from None
    cards = [one for hand in deal.hands for one in hand] + [deal.upcard]
    if twice := sorted({one for one in cards if cards.count(one) > 1}):
        raise BadRecord(f"card {twice[0]!r} is dealt twice")
    return deal


def _hand(value: object) -> Hand:
    if not isinstance(value, list) or len(value) != DEALT:
        raise BadRecord(f"a hand has exactly five cards, not {shown(value)}")
    return tuple(map(card, value))
