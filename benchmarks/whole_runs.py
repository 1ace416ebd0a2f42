"""Runs at full size, which take minutes: what they cost, and that one worker and two find the same.

    python benchmarks/whole_runs.py learning       self-play from 3,195 to 27,515 cases
    python benchmarks/whole_runs.py casey          Casey's 50,000 hands among three rulebots
    python benchmarks/whole_runs.py tournament     the twenty all against all, on one worker and on two
    python benchmarks/whole_runs.py reproduce      a quick study of Paulus (2019), on one worker and on two
    python benchmarks/whole_runs.py study          the same study whole
    python benchmarks/whole_runs.py curve          imitation up to 27,515 cases with its learning curve

Findings are written to docs/speed as JSON; `benchmarks/speed.py` puts them on its page. Seconds are of the
processor, of all workers together.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

from retruco.agents.truco.policies import TWENTY
from retruco.games.holdem import Holdem
from retruco.games.truco import Truco
from retruco.learning.case_bases import open_cases
from retruco.learning.holdem.training import casey_loop, points_of
from retruco.learning.learners import plan_for
from retruco.learning.starting import in_memory

FOLDER = Path(__file__).parent.parent / "docs" / "speed"
CASES, HANDS = 27_515, 50_000
STUDY = ["reproduce", "paulus2019", "--cases", "baseline", "--out", "run"]
WAYS = {"one worker": ("--workers", "1"), "two workers": ("--workers", "2")}


def learning() -> dict[str, Any]:
    """Learn by imitation up to as many cases as the dissertation, clusters and all."""
    base = open_cases()
    game = Truco.named("trucogame")
    learner = in_memory(plan_for("imitation"), game, base.cases, base.hands, base.elbows)
    started = time.process_time()
    standing = learner.run(None, CASES)
    seconds = time.process_time() - started
    return {"cases": sum(standing.cases.values()), "hands": standing.hands, "seconds": round(seconds, 1)}


def casey() -> dict[str, Any]:
    """Let Casey learn from nothing."""
    started = time.process_time()
    loop = casey_loop(Holdem.named("casey-4"), "casey", ["rulebot"] * 3, 1)
    points = sum(map(points_of, loop.hands(HANDS)))
    seconds = time.process_time() - started
    return {"hands": HANDS, "cases": len(loop.cases), "points": points, "seconds": round(seconds, 1)}


def run_command(arguments: Sequence[str], results: Sequence[str]) -> dict[str, Any]:
    """Run a command that writes into the folder `run`; give its processor time and a digest of its results."""
    with TemporaryDirectory() as folder:
        before = getrusage(RUSAGE_CHILDREN)
        command = [sys.executable, "-c", "from retruco.cli import main; main()", *arguments]
        environment = {**os.environ, "RETRUCO_HOME": folder}
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        after = getrusage(RUSAGE_CHILDREN)
        digest = hashlib.sha256(b"".join((Path(folder) / "run" / name).read_bytes() for name in results))
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"seconds": round(seconds, 1), "digest": digest.hexdigest()}


def in_all_ways(
    name: str, arguments: Sequence[str], results: Sequence[str], ways: Mapping[str, Sequence[str]] = WAYS
) -> dict[str, Any]:
    """Run a command in several ways; each finding is kept as soon as it is there."""
    found: dict[str, Any] = {}
    for way, options in ways.items():
        found[way] = run_command([*arguments, *options], results)
        print(name, way, found[way], flush=True)
        keep(name, found)
    return found


def tournament() -> dict[str, Any]:
    """Stage 1 of the dissertation: 9,500 matches."""
    arguments = ["tournament", *TWENTY, "--rules", "trucogame", "--matches", "25", "--out", "run"]
    return in_all_ways("tournament", arguments, ["results.json"])


def reproduce() -> dict[str, Any]:
    """A quick study of Paulus (2019)."""
    return in_all_ways("reproduce", [*STUDY, "--quick"], ["results.json"])


def study() -> dict[str, Any]:
    """The same study whole."""
    return in_all_ways("study", STUDY, ["results.json"])


def curve() -> dict[str, Any]:
    """Learn by imitation up to as many cases as the dissertation, and play for the learning curve."""
    arguments = ["learn", "--into", "learnt", "--strategy", "imitation", "--points", "2", "--pairs", "50"]
    ways: Mapping[str, Sequence[str]] = {"one process": ()}
    return in_all_ways("curve", [*arguments, "--until", str(CASES), "--curve", "run"], ["curve.json"], ways)


def keep(name: str, found: dict[str, Any]) -> None:
    """Write a finding down."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")


RUNS: dict[str, Callable[[], dict[str, Any]]] = {
    "learning": learning,
    "casey": casey,
    "tournament": tournament,
    "reproduce": reproduce,
    "study": study,
    "curve": curve,
}


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", choices=RUNS, nargs="+")
    for name in parser.parse_args().run:
        found = RUNS[name]()
        keep(name, found)
        print(name, found, flush=True)


if __name__ == "__main__":
    main()
