"""Hands as lines of JSON: read with care, refused with a reason."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NoReturn

from retruco.cli.errors import print_error
from retruco.games.core import BadRecord, State, short_repr
from retruco.games.records import replay

LONGEST_LINE = 1_000_000
"""How many bytes a line may have; a longer one is refused unread."""


def replay_lines(file: str, keep_going: bool) -> int:
    """Print where each recorded hand stands."""
    return for_each_hand(file, keep_going, lambda state: state.summary())


def phh_lines(file: str, keep_going: bool) -> int:
    """Print each hand of hold'em as a section of a PHH file."""
    from retruco.games.holdem import HoldemState
    from retruco.games.holdem.phh import phh

    numbers = itertools.count(1)

    def write(state: State) -> None:
        if not isinstance(state, HoldemState):
            raise BadRecord(f"PHH is for hold'em, not for {state.record()['game']}")
        written = phh(state)
        print(f"[{next(numbers)}]\n{written}", flush=True)

    return for_each_hand(file, keep_going, write)


def for_each_hand(file: str, keep_going: bool, answer: Callable[[State], dict[str, Any] | None]) -> int:
    """Answer each hand of a file, played up to where it stands; see `for_each_record`."""
    return for_each_record(file, keep_going, lambda record: answer(replay(record)))


def for_each_record(
    file: str, keep_going: bool, answer: Callable[[dict[str, object]], dict[str, Any] | None]
) -> int:
    """Answer each record of a file with a line of JSON, if there is any; report each bad one.

    Returns the exit code: 2 if any line was bad, after the first of them unless told to go on.
    """
    code, where = 0, "" if file == "-" else f"{file}, "
    with open_input(file) as stream:
        for number, line in numbered_lines(stream):
            try:
                result = answer(parse_line(line))
            except ValueError as error:
                print_error(f"{where}line {number}: {error}")
                code = 2
                if not keep_going:
                    break
            else:
                if result is not None:
                    print(json.dumps({"line": number, **result}), flush=True)
    return code


@contextmanager
def open_input(file: str) -> Iterator[BinaryIO]:
    """Open a file of bytes, or standard input for `-`."""
    if file == "-":
        yield sys.stdin.buffer
    else:
        with open(file, "rb") as stream:
            yield stream


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Number the lines from 1; one that is too long comes as `None`, its bytes never held."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 2):
        number += 1
        if len(line.rstrip(b"\r\n")) <= LONGEST_LINE:
            yield number, line
            continue
        while not line.endswith(b"\n") and (line := stream.readline(LONGEST_LINE)):
            pass
        yield number, None


def parse_line(line: bytes | None) -> dict[str, object]:
    """Read one line as a JSON object, strictly."""
    if line is None:
        raise BadRecord(f"the line is longer than {LONGEST_LINE} bytes: one hand a line")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise BadRecord(
            f"not UTF-8 at byte {error.start}: {short_repr(line[error.start : error.start + 8])}"
        ) from None
    if not text.strip():
        raise BadRecord("an empty line: one JSON hand a line")
    try:
        value = json.loads(text, object_pairs_hook=_refuse_duplicate_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise BadRecord(
            f"not JSON ({error.msg} at character {error.pos + 1}): {short_repr(text.strip())}"
        ) from None
    except RecursionError:
        raise BadRecord(f"not a hand, nested too deep: {short_repr(text.strip())}") from None
    if not isinstance(value, dict):
        raise BadRecord(f"a hand is a JSON object, not {short_repr(value)}")
    return value


def _refuse_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise BadRecord(f"key {short_repr(key)} stands twice")
    return dict(pairs)


def _refuse_constant(name: str) -> NoReturn:
    raise BadRecord(f"{name} is no JSON number")
