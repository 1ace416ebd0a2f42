"""What is counted while a match is played: decisions, experience, revisions, time, illegal moves."""

from __future__ import annotations

import json
import time
from collections import Counter

from retruco.agents.core import REVISED
from retruco.arena.match import Condemned, Onlooker
from retruco.arena.table import Table
from retruco.cbr.case import Decision, Json
from retruco.games.core import Seat


def counted(decision: Decision) -> list[str]:
    """Name everything that a decision counts as.

    >>> counted(Decision("bet"))
    ['decisions']
    """
    looked_up = [asked for asked in decision.asked if asked.evidence is not None]
    names = ["decisions"] + ["questions"] * len(looked_up)
    names += ["without experience" for asked in looked_up if asked.choice.answer is None]
    return names + [REVISED + one.rule for one in decision.revised_by]


class Tally(Onlooker):
    """Counts and times the decisions of every seat, and ends a match when one takes too long."""

    def __init__(self, seats: int, move_time: float | None = None, keep_decisions: bool = False) -> None:
        self.counts: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.seconds = [0.0] * seats
        self.decisions: list[list[dict[str, Json]]] = []
        """The decisions of each hand begun, as plain data, if they are kept."""
        self.move_time, self.keep_decisions = move_time, keep_decisions
        self._since = 0.0

    def asking(self, table: Table, seat: Seat) -> None:
        """Start the clock."""
        self._since = time.perf_counter()

    def note_decision(self, table: Table, seat: Seat, decision: Decision) -> None:
        """Stop the clock and count."""
        taken = time.perf_counter() - self._since
        self.seconds[seat] += taken
        if decision.asked or decision.revised_by:
            self.counts[seat].update(counted(decision))
        else:
            self.counts[seat]["decisions"] += 1
        if self.move_time is not None and taken > self.move_time:
            raise too_late(self.move_time, table, seat)
        if self.keep_decisions:
            self._keep(len(table.hands), seat, decision)

    def _keep(self, hand: int, seat: Seat, decision: Decision) -> None:
        while len(self.decisions) <= hand:
            self.decisions.append([])
        # Written here and read back: what an agent puts into a decision and JSON does not know is its own fault.
        plain = json.loads(json.dumps(decision.as_json()))
        self.decisions[hand].append({"seat": seat, **plain})


def too_late(move_time: float, table: Table, seat: Seat) -> Condemned:
    """The forfeit of a seat that did not answer in time; it names no seconds, so it can be repeated."""
    return Condemned("late", f"no answer within {move_time:g} s {where(table, seat)}")


def where(table: Table, seat: Seat) -> str:
    """Say which decision of a match is meant."""
    return f"at decision {table.decisions[seat] + 1} of hand {table.match.hand + 1}"
