"""Observations as JSON, for players outside this process: written and read back for any game.

The form follows the observation's fields: a dataclass or `NamedTuple` is an object, a tuple or set a
list, an enum its name, a card its text. Reading goes by the type hints. A game whose fields would
be hard to read overrides `Game.write_observation` and `Game.read_observation`.

>>> from retruco.games.kuhn import Kuhn, KuhnState
>>> Kuhn().write_observation(KuhnState(("K", "J")).play("bet").observe(1))["legal"]
['call', 'fold']
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from retruco.cards import Card, card
from retruco.games.core import BadRecord, Game, Observation, short_repr
from retruco.games.records import game_of, seat_of
from retruco.streams import Stream

Json: TypeAlias = dict[str, Any]
G = TypeVar("G", bound=Game)

TABLE_KEYS: Final = ("game", "rules", "target")
"""Which table it is. An observation may have a field `game`, its table, but none called `rules` or `target`."""
NAMES: Final[Mapping[Any, str]] = {
    int: "an integer",
    float: "a number",
    bool: "true or false",
    str: "text",
    NoneType: "null",
    dict: "an object",
    **dict.fromkeys((tuple, list, set, frozenset), "a list"),
}
"""What the types of JSON are called in an error."""
LEFT_OUT: Final = ("game", "history")
"""Fields that are not written: the game stands in the three keys, and earlier hands are sent on their own."""


# Whole observations


def write_fields(game: Game, observation: Any) -> Json:
    """Write what a seat sees, field by field."""
    names = [name for name in field_names(type(observation)) if name not in LEFT_OUT]
    if taken := set(names) & set(TABLE_KEYS):
        raise TypeError(f"the field {min(taken)!r} of {type(observation).__name__} needs another name")
    return {
        **write_table(game),
        "seat": observation.seat,
        "to_act": observation.to_act,
        "legal": write_value(observation.legal),
        **{name: write_value(getattr(observation, name)) for name in names},
    }


def write_table(game: Game) -> Json:
    """Which table it is."""
    return {"game": game.name, "rules": game.rules_name, "target": game.goal}


def read_fields(kind: type[Game], plain: object, history: tuple[Any, ...] = ()) -> Observation:
    """Read what `write_fields` wrote; refuse anything else."""
    given: Json = {"game": read_table(kind, plain), "history": history}
    values, seen = cast(Json, plain), observation_class(kind)
    fields = {
        name: given[name] if name in LEFT_OUT else read_value(hint, value_of(values, name), name)
        for name, hint in hints_of(seen, kind).items()
    }
    return cast(Observation, _make(seen, fields, f"what a seat of {kind.name} sees"))


def read_table(kind: type[G], plain: object) -> G:
    """The table at which something was seen, once that is an object of this game and from one of its seats."""
    if not isinstance(plain, Mapping):
        raise BadRecord(f"what a seat of {kind.name} sees must be an object, not {short_repr(plain)}")
    if value_of(plain, "game") != kind.name:
        raise BadRecord(f"game must be {kind.name!r}, not {short_repr(plain['game'])}")
    game = game_of(kind, value_of(plain, "rules"), value_of(plain, "target"))
    seat_of("seat", value_of(plain, "seat"), game.seats)
    return game


def value_of(plain: Mapping[str, Any], key: str) -> Any:
    """What an object has under a key that it must have."""
    if key not in plain:
        raise BadRecord(f"missing key {key!r}: there are {', '.join(map(str, plain)) or 'none'}")
    return plain[key]


def check_agreement(written: Mapping[str, Any], plain: Mapping[str, Any]) -> None:
    """Refuse what differs from how the observation read from it is written."""
    for key, value in written.items():
        if value_of(plain, key) != value:
            raise BadRecord(
                f"{key} must be {short_repr(value)} by the rest of it, not {short_repr(plain[key])}"
            )


@cache
def observation_class(kind: type[Game]) -> type[Observation]:
    """The class of a game's observations, as any hand of it shows."""
    game = kind.named()
    return type(game.start(game.deal(Stream("observation")), game.opening()).observe(0))


# Values


def field_names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a dataclass or `NamedTuple`."""
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind) if field.init)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return cast(tuple[str, ...], kind._fields)
    raise TypeError(
        f"{kind.__name__} is neither a dataclass nor a NamedTuple: "
        "its game defines write_observation and read_observation"
    )


@cache
def hints_of(kind: type, game: type[Game] | None = None) -> Mapping[str, Any]:
    """The types of the fields; the game's own class need not be imported where it is named."""
    known = {kind.__name__: kind} | ({game.__name__: game} if game else {})
    hints = get_type_hints(kind, localns=known)
    return {name: hints[name] for name in field_names(kind)}


