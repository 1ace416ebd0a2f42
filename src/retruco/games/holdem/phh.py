"""Hands in the Poker Hand History format (PHH), as PokerKit and others read it."""

from __future__ import annotations

from collections.abc import Iterator

from retruco.games.holdem.betting import AGGRESSIVE, FOLD, LAST_STAGE
from retruco.games.holdem.rules import BOARD
from retruco.games.holdem.state import HoldemState, seat_at


def phh(state: HoldemState) -> str:
    """Write a hand as a PHH document; players are numbered by position, the first to the dealer's left.

    Nobody runs out of chips in our rules: the starting stacks are twice what could be paid at the most.
    """
    rules, seats = state.game.rules, state.game.seats
    if rules.sizes[0] != rules.sizes[1] or rules.sizes[2] != rules.sizes[3]:
        raise ValueError(f"PHH knows a small and a big bet, not {rules.sizes}")
    # With two seats the format lists the blinds in the usual order all the same.
    blinds = [rules.small_blind, rules.big_blind] + [0] * (seats - 2)
    lines = {
        "variant": '"FT"',
        "antes": str([0] * seats),
        "blinds_or_straddles": str(blinds),
        "small_bet": str(rules.sizes[0]),
        "big_bet": str(rules.sizes[2]),
        "starting_stacks": str([2 * rules.most_spent] * seats),
        "actions": "[" + ", ".join(f'"{action}"' for action in _actions(state)) + "]",
    }
    return "".join(f"{name} = {value}\n" for name, value in lines.items())


def _actions(state: HoldemState) -> Iterator[str]:
    """The dealer's and the players' actions, in order."""
    seats, stage, level = state.game.seats, 0, state.game.rules.big_blind
    for position in range(seats):
        hand = state.deal.hands[seat_at(state.dealer, position, seats)]
        yield f"d dh p{position + 1} {''.join(hand) if hand else '????'}"
    for step in state.steps():
        while stage < step.betting.stage:
            yield _board(state, stage)
            stage, level = stage + 1, 0
        acting = step.betting.to_act
        assert acting is not None
        if step.action in AGGRESSIVE:
            level += step.betting.size
            yield f"p{acting + 1} cbr {level}"
        else:
            yield f"p{acting + 1} {'f' if step.action == FOLD else 'cc'}"
    if state.outcome and state.outcome.reason == "showdown":
        for position in _showing(state):
            hand = state.deal.hands[seat_at(state.dealer, position, seats)]
            assert hand is not None, "a showdown shows"
            yield f"p{position + 1} sm {''.join(hand)}"


def _showing(state: HoldemState) -> tuple[int, ...]:
    """Who shows when: the last to bet on the river first, then round; without a bet, from the dealer's left."""
    last = [step for step in state.steps() if step.action in AGGRESSIVE and step.betting.stage == LAST_STAGE]
    first = last[-1].betting.to_act if last else 0
    assert first is not None
    live = state.betting.live_positions()
    return (*(one for one in live if one >= first), *(one for one in live if one < first))


def _board(state: HoldemState, stage: int) -> str:
    return "d db " + "".join(state.deal.board[BOARD[stage] : BOARD[stage + 1]])
