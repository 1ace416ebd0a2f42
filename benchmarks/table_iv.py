"""Table IV of Moral (2020), one change at a time: what each part of a reading does to the bases that bots learn.

    python benchmarks/table_iv.py --cases human                                     # BOT1 and BOT2, 300 matches each
    python benchmarks/table_iv.py --cases human --bots BOT1 --matches 100 --changed "as the text says"
    python benchmarks/table_iv.py --cases human --out docs/reproduction/table-iv.md

`retruco reproduce moral2020` trains and tests all bots in the reading of the text and in ours.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.registry import find_agent
from retruco.cli.reproduce import open_base
from retruco.experiments.published import expected
from retruco.experiments.study import TRUCO
from retruco.learning.checkpoints import Standing
from retruco.learning.learners import plan_for
from retruco.learning.starting import in_memory
from retruco.storage.library import Base

SAID = expected("moral2020")
TEXT = SAID["readings"]["text"]["reading"]
ONE, ALL = "substitution-one", "substitution"
CHANGES: Mapping[str, tuple[str, str]] = {
    "as the text says": (TEXT, ONE),
    "points as an interval": (TEXT.replace("points=equal", "points=interval"), ONE),
    "the mean instead of Euclid": (TEXT.replace("similarity=euclid", "similarity=mean"), ONE),
    "only actions that won": (TEXT.replace("guard=not-lost", "guard=won"), ONE),
    "the majority without a guard": (TEXT.replace("guard=not-lost", "guard=none"), ONE),
    "our revision": (TEXT.replace("revision=none", "revision=ours"), ONE),
    "every worse case goes": (TEXT, ALL),
    "our bots": ("revision=ours", ALL),
}
"""What is changed in the reading of the text, as a reading and the way in which worse cases go."""
STAGES = ("envido", "flor", "truco")


def train(base: Base, bot: str, changed: str, matches: int, seed: int) -> Standing:
    """Train a bot against BOT0 in a reading."""
    reading, substitution = CHANGES[changed]
    name = f"{bot}@{reading}"
    plan = plan_for(bot, seed=seed)
    strategy = substitution if plan.strategy == ALL else plan.strategy
    plan = replace(plan, policies=(name,), against=f"BOT0@{reading}", strategy=strategy)
    agent = find_agent(name, "truco", lambda game: base.cases)
    assert isinstance(agent, CaseBasedAgent)
    return in_memory(plan, TRUCO, agent.cases, base.hands).run(matches)


def lines(options: argparse.Namespace) -> Iterator[str]:
    """The page, line by line."""
    base = open_base(options.cases)
    yield "# Table IV of Moral (2020), one change at a time\n"
    yield (
        f"Made by `python benchmarks/table_iv.py --cases {base.name} --matches {options.matches} --seeds "
        f"{' '.join(map(str, options.seeds))}`. The reading of the text is `{TEXT}`, and one case goes for one that comes; below it one thing is "
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
                found = train(base, bot, changed, options.matches, seed)
                pairs = [(found.hands / found.match, length)]
                pairs += [(found.cases[stage], said[stage]) for stage in STAGES]
                yield f"| {bot} | {changed} | {seed} | {' | '.join(_cell(*pair) for pair in pairs)} |"


def _cell(ours: float, published: float) -> str:
    text = f"{ours:,}" if isinstance(ours, int) else f"{ours:.1f}"
    return f"**{text}**" if abs(ours - published) <= 0.15 * published else text


def main() -> None:
    """Train what is asked for, and print or write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bots", nargs="+", choices=[f"BOT{number}" for number in range(1, 6)], default=["BOT1", "BOT2"])  # fmt: skip
    parser.add_argument("--changed", nargs="+", choices=tuple(CHANGES), default=list(CHANGES))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--cases")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    written = []
    for line in lines(options):
        print(line, flush=True)
        written.append(line)
    if options.out:
        options.out.write_text("\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
