"""Random hands in the compiled and the readable engine: counts how many differ, and resumes where it stopped.

    python benchmarks/equality.py                      until ten million hands a preset are compared
    python benchmarks/equality.py --hands 200000       so many a preset
    python benchmarks/equality.py --minutes 60         or as many as fit into an hour

Both engines play each hand from the same stream, at random scores and four targets. The count is written to
docs/speed/equality.json after every batch; it starts anew when the rules, the compiler or the stepper change.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from retruco.games.truco import PRESETS, Truco
from retruco.games.truco.compiled.random_hands import play_random_hands, play_readable_hand
from retruco.games.truco.compiled.tables import sources_digest

FOUND = Path(__file__).parent.parent / "docs" / "speed" / "equality.json"
BATCH = 10_000
TARGETS = (None, 7, 18, 40)
"""The targets, which take turns; none is the target of the preset."""
GOAL = 10_000_000


def different_hands(preset: str, batch: int) -> int:
    """Play a batch of random hands in both engines; return how many differ."""
    seed, first = batch % len(TARGETS), batch // len(TARGETS) * BATCH
    game = Truco.named(preset, TARGETS[seed])
    compiled = play_random_hands(game, seed, BATCH, first).tolist()
    return sum(
        row != play_readable_hand(game, seed, number) for number, row in enumerate(compiled, start=first)
    )


def read_counts() -> dict[str, Any]:
    """Read the count so far; an empty one if there is none, or of other sources."""
    if FOUND.exists():
        counts: dict[str, Any] = json.loads(FOUND.read_text())
        if counts["sources"] == sources_digest():
            return counts
    presets = {preset: {"hands": 0, "different": 0} for preset in PRESETS}
    return {"sources": sources_digest(), "presets": presets}


def write_counts(counts: dict[str, Any]) -> None:
    """Write the count down."""
    FOUND.parent.mkdir(exist_ok=True)
    FOUND.write_text(json.dumps(counts, indent=1) + "\n")


def compare_engines(hands: int, minutes: float = float("inf")) -> None:
    """Compare batch after batch, preset by preset in turn."""
    counts, until = read_counts(), time.monotonic() + 60 * minutes
    presets = counts["presets"]
    while time.monotonic() < until and any(count["hands"] < hands for count in presets.values()):
        preset = min(presets, key=lambda name: presets[name]["hands"])
        count = presets[preset]
        count["different"] += different_hands(preset, count["hands"] // BATCH)
        count["hands"] += BATCH
        write_counts(counts)
    for preset, count in presets.items():
        print(f"{preset}: {count['hands']:,} hands, {count['different']} different")


def main() -> None:
    """Compare as many hands as asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=GOAL, help="hands a preset")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many minutes")
    arguments = parser.parse_args()
    compare_engines(arguments.hands, arguments.minutes)


if __name__ == "__main__":
    main()
