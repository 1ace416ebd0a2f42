"""Hands to store, and the smallest vocabulary that remembers them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from places import Place
from retruco.cbr.case import Row
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, hindsight
from retruco.games.kuhn import Kuhn, KuhnState
from retruco.games.records import replay
from retruco.games.registry import find_game
from retruco.learning.truco.embedded import baseline_hands
from retruco.storage.reading import Hand
from retruco.storage.store import Store
from retruco.streams import Stream
from retruco.vocab.registry import GameVocabulary

CARDS = ("J", "Q", "K")
TURN = Scenario(
    "turn",
    visible=(equal("card", CARDS), equal("bet", ("no", "yes"))),
    hindsight=(hindsight("own", 0, 1, 2), hindsight("moves", *range(1, 4))),
    actions=("check", "bet", "call", "fold"),
)
LAST = Scenario("last", (equal("card", CARDS),), (), TURN.actions)


def kuhn_rows(record: Mapping[str, object], seat: int, episode: int) -> list[Row]:
    """The questions of one seat of a hand of Kuhn poker; the last one again, without hindsight."""
    end = replay(record)
    assert isinstance(end, KuhnState)
    assert end.outcome is not None
    found: list[Row] = []
    state = KuhnState(end.cards, end.first)
    card = end.cards[seat]
    known = TURN.hindsight_codes({"own": CARDS.index(card), "moves": len(end.actions)})
    for action in end.actions:
        if state.to_act == seat:
            seen = TURN.problem({"card": card, "bet": "yes" if "bet" in state.actions else "no"})
            found.append(Row(seen, action, end.outcome.points[seat], known, episode, len(found)))
        state = state.play(action)
    if found:
        problem = LAST.problem({"card": card})
        found.append(Row(problem, found[-1].action, found[-1].credit, (), episode, len(found)))
    return found


def kuhn_words(version: int = 1) -> GameVocabulary:
    """Kuhn poker as rows."""
    return cast(
        GameVocabulary, SimpleNamespace(VOCABULARY=Vocabulary("kuhn", version, (TURN, LAST)), rows=kuhn_rows)
    )


def kuhn_hands(count: int, key: str = "kuhn") -> list[Hand]:
    """Finished hands of Kuhn poker, drawn at random."""
    game = find_game("kuhn")
    assert isinstance(game, Kuhn)
    found = []
    for number in range(count):
        chance = Stream(key, number)
        state = KuhnState(game.deal(chance), number % 2)
        while state.outcome is None:
            state = state.play(chance.choice(state.legal))
        found.append(Hand.of(state.record(), seat=chance.below(2)))
    return found


def truco_hands(count: int) -> list[Hand]:
    """The first hands of the baseline."""
    return list(islice(baseline_hands(), count))


def everything(folder: Path) -> dict[str, bytes]:
    """All that lies in a folder."""
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def contents(store: Store, name: str) -> list[tuple[int, Hand]]:
    """All hands of a base."""
    return list(store.hands(name))


def start(code: str, place: Place, *args: str) -> subprocess.Popen[str]:
    """Start a real process that finds a store as a user's would."""
    env = {**os.environ, **place.variables}
    command = [sys.executable, "-c", code, *args]
    return subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def read_to_end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process still prints, and its errors, until it ends.

    `communicate` would lose lines that arrived together with one that was read before.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    process.communicate(timeout=120)
    return out, err


def go(*processes: subprocess.Popen[str]) -> None:
    """Let processes begin once all have said that they are ready."""
    for one in processes:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in processes:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
