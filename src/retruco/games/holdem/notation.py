"""Hands as plain data: written down, and read back with care."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from retruco.games.core import BadRecord, shown
from retruco.games.holdem.deck import Hole, card
from retruco.games.holdem.rules import BOARD
from retruco.games.holdem.state import HoldemDeal, HoldemState
from retruco.games.records import OPTIONAL, check_different, check_keys, game_of, played, seat_of

if TYPE_CHECKING:
    from retruco.games.holdem.game import Holdem

KEYS: Final = ("rules", "dealer", "hands", "board", "actions")


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


def read(kind: type[Holdem], data: Mapping[str, object]) -> HoldemState:
    """Replay a recorded hand; cards that nobody has seen may be missing."""
    check_keys(data, "holdem", KEYS, ("target", "plans", "reads", *OPTIONAL))
    game = game_of(kind, data["rules"], data.get("target", kind.named().goal))
    dealer = seat_of("dealer", data["dealer"], game.seats)
    state = played(game.begin(read_deal(data["hands"], data["board"], game.seats), dealer), data["actions"])
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
    check_different((*(one for hand in held if hand for one in hand), *deal.board))
    return deal


def _hole(hand: object) -> Hole | None:
    if hand is None:
        return None
    if not isinstance(hand, list) or len(hand) != 2:
        raise BadRecord(f"a hand is a list of two cards, or null if nobody saw it, not {shown(hand)}")
    return card(hand[0]), card(hand[1])
