"""The Euchre player that remembers: its cases made by self-play, and what it is worth.

    python benchmarks/euchre_cases.py                  duels with the cases that come with the program
    python benchmarks/euchre_cases.py --train FILE     the same self-play again, written to a file
    python benchmarks/euchre_cases.py --quick          a look

All duels are by the rules `openspiel`, which ISMCTS needs; a slow player gets fewer pairs.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from retruco.agents.registry import find_agent
from retruco.arena.duel import play_duel
from retruco.cbr.case_file import write_cases
from retruco.games.euchre import Euchre
from retruco.learning.case_bases import cases_named
from retruco.learning.euchre.training import PLAN, learn

DUELS = {"UF.5": 300, "ismcts": 300, "UF.5@tricks": 200, "ratliff@tricks": 200, "montecarlo": 20}
"""Duplicate pairs against each."""


def main() -> None:
    """Train or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--train", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--against", choices=list(DUELS), help="one opponent instead of all")
    wanted = parser.parse_args()
    if wanted.train:
        started = time.process_time()
        cases = learn(1)
        write_cases(wanted.train, cases)
        taken = round(time.process_time() - started, 1)
        hands = [one.hands for one in PLAN]
        print(json.dumps({"hands": hands, "rows": len(cases), "processor_seconds": taken}))
        return
    game = Euchre.named("openspiel")
    for name, pairs in DUELS.items():
        if wanted.against not in (None, name):
            continue
        agents = find_agent("NPS", "euchre", cases_named()), find_agent(name, "euchre")
        found = play_duel(game, agents, ("NPS", name), 3 if wanted.quick else pairs, seed=12)
        told = {
            "against": name,
            "pairs": found.pairs,
            "games_won": round(100 * found.win_rate, 1),
            "ci95": [round(100 * end, 1) for end in found.win_rate_ci95],
            "points_per_hand": round(found.points_per_hand, 3),
            "points_ci95": [round(end, 3) for end in found.ci95],
            "illegal": found.illegal,
            "failed": found.failed,
            "microseconds": round(1e6 * found.thinking[0] / found.counts[0]["decisions"]),
        }
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
