"""Matches as lines of JSON: one hand a line, as `retruco replay` reads them back."""

from __future__ import annotations

import json
from collections.abc import Sequence

from retruco.arena.seatings import seatings
from retruco.arena.sets import PlayedSet


def lines_of(played: PlayedSet, names: Sequence[str]) -> list[str]:
    """Write every finished hand of a set, with who sat where, the result, and decisions if kept.

    The id says which hand it is: entrants, set, match of the set, hand of the match.
    """
    lines = []
    for order, (seating, match) in enumerate(zip(seatings(played.game), played.matches, strict=True)):
        kept = played.tallies[order].decisions
        for number, hand in enumerate(match.hands):
            record = {
                **hand.state.record(),
                "id": f"{' - '.join(names)}, {played.number}.{order}.{number}",
                "agents": [names[entrant] for entrant, _ in seating],
                "result": hand.state.summary(),
            }
            if kept:
                record["decisions"] = kept[number]
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return lines
