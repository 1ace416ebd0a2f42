"""What the records of all games have in common, read with care: keys, seats, scores, cards, actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar, cast

from retruco.games.core import BadRecord, Game, IllegalAction, Seat, State, short_repr
from retruco.games.registry import game_class, game_names

OPTIONAL: Final = ("id", "version", "agents", "decisions", "result")
"""What any record may say beside what its game demands."""

S = TypeVar("S", bound=State)
G = TypeVar("G", bound=Game)


def replay(record: Mapping[str, object]) -> State:
    """Play a recorded hand again, of whatever game it is.

    >>> replay({"game": "kuhn", "cards": ["K", "J"], "first": 0, "actions": ["bet"]}).legal
    ('call', 'fold')
    """
    name = record.get("game")
    if not isinstance(name, str) or name not in game_names():
        raise BadRecord(f"game must be one of {', '.join(game_names())}, not {short_repr(name)}")
    return game_class(name).read(record)


def replay_finished(record: Mapping[str, object]) -> State:
    """Play a recorded hand again; refuse one that breaks off."""
    end = replay(record)
    if end.outcome is None:
        raise BadRecord(f"the hand is not finished: seat {end.to_act} has to act")
    return end


def check_keys(
    record: Mapping[str, object], game: str, required: Sequence[str], optional: Sequence[str] = OPTIONAL
) -> None:
    """Refuse a record of another game, one that lacks something, or one that says what nobody understands."""
    named = ("game", *required)
    for key in named:
        if key not in record:
            raise BadRecord(f"missing key {key!r}: a hand of game {game!r} has {', '.join(named)}")
    for key in record:
        if key not in named and key not in optional:
            raise BadRecord(
                f"unknown key {short_repr(key)}: a hand of game {game!r} has {', '.join((*named, *optional))}"
            )
    if record["game"] != game:
        raise BadRecord(f"game must be {game!r}, not {short_repr(record['game'])}")


def game_of(kind: type[G], rules: object, target: object) -> G:
    """The game by these rules and to this target."""
    if not isinstance(rules, str) or not rules:
        raise BadRecord(f"rules must be a name, not {short_repr(rules)}")
    try:
        return cast(G, kind.named(rules, integer("target", target)))
    except ValueError as error:
        raise BadRecord(str(error)) from None


def integer(name: str, value: object) -> int:
    """An integer, and neither a number with a point nor yes or no."""
    if type(value) is not int:
        raise BadRecord(f"{name} must be an integer, not {short_repr(value)}")
    return value


def seat_of(name: str, value: object, seats: int) -> Seat:
    """A seat at a table of so many."""
    seat = integer(name, value)
    if not 0 <= seat < seats:
        raise BadRecord(f"{name} must be a seat from 0 to {seats - 1}, not {seat}")
    return seat


def scores_below(target: int, value: object) -> tuple[int, int]:
    """The scores of two sides, neither of which has won yet."""
    if not isinstance(value, list) or len(value) != 2:
        raise BadRecord(f"scores must be a list of two integers, not {short_repr(value)}")
    for score in value:
        if not 0 <= integer("a score", score) < target:
            raise BadRecord(
                f"a score must be from 0 to {target - 1}, below the target, not {short_repr(score)}"
            )
    return value[0], value[1]


def check_different(cards: Iterable[str]) -> None:
    """Refuse a card that is in two places."""
    seen: set[str] = set()
    for card in cards:
        if card in seen:
            raise BadRecord(f"card {card!r} is dealt twice")
        seen.add(card)


def played(state: S, actions: object) -> S:
    """Play recorded actions on."""
    return states_of(state, actions)[-1]


def states_of(state: S, actions: object) -> list[S]:
    """The state before each of some recorded actions, and the one after the last."""
    if not isinstance(actions, list):
        raise BadRecord(f"actions must be a list of strings, not {short_repr(actions)}")
    states = [state]
    for number, action in enumerate(actions, 1):
        if action not in state.legal:
            raise IllegalAction(action, state.legal, f" as action {number}")
        state = state.play(action)
        states.append(state)
    return states
