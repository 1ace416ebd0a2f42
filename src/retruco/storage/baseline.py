"""The embedded baseline: 3,195 synthetic hands, so that agents can remember from the first day.

A panel of scripted players of several styles plays matches by the rules of the published
experiments; who sits where is drawn for every match, whose view is kept for every hand. All
chance is keyed, so the hands are the same bytes on every machine. They stand in for the 3,195
human hands of Paulus (2020) and are called synthetic wherever they appear.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Final

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.match import play_match
from retruco.arena.table import FinishedHand
from retruco.games.core import Game
from retruco.games.registry import find_game
from retruco.storage.progress import Progress, count_off, silent
from retruco.storage.reading import EMBEDDED, Facts, Hand
from retruco.storage.store import Store
from retruco.streams import Stream, key_number

HANDS: Final = 3195
GAME, RULES, TARGET = "truco", "trucogame", 24
PANEL: Final = ("novice", "cautious", "balanced", "aggressive", "bluffer")

VERSION: Final = 1
"""Raised when the panel plays differently; a store with an older baseline then makes it anew."""

NOTE: Final = "scripted players of five styles, to 24; no person played these hands"
MADE: Final = "as version "


def make_baseline(store: Store, progress: Progress = silent) -> None:
    """Make the baseline, if the store has none or an older one."""
    if _is_there(store):
        return
    with store.making():
        if not _is_there(store):
            _play_baseline(store, progress)


def _play_baseline(store: Store, progress: Progress) -> None:
    message = f"making the embedded case base {EMBEDDED!r}: {HANDS:,} synthetic hands, once"
    hands = list(count_off(baseline_hands(), HANDS, message, progress))
    with store.writing() as writer:
        writer.hold_names()
        if not _is_current(writer.find(EMBEDDED)):
            writer.embed(GAME, RULES, NOTE, f"{MADE}{VERSION}", hands)


def _is_there(store: Store) -> bool:
    with store.reading() as reader:
        found = reader.find(EMBEDDED)
    # A store that cannot be written keeps the baseline it has.
    return _is_current(found) or (found is not None and store.read_only)


def _is_current(found: Facts | None) -> bool:
    version = found.created.removeprefix(MADE) if found else ""
    return version.isdigit() and int(version) >= VERSION


def baseline_hands() -> Iterator[Hand]:
    """Play matches without end and give their hands, each as one seat saw it."""
    game = find_game(GAME, RULES, TARGET)
    panel = {name: find_agent(name, GAME) for name in PANEL}
    for match in itertools.count():
        yield from _match_hands(game, panel, match)


def _match_hands(game: Game, panel: dict[str, Agent], match: int) -> Iterator[Hand]:
    draw = Stream(EMBEDDED, "seats", match)
    names = [draw.choice(PANEL) for _ in range(game.seats)]
    first = draw.below(game.seats)
    deals = partial(_deal, game, match)
    played = play_match(game, [panel[name] for name in names], deals, first, key_number(EMBEDDED, match))
    assert played.forfeit is None, played.forfeit
    for number, hand in enumerate(played.hands):
        seat = Stream(EMBEDDED, "view", match, number).below(game.seats)
        yield Hand.of(_record(hand, names), seat, "synthetic")


def _deal(game: Game, match: int, number: int) -> object:
    return game.deal(Stream(EMBEDDED, "deal", match, number))


def _record(hand: FinishedHand, names: list[str]) -> dict[str, object]:
    points = hand.state.summary()["points"]
    return {**hand.state.record(), "agents": names, "result": {"points": points}}
