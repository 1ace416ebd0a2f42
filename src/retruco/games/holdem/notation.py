"""Hands and observations as plain data: written down, and read back with care."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from retruco.games.core import BadRecord, IllegalAction, short_repr
from retruco.games.holdem.deck import Hole, card
from retruco.games.holdem.rules import BOARD, STAGES
from retruco.games.holdem.state import HoldemDeal, HoldemObservation, HoldemState, position_of
from retruco.games.observations import (
    check_agreement,
    read_table,
    read_value,
    value_of,
    write_table,
    write_value,
)
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
    deal = read_deal(data["hands"], data["board"], game.seats)
    return played_on(game.begin(deal, dealer), data["actions"])


def played_on(state: HoldemState, actions: object) -> HoldemState:
    """Play recorded actions, for which the board must have enough cards."""
    state = played(state, actions)
    if len(state.board) < BOARD[state.betting.stage]:
        raise BadRecord(
            f"board {short_repr(list(state.board))} is too short: the betting has reached "
            f"{BOARD[state.betting.stage]} open cards"
        )
    return state


def read_deal(hands: object, board: object, seats: int) -> HoldemDeal:
    """Read the cards of a hand, all different."""
    if not isinstance(hands, list) or len(hands) != seats:
        raise BadRecord(f"hands must be a list of {seats} hands, not {short_repr(hands)}")
    if not isinstance(board, list) or len(board) not in BOARD:
        raise BadRecord(f"board must be a list of 0, 3, 4 or 5 cards, not {short_repr(board)}")
    try:
        deal = HoldemDeal(tuple(map(_hole, hands)), tuple(map(card, board)))
    except ValueError as error:
        raise BadRecord(str(error)) from None
    check_different((*(one for hand in deal.hands if hand for one in hand), *deal.board))
    return deal


def _hole(hand: object) -> Hole | None:
    if hand is None:
        return None
    if not isinstance(hand, list) or len(hand) != 2:
        raise BadRecord(f"a hand is a list of two cards, or null if nobody saw it, not {short_repr(hand)}")
    return card(hand[0]), card(hand[1])


# What a seat sees


def write_observation(seen: HoldemObservation) -> dict[str, Any]:
    """Write what a seat sees: cards as text, chips and folds by seat."""
    betting, seats = seen.betting, range(seen.game.seats)
    return {
        **write_table(seen.game),
        "seat": seen.seat,
        "dealer": seen.dealer,
        "to_act": seen.to_act,
        "legal": list(seen.legal),
        "hole": write_value(seen.hole),
        "board": list(seen.board),
        "stage": STAGES[betting.stage],
        "pot": betting.pot,
        "to_call": betting.to_call,
        "bet_size": betting.size,
        "raises": betting.raises,
        "spent": [betting.spent[position_of(seen.dealer, seat, len(seats))] for seat in seats],
        "folded": [not betting.live >> position_of(seen.dealer, seat, len(seats)) & 1 for seat in seats],
        "actions": [
            {"seat": step.seat, "stage": STAGES[step.betting.stage], "action": step.action}
            for step in seen.steps()
        ],
        "outcome": write_value(seen.outcome),
        "shown": write_value(seen.shown),
    }


def read_observation(kind: type[Holdem], plain: Any, history: tuple[Any, ...]) -> HoldemObservation:
    """Read what a seat sees by playing the hand with the cards that it has seen."""
    game = read_table(kind, plain)
    try:
        seen = _replay(game, plain).observe(plain["seat"], history)
    except IllegalAction as error:
        raise BadRecord(str(error)) from None
    check_agreement(write_observation(seen), plain)
    return seen


def _replay(game: Holdem, plain: Mapping[str, Any]) -> HoldemState:
    """The hand with the cards that the seat has seen: its own, and those shown at the end."""
    dealer, shown_hands = seat_of("dealer", value_of(plain, "dealer"), game.seats), value_of(plain, "shown")
    hands = [None] * game.seats if shown_hands == [] else shown_hands
    if isinstance(hands, list) and len(hands) == game.seats:
        hands = [*hands[: plain["seat"]], value_of(plain, "hole"), *hands[plain["seat"] + 1 :]]
    deal = read_deal(hands, value_of(plain, "board"), game.seats)
    steps = read_value(tuple[dict[str, Any], ...], value_of(plain, "actions"), "actions")
    return played_on(game.begin(deal, dealer), [value_of(step, "action") for step in steps])
