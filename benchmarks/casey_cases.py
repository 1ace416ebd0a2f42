"""The cases that hold'em's Caseys begin with, made by learning at tables of two to ten seats; and what they are worth.

    python benchmarks/casey_cases.py                       each size of table against random, with intervals
    python benchmarks/casey_cases.py --agent casey-learns --against rulebot --seats 2 4 --deals 50
    python benchmarks/casey_cases.py --train FILE          the same learning again, written to a file
    python benchmarks/casey_cases.py --train FILE --hands 3000     more of it

Each deal is a series of hands, played once with the agent in every seat; the unit is the series.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from retruco.agents.registry import find_agent
from retruco.arena.sets import play_set
from retruco.arena.tables import table_results
from retruco.cbr.case_file import write_cases
from retruco.games.holdem import Holdem
from retruco.learning.case_bases import cases_named
from retruco.learning.holdem.tables import HANDS, SEATS, all_hands, learn_tables


def measure(agent: str, against: str, seats: int, deals: int, series: int, cases: str | None) -> None:
    """Play one agent among others of one kind, and print what it wins in mbb per hand."""
    game = Holdem.named(f"casey-{seats}", target=series)
    players = [find_agent(name, "holdem", cases_named(cases)) for name in (agent, against)]
    entrants = [[players[min(1, seat)]] for seat in range(seats)]
    played = [play_set(game, entrants, 1, number).score() for number in range(deals)]
    names = [agent, *[against] * (seats - 1)]
    first = table_results(game, names, 1, played)["entrants"][0]
    low, high = first["mbb_ci95"]
    print(
        json.dumps(
            {
                "seats": seats,
                "agent": agent,
                "against": against,
                "mbb": round(first["mbb_per_hand"]),
                "ci95": [round(low), round(high)],
                "series": deals,
                "hands": deals * series * seats,
            }
        ),
        flush=True,
    )


def main() -> None:
    """Train or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--train", type=Path)
    parser.add_argument("--hands", type=int, default=HANDS, help="hands against each group at each table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agent", default="casey-newest-sunk")
    parser.add_argument("--against", default="random")
    parser.add_argument("--seats", type=int, nargs="*", default=list(SEATS))
    parser.add_argument("--deals", type=int, default=20, help="series of hands, each played in every seating")
    parser.add_argument("--series", type=int, default=20, help="hands of a series")
    parser.add_argument("--cases", help="another base than the usual one")
    asked = parser.parse_args()
    if asked.train:
        started = time.process_time()
        cases = learn_tables(asked.seed, asked.hands)
        write_cases(asked.train, cases)
        taken = round(time.process_time() - started, 1)
        print(json.dumps({"hands": all_hands(asked.hands), "rows": len(cases), "processor_seconds": taken}))
        return
    for seats in asked.seats:
        measure(asked.agent, asked.against, seats, asked.deals, asked.series, asked.cases)


if __name__ == "__main__":
    main()
