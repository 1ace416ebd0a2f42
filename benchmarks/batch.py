"""What matches cost as a user starts them: this tree and an older one in turns, on one core, by processor time.

    python benchmarks/batch.py OLD/src             # all rows, against the source of another work tree
    python benchmarks/batch.py OLD/src --only MJS  # rows whose name holds this

A row is `retruco duel A B --matches N --workers 1`. What the matches cost is the processor time of that command less that of
the same command with one pair, so starting, loading cases and reading compiled code from disk are left out. Both trees play
the same deals, which neither has seen before, and have to find the same result. Findings go to docs/speed/batch.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any, Final, NamedTuple

SOURCE: Final = Path(__file__).parents[1] / "src"
FOUND: Final = Path(__file__).parents[1] / "docs" / "speed" / "batch.json"
ROUNDS: Final = 3


class Row(NamedTuple):
    """A duel, and how many pairs are played by this tree and by the older one."""

    a: str
    b: str
    pairs: int = 1000
    old_pairs: int = 60
    cases: str = "baseline"


ROWS: Final = (
    Row("MJS", "NPS"),
    Row("MJS", "NPS", cases="human"),
    Row("NPCS", "PVCNPS"),
    Row("PLS", "MJCPLS"),
    Row("BOT0", "BOT2"),
    Row("balanced", "cautious", old_pairs=1000),
    Row("solver", "maestro", old_pairs=100),
)
TEN: Final = Row("MJS", "NPS", 10, 10)


def run(source: Path, row: Row, pairs: int, seed: int) -> tuple[float, dict[str, Any]]:
    """Play a duel as a command; give the processor time, and what it found."""
    command = ["duel", row.a, row.b, "--matches", str(pairs), "--seed", str(seed), "--workers", "1", "--json"]
    cases = [] if row.a in ("balanced", "solver") else ["--cases", row.cases]
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "retruco", *command, *cases],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stderr)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, json.loads(done.stdout)


def hands_a_second(source: Path, row: Row, pairs: int, seed: int) -> float:
    """Hands a second of what the matches cost."""
    whole, found = run(source, row, pairs, seed)
    alone, one = run(source, row, 1, seed)
    return float((found["hands"] - one["hands"]) / max(1e-3, whole - alone))


def compare(old: Path, row: Row) -> dict[str, Any]:
    """Measure a row in both trees, in turns; the best of some rounds counts."""
    both = {SOURCE: 0.0, old: 0.0}
    for number in range(ROUNDS):
        for source in both:
            pairs = row.pairs if source == SOURCE else row.old_pairs
            both[source] = max(both[source], hands_a_second(source, row, pairs, 1000 + number))
    small, shown = (run(source, row, row.old_pairs, 1000)[1] for source in (SOURCE, old))
    same = all(small[name] == shown[name] for name in ("wins", "hands", "points_per_hand", "counts"))
    new, before = both[SOURCE], both[old]
    return {
        "agents": f"{row.a} against {row.b}",
        "cases": row.cases,
        "hands_a_second": round(new),
        "before": round(before),
        "ratio": round(new / before, 1),
        "same": same,
    }


def compare_ten(old: Path) -> dict[str, Any]:
    """Processor time of ten pairs, all included."""
    seconds = {SOURCE: float("inf"), old: float("inf")}
    for number in range(ROUNDS):
        for source in seconds:
            seconds[source] = min(seconds[source], run(source, TEN, TEN.pairs, 2000 + number)[0])
    return {
        "agents": "MJS against NPS, 10 pairs, all included",
        "seconds": round(seconds[SOURCE], 2),
        "before": round(seconds[old], 2),
    }


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows = []
    for row in ROWS:
        if options.only in f"{row.a} {row.b} {row.cases}":
            rows.append(compare(options.old, row))
            print(json.dumps(rows[-1]), flush=True)
    if not options.only:
        rows.append(compare_ten(options.old))
        print(json.dumps(rows[-1]))
        FOUND.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
