"""Steps a second of our environments, PettingZoo's classic games and RLCard's games, in one run.

    python benchmarks/environments.py                  print the table
    python benchmarks/environments.py --seconds 10     measure each for longer
    python benchmarks/environments.py --write          write the table into docs/environments.md
    python benchmarks/environments.py --performance    run PettingZoo's performance_benchmark on Truco instead

Every environment is played with random legal actions (the vectorised one with actions spread over the legal ones), on one core, and observed at every step. Processor time
counts, so that a busy machine does not disturb. Games that are not installed are left out by name.
PettingZoo's classic card games need `pip install rlcard pygame`.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

PAGE: Final = Path(__file__).parent.parent / "docs" / "environments.md"
BEGIN, END = "<!-- environments: begin -->\n", "<!-- environments: end -->\n"
COUNTS: Final = (1, 64, 4096)
CLASSIC: Final = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "tictactoe_v3")
RLCARD: Final = ("leduc-holdem", "limit-holdem", "no-limit-holdem", "uno")
OURS: Final = (("kuhn", None), ("leduc", None), ("holdem", "limit-2"), ("euchre", None), ("truco", "cbtg"))


class Speed(NamedTuple):
    """A line of the table."""

    library: str
    game: str
    steps: float


def steps_a_second(play: Iterator[int], seconds: float) -> float:
    """Play for some processor time, after a moment to warm up."""
    for _ in range(3):
        next(play)
    begun, steps = time.process_time(), 0
    while (spent := time.process_time() - begun) < seconds:
        steps += next(play)
    return steps / spent


def play_pettingzoo(environment: Any) -> Iterator[int]:
    """One episode of a PettingZoo environment after the other."""
    while True:
        environment.reset()
        steps = 0
        for agent in environment.agent_iter():
            seen, _, terminated, truncated, _ = environment.last()
            done = terminated or truncated
            environment.step(None if done else environment.action_space(agent).sample(seen["action_mask"]))
            steps += not done
        yield steps


def play_rlcard(environment: Any) -> Iterator[int]:
    """One episode of an RLCard environment after the other."""
    while True:
        state, _ = environment.reset()
        steps = 0
        while not environment.is_over():
            state, _ = environment.step(random.choice(list(state["legal_actions"])))
            steps += 1
        yield steps


def play_vector(count: int) -> Iterator[int]:
    """One step of all tables after the other; choosing the actions is part of the time."""
    from retruco.interfaces.vector import VectorTruco

    tables = VectorTruco(count, "cbtg", seed=1)
    batch, draws = tables.reset(), np.arange(count)
    while True:
        draws += 7
        batch = tables.step(nth_legal(batch.masks, draws))
        yield count


def nth_legal(masks: Any, draws: Any) -> Any:
    """A legal action of each row, spread over them by a number."""
    places = np.cumsum(masks, axis=1, dtype=np.int8)
    wanted = draws % places[:, -1] + 1
    return (places == wanted[:, None]).argmax(axis=1)


def our_speeds(seconds: float) -> Iterator[Speed]:
    """The vectorised tables, and our games as PettingZoo environments."""
    from retruco.interfaces.pettingzoo import env

    for count in COUNTS:
        yield Speed(
            "retruco, vectorised", f"truco, {count:,} at once", steps_a_second(play_vector(count), seconds)
        )
    for game, rules in OURS:
        speed = steps_a_second(play_pettingzoo(env(game, rules, seed=1)), seconds)
        yield Speed("retruco, PettingZoo", game, speed)


def classic_speeds(seconds: float) -> Iterator[Speed]:
    """PettingZoo's own games."""
    from importlib import import_module

    for name in CLASSIC:
        environment = import_module(f"pettingzoo.classic.{name}").env()
        speed = steps_a_second(play_pettingzoo(environment), seconds)
        yield Speed(f"PettingZoo {version('pettingzoo')}", name, speed)


def rlcard_speeds(seconds: float) -> Iterator[Speed]:
    """RLCard's games."""
    import rlcard

    for name in RLCARD:
        speed = steps_a_second(play_rlcard(rlcard.make(name, config={"seed": 1})), seconds)
        yield Speed(f"RLCard {version('rlcard')}", name, speed)


def measure(seconds: float) -> Iterator[Speed]:
    """All that is installed."""
    for speeds in (our_speeds, classic_speeds, rlcard_speeds):
        try:
            yield from speeds(seconds)
        except ImportError as error:
            print(f"left out: {error}")


def run_performance_benchmark() -> None:
    """PettingZoo's own benchmark on our environment; it prints turns a second of wall-clock time."""
    from pettingzoo.test import performance_benchmark

    from retruco.interfaces.pettingzoo import env

    performance_benchmark(env("truco", "cbtg", seed=1))


def table(speeds: list[Speed]) -> str:
    """The speeds as a table."""
    lines = [f"| {line.library} | {line.game} | {line.steps:,.0f} |" for line in speeds]
    return "\n".join(["| library | game | steps a second |", "|---|---|---|", *lines]) + "\n"


def main() -> None:
    """Measure, and print or write the table."""
    parser = argparse.ArgumentParser(description="Steps a second of card games as environments.")
    parser.add_argument("--seconds", type=float, default=2, help="processor time for each")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    parser.add_argument("--performance", action="store_true", help="only PettingZoo's own benchmark")
    options = parser.parse_args()
    if options.performance:
        run_performance_benchmark()
        return
    text = table(list(measure(options.seconds)))
    print(text)
    if options.write:
        before, rest = PAGE.read_text().split(BEGIN)
        note = (
            f"\nOne core, {options.seconds:g} s of processor time each, Python {platform.python_version()}.\n"
        )
        PAGE.write_text(before + BEGIN + text + note + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
