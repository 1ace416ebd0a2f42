"""The Euchre player that remembers: its cases made by self-play, and what it is worth.

    python benchmarks/euchre_cases.py                  duels with the cases that come with the program
    python benchmarks/euchre_cases.py --train FILE     the same self-play again, written to a file
    python benchmarks/euchre_cases.py --train FILE --hands 6000 8000 12000     a ninth of it; goes on after a stop
    python benchmarks/euchre_cases.py --cases FILE --against NPS ratliff@alone    other cases than those that come with the program
    python benchmarks/euchre_cases.py --against ismcts --simulations 1000 5000 --pairs 400
    python benchmarks/euchre_cases.py --quick          a look

All duels are by the rules `openspiel`, which ISMCTS needs; a slow player gets fewer pairs. Against `NPS` the
cases of a file meet those that come with the program.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from retruco.agents.core import Agent, CasesFor
from retruco.agents.registry import find_agent
from retruco.arena.duel import play_duel
from retruco.cbr.case_file import write_cases
from retruco.cbr.casebase import CaseBase
from retruco.games.euchre import Euchre
from retruco.learning.case_bases import cases_named
from retruco.learning.euchre.embedded import read_shipped
from retruco.learning.euchre.training import PLAN, plan_of, play_generation
from retruco.vocab.euchre.scenarios import VOCABULARY

DUELS = {
    "UF.5": 300,
    "ismcts": 300,
    "UF.5@tricks": 200,
    "ratliff@tricks": 200,
    "ratliff@alone": 200,
    "montecarlo": 20,
    "NPS": 200,
}
"""Duplicate pairs against each."""


def train(file: Path, hands: Sequence[int], seed: int) -> None:
    """Play the generations, write the cases of the last, and print what it took.

    The cases of every generation are saved beside the file, so that the same command goes on after the last whole one.
    """
    started = time.process_time()
    cases = CaseBase(VOCABULARY)
    for number, generation in enumerate(plan_of(hands)):
        played = "-".join(map(str, hands[: number + 1]))
        saved = file.with_name(f"{file.stem}-seed{seed}-{played}.npz")
        if saved.exists():
            cases = read_shipped(saved)
            continue
        cases = play_generation(seed, number, generation, cases)
        write_cases(saved, cases)
    shutil.copyfile(saved, file)
    taken = round(time.process_time() - started, 1)
    size = file.stat().st_size
    print(json.dumps({"hands": list(hands), "rows": len(cases), "bytes": size, "processor_seconds": taken}))


def opponent_of(name: str, simulations: int | None) -> Agent:
    """Find an opponent; ISMCTS with so many simulations a decision."""
    return find_agent(f"{name}@simulations={simulations}" if simulations else name, "euchre", cases_named())


def measure(cases: CasesFor, name: str, simulations: int | None, pairs: int) -> None:
    """Play a duel and print it."""
    agents = find_agent("NPS", "euchre", cases), opponent_of(name, simulations)
    found = play_duel(Euchre.named("openspiel"), agents, ("NPS", "opponent"), pairs, seed=12)
    told = {
        "against": name if simulations is None else f"{name}, {simulations} simulations",
        "pairs": found.pairs,
        "games_won": round(100 * found.win_rate, 1),
        "ci95": [round(100 * end, 1) for end in found.win_rate_ci95],
        "points_per_hand": round(found.points_per_hand, 3),
        "points_ci95": [round(end, 3) for end in found.ci95],
        "illegal": found.illegal,
        "failed": found.failed,
        "microseconds": [
            round(1e6 * seconds / counts["decisions"])
            for seconds, counts in zip(found.thinking, found.counts, strict=True)
        ],
    }
    print(json.dumps(told), flush=True)


def main() -> None:
    """Train or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--train", type=Path)
    parser.add_argument("--hands", type=int, nargs=3, default=[one.hands for one in PLAN])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cases", type=Path, help="a file of cases, in the place of those that come along")
    parser.add_argument("--against", nargs="*", choices=list(DUELS), help="some opponents instead of all")
    parser.add_argument("--simulations", type=int, nargs="*", help="of ISMCTS, a decision")
    parser.add_argument("--pairs", type=int, help="duplicate pairs against each")
    asked = parser.parse_args()
    if asked.train:
        train(asked.train, asked.hands, asked.seed)
        return
    cases = cases_named()
    if asked.cases:
        base = read_shipped(asked.cases)
        cases = lambda *_: base  # noqa: E731  a base that is opened already
    for name in asked.against or [name for name in DUELS if name != "NPS" or asked.cases]:
        pairs = 3 if asked.quick else asked.pairs or DUELS[name]
        for simulations in (name == "ismcts" and asked.simulations) or [None]:
            measure(cases, name, simulations, pairs)


if __name__ == "__main__":
    main()
