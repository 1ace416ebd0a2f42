"""The solver of Truco: how fast it learns, how large its files are, how fast the agent answers.

    python benchmarks/solver.py                               abstraction xs, 10 seconds of processor time
    python benchmarks/solver.py --abstraction s --seconds 60
    python benchmarks/solver.py --hands 8                     and how exploitable the solution is

Exploitability takes some seconds for each of the hands and seats, more the less has been learnt.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from retruco.agents.registry import find_agent
from retruco.games.truco import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.solver.files import read_solution, write_solution
from retruco.solver.truco.mccfr import TrucoSolver
from retruco.streams import Stream


def main() -> None:
    """Solve for a while, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rules", default="trucogame")
    parser.add_argument("--abstraction", default="xs")
    parser.add_argument("--seconds", type=float, default=10, help="of processor time")
    parser.add_argument("--hands", type=int, default=0, help="hands a seat to measure exploitability with")
    options = parser.parse_args()
    game = Truco.named(options.rules)
    solver = TrucoSolver(game, options.abstraction, seed=1)
    learn(solver, options.seconds)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "measured.solution"
        write_solution(file, solver.solution())
        print(f"solution file: {file.stat().st_size:,} bytes")
        print(f"an answer of the agent: {answer_microseconds(game, file):.0f} µs")
        if options.hands:
            policy = read_solution(file).policy
            started = time.process_time()
            print(f"exploitability: {solver.measure(policy, options.hands)}")
            print(f"measured in {time.process_time() - started:.0f} s of processor time")


def learn(solver: TrucoSolver, seconds: float) -> None:
    """Solve for so many seconds of processor time."""
    solver.run(1)  # compiles
    started, nodes, iterations = time.process_time(), solver.nodes, solver.iterations
    while (passed := time.process_time() - started) < seconds:
        solver.run(5_000)
    iterations, nodes = solver.iterations - iterations, solver.nodes - nodes
    print(f"{solver.game!r}, abstraction {solver.level}: {iterations:,} iterations in {passed:.0f} s")
    print(f"{iterations / passed:,.0f} iterations a second, {nodes / iterations:.1f} decisions each")
    print(f"{nodes / passed:,.0f} decisions a second, {solver.describe()}")


def answer_microseconds(game: Truco, file: Path) -> float:
    """The mean time that the agent takes for a decision of a random hand."""
    agent = find_agent(f"solver:{file}", "truco")
    seen = list(some_observations(game, 300))
    for observation in seen:
        agent.decide(observation, Stream(0))
    started = time.process_time()
    for number, observation in enumerate(seen):
        agent.decide(observation, Stream(number))
    return (time.process_time() - started) / len(seen) * 1e6


def some_observations(game: Truco, hands: int) -> Iterator[TrucoObservation]:
    """What the seats see in random hands."""
    for number in range(hands):
        chance = Stream("observations", number)
        state = game.start(game.deal(chance), game.opening())
        while state.to_act is not None:
            yield state.observe(state.to_act)
            state = state.play(chance.choice([action for action in state.legal if action != "baralho"]))


if __name__ == "__main__":
    main()
