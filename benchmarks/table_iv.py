"""Table IV of Moral (2020), one change at a time: what each part of a reading does to the bases that bots learn.

    python benchmarks/table_iv.py --cases human                                     # BOT1 and BOT2, 300 matches each
    python benchmarks/table_iv.py --cases human --bots BOT1 --matches 100 --changed "as the text says"
    python benchmarks/table_iv.py --cases human --out docs/reproduction/table-iv.md

`retruco reproduce moral2020` trains and tests all bots in the reading of the text and in ours.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from pages import page_options, write_page
from retruco.cli.reproduce import open_base
from retruco.experiments.moral2020_works import ABLATIONS, READINGS, SAID, STAGES, TEXT, BotReading, training
from retruco.experiments.study import TRUCO, Study
from retruco.learning.checkpoints import Standing
from retruco.learning.starting import in_memory

CHANGES: Mapping[str, BotReading] = {**ABLATIONS, "our bots": READINGS["ours"]}


def train(study: Study, bot: str, changed: str, matches: int) -> Standing:
    """Train a bot against BOT0 in a reading."""
    work = training(study, bot, CHANGES[changed])
    return in_memory(work.plan, TRUCO, work.start.cases, study.base.hands).run(matches)


def lines(options: argparse.Namespace) -> Iterator[str]:
    """The page, line by line."""
    base = open_base(options.cases)
    yield "# Table IV of Moral (2020), one change at a time\n"
    yield (
        f"Made by `python benchmarks/table_iv.py --cases {base.name} --matches {options.matches} --seeds "
        f"{' '.join(map(str, options.seeds))}`. The reading of the text is `{TEXT[1:]}`, and one case goes for one that comes; below it one thing is "
        "changed at a time. Published with 300 matches. Cells in bold are within 15 %.\n"
    )
    yield "| bot | changed | seed | hands a match | envido | flor | truco |\n|---|---|---|---|---|---|---|"
    for bot in options.bots:
        said = SAID["table IV"]["rows"][bot]
        length = said["hands"] / SAID["plan"]["training"]
        cells = [f"{length:.1f}", *(f"{said[stage]:,}" for stage in STAGES)]
        yield f"| {bot} | published | | {' | '.join(cells)} |"
        for changed in options.changed:
            for seed in options.seeds:
                found = train(Study(seed, False, Path(), base), bot, changed, options.matches)
                pairs = [(found.hands / found.match, length)]
                pairs += [(found.cases[stage], said[stage]) for stage in STAGES]
                yield f"| {bot} | {changed} | {seed} | {' | '.join(cell_of(*pair) for pair in pairs)} |"


def cell_of(ours: float, published: float) -> str:
    """A number of ours, in bold if it is within 15 % of the published one."""
    text = f"{ours:,}" if isinstance(ours, int) else f"{ours:.1f}"
    return f"**{text}**" if abs(ours - published) <= 0.15 * published else text


def main() -> None:
    """Train what is asked for, and print or write the page."""
    parser = page_options(__doc__)
    parser.add_argument("--bots", nargs="+", choices=[f"BOT{number}" for number in range(1, 6)], default=["BOT1", "BOT2"])  # fmt: skip
    parser.add_argument("--changed", nargs="+", choices=tuple(CHANGES), default=list(CHANGES))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--matches", type=int, default=300)
    options = parser.parse_args()
    write_page(lines(options), options.out)


if __name__ == "__main__":
    main()
