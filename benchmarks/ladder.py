"""The levels of Truco, measured: the figures of docs/ladder.md.

    python benchmarks/ladder.py duels        neighbours on the ladder, 500 duplicate pairs each, by two sets of rules
    python benchmarks/ladder.py beside       only who stands beside the ladder, against all levels
    python benchmarks/ladder.py agreement    how often the levels that play as people do agree with people
    python benchmarks/ladder.py page         write docs/ladder.md from what has been found

Findings are kept in docs/strength as JSON. The agreement needs the published hands of people: RETRUCO_TRUCOGAME names
their folder. Whoever remembers plays on the embedded base, as at the web table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from retruco.agents.registry import roster
from retruco.agents.truco.human_choice import PEOPLE, chances
from retruco.agents.truco.levels import BESIDE, LADDER
from retruco.arena.stats import ratio_interval
from retruco.cli.study import read_answers
from retruco.explain import sentences
from retruco.learning.agreement import ALL, HumanAnswer, study_agreement
from retruco.learning.case_bases import open_cases

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))
from fit_human_choice import fit, fold_of_matches  # noqa: E402  the tool that fits, beside this folder

FOLDER = ROOT / "docs" / "strength"
RULES = ("trucogame", "cbtg")
PAIRS, FOLDS = 500, 10

Found = dict[str, Any]


def duel(first: str, second: str, rules: str) -> Found:
    """What the first takes from the second."""
    arguments = ("duel", first, second, "--rules", rules, "--matches", str(PAIRS), "--json")
    done = subprocess.run(
        [sys.executable, "-m", "retruco", *arguments], stdout=subprocess.PIPE, check=True
    ).stdout
    found = json.loads(done)
    return {key: found[key] for key in ("points_per_hand", "ci95", "win_rate", "win_rate_ci95")}


def duels() -> Found:
    """Every level against the one below, and who stands beside the ladder against all of it."""
    steps = [(upper, lower) for lower, upper in pairwise(LADDER)]
    return {rules: {**play_levels(steps, rules), **beside()[rules]} for rules in RULES}


@cache
def beside() -> dict[str, Found]:
    """Who stands beside the ladder against all of it."""
    pairs = [(level, other) for level in BESIDE for other in LADDER]
    return {rules: play_levels(pairs, rules) for rules in RULES}


def play_levels(pairs: Sequence[tuple[str, str]], rules: str) -> Found:
    """The duels of some levels."""
    agents = {**LADDER, **BESIDE}
    return {f"{a} {b}": duel(agents[a], agents[b], rules) for a, b in pairs}


def duels_beside() -> Found:
    """The duels there are, with those beside the ladder anew."""
    found = read("duels")
    return {rules: {**found[rules], **beside()[rules]} for rules in RULES}


# Agreement


def agreement() -> Found:
    """How often each model of people gives the answer that was given, in matches it was not fitted to; and `MJS`."""
    answers = read_answers("human")
    fold = fold_of_matches(answers, FOLDS)
    shares: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for number in range(FOLDS):
        weights = fit([each for each in answers if fold[each.match] != number])
        for each in (each for each in answers if fold[each.match] == number):
            note(each, weights, shares)
    asked = count_by_match(answers)
    found = {name: interval(by_match, asked) for name, by_match in shares.items()}
    found["MJS"] = agreement_of_majority(answers)
    return {"questions": len(answers), "agreement": found}


def note(each: HumanAnswer, weights: Mapping[str, float], shares: Mapping[str, dict[str, float]]) -> None:
    """Add the chance with which each model gives an answer."""
    for name, sharpness, _ in PEOPLE:
        shares[name][each.match] += chances(each.question, weights, sharpness)[each.answer]
    likely = chances(each.question, weights)
    shares["likeliest"][each.match] += max(likely, key=likely.__getitem__) == each.answer


def count_by_match(answers: Sequence[HumanAnswer]) -> dict[str, int]:
    """How many questions each match asks."""
    found: dict[str, int] = defaultdict(int)
    for each in answers:
        found[each.match] += 1
    return found


def interval(by_match: Mapping[str, float], asked: Mapping[str, int]) -> list[float]:
    """The share of agreement and its interval over matches."""
    rate, (low, high) = ratio_interval([by_match[match] for match in asked], list(asked.values()), (0.0, 1.0))
    return [rate, low, high]


def agreement_of_majority(answers: Sequence[HumanAnswer]) -> list[float]:
    """How often `MJS` agrees, one match left out at a time."""
    share = study_agreement(open_cases("human").cases, answers, ("MJS",)).shares["MJS"][ALL]
    return [share.agree, *share.interval]


# The page


def keep(name: str, found: Found) -> None:
    """Write a finding down."""
    (FOLDER / f"ladder-{name}.json").write_text(json.dumps(found, indent=1) + "\n")


def read(name: str) -> Found:
    """A finding that was written down."""
    found: Found = json.loads((FOLDER / f"ladder-{name}.json").read_text())
    return found


def page() -> None:
    """Write docs/ladder.md."""
    parts = ["# The ladder", "", HEAD, *who_plays(), *duels_part(), *agreement_part()]
    (ROOT / "docs" / "ladder.md").write_text("\n".join(parts))


HEAD = """The levels of Truco, at the web table and in `retruco play NAME`. Each beats the one below; made by
`python benchmarks/ladder.py`. Which agent plays at a level stands in `agents/truco/levels.py`. Intervals are of 95 %.
"""


def who_plays() -> list[str]:
    """The levels with their agents."""
    say, known = sentences("en"), roster("truco")
    rows = [
        f"| {step} | {say(f'level.{level}.name')} | {say(f'level.{level}.about')} | `{agent}` | {known[agent].style} |"
        for step, (level, agent) in [
            *((str(place), item) for place, item in enumerate(LADDER.items(), 1)),
            *(("beside", item) for item in BESIDE.items()),
        ]
    ]
    return ["| step | name | who | agent | how it plays |", "|---|---|---|---|---|", *rows, ""]


def duels_part() -> list[str]:
    """Every step, and who stands beside."""
    found, lines = read("duels"), [f"## Every step, {PAIRS} duplicate pairs", ""]
    for rules, played in found.items():
        lines += [
            f"By the rules `{rules}`:",
            "",
            "| level | against | matches won | points per hand |",
            "|---|---|---|---|",
        ]
        lines += [duel_row(key, row) for key, row in played.items()]
        lines.append("")
    return lines


def duel_row(levels: str, row: Found) -> str:
    """A duel as a row."""
    say, (first, second) = sentences("en"), levels.split()
    names = f"{say(f'level.{first}.name')} | {say(f'level.{second}.name')}"
    won = f"{row['win_rate']:.1%} ({row['win_rate_ci95'][0]:.1%} to {row['win_rate_ci95'][1]:.1%})"
    points = f"{row['points_per_hand']:+.3f} ({row['ci95'][0]:+.3f} to {row['ci95'][1]:+.3f})"
    return f"| {names} | {won} | {points} |"


def agreement_part() -> list[str]:
    """How human the lower levels are."""
    found = read("agreement")
    rows = [
        f"| `{name}` | {rate:.1%} ({low:.1%} to {high:.1%}) |"
        for name, (rate, low, high) in found["agreement"].items()
    ]
    return [
        "## How human they are",
        "",
        ABOUT.format(questions=found["questions"], folds=FOLDS),
        "| player | agrees |",
        "|---|---|",
        *rows,
        "",
    ]


ABOUT = """The lower levels draw from one model of how people choose (`agents/truco/human_choice.py`), fitted to the published
hands by `python tools/fit_human_choice.py`; they differ in how sharply they keep to what most people would do. How often a
draw is the answer that a person gave, over {questions:,} answers, in matches that the model was not fitted to ({folds} folds of matches);
`likeliest` always gives the likeliest answer; `MJS` remembers the hands of all other matches. `regular` is meant to play like
people; the three below it err more often than people on purpose.
"""


PARTS: dict[str, tuple[str, Callable[[], Found]]] = {
    "duels": ("duels", duels),
    "beside": ("duels", duels_beside),
    "agreement": ("agreement", agreement),
}
"""What can be measured: where it is written down, and how it is found."""


def main() -> None:
    """Measure what is asked for, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", choices=(*PARTS, "page"), nargs="+")
    for name in parser.parse_args().parts:
        if name in PARTS:
            place, find = PARTS[name]
            keep(place, find())
    page()


if __name__ == "__main__":
    main()
