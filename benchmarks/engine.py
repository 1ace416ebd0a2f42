"""How fast the Truco engine plays: random hands a second, beside pytruco, in one run.

Both play without folding, whole matches of random legal actions; both are pure Python on one
core. A second part plays many random hands, folding included, by every preset, and stops at the
first exception.

    python benchmarks/engine.py             a million hands a preset
    python benchmarks/engine.py --hands 20000
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from random import Random

from pytruco.pdt.chi import random_action
from pytruco.pdt.partida import Partida

from retruco.games.records import replay
from retruco.games.truco import PRESETS, Truco
from retruco.streams import Stream

WINDOW = 3.0
"""Seconds that each side plays before the other has its turn."""


def our_hands(game: Truco, chance: Random, folding: bool) -> Iterator[int]:
    """Play random matches for ever and yield once a hand."""
    number = 0
    while True:
        match = game.opening(chance.randrange(2))
        while not game.is_over(match):
            state = game.start(game.deal(Stream("engine", number)), match)
            number += 1
            while state.outcome is None:
                legal = state.legal if folding else [act for act in state.legal if act != "baralho"]
                state = state.play(legal[int(chance.random() * len(legal))])
            match = game.after(match, state)
            yield number


class Counted(Partida):  # type: ignore[misc]  # pytruco has no types
    """A match of pytruco that counts the hands dealt."""

    hands = 1

    def nueva_ronda(self, el_mano: int) -> None:
        """Deal the next hand."""
        self.hands += 1
        super().nueva_ronda(el_mano)


def their_hands() -> Iterator[int]:
    """Play pytruco's random matches for ever and yield once a hand."""
    while True:
        match = Counted(20, ["a"], ["b"], verbose=False)
        told = 0
        while not match.terminada():
            random_action(match, allow_mazo=False).hacer(match)
            yield from range(told, match.hands - 1)
            told = match.hands - 1
        yield told


def rate(hands: Iterator[int], seconds: float) -> float:
    """Measure how many hands a second come."""
    count, started = 0, time.perf_counter()
    while (passed := time.perf_counter() - started) < seconds:
        next(hands)
        count += 1
    return count / passed


def side_by_side(rounds: int) -> None:
    """Print both rates and their ratio, taking turns so that noise strikes both alike."""
    sides: dict[str, Callable[[], Iterator[int]]] = {
        "retruco": lambda: our_hands(Truco.named("cbtg"), Random(1), folding=False),
        "pytruco": their_hands,
    }
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, make in sides.items():
            rates[name].append(rate(make(), WINDOW))
    best = {name: sorted(found)[len(found) // 2] for name, found in rates.items()}
    for name, found in best.items():
        print(f"{name:10} {found:10,.0f} hands a second (median of {rounds})")
    print(f"ratio      {best['retruco'] / best['pytruco']:10.1f}")


def soak(hands: int) -> None:
    """Play random hands by every preset; every thousandth is written down and played back."""
    for preset in PRESETS:
        game, chance, started = Truco.named(preset), Random(2), time.perf_counter()
        match, actions = game.opening(), 0
        for number in range(hands):
            state = game.start(game.deal(Stream("soak", number)), match)
            while state.outcome is None:
                state = state.play(chance.choice(state.legal))
                actions += 1
            if number % 1000 == 0:
                assert replay(json.loads(json.dumps(state.record()))) == state
            match = game.after(match, state)
            match = game.opening(match.first) if game.is_over(match) else match
        seconds = time.perf_counter() - started
        print(
            f"{preset:20} {hands:,} hands, {actions:,} actions, {hands / seconds:,.0f} hands a second, no exception"
        )


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=1_000_000, help="random hands a preset")
    parser.add_argument("--rounds", type=int, default=5, help="turns that each side takes")
    arguments = parser.parse_args()
    side_by_side(arguments.rounds)
    soak(arguments.hands)


if __name__ == "__main__":
    main()
