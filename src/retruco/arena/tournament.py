"""All against all: the plan of a tournament, and what its results mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from retruco.arena.blocks import Block, Job, blocks_of, pairings
from retruco.arena.conduct import added_up, behaviour_of, grounds_of
from retruco.arena.duel import DuelResult, summed_up, widest
from retruco.arena.ratings import bradley_terry, open_skill, run_off, seen_by
from retruco.arena.sets import DealsFor, Score
from retruco.arena.stats import holm, pooled_share_interval, ratio_interval, ratio_test, share_test
from retruco.games.core import Game
from retruco.notebook import table_html

Pairing: TypeAlias = tuple[int, int]
Scores: TypeAlias = Mapping[Pairing, Sequence[Score]]
"""The duplicate pairs of every pairing, by number."""

DIGITS: Final = 6
"""Results are rounded to a millionth: more is noise."""
PAIRING_FIELDS: Final = (
    "a",
    "b",
    "pairs",
    "wins",
    "draws",
    "win_rate",
    "win_rate_ci95",
    "hands",
    "points_per_hand",
    "ci95",
)
"""What the results tell of every pairing."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """Everything that decides what a tournament plays."""

    game: Game
    names: tuple[str, ...]
    pairs: int
    """Duplicate pairs between every two."""
    seed: int
    move_time: float | None = None
    records: bool = False
    decisions: bool = False
    cases: Mapping[str, object] | None = None
    """What names the case base played with, if any was."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The digest of every file that an agent comes from."""
    deals: str | None = None
    """The name of fixed deals, if any are played."""
    deals_for: DealsFor | None = field(default=None, compare=False, repr=False)
    readings: Mapping[str, str] = field(default_factory=dict, compare=False)
    """How every agent that remembers is read."""

    def __post_init__(self) -> None:
        if len(self.names) < 2:
            raise ValueError(f"a tournament needs at least 2 agents, not {len(self.names)}")
        if twice := [name for name, count in Counter(self.names).items() if count > 1]:
            raise ValueError(f"agent {twice[0]!r} is entered twice")
        if self.pairs < 1:
            raise ValueError(f"--matches must be at least 1 duplicate pair, not {self.pairs}")
        if self.move_time is not None and self.move_time <= 0:
            raise ValueError(f"--move-time must be above 0 seconds, not {self.move_time:g}")

    @property
    def job(self) -> Job:
        """What the workers have to know."""
        options = (self.move_time, self.records, self.decisions)
        return Job(self.game, self.names, self.seed, *options, deals_for=self.deals_for)

    def blocks(self) -> list[Block]:
        """The work, in pieces."""
        return blocks_of(pairings(len(self.names)), self.pairs)

    def settings(self) -> dict[str, Any]:
        """What a run must keep when it is taken up again."""
        return {
            "game": self.game.name,
            "version": self.game.version,
            "rules": self.game.rules_name,
            "target": self.game.goal,
            "agents": list(self.names),
            "pairs": self.pairs,
            "seed": self.seed,
            "move_time": self.move_time,
            "records": self.records,
            "decisions": self.decisions,
            "cases": dict(self.cases) if self.cases else None,
            "files": dict(self.files),
            "deals": self.deals,
        }

    def scores(self, played: Mapping[int, Sequence[Mapping[str, Any]]]) -> dict[Pairing, list[Score]]:
        """Sort the scores of played blocks by pairing, in one order whoever played them when."""
        found: dict[Pairing, list[Score]] = {pairing: [] for pairing in pairings(len(self.names))}
        for block in self.blocks():
            a, b = block.entrants
            found[a, b] += [Score.from_json(one) for one in played.get(block.number, ())]
        return found


