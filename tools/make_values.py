"""Make the values of a solution file, beside it: `python tools/make_values.py mine.solution`."""

from __future__ import annotations

import argparse
from pathlib import Path

from retruco.solver.truco.values import DEALS, HANDS, value_solution


def main() -> None:
    """Write the values beside the solution."""
    parser = argparse.ArgumentParser(description="Make the values of a solution of Truco, beside it.")
    parser.add_argument("solution", type=Path)
    parser.add_argument("--deals", type=int, default=DEALS, help="deals that are explored")
    parser.add_argument("--hands", type=int, default=HANDS, help="hands that are played for outcomes")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    file = value_solution(options.solution, options.deals, options.hands, options.seed)
    print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
