"""Chance that stays: a strategy is drawn once for a stage and must be the same when asked again.

A seat's stream is new with every decision, and agents keep no memory; so what has to hold for a
whole stage is drawn from a stream named by what the seat saw when it first acted in it.
"""

from __future__ import annotations

from retruco.streams import Stream
from retruco.vocab.holdem.view import View


def chance_of(who: str, view: View) -> Stream:
    """Give the stream of a view: the same for the same view, another for any other."""
    seats = view.betting.rules.seats
    return Stream(who, "".join(view.hole), "".join(view.board), " ".join(view.actions), view.hand, seats)
