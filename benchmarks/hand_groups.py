"""Groups of whole hands, beside tables II (Paulus 2019) and 12 (Paulus 2020) and the descriptions of its section 3.2.

python benchmarks/hand_groups.py --cases human --out docs/reproduction/hand-groups.md
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from retruco.cbr.clusters import fit
from retruco.cli.cases import open_library
from retruco.experiments.published import expected
from retruco.storage.reading import Hand
from retruco.vocab.truco.hand_groups import describe_groups, hand_sample

OF_2019, OF_2020 = expected("paulus2019"), expected("paulus2020")


def section(
    title: str, hands: Sequence[Hand], scenario: str, published: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """The published groups of a scenario, and as many of ours."""
    sample = hand_sample(((hand.record, hand.seat) for hand in hands), scenario)
    yield f"\n## {title}\n"
    yield f"Scenario `{scenario}`: {sample.rows:,} of {len(hands):,} hands, {len(published)} groups.\n"
    yield "| published share | what it is like |\n|---|---|"
    yield from (f"| {share} | {like} |" for share, like in published)
    yield "\n| our share | what it is like |\n|---|---|"
    for share, like in describe_groups(sample, fit(sample, len(published))):
        yield f"| {share:.2%} | {like} |"


def page(name: str, hands: Sequence[Hand]) -> Iterator[str]:
    """The whole page."""
    table_ii, said = OF_2019["table II"], OF_2020["groups"]
    first = hands[: OF_2019["base"]["hands"]]
    yield "# Groups of hands\n"
    yield (
        f"Made by `python benchmarks/hand_groups.py --cases {name}`. Hands are grouped as published: by what is known when "
        "a hand is over, cards that were never played included. A column that holds no card says why: `other gave up`, `own fold`, "
        "`lost before` (a bet that was declined or lost). Card categories run from 3 (7 to 4) to 51 (the two highest). K-means depends "
        "on where it begins, so shares of two runs agree only roughly."
    )
    groups = [(f"{group['share']:.2%}", group["like"]) for group in table_ii["clusters"]]
    yield from section(f"Table II ({OF_2019['paper']})", first, table_ii["scenario"], groups)
    for table in said:
        groups = [(group["share"], group["like"]) for group in table["groups"]]
        yield from section(f"{table['where']} ({OF_2020['paper']})", hands, table["scenario"], groups)


def main() -> None:
    """Group the hands of a base, and print or write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", default="human")
    parser.add_argument("--most", type=int, help="how many hands to take; all if not given")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with open_library() as library:
        hands = [hand for _, hand in islice(library.hands(options.cases), options.most)]
    text = "\n".join(page(options.cases, hands)) + "\n"
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
