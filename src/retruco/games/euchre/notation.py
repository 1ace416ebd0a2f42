"""A hand as one JSON object: written, read back and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retruco.games.core import BadRecord, shown
from retruco.games.euchre.bidding import begin
from retruco.games.euchre.deck import Hand, card
from retruco.games.euchre.game import Euchre, EuchreDeal
from retruco.games.euchre.state import EuchreState
from retruco.games.euchre.tricks import SEATS
from retruco.games.records import check_different, check_keys, game_of, played, scores_below, seat_of

KEYS: Final = ("rules", "target", "scores", "dealer", "hands", "upcard", "actions")
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
    check_keys(record, "euchre", KEYS)
    game = game_of(Euchre, record["rules"], record["target"])
    scores = scores_below(game.target, record["scores"])
    dealer = seat_of("dealer", record["dealer"], SEATS)
    state = begin(game, _deal(record["hands"], record["upcard"]), scores, dealer)
    return played(state, record["actions"])


def _deal(hands: object, upcard: object) -> EuchreDeal:
    if not isinstance(hands, list) or len(hands) != SEATS:
        raise BadRecord(f"hands must be four lists of five cards, not {shown(hands)}")
    try:
        deal = EuchreDeal(tuple(map(_hand, hands)), card(upcard))
    except ValueError as error:
        raise BadRecord(str(error)) from None
    check_different((*(one for hand in deal.hands for one in hand), deal.upcard))
    return deal


def _hand(value: object) -> Hand:
    if not isinstance(value, list) or len(value) != DEALT:
        raise BadRecord(f"a hand has exactly five cards, not {shown(value)}")
    return tuple(map(card, value))
