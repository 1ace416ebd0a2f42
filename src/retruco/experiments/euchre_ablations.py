"""Readings of Seelbinder (2012) that the text supports, one changed at a time: what each does to the published pairings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from retruco.agents.registry import find_agent
from retruco.arena.page import Cell, Heading, Part, Table, Text
from retruco.arena.running import members_in
from retruco.arena.sets import Score
from retruco.arena.stats import holm
from retruco.experiments.conclusions import CONFIRMED, CONTRADICTED
from retruco.experiments.contest import Contest
from retruco.experiments.published import expected
from retruco.experiments.report_sections import Row
from retruco.experiments.study import Found, Study
from retruco.games.euchre import Euchre

SAID: Final = expected("seelbinder2012")
MEETINGS: Final = tuple((meeting["a"], meeting["b"]) for meeting in SAID["meetings"])
PAIRS, QUICK_PAIRS = 250, 8
"""Duplicate pairs of a pairing; what is not changed is told by as many."""
AS_BUILT: Final = "as built"

RowOf: TypeAlias = Callable[[str, str, Sequence[Score]], dict[str, Any]]
"""Sums up a meeting."""
Verdict: TypeAlias = Callable[[bool, Row], str]
"""Judges whether the team that was ahead in the thesis is ahead in ours."""


@dataclass(frozen=True, slots=True)
class Change:
    """A reading: other rules, or other agents in the place of some."""

    says: str
    """What supports it."""
    rules: str = "seelbinder2012"
    agents: tuple[tuple[str, str], ...] = ()
    """Who takes whose place."""

    def team(self, name: str) -> str:
        """The team as this reading has it."""
        places = dict(self.agents)
        return "/".join(places.get(member, member) for member in name.split("/"))

    def meetings(self) -> list[tuple[str, str]]:
        """The published meetings that it changes."""
        every = self.rules != "seelbinder2012"
        return [(a, b) for a, b in MEETINGS if every or (self.team(a), self.team(b)) != (a, b)]


CHANGES: Final = {
    "the dealer leads": Change(
        "section 1.2, 'the dealer chooses a card with which to start'", rules="seelbinder2012-dealer-leads"
    ),
    "MDP counts the cards that were dealt": Change(
        "figure 3.2, a deck of 4249", agents=(("MDP", "MDP-dealt"),)
    ),
    "UF and UF.5 by the published chart": Change(
        "section 3.4 and figure 3.4", agents=(("UF", "UF-even"), ("UF.5", "UF.5-even"))
    ),
}
"""One thing changed at a time."""


def ablation_contests(study: Study) -> list[Contest]:
    """A contest for every change, over the same deals as the others."""
    return [_contest(study, name, change) for name, change in CHANGES.items()]


def _contest(study: Study, name: str, change: Change) -> Contest:
    teams = [(change.team(a), change.team(b)) for a, b in change.meetings()]
    return contest_of(name, Euchre.named(change.rules), teams, study.size(PAIRS, QUICK_PAIRS), study.seed)


def contest_of(name: str, game: Euchre, teams: Sequence[tuple[str, str]], pairs: int, seed: int) -> Contest:
    """A contest in which these teams meet."""
    names = tuple(dict.fromkeys(team for both in teams for team in both))
    meetings = [(names.index(a), names.index(b)) for a, b in teams]

    def seats() -> Mapping[str, Any]:
        return {member: find_agent(member, game.name) for member in members_in(names, game)}

    return Contest(name, game, names, pairs, seed, seats, meetings)


def ablation_results(
    study: Study, found: Found, usual: Sequence[Sequence[Score]], row_of: RowOf, verdict: Verdict
) -> dict[str, Any]:
    """All pairings as built and by every change, with their verdicts.

    `usual` are the scores of the published meetings as built.
    """
    pairs = study.size(PAIRS, QUICK_PAIRS)
    as_built = {(a, b): row_of(a, b, sets[:pairs]) for (a, b), sets in zip(MEETINGS, usual, strict=True)}
    results = {AS_BUILT: _judged(as_built, verdict)}
    for (name, change), contest in zip(CHANGES.items(), ablation_contests(study), strict=True):
        scores = zip(change.meetings(), found[contest.name].values(), strict=True)
        changed = {(a, b): row_of(a, b, sets) for (a, b), sets in scores}
        results[name] = _judged(as_built | changed, verdict)
    return {"pairs": pairs, "pairings": results}


def _judged(rows: Mapping[tuple[str, str], Row], verdict: Verdict) -> list[dict[str, Any]]:
    chances = holm([row["p"] for row in rows.values()])
    found = []
    for said, (both, row), chance in zip(SAID["meetings"], rows.items(), chances, strict=True):
        ahead = said["games"][0] > said["games"][1]
        told = {name: row[name] for name in ("win_rate", "win_rate_ci95")}
        found.append(
            {"a": both[0], "b": both[1], **told, "verdict": verdict(ahead, {**row, "p_holm": chance})}
        )
    return found


# The report


def ablation_parts(results: Mapping[str, Any]) -> list[Part]:
    """The section on readings."""
    return [
        Heading("One thing changed at a time"),
        Text(
            f"Where the text supports another reading than the one built, the pairings that it changes are played anew: {results['pairs']:,} "
            "duplicate pairs each, over the same deals; the others are told by as many. So few pairs leave more open than the table above."
        ),
        Table(["change", "what supports it", "confirmed", "contradicted", "open"], _count_rows(results["pairings"])),
        Table(["games won, %", *results["pairings"]], _pairing_rows(results["pairings"])),
    ]  # fmt: skip


def _count_rows(pairings: Mapping[str, Sequence[Row]]) -> list[list[Cell | str]]:
    rows: list[list[Cell | str]] = []
    for name, judged in pairings.items():
        verdicts = [row["verdict"] for row in judged]
        sure = [verdicts.count(CONFIRMED), verdicts.count(CONTRADICTED)]
        says = CHANGES[name].says if name in CHANGES else ""
        rows.append([name, says, *map(str, sure), str(len(verdicts) - sum(sure))])
    return rows


def _pairing_rows(pairings: Mapping[str, Sequence[Row]]) -> list[list[Cell | str]]:
    rows: list[list[Cell | str]] = []
    for same in zip(*pairings.values(), strict=True):
        cells = [Cell(rate_of(row), 2 * row["win_rate"] - 1) for row in same]
        rows.append([f"{same[0]['a']} v {same[0]['b']}", *cells])
    return rows


def rate_of(row: Row) -> str:
    """The share of games won, with its interval."""
    low, high = row["win_rate_ci95"]
    return f"{100 * row['win_rate']:.1f} ({100 * low:.1f}-{100 * high:.1f})"
