"""Pack solutions that come with the package: `python tools/make_solutions.py trucogame.solution.checkpoint`.

`retruco solve --rules trucogame --abstraction s --workers 2 --minutes 60 --out trucogame.solution` leaves such a
checkpoint. Each becomes a small solution and its values in the package. How long it was learnt and how
exploitable the small solution is goes to docs/solver as JSON, and from there to docs/solutions.md.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from retruco.games.truco import Truco
from retruco.solver.files import CHECKPOINT, read_file, read_solution
from retruco.solver.training import read_checkpoint
from retruco.solver.truco.mccfr import TrucoSolver
from retruco.solver.truco.shipped import FOLDER, SUFFIX
from retruco.solver.truco.small_solution import HANDS, write_small
from retruco.solver.truco.values import value_solution

DOCS = Path(__file__).parent.parent / "docs"
PAGE = """# Solutions that come with the package

The agent `solver` plays one of these. `retruco solve --rules RULES --abstraction LEVEL --minutes M --out RULES.solution`
learns, `python tools/make_solutions.py RULES.solution.checkpoint` makes the small files and writes this page. With `--coarse`
a checkpoint of `xs` comes along in the file of a finer one: it is played where the finer information set was left out.

*Learnt* is the time of the run with one worker, on a machine that had other work, too. *Exploitability* is that of the small
file as it is shipped: what the exact best response wins more per hand than the strategy itself, with a 95 % interval.

| rules | abstraction | iterations | learnt | information sets | of these shipped | solution | values | exploitability |
|---|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Pack checkpoints, or only write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoints", type=Path, nargs="*")
    parser.add_argument("--hands", type=int, default=30, help="hands of each seat to measure with; 0: not")
    parser.add_argument("--coarse", type=Path, help="a checkpoint of xs, to play where nothing finer is kept")
    parser.add_argument(
        "--measure", nargs="+", default=(), metavar="RULES", help="measure shipped solutions again"
    )
    parser.add_argument("--visits", type=int, default=HANDS, help="hands played to find what is kept")
    options = parser.parse_args()
    for checkpoint in options.checkpoints:
        keep_finding(pack_checkpoint(checkpoint, options.visits, options.hands, options.coarse))
    for rules in options.measure:
        found = json.loads(finding_file(rules).read_text())
        keep_finding(found | measure_shipped(rules, options.hands))
    write_page()


def finding_file(rules: str) -> Path:
    """Where it is written how a shipped solution is."""
    return DOCS / "solver" / f"{rules}.json"


def keep_finding(found: dict[str, Any]) -> None:
    """Write down how a shipped solution is."""
    finding_file(found["rules"]).write_text(json.dumps(found, indent=1) + "\n")
    print(found)


def measure_shipped(rules: str, hands: int) -> dict[str, Any]:
    """The exploitability of a solution as it is shipped."""
    solution = read_solution(FOLDER / (rules + SUFFIX))
    facts = solution.facts
    solver = TrucoSolver(Truco.named(facts.rules, facts.target), facts.abstraction, facts.seed)
    measured = solver.measure(solution.policy, hands)
    return {"exploitability": measured.mean, "margin": measured.margin, "hands": hands}


def pack_checkpoint(checkpoint: Path, visits: int, hands: int, coarse: Path | None = None) -> dict[str, Any]:
    """Make the small solution and its values; tell how they are."""
    solver, seconds = open_checkpoint(checkpoint)
    facts = solver.facts
    file = FOLDER / (facts.rules + SUFFIX)
    beside = open_checkpoint(coarse)[0].solution() if coarse else None
    kept = write_small(file, solver.solution(), hands=visits, coarse=beside)
    values = value_solution(file)
    found = {
        "rules": facts.rules,
        "abstraction": facts.abstraction,
        "iterations": facts.iterations,
        "seconds": round(seconds),
        "infosets": solver.infoset_count,
        "kept": kept,
        "bytes": file.stat().st_size,
        "values_bytes": values.stat().st_size,
    }
    return found | measure_shipped(facts.rules, hands) if hands else found


def open_checkpoint(file: Path) -> tuple[TrucoSolver, float]:
    """What a run has learnt, and in how many seconds."""
    facts, _ = read_file(file, CHECKPOINT, "a checkpoint")
    game = Truco.named(facts["rules"], facts["target"])
    solver = TrucoSolver(game, facts["abstraction"], facts["seed"])
    curve = read_checkpoint(file, solver)
    return solver, curve[-1].seconds


def write_page() -> None:
    """Write the table of all that is shipped."""
    rows = [json.loads(file.read_text()) for file in sorted((DOCS / "solver").glob("*.json"))]
    (DOCS / "solutions.md").write_text(PAGE + "".join(map(table_row, rows)))


def table_row(found: dict[str, Any]) -> str:
    """A solution as a line of the table."""
    exploitability = (
        f"{found['exploitability']:.2f} ± {found['margin']:.2f} ({found['hands']} hands a seat)"
        if "exploitability" in found
        else "not measured"
    )
    cells = (
        f"`{found['rules']}`",
        f"`{found['abstraction']}`",
        f"{found['iterations'] / 1e6:.0f} M",
        f"{found['seconds'] / 60:.0f} min",
        f"{found['infosets']:,}",
        f"{found['kept']:,}",
        f"{found['bytes'] / 1e6:.2f} MB",
        f"{found['values_bytes'] / 1e6:.2f} MB",
        exploitability,
    )
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    main()