def write_value(value: Any) -> Any:
    """Write a value of an observation as plain data.

    >>> from retruco.games.core import Outcome
    >>> write_value((Outcome("fold", 1, (-1, 1)), frozenset({"b", "a"}), None))
    [{'reason': 'fold', 'winner': 1, 'points': [-1, 1]}, ['a', 'b'], None]
    """
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, set | frozenset):
        return sorted(map(write_value, value))
    if isinstance(value, Mapping):
        return {str(key): write_value(item) for key, item in value.items()}
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return [write_value(item) for item in value]
    return {name: write_value(getattr(value, name)) for name in field_names(type(value))}


def read_value(kind: Any, plain: Any, where: str) -> Any:
    """Read a value of a type from plain data; `where` names it in an error.

    >>> read_value(tuple[int | None, ...], [1, None], "bids")
    (1, None)
    >>> read_value(tuple[int, ...], [1, "two"], "bids")
    Traceback (most recent call last):
    ...
    retruco.games.core.BadRecord: bids[1] must be an integer, not 'two'
    """
    origin = get_origin(kind) or kind
    if origin in (Any, object):
        return plain
    if origin in (Union, UnionType):
        return _read_union(kind, plain, where)
    if origin is Literal:
        return _check(plain in get_args(kind), kind, plain, where)
    if origin in (tuple, list, set, frozenset):
        return _read_items(kind, origin, plain, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _read_mapping(kind, plain, where)
    return _read_class(origin, plain, where)


def _read_class(kind: type, plain: Any, where: str) -> Any:
    """Read a number, a text, a card, an enum, or an object with fields."""
    if kind is float:
        return float(_check(type(plain) in (int, float), kind, plain, where))
    if kind in (int, bool, str, NoneType):
        return _check(type(plain) is kind, kind, plain, where)
    if issubclass(kind, Card):
        return _try(card, plain, where)
    if issubclass(kind, Enum):
        return kind[_check(isinstance(plain, str) and plain in kind.__members__, kind, plain, where)]
    if issubclass(kind, str):
        return _try(kind, _check(isinstance(plain, str), kind, plain, where), where)
    return _read_object(kind, plain, where)


def _read_object(kind: type, plain: Any, where: str) -> Any:
    names = field_names(kind)
    if not isinstance(plain, Mapping) or set(plain) != set(names):
        raise BadRecord(f"{where} must be an object with {', '.join(names)}, not {short_repr(plain)}")
    fields = {name: read_value(hint, plain[name], f"{where}.{name}") for name, hint in hints_of(kind).items()}
    return _make(kind, fields, where)


def _read_items(kind: Any, origin: Any, plain: Any, where: str) -> Any:
    kinds = get_args(kind) or (Any, ...)
    _check(isinstance(plain, list), kind, plain, where)
    if origin is tuple and kinds[-1] is not ...:
        if len(plain) != len(kinds):
            raise BadRecord(f"{where} must be a list of {len(kinds)}, not {short_repr(plain)}")
    else:
        kinds = (kinds[0],) * len(plain)
    pairs = enumerate(zip(kinds, plain, strict=True))
    return origin(read_value(item_kind, item, f"{where}[{place}]") for place, (item_kind, item) in pairs)


def _read_mapping(kind: Any, plain: Any, where: str) -> Any:
    _, item_kind = get_args(kind) or (str, Any)
    _check(isinstance(plain, Mapping), kind, plain, where)
    return {key: read_value(item_kind, item, f"{where}.{key}") for key, item in plain.items()}


def _read_union(kind: Any, plain: Any, where: str) -> Any:
    """Read the first type that fits: classes in a union have different fields."""
    errors = []
    for member in get_args(kind):
        try:
            return read_value(member, plain, where)
        except BadRecord as error:
            errors.append(str(error))
    raise BadRecord("; or ".join(errors))


def _check(is_right: bool, kind: Any, plain: Any, where: str) -> Any:
    if not is_right:
        raise BadRecord(f"{where} must be {_name(kind)}, not {short_repr(plain)}")
    return plain


def _name(kind: Any) -> str:
    """A type for people: its alternatives where it lists them."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "one of " + ", ".join(kind.__members__)
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    return NAMES.get(get_origin(kind) or kind, str(kind))


def _make(kind: type, fields: Json, where: str) -> Any:
    return _try(lambda values: kind(**values), fields, where)


def _try(make: Any, plain: Any, where: str) -> Any:
    try:
        return make(plain)
    except ValueError as error:
        raise BadRecord(f"{where}: {error}") from None
