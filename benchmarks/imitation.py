"""The first matches of learning by imitation (Paulus 2020, section 4.1.3), one change at a time.

    python benchmarks/imitation.py --cases human
    python benchmarks/imitation.py --cases human --out docs/reproduction/imitation.md

`retruco reproduce paulus2020` has the same table in its report, and learns to the published size besides.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from pages import page_options, write_page
from retruco.arena.blocks import NO_POST, Task
from retruco.arena.page import Table, Text
from retruco.cli.reproduce import open_base
from retruco.experiments.paulus2020_report import learning_ablation_parts
from retruco.experiments.paulus2020_results import learning_ablations
from retruco.experiments.paulus2020_works import learning_changes
from retruco.experiments.study import Study


def lines(options: argparse.Namespace) -> Iterator[str]:
    """The page, line by line."""
    base = open_base(options.cases)
    yield "# Learning by imitation, one change at a time\n"
    yield (
        f"Made by `python benchmarks/imitation.py --cases {base.name} --seed {options.seed}`. The ten policies play each other "
        "on the growing base; a hand is retained as section 4.1.3 says.\n"
    )
    with TemporaryDirectory() as folder:
        study = Study(options.seed, False, Path(folder), base)
        found = {}
        for work in learning_changes(study):
            played = work.play(Task((work.blocks()[0],)), NO_POST, lambda share: None)
            found[work.name] = work.found([one.scores for one in played])
        for part in learning_ablation_parts(learning_ablations(study, found)):
            if isinstance(part, Text):
                yield part.text + "\n"
            elif isinstance(part, Table):
                yield "| " + " | ".join(part.head) + " |"
                yield "|" + "---|" * len(part.head)
                for row in part.rows:
                    yield (
                        "| " + " | ".join(cell if isinstance(cell, str) else cell.text for cell in row) + " |"
                    )


def main() -> None:
    """Learn, and print or write the page."""
    parser = page_options(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_page(lines(options), options.out)


if __name__ == "__main__":
    main()
