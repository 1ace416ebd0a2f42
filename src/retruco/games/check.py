"""The contract every game keeps: random hands that prove it, and counts."""

from __future__ import annotations

import json
from collections import Counter

from retruco.aliases import moved
from retruco.games import records
from retruco.games.core import Action, Game, IllegalAction, Match, Observation, State
from retruco.streams import Stream

NONSENSE: tuple[Action, ...] = ("", "no such action", "quero quero", "down:", "99z")


__getattr__ = moved(__name__, replay="retruco.games.records:replay")


def perft(state: State, depth: int = 1000) -> Counter[str]:
    """Count the decisions and the ends of every way to play on, up to a depth."""
    if state.outcome is not None:
        return Counter(ends=1)
    counts = Counter(decisions=1)
    if depth > 0:
        for action in state.legal:
            counts += perft(state.play(action), depth - 1)
    return counts


def check_game(game: Game, hands: int = 100, seed: object = "check") -> None:
    """Play random hands and assert what must hold in every state of every game."""
    match = game.opening(Stream(seed, "first").below(game.seats))
    for number in range(hands):
        if game.is_over(match):
            match = game.opening(match.first)
        chance = Stream(seed, number)
        deal = game.deal(chance)
        state = game.start(deal, match)
        while state.outcome is None:
            check_state(game, state)
            state = state.play(chance.choice(state.legal))
        check_end(game, deal, match, state)
        match = game.after(match, state)


def check_state(game: Game, state: State) -> None:
    """Assert what holds while a hand is being played."""
    assert state.to_act in range(game.seats)
    assert state.legal, "a seat must be able to act"
    assert len(set(state.legal)) == len(state.legal), f"listed twice: {state.legal}"
    for seat in range(game.seats):
        seen = state.observe(seat)
        assert seen.seat == seat
        assert seen.to_act == state.to_act
        assert seen.legal == (state.legal if seat == state.to_act else ())
        if seat == state.to_act:
            check_observation(game, seen)
    for action in NONSENSE:
        assert_refused(state, action)
    before = repr(state)
    for action in state.legal:
        state.play(action)
    assert repr(state) == before, "playing an action must not change the state"


def check_observation(game: Game, seen: Observation) -> None:
    """Assert that what a seat sees survives the way through JSON."""
    plain = game.write_observation(seen)
    assert plain.keys() >= {"game", "rules", "target", "seat", "to_act", "legal"}
    assert game.read_observation(json.loads(json.dumps(plain))) == seen, (
        "an observation must be read back as it was written"
    )


def assert_refused(state: State, action: Action) -> None:
    """Assert that the rules refuse an action."""
    try:
        state.play(action)
    except IllegalAction as error:
        assert repr(action) in str(error)
    else:
        raise AssertionError(f"{action!r} was accepted although only {state.legal} are legal")


def check_end(game: Game, deal: object, match: Match, state: State) -> None:
    """Assert what holds when a hand is over."""
    assert state.outcome is not None
    assert state.to_act is None
    assert state.legal == ()
    assert len(state.outcome.points) == len(set(game.teams))
    assert game.read_deal(str(deal)) == deal, "a deal must be read back from its text"
    for seat in range(game.seats):
        check_observation(game, state.observe(seat))
    assert records.replay(state.record()) == state, "a record must play back to the same end"
    again = game.start(deal, match)
    for action in state.actions:
        assert_refused(state, action)
        again = again.play(action)
    assert again == state, "the same deal and actions must give the same hand"
