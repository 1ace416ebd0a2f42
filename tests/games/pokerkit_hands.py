"""Hands played in lock-step with PokerKit: at every step both must agree."""

from random import Random

from pokerkit import Automation, FixedLimitTexasHoldem
from pokerkit import State as Theirs

from retruco.games.holdem import Holdem, HoldemState
from retruco.games.holdem.rules import BOARD
from retruco.games.holdem.state import position_of, seat_at
from retruco.streams import Stream

AUTOMATED = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
STACK = 10_000


def differences(seats: int, number: int, chance: Random) -> list[str]:
    """Play one random hand with both engines; list what they do not agree on."""
    game = Holdem.named(f"four-{seats}")
    dealer = chance.randrange(seats)
    state = game.begin(game.deal(Stream("pokerkit", seats, number)), dealer)
    theirs = begun(state)
    found: list[str] = []
    while state.outcome is None and not found:
        found += disagreements(state, theirs)
        action = chance.choice(state.legal)
        state = state.play(action)
        act(theirs, action)
        lay_board(state, theirs)
    return found or unlike_ends(state, theirs)


def begun(state: HoldemState) -> Theirs:
    """Set PokerKit's table; its player 0 is our position 0."""
    rules, seats = state.game.rules, state.game.seats
    theirs = FixedLimitTexasHoldem.create_state(
        AUTOMATED,
        True,
        0,
        (rules.small_blind, rules.big_blind),
        rules.sizes[0],
        rules.sizes[-1],
        STACK,
        seats,
    )
    for position in range(seats):
        hand = state.deal.hands[seat_at(state.dealer, position, seats)]
        assert hand is not None
        theirs.deal_hole("".join(hand))
    return theirs


def act(theirs: Theirs, action: str) -> None:
    if action == "fold":
        theirs.fold()
    elif action in ("check", "call"):
        theirs.check_or_call()
    else:
        theirs.complete_bet_or_raise_to()


def lay_board(state: HoldemState, theirs: Theirs) -> None:
    """Deal PokerKit the board cards that its betting has reached."""
    while theirs.status and (theirs.can_burn_card("??") or theirs.can_deal_board()):
        if theirs.can_burn_card("??"):
            theirs.burn_card("??")  # we burn none: an unknown card stands for it
        lying = sum(len(cards) for cards in theirs.board_cards)
        until = BOARD[BOARD.index(lying) + 1]
        theirs.deal_board("".join(state.deal.board[lying:until]))


def disagreements(state: HoldemState, theirs: Theirs) -> list[str]:
    assert state.to_act is not None
    ours = {
        "turn": position_of(state.dealer, state.to_act, state.game.seats),
        "legal": set(state.legal),
        "pot": state.betting.pot,
        "to call": state.betting.to_call,
    }
    facing = theirs.checking_or_calling_amount
    passive = {"fold", "call"} if facing else {"check"}
    opened = "raise" if max(theirs.bets) else "bet"
    raising = {opened} if theirs.can_complete_bet_or_raise_to() else set()
    others = {
        "turn": theirs.actor_index,
        "legal": passive | raising,
        "pot": theirs.total_pot_amount,
        "to call": facing,
    }
    return [f"{name}: {ours[name]} and {others[name]}" for name in ours if ours[name] != others[name]]


def unlike_ends(state: HoldemState, theirs: Theirs) -> list[str]:
    assert state.outcome is not None
    seats = state.game.seats
    ours = [state.outcome.points[seat_at(state.dealer, position, seats)] for position in range(seats)]
    others = [stack - STACK for stack in theirs.stacks]
    return [] if ours == others and not theirs.status else [f"points: {ours} and {others}, {state.deal}"]
