"""The hands that people played: what they hold, what is wrong with them, how human the agents are.

Writes `docs/human-hands.md` and its plot; figures only, no rows. It needs the TrucoGame hands.

    RETRUCO_TRUCOGAME=FOLDER python benchmarks/human_hands.py [--quick]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from policies import SHOWN, against_chance, among_themselves, behaviour_rows, revision_rows, table
from retruco.agents.truco.policies import TWENTY
from retruco.cli.study import agreement_of, draw_calibration, markdown
from retruco.learning.case_bases import cases_named, open_cases
from retruco.storage.human import FOLDER, folder
from retruco.storage.importers.faults import DOUBTFUL, REFUSED
from retruco.storage.importers.report import Report
from retruco.storage.importers.source import read_file
from retruco.vocab.truco.handview import APPENDIX_B, SCENARIOS, hand_view
from retruco.vocab.truco.original import labelled_numbers, original_clusters
from retruco.vocab.truco.partial import PartialHand
from retruco.vocab.truco.partial_replay import rows_and_gaps

HUMAN, MIDDLE, LARGE = "dbtrucocbr_maos.csv", "cbg_imitacao7mil_maos.csv", "imitacao27515_merged.csv"
OUT = Path("docs/human-hands.md")
PLOT = Path("docs/images/calibration.svg")


def imported(where: Path, file: str, *rich: str) -> tuple[list[PartialHand], Report]:
    """Read a file as an import does."""
    report = Report()
    hands = list(report.watch(read_file(where / file, [where / one for one in rich])))
    report.finish()
    return hands, report


def faults(reports: Sequence[Report]) -> str:
    """Lay out the findings of the three files side by side."""
    kinds = [kind for kind in (*REFUSED, *DOUBTFUL) if any(one.kinds[kind] for one in reports)]
    sentences = {**REFUSED, **DOUBTFUL}
    return table(
        ["finding", "3,195", "7,717", "27,515", "what it is"],
        [[kind, *(f"{one.kinds[kind]:,}" for one in reports), sentences[kind]] for kind in kinds],
    )


def rows_by_scenario(hands: Sequence[PartialHand]) -> tuple[Counter[str], Counter[str]]:
    """Count our rows by scenario, and what was left out."""
    found: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for number, hand in enumerate(hands):
        rows, out = rows_and_gaps(hand, number)
        found.update(row.problem.scenario for row in rows)
        left_out += out
    return found, left_out


def views(human: Sequence[PartialHand], middle: Sequence[PartialHand], large: Sequence[PartialHand]) -> str:
    """Lay out hands by scenario as the original counted, and our rows beside them."""
    small, between = hand_view(human), hand_view(middle)
    whole = hand_view(large, rules_for_self_play=True)
    rows = [rows_by_scenario(hands)[0] for hands in (human, middle, large)]
    lines = [
        [
            name,
            f"{small[name]:,}",
            f"{between[name]:,}",
            f"{whole[name]:,}",
            f"{APPENDIX_B[name]:,}",
            f"{whole[name] / APPENDIX_B[name] - 1:+.1%}",
            *(f"{one[name]:,}" if one[name] else "" for one in rows),
        ]
        for name in SCENARIOS
    ]
    head = [
        "scenario",
        "3,195",
        "7,717",
        "27,515",
        "published",
        "differs",
        "rows of 3,195",
        "of 7,717",
        "of 27,515",
    ]
    return table(head, lines)


def labels(hands: Sequence[PartialHand]) -> Iterator[list[str]]:
    """Tell of every scenario how many groups it has and how many hands find theirs again."""
    for name, clustering in original_clusters(hands).items():
        known = [
            (hand.labels[name], numbers)
            for hand in hands
            if name in hand.labels and (numbers := labelled_numbers(hand, name)) is not None
        ]
        again = clustering.assign(np.array([numbers for _, numbers in known], float)) + 1
        same = np.mean(again == np.array([label for label, _ in known]))
        sizes = Counter(label for label, _ in known)
        shown = " ".join(str(sizes[label]) for label in range(1, clustering.k + 1))
        yield [name, str(clustering.k), f"{same:.1%}", shown]


def page(where: Path, quick: bool) -> Iterator[str]:
    """Write the page, part by part."""
    human, small = imported(where, HUMAN)
    middle, between = imported(where, MIDDLE)
    large, whole = imported(where, LARGE, HUMAN, MIDDLE)
    base, cases_for = open_cases("human"), cases_named("human")
    yield "# The hands that people played"
    yield (
        "Made by `python benchmarks/human_hands.py` from the TrucoGame hands of Paulus (2020), which are not part of "
        f"Retruco; `{FOLDER}` names their folder, and the case base `human` is then imported when it is first asked for. "
        f"Case base `human`: {base.hands:,} {base.description}."
    )
    yield "## What is wrong with them"
    yield (
        f"Of the {small.hands:,} hands of people {small.kinds['mirrored']:,} have a mirrored twin: {small.distinct:,} "
        f"distinct hands of {len(small.matches)} matches. What is recorded tells {small.whole:,} of them completely, so that "
        "a replay gives the recorded result; the others are partial records. The 27,515 hands are completed from the other "
        "two files where they can be. Findings by kind:"
    )
    yield faults((small, between, whole))
    yield "Questions of the hands of people that could not be used, by reason; `stopped` counts hands that could be told only up to a point:"
    left_out = rows_by_scenario(human)[1]
    yield table(["reason", "how often"], [[why, f"{count:,}"] for why, count in left_out.most_common()])
    yield "## Hands and rows by scenario"
    yield (
        "The *hand view* counts hands as the original program did, by its flags and filters; of the 27,515 those of self-play "
        "by its cleaning rules. Published: Paulus (2020), appendix B. Beside it our rows: questions answered."
    )
    yield views(human, middle, large)
    yield "## The original groups"
    yield (
        "`--clusters original` plays with the groups that the hands brought along. Their centroids are found again from the "
        "labels; the share of hands that then lie nearest to their own:"
    )
    yield table(["scenario", "K", "found again", "sizes"], list(labels(human)))
    pairs = 10 if quick else 100
    yield "## Against `random`"
    yield f"{2 * pairs} duplicate matches each, rules `trucogame` to 24, cases `human`."
    head = ["policy", "won", "share", "95 % interval", "points a hand", "95 % interval"]
    yield table(head, list(against_chance(TWENTY, cases_for, pairs)))
    found, lengths, counts = among_themselves(TWENTY, cases_for, 1 if quick else 2)
    yield "## How they play"
    yield "All against all on the base `human`; (!) would mark what lies outside the bounds of sane play."
    yield table(["policy", *SHOWN, "hands a match"], list(behaviour_rows(found, lengths)))
    yield "Revisions a hundred hands by rule, and the share of questions that found no usable experience:"
    yield table(*revision_rows(counts, found))
    yield "## How human they are"
    yield (
        "How often each policy plays what the person played. One match is left out at a time, and with it every mirrored "
        "twin; intervals are over matches. Beside the policies: the most frequent answer of the other matches, and gradient "
        "boosting on the same visible attributes, whole matches held out in ten folds. Groups are those of the whole base. "
        "*Before revision* leaves the revision rules aside. Of the flor only what was sung is known, hence its 100 %."
    )
    same_base, study = agreement_of("human", quick)
    yield "\n".join(markdown(same_base, study))
    PLOT.parent.mkdir(exist_ok=True)
    draw_calibration(study, PLOT)
    yield "![Shares predicted by PLS against shares observed](images/calibration.svg)"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="few matches, for a look")
    arguments = parser.parse_args()
    where = folder()
    if where is None:
        raise SystemExit(f"{FOLDER} names no folder with the TrucoGame hands")
    OUT.write_text("\n\n".join(page(where, arguments.quick)) + "\n")


if __name__ == "__main__":
    main()
