"""Retrieval in two steps (Paulus 2020, section 3.1.1): what it costs and what it misses, beside exact search.

    python benchmarks/two_step.py                                     # 3,195, 27,515 and a million hands
    python benchmarks/two_step.py --sizes 3195 --questions 200 --pairs 20
    python benchmarks/two_step.py --cases human --out docs/two-step.md

Bases larger than the one named are grown from it: copies of its rows in which the dealt cards, or the points, are
exchanged at random, so that they hold more distinct states than play has.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from statistics import mean

import numpy as np

from pages import page_options, write_page
from retruco.agents.registry import find_agent
from retruco.agents.truco.readings import Reading, change_reading
from retruco.arena.duel import play_duel
from retruco.cbr.case import Problem
from retruco.cbr.casebase import CaseBase
from retruco.cli.reproduce import open_base
from retruco.games.truco import Truco
from retruco.vocab.truco.index_groups import group_index

GAME = Truco.named("trucogame")
MODES = ("adaptive", "threshold=0.75", "top=10@0.90")
SIZES = (3_195, 27_515, 1_000_000)
HEAD = ("hands", "retrieval", "exact: rows found", "two steps", "of the exact ones", "exact: µs", "two steps: µs",
        "points a hand, two steps against exact")  # fmt: skip


def grow(cases: CaseBase, hands: int, size: int) -> CaseBase:
    """A base of so many hands: the first of those there are, or all and copies with exchanged cards."""
    grown = CaseBase(cases.vocabulary, cases.measure)
    for scenario in cases.vocabulary.scenarios:
        found = cases.columns(scenario.name)
        dealt = 3 if scenario.visible[0].name == "high" else 1
        for copy in range(-(-size // hands)):
            part = found.part(np.flatnonzero(found.episodes <= size - hands * copy))
            visible = part.visible.copy()
            if copy:
                order = np.random.default_rng(copy).permutation(len(visible))
                visible[:, :dealt] = part.visible[order, :dealt]
            episodes = part.episodes + np.int32(hands * copy)
            if len(part.actions):
                grown.add_columns(scenario.name, *part._replace(visible=visible, episodes=episodes))
    return grown


def draw_problems(cases: CaseBase, count: int) -> list[Problem]:
    """Questions of all scenarios, drawn from the rows with the cards of a neighbour."""
    found: list[Problem] = []
    chance = np.random.default_rng(1)
    names = [scenario.name for scenario in cases.vocabulary.scenarios if cases.count(scenario.name)]
    for name in names:
        visible = cases.columns(name).visible
        rows = visible[chance.integers(0, len(visible), max(1, count // len(names)))]
        found += [Problem(name, tuple(row)) for row in rows.tolist()]
    return found


def measure(cases: CaseBase, problems: Sequence[Problem], mode: str) -> list[str]:
    """Rows found, the share of the exact ones among them, and the time of both ways."""
    exact, near = (change_reading(Reading("NPS"), mode + way).retrieval for way in ("", "+two-step"))
    counts: tuple[list[int], list[int]] = [], []
    seconds: tuple[list[float], list[float]] = [], []
    recalls: list[float] = []
    for problem in problems:
        found = []
        for place, way in enumerate((exact, near)):
            cases.clear_cache()
            started = time.perf_counter()
            retrieval = cases.retrieve(problem, way)
            seconds[place].append(time.perf_counter() - started)
            counts[place].append(len(retrieval))
            found.append(set(retrieval.episodes))
        if found[0]:
            recalls.append(len(found[0] & found[1]) / len(found[0]))
    times = [f"{1e6 * sorted(some)[len(some) // 2]:.0f}" for some in seconds]
    return [f"{mean(counts[0]):.0f}", f"{mean(counts[1]):.0f}", f"{mean(recalls):.1%}", *times]


def play(cases: CaseBase, mode: str, pairs: int) -> str:
    """Points a hand of NPS in two steps against NPS with exact search."""
    if not pairs:
        return "not played"
    names = f"NPS@{mode}+two-step", f"NPS@{mode}"
    first, second = (find_agent(name, "truco", lambda game: cases) for name in names)
    result = play_duel(GAME, (first, second), names, pairs, seed=1)
    low, high = result.ci95
    return f"{result.points_per_hand:+.3f} ({low:+.3f} to {high:+.3f})"


def page(options: argparse.Namespace) -> Iterator[str]:
    """The page, line by line."""
    base = open_base(options.cases)
    yield "# Retrieval in two steps\n"
    yield (
        "Cases are grouped by the received cards (8 groups; cards and truco) or by the points (2 groups; envido and flor). A question is "
        "compared with the centres of the groups, and then only with the cases of the nearest (Paulus 2020, section 3.1.1). "
        "Any agent that remembers takes it as a [reading](readings.md): `NPS@two-step`.\n"
    )
    yield (
        f"Made by `python benchmarks/two_step.py`: case base `{base.name}`, {options.questions} questions of all scenarios, "
        f"{options.pairs} duplicate pairs of `NPS`; median times of one retrieval that is not cached. Bases of more than "
        f"{base.hands:,} hands are grown from it: copies with the dealt cards, or the points, exchanged at random.\n"
    )
    yield "| " + " | ".join(HEAD) + " |"
    yield "|" + "---|" * len(HEAD)
    for size in options.sizes:
        cases = grow(base.cases, base.hands, size)
        group_index(cases)
        problems = draw_problems(cases, options.questions)
        for mode in MODES:
            measure(cases, problems[:5], mode)  # compiles
            cells = [
                f"{size:,}",
                f"`{mode}`",
                *measure(cases, problems, mode),
                play(cases, mode, options.pairs if size <= options.largest_played else 0),
            ]
            yield "| " + " | ".join(cells) + " |"
    yield "\nTwo steps miss what lies in another group, the more, the lower the threshold."


def main() -> None:
    """Measure, and print or write the page."""
    parser = page_options(__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument(
        "--largest-played", type=int, default=max(SIZES), help="no duels with more hands than these"
    )
    options = parser.parse_args()
    write_page(page(options), options.out)


if __name__ == "__main__":
    main()
