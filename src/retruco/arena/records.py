"""Hands as text: one a line of JSON, as `retruco replay` reads them back, or in lines for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from retruco.arena.seatings import seatings
from retruco.arena.sets import PlayedSet


def lines_of(played: PlayedSet, names: Sequence[str]) -> list[str]:
    """Write every finished hand of a set, with who sat where, the result, and decisions if kept.

    A set that ended with a crash has fewer matches than seatings. The id says which hand it is: entrants, set, match of the set, hand of the match.
    """
    lines = []
    for order, (seating, match) in enumerate(zip(seatings(played.game), played.matches, strict=False)):
        decisions = played.tallies[order].decisions
        for number, hand in enumerate(match.hands):
            record = {
                **hand.state.record(),
                "id": f"{' - '.join(names)}, {played.number}.{order}.{number}",
                "agents": [names[entrant] for entrant, _ in seating],
                "result": hand.state.summary(),
            }
            if decisions:
                record["decisions"] = decisions[number]
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return lines


def hand_lines(lost: Mapping[str, Any]) -> list[str]:
    """Write the unfinished hand of a forfeit for people, and as the record that `retruco replay` reads.

    >>> hand_lines({"seat": 1, "hand": {"game": "kuhn", "cards": ["J", "Q"], "actions": []}})[:4]
    ['the hand so far, seat 1 to act:', '  game: kuhn', '  cards: J Q', '  actions: none']
    """
    lines = [f"the hand so far, seat {lost['seat']} to act:"]
    lines += [f"  {key}: {_cards(value)}" for key, value in lost["hand"].items()]
    return [*lines, f"  as a record: {json.dumps(lost['hand'], ensure_ascii=False)}"]


def _cards(value: object) -> str:
    """Print a value of a record; lists of cards or actions without their marks."""
    if not isinstance(value, list | tuple):
        return str(value)
    parts = [f"({_cards(one)})" if isinstance(one, list | tuple) else str(one) for one in value]
    return " ".join(parts) or "none"
