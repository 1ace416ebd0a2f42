"""`retruco cases maintain`: a smaller case base, and how competent it stays."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console

from retruco.arena.stats import Interval, ratio_interval
from retruco.cbr.casebase import CaseBase
from retruco.cbr.maintenance import (
    CompetenceCounts,
    keep_by_chance,
    keep_least_harmful,
    keep_most_competent,
    keep_most_used,
    losses_by_result,
    measure_competence,
    reduce_base,
)
from retruco.cli.analyse import judge_hand, shipped_judge
from retruco.cli.cases import now, open_library
from retruco.cli.commands.case_bases import MaintainOptions
from retruco.cli.formatting import plain_table
from retruco.games.registry import find_game, game_class
from retruco.games.truco.game import Truco
from retruco.learning.use_counts import count_uses
from retruco.solver.truco.shipped import shipped_file
from retruco.storage.library import Base, Library
from retruco.storage.writing import check_name
from retruco.streams import Stream

USE, COMPETENCE, HARM, CHANCE = WAYS = ("use", "competence", "harm", "chance")
SHARE: Final = re.compile(r"(0?\.\d+)|(\d+(?:\.\d+)?)%")


def parse_keep(text: str, hands: int) -> int:
    """Read how many hands to keep: a share such as 0.2 or 20%, or a count.

    >>> parse_keep("0.2", 3195), parse_keep("20%", 3195), parse_keep("100", 3195)
    (639, 639, 100)
    """
    if found := SHARE.fullmatch(text):
        keep = round(hands * (float(found[1]) if found[1] else float(found[2]) / 100))
    elif text.isascii() and text.isdigit() and len(text) < 10:
        keep = int(text)
    else:
        raise ValueError(f"--keep must be a share such as 0.2 or 20%, or a number of hands, not {text!r}")
    if not 1 <= keep <= hands:
        raise ValueError(f"--keep {text} keeps {keep} hands: the base has {hands:,}, keep 1 to {hands:,}")
    return keep


def check_way(way: str) -> None:
    """Refuse a way of forgetting that there is not."""
    if way not in WAYS:
        raise ValueError(f"unknown way to forget {way!r}: one of {', '.join(WAYS)}")


@dataclass(frozen=True, slots=True)
class KeptHands:
    """The hands to keep, and by what they were chosen."""

    numbers: list[int]
    basis: str


def choose_hands(
    library: Library, base: Base, way: str, keep: int, seed: int = 1, matches: int = 50
) -> KeptHands:
    """Choose the hands of a base to keep."""
    numbers = [number for number, _ in library.hands(base.name)]
    if way == USE:
        uses, basis = find_uses(library, base, matches, seed)
        return KeptHands(keep_most_used(numbers, uses, keep), basis)
    if way == COMPETENCE:
        return KeptHands(keep_most_competent(base.cases, keep), "the problems its cases solve")
    if way == HARM:
        losses, basis = find_losses(library, base)
        return KeptHands(keep_least_harmful(numbers, losses, keep), basis)
    return KeptHands(keep_by_chance(numbers, keep, Stream("maintain", seed)), f"seed {seed}")


def find_uses(library: Library, base: Base, matches: int, seed: int) -> tuple[Mapping[int, int], str]:
    """How often each hand was used: as the store has counted, or in matches of the game's usual agent."""
    uses: Mapping[int, int] = library.uses(base.name)
    basis = "as the store has counted"
    if not uses:
        player = game_class(base.facts.game).usual_agent
        game = find_game(base.facts.game, base.facts.rules.split(", ")[0])
        uses = count_uses(base.cases, game, player, matches, seed)
        basis = f"in {matches} matches of {player} with itself, for the store has counted none"
    if not uses:
        raise ValueError(f"no hand of case base {base.name!r} was used {basis}: forget by another way")
    return uses, f"{sum(uses.values()):,} uses of {len(uses):,} hands {basis}"


def find_losses(library: Library, base: Base) -> tuple[dict[int, float], str]:
    """What each hand lost by its decisions: by analysis where a solution is shipped, else by results."""
    if base.facts.game == Truco.name:
        try:
            shipped_file(base.facts.rules)
        except ValueError:
            return losses_by_result(
                base.cases
            ), f"results of similar cases: no solution of {base.facts.rules}"
        return judge_losses(library, base.name)
    return losses_by_result(base.cases), f"results of similar cases: no judge of {base.facts.game}"