class TournamentResults(dict[str, Any]):
    """The results of a tournament as plain data, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        rows = [
            (
                row["agent"],
                "{:.1%} ({:.1%} to {:.1%})".format(row["win_rate"], *row["win_rate_ci95"]),
                "{:+.3f} ({:+.3f} to {:+.3f})".format(row["points_per_hand"], *row["ci95"]),
                f"{row['elo']:+.0f}",
            )
            for row in self["standing"]
        ]
        return table_html(("agent", "matches won", "points a hand", "Elo"), rows)


def results(plan: TournamentPlan, scores: Scores) -> TournamentResults:
    """Sum a finished tournament up as plain data; no times, so that equal play gives equal bytes."""
    shares = {pairing: [pair.share for pair in played] for pairing, played in scores.items()}
    found = round_numbers(
        {
            **plan.settings(),
            "readings": dict(plan.readings),
            "matches": 2 * sum(map(len, scores.values())),
            "hands": sum(sum(pair.hands) for played in scores.values() for pair in played),
            "standing": _standing(plan, scores, shares),
            "pairings": _pairings(plan, scores),
            "forfeits": _forfeits(plan, scores),
        }
    )
    return TournamentResults(found)


def _pairings(plan: TournamentPlan, scores: Scores) -> list[dict[str, Any]]:
    duels = {(a, b): _duel(plan, (a, b), played) for (a, b), played in scores.items()}
    by_wins = holm([share_test([pair.share for pair in played]) for played in scores.values()])
    by_points = holm(
        [
            ratio_test([pair.points for pair in played], [pair.all_hands for pair in played])
            for played in scores.values()
        ]
    )
    return [
        {**{key: getattr(duel, key) for key in PAIRING_FIELDS}, "p_wins_holm": wins, "p_points_holm": points}
        for duel, wins, points in zip(duels.values(), by_wins, by_points, strict=True)
    ]


def _duel(plan: TournamentPlan, pairing: Pairing, played: Sequence[Score]) -> DuelResult:
    a, b = pairing
    return summed_up(plan.game, (plan.names[a], plan.names[b]), plan.seed, played, 0.0)


def scores_of(entrant: int, other: int, scores: Scores) -> list[Score]:
    """The pairs of two entrants as one of them tells them."""
    if entrant < other:
        return list(scores[entrant, other])
    return [pair.swapped() for pair in scores[other, entrant]]


def _standing(
    plan: TournamentPlan, scores: Scores, shares: Mapping[Pairing, Sequence[float]]
) -> list[dict[str, Any]]:
    """Everybody's results, the highest win rate first."""
    entrants = range(len(plan.names))
    ratings = bradley_terry(len(plan.names), shares)
    skills = open_skill(plan.names, _matches(plan, scores))
    places = run_off(len(plan.names), shares)
    rows = [
        {
            "agent": plan.names[entrant],
            **_record_of(plan, entrant, scores, shares),
            "elo": ratings[entrant].elo,
            "elo_ci95": ratings[entrant].interval,
            "openskill": {"mu": skills[entrant][0], "sigma": skills[entrant][1]},
            "run_off": places.index(entrant) + 1,
            **_conduct(plan, entrant, scores),
        }
        for entrant in entrants
    ]
    return sorted(rows, key=lambda row: (-row["win_rate"], -row["points_per_hand"]))


def _record_of(
    plan: TournamentPlan, entrant: int, scores: Scores, shares: Mapping[Pairing, Sequence[float]]
) -> dict[str, Any]:
    """Wins and points of one entrant; the unit is one set of deals against everybody."""
    others = [other for other in range(len(plan.names)) if other != entrant]
    met = [scores_of(entrant, other, scores) for other in others]
    wins = sum(pair.wins(0) for pairs in met for pair in pairs)
    losses = sum(pair.wins(1) for pairs in met for pair in pairs)
    by_number = list(zip(*(seen_by(entrant, other, shares) for other in others), strict=True))
    rate, rate_interval = pooled_share_interval(by_number)
    points, interval = ratio_interval(
        [sum(pair.points for pair in pairs) for pairs in zip(*met, strict=True)],
        [sum(pair.all_hands for pair in pairs) for pairs in zip(*met, strict=True)],
        widest(plan.game),
    )
    return {
        "wins": wins,
        "losses": losses,
        "draws": 2 * sum(map(len, met)) - wins - losses,
        "win_rate": rate,
        "win_rate_ci95": rate_interval,
        "points_per_hand": points,
        "ci95": interval,
    }


def _conduct(plan: TournamentPlan, entrant: int, scores: Scores) -> dict[str, Any]:
    """How one entrant played; the unit of its behaviour is one set of deals against everybody."""
    mine = [
        [pair.counts[pairing.index(entrant)] for pair in played]
        for pairing, played in scores.items()
        if entrant in pairing
    ]
    units = [added_up(unit) for unit in zip(*mine, strict=True)]
    counts = added_up(units)
    faults = Counter(row["fault"] for row in _forfeits(plan, scores) if row["agent"] == plan.names[entrant])
    return {
        **grounds_of(counts),
        **{fault: faults[fault] for fault in ("illegal", "failed", "late")},
        "hands": counts.get("hands", 0),
        "behaviour": behaviour_of(plan.game, units),
    }


def _matches(plan: TournamentPlan, scores: Scores) -> list[tuple[int, int, int | None]]:
    """All matches in the order in which a skill is followed: deal by deal, everybody's in turn."""
    return [
        (a, b, None if winner is None else (a, b)[winner])
        for number in range(plan.pairs)
        for (a, b), played in scores.items()
        for winner in played[number].winners
    ]


def _forfeits(plan: TournamentPlan, scores: Scores) -> list[dict[str, Any]]:
    return [
        {
            "agent": plan.names[pairing[int(str(lost["entrant"]))]],
            "against": plan.names[pairing[1 - int(str(lost["entrant"]))]],
            **{key: value for key, value in lost.items() if key != "entrant"},
        }
        for pairing, played in scores.items()
        for pair in played
        for lost in pair.forfeits
    ]


def round_numbers(value: Any, digits: int = DIGITS) -> Any:
    """Round every number of some plain data.

    >>> round_numbers({"share": 1 / 3, "pairs": (1, 2)}, 5)
    {'share': 0.33333, 'pairs': [1, 2]}
    """
    if isinstance(value, float):
        return round(value, digits) + 0.0
    if isinstance(value, Mapping):
        return {key: round_numbers(part, digits) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [round_numbers(part, digits) for part in value]
    return value
