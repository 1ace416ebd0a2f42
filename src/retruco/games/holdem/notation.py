"""Hands as plain data: written down, and read back with care."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from retruco.games.core import BadRecord, shown
from retruco.games.holdem.deck import Hole, card
from retruco.games.holdem.rules import BOARD
from retruco.games.holdem.state import HoldemDeal, HoldemState

if TYPE_CHECKING:
    from retruco.games.holdem.game import Holdem

KEYS = ("rules", "dealer", "hands", "board", "actions")


def record(state: HoldemState) -> dict[str, object]:
    """Write a hand down."""
    game = state.game
    return {
        "game": game.name,
        "rules": game.rules.name,
        "target": game.hands,
        "dealer": state.dealer,
        "hands": [list(hand) if hand else None for hand in state.deal.hands],
        "board": list(state.deal.board),
        "actions": list(state.actions),
        "version": game.version,
    }


def read(game_of: type[Holdem], data: Mapping[str, object]) -> HoldemState:
    """Replay a recorded hand; cards that nobody has seen may be missing."""
    if missing := [key for key in KEYS if key not in data]:
        raise BadRecord(f"missing key {missing[0]!r}: a hand of game 'holdem' has game, {', '.join(KEYS)}")
    rules, target, actions = data["rules"], data.get("target"), data["actions"]
    if not isinstance(rules, str) or not (target is None or type(target) is int):
        raise BadRecord(f"rules must be a name and target a number: {shown(rules)}, {shown(target)}")
    game = game_of.named(rules, target)
    dealer, seats = data["dealer"], game.seats
    if type(dealer) is not int or not 0 <= dealer < seats:
        raise BadRecord(f"dealer must be a seat from 0 to {seats - 1}, not {shown(dealer)}")
    if not isinstance(actions, list):
        raise BadRecord(f"actions must be a list, not {shown(actions)}")
    state = game.begin(read_deal(data["hands"], data["board"], seats), dealer)
    for action in actions:
        state = state.play(action)
    if len(state.board) < BOARD[state.betting.stage]:
        raise BadRecord(
            f"board {shown(data['board'])} is too short: the betting has reached "
            f"{BOARD[state.betting.stage]} open cards"
        )
    return state


def read_deal(hands: object, board: object, seats: int) -> HoldemDeal:
    """Read the cards of a hand, all different."""
    if not isinstance(hands, list) or len(hands) != seats:
        raise BadRecord(f"hands must be a list of {seats} hands, not {shown(hands)}")
    if not isinstance(board, list) or len(board) not in BOARD:
        raise BadRecord(f"board must be a list of 0, 3, 4 or 5 cards, not {shown(board)}")
    held = tuple(_hole(hand) for hand in hands)
    deal = HoldemDeal(held, tuple(card(one) for one in board))
    every = [*(one for hand in held if hand for one in hand), *deal.board]
    if twice := [one for one in every if every.count(one) > 1]:
        raise BadRecord(f"card {twice[0]!r} stands twice among {' '.join(every)}")
    return deal


def _hole(hand: object) -> Hole | None:
    if hand is None:
        return None
    if not isinstance(hand, list) or len(hand) != 2:
        raise BadRecord(f"a hand is a list of two cards, or null if nobody saw it, not {shown(hand)}")
    return card(hand[0]), card(hand[1])