def judge_losses(library: Library, name: str) -> tuple[dict[int, float], str]:
    """Judge the decisions of every hand; mean points lost per decision, of the hands that could be judged."""
    losses = {}
    for number, hand in library.hands(name):
        judged = judge_hand(lambda game: shipped_judge(game.rules_name), hand.record, hand.seat)
        lost = [turn.judgement.loss for turn in judged.turns if turn.judgement is not None]
        if lost:
            losses[number] = sum(lost) / len(lost)
    hands = library.info(name).hands
    mean = sum(losses.values()) / max(len(losses), 1)
    return losses, f"analysis of {len(losses):,} of {hands:,} hands, {mean:.3f} points lost per decision"


# The result


@dataclass(frozen=True, slots=True)
class MaintenanceResult:
    """What a base becomes."""

    base: str
    out: str | None
    way: str
    basis: str
    hands: int
    kept: int
    rows: Mapping[str, tuple[int, int]]
    """Rows before and after, by scenario."""
    competence: Mapping[str, tuple[float, Interval]]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "base": self.base,
            "out": self.out,
            "by": self.way,
            "basis": self.basis,
            "hands": self.hands,
            "kept": self.kept,
            "rows": {name: {"before": before, "after": after} for name, (before, after) in self.rows.items()},
            "competence": {
                name: {"share": share, "ci95": list(interval)}
                for name, (share, interval) in self.competence.items()
            },
            "seconds": round(self.seconds, 2),
        }


def competence_shares(counts: Mapping[int, CompetenceCounts]) -> dict[str, tuple[float, Interval]]:
    """The shares of the base's cases that are solved, with intervals over hands."""
    cases = [count.cases for count in counts.values()]

    def share(name: str) -> tuple[float, Interval]:
        return ratio_interval([getattr(count, name) for count in counts.values()], cases, (0.0, 1.0))

    return {name: share(name) for name in ("same", "solved", "solved_by_whole")}


def count_rows(whole: CaseBase, smaller: CaseBase) -> dict[str, tuple[int, int]]:
    """Count the rows of each scenario before and after."""
    names = [scenario.name for scenario in whole.vocabulary.scenarios]
    return {name: (whole.count(name), smaller.count(name)) for name in names if whole.count(name)}


def maintain_base(options: MaintainOptions) -> MaintenanceResult:
    """Choose the hands to keep, measure what they can do, and store them as a new base unless it is a dry run."""
    check_way(options.way)
    if options.matches < 1:
        raise ValueError(f"--matches must be at least 1, not {options.matches}")
    if options.out is None and not options.dry_run:
        raise ValueError("a smaller base needs a name: --out NEW, or --dry-run to see what it would be")
    if options.out is not None:
        check_name(options.out)
    started = time.perf_counter()
    with open_library() as library:
        base = library.open(options.name)
        keep = parse_keep(options.keep, base.hands)
        if options.out in library.names():
            raise ValueError(f"there is already a case base {options.out!r}: choose another name for --out")
        chosen = choose_hands(library, base, options.way, keep, options.seed, options.matches)
        smaller = reduce_base(base.cases, chosen.numbers)
        competence = competence_shares(measure_competence(base.cases, smaller))
        if options.out is not None and not options.dry_run:
            note = f"{len(chosen.numbers):,} of {base.hands:,} hands of {base.name} kept by {options.way}"
            library.copy_some(base.name, options.out, chosen.numbers, note, now())
    rows, seconds = count_rows(base.cases, smaller), time.perf_counter() - started
    out = None if options.dry_run else options.out
    kept = len(chosen.numbers)
    return MaintenanceResult(
        base.name, out, options.way, chosen.basis, base.hands, kept, rows, competence, seconds
    )


def run_maintain(options: MaintainOptions) -> None:
    """Maintain a base and print the result."""
    result = maintain_base(options)
    if options.as_json:
        print(json.dumps(result.as_json()))
        return
    console = Console(width=min(100, Console().width), highlight=False)
    target = f"in [bold]{result.out}[/]" if result.out else "nothing stored (dry run)"
    console.print(
        f"[bold]{result.base}[/]: {result.kept:,} of {result.hands:,} hands kept by {result.way}, {target}"
    )
    console.print(f"chosen by {result.basis}")
    table = plain_table("scenario", "rows", "kept", "share")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, (before, after) in result.rows.items():
        table.add_row(name, f"{before:,}", f"{after:,}", f"{after / before:.0%}")
    console.print(table)
    for line in competence_lines(result.competence):
        console.print(line)
    console.print(f"{result.seconds:.1f} seconds")


def competence_lines(competence: Mapping[str, tuple[float, Interval]]) -> list[str]:
    """The shares of solved cases for people."""
    texts = {
        name: f"{share:.1%} ({low:.1%} to {high:.1%})" for name, (share, (low, high)) in competence.items()
    }
    return [
        f"cases answered as by all hands: {texts['same']}",
        f"cases whose own answer is given: {texts['solved']}, by all hands {texts['solved_by_whole']}",
    ]
