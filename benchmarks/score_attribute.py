"""Table IV of Moral (2020) if the score is compared, too, as table I lists it.

python benchmarks/score_attribute.py --cases human                            # BOT1 and BOT2, 300 matches each
python benchmarks/score_attribute.py --cases human --matches 30
python benchmarks/score_attribute.py --cases human --out docs/reproduction/score-attribute.md
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pages import page_options, write_page
from retruco.cli.reproduce import open_base
from retruco.experiments.moral2020_works import SAID, STAGES, TEXT, BotReading, training
from retruco.experiments.study import TRUCO, Study
from retruco.learning.learners import ONE_BY_ONE
from retruco.learning.starting import in_memory
from table_iv import cell_of

MEAN: Final = TEXT.replace("similarity=euclid", "similarity=mean") + "+score=compared"
READINGS: Final = {
    "the score, by the mean": MEAN,
    "the score, by the mean, without a guard": MEAN.replace("guard=not-lost", "guard=none"),
}


def lines(options: argparse.Namespace) -> Iterator[str]:
    """The page, line by line."""
    base = open_base(options.cases)
    yield "# Table IV of Moral (2020) if the score is compared\n"
    yield (
        f"Made by `python benchmarks/score_attribute.py --cases {base.name} --matches {options.matches} --seed {options.seed}`: the "
        "reading of the text, but with the mean, in which table III has its steps, and with both scores as attributes of every "
        "question, over the target. Cells in bold are within 15 %. Without the score: [table IV](table-iv.md).\n"
    )
    yield "| bot | changed | hands a match | envido | flor | truco |\n|---|---|---|---|---|---|"
    for bot in options.bots:
        said = SAID["table IV"]["rows"][bot]
        length = said["hands"] / SAID["plan"]["training"]
        yield f"| {bot} | published | {length:.1f} | {' | '.join(f'{said[stage]:,}' for stage in STAGES)} |"
        for changed, ending in READINGS.items():
            work = training(Study(options.seed, False, Path(), base), bot, BotReading(ending, ONE_BY_ONE))
            found = in_memory(work.plan, TRUCO, work.start.cases, base.hands).run(options.matches)
            pairs = [
                (found.hands / found.match, length),
                *((found.cases[stage], said[stage]) for stage in STAGES),
            ]
            yield f"| {bot} | {changed} | {' | '.join(cell_of(*pair) for pair in pairs)} |"


def main() -> None:
    """Train what is asked for, and print or write the page."""
    parser = page_options(__doc__)
    parser.add_argument("--bots", nargs="+", choices=["BOT1", "BOT2"], default=["BOT1", "BOT2"])
    parser.add_argument("--matches", type=int, default=SAID["plan"]["training"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_page(lines(options), options.out)


if __name__ == "__main__":
    main()
