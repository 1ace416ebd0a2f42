"""Euchre beside OpenSpiel: hands in lock-step, and random hands a second in one run.

Lock-step plays the same random hands at both tables and stops at the first difference: both rounds
of bidding, discards, going alone, every card, every trick, the points. For the speed both play
random legal actions, chosen by the same `random.choice`, through Python on one core, in turns.

    python benchmarks/euchre.py                     100,000 hands in lock-step, then the speed
    python benchmarks/euchre.py --hands 2000
"""

from __future__ import annotations

import argparse
import json
import random
import time
from functools import partial
from typing import Any

from retruco.agents.euchre.openspiel import in_lock_step, load_game
from retruco.games.core import Match
from retruco.games.euchre import Euchre
from retruco.streams import Stream

BATCH, BATCHES = 500, 60
TABLES = {"openspiel": True, "openspiel-pass": False}


def lock_step(hands: int) -> dict[str, object]:
    """Play so many hands at both tables, half of them with stick-the-dealer."""
    started = time.perf_counter()
    for rules, stick in TABLES.items():
        game, theirs = Euchre.named(rules), load_game(stick)
        for number in range(hands // len(TABLES)):
            chance = Stream("lock-step", rules, number)
            match = Match((0, 0), chance.below(4))
            deal = game.deal(chance)
            if found := in_lock_step(game, theirs, deal, match, chance):
                raise SystemExit(f"{rules}, hand {number}, {deal}, dealer {match.first}: {found}")
    return {"hands": hands, "differences": 0, "seconds": round(time.perf_counter() - started, 1)}


def ours(game: Euchre, batch: int) -> None:
    """Play a batch of random hands."""
    match = game.opening()
    for number in range(BATCH):
        state = game.start(game.deal(Stream("speed", batch, number)), match)
        while state.outcome is None:
            state = state.play(random.choice(state.legal))


def theirs(game: Any) -> None:
    """Play a batch of random hands at OpenSpiel's table, its deals drawn card by card as it wants."""
    for _ in range(BATCH):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))


def speed() -> dict[str, object]:
    """Time both in turns, by the processor; of each the median batch counts, so that a busy machine hurts both alike."""
    game, other = Euchre.named("openspiel"), load_game(stick_the_dealer=True)
    seconds: dict[str, list[float]] = {"retruco": [], "openspiel": []}
    for batch in range(BATCHES):
        for name, play in (("retruco", partial(ours, game, batch)), ("openspiel", partial(theirs, other))):
            started = time.process_time()
            play()
            seconds[name].append(time.process_time() - started)
    rates = {name: BATCH / sorted(taken)[BATCHES // 2] for name, taken in seconds.items()}
    best = {name: BATCH / min(taken) for name, taken in seconds.items()}
    return {
        "hands_per_second": {name: round(rate) for name, rate in rates.items()},
        "best_batch": {name: round(rate) for name, rate in best.items()},
        "ratio": round(rates["retruco"] / rates["openspiel"], 2),
        "ratio_of_best": round(best["retruco"] / best["openspiel"], 2),
    }


def main() -> None:
    """Run both parts and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=100_000)
    hands = parser.parse_args().hands
    print(json.dumps({"lock_step": lock_step(hands), "speed": speed()}, indent=1))


if __name__ == "__main__":
    main()
