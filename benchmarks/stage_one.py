"""Stage 1 of Paulus (2020) alone, reading by reading and seed by seed: what becomes of the published statements.

    python benchmarks/stage_one.py                                     # every ablation, three seeds
    python benchmarks/stage_one.py --changed "as 5.3 says" --seeds 1   # one reading, one seed
    python benchmarks/stage_one.py --out docs/reproduction/stage-1.md

`retruco reproduce paulus2020` plays the same contests, and learns beside them. A row is printed as soon as
it is played; verdicts are corrected over all statements of the row (Holm).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pages import page_options, write_page
from retruco.agents.truco.policies import TWENTY
from retruco.arena.pool import run_tasks
from retruco.cli.reproduce import open_base
from retruco.experiments.conclusions import CONFIRMED, CONTRADICTED, judged, shares_of, won_by
from retruco.experiments.contest import Contest, Scores, seated
from retruco.experiments.paulus2020_results import lengths_of
from retruco.experiments.paulus2020_works import ABLATIONS, SAID, read_as
from retruco.experiments.published import claims_of
from retruco.experiments.study import TRUCO
from retruco.storage.library import Base

HEAD = ("changed", "seed", "PVCNPS", "its place", "place of NPS", "published ten above half", "above half",
        "confirmed", "contradicted", "open", "hands a match", "points between the two")  # fmt: skip


def play(base: Base, reading: str, pairs: int, seed: int) -> Scores:
    """Play all against all in a reading."""
    names = read_as(TWENTY, reading)
    contest = Contest("stage 1", TRUCO, names, pairs, seed, lambda: seated(names, base.cases))
    assert contest.players  # called before anything is played
    blocks = contest.blocks()
    results = run_tasks(contest.player, contest.player.tasks(blocks, 1), 1)
    played = {block.number: piece.scores for block, piece in results}
    return contest.found([played[block.number] for block in blocks])


def row_of(changed: str, seed: int, scores: Scores) -> list[str]:
    """One line of the table."""
    shares = shares_of(scores)
    won = won_by(TWENTY, shares)
    order = list(won)
    claims = judged(claims_of(SAID["claims"]["stage 1"], TWENTY, {"": shares}, SAID["plan"]["pairs"]))
    verdicts = [claim["readings"][""]["verdict"] for claim in claims]
    above = [name for name in order if won[name]["win_rate"] > 0.5]
    confirmed, contradicted = verdicts.count(CONFIRMED), verdicts.count(CONTRADICTED)
    return [
        changed,
        str(seed),
        f"{won['PVCNPS']['win_rate']:.1%}",
        str(order.index("PVCNPS") + 1),
        str(order.index("NPS") + 1),
        str(len(set(above) & set(SAID["order"]))),
        str(len(above)),
        str(confirmed),
        str(contradicted),
        str(len(verdicts) - confirmed - contradicted),
        *(f"{length:.1f}" for length in lengths_of(scores).values()),
    ]


def lines(options: argparse.Namespace, base: Base) -> Iterator[str]:
    """The table, line by line."""
    statements = len(SAID["claims"]["stage 1"])
    yield "# Stage 1 of Paulus (2020), one change at a time\n"
    yield (
        f"Made by `python benchmarks/stage_one.py --pairs {options.pairs} --seeds {' '.join(map(str, options.seeds))}`: "
        f"case base `{base.name}`, {base.hands:,} hands; {options.pairs} duplicate pairs between every two of the twenty, "
        f"{statements} distinct statements. Published: PVCNPS first, NPS second, ten above one half.\n"
    )
    yield "| " + " | ".join(HEAD) + " |"
    yield "|" + "---|" * len(HEAD)
    for changed in options.changed:
        for seed in options.seeds:
            scores = play(base, ABLATIONS[changed], options.pairs, seed)
            yield "| " + " | ".join(row_of(changed, seed, scores)) + " |"
    yield "\nThe readings:\n"
    for changed in options.changed:
        yield f"- {changed}: `{ABLATIONS[changed]}`"


def main() -> None:
    """Play what is asked for, and print or write the table."""
    parser = page_options(__doc__)
    parser.add_argument("--changed", nargs="+", choices=tuple(ABLATIONS), default=list(ABLATIONS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--pairs", type=int, default=SAID["plan"]["pairs"])
    options = parser.parse_args()
    write_page(lines(options, open_base(options.cases)), options.out)


if __name__ == "__main__":
    main()
