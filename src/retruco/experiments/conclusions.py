"""What can be concluded: what a publication says, held against chance, ours and the published alike.

A *lead* is by how much one thing was ahead of another, one number a duplicate set. Its spread says
what leads a plan of so many sets can tell from chance, and how many sets a given lead would need.
The plans are the published ones, so our spread also says what the published leads are worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import mean, stdev
from typing import Any, Final

from retruco.arena.distributions import fair_coin_cdf
from retruco.arena.ratings import seen_by
from retruco.arena.sets import Score
from retruco.arena.stats import SIGNIFICANT, Interval, holm, share_interval, t_quantile, two_sided
from retruco.arena.tournament import Pairing

CONFIDENCE, POWER = 1.959964, 0.841621
"""Standard errors for 5 % two-sided, and for finding in four of five runs what is there."""
MANY: Final = 1_000_000
"""More matches than anybody plays."""


@dataclass(frozen=True)
class Lead:
    """By how much something was ahead, as a share of matches, in each of some duplicate sets."""

    units: tuple[float, ...]
    matches: int = 2
    """Matches of each side in a set."""

    @property
    def mean(self) -> float:
        """The lead."""
        return mean(self.units)

    @property
    def spread(self) -> float:
        """The standard deviation of one set.

        What no set has shown, one match more or less, may still be so in three of as many sets.
        """
        sets = len(self.units)
        least = sqrt(min(1.0, 3 / sets)) * 2 / self.matches
        return max(least, stdev(self.units)) if sets > 1 else 1.0

    def error(self, sets: int | None = None) -> float:
        """The standard error of so many sets, or of those there are."""
        return self.spread / sqrt(sets or len(self.units))

    @property
    def interval(self) -> Interval:
        """The 95 % interval (Student's)."""
        reach = t_quantile(max(1, len(self.units) - 1)) * self.error()
        return max(-1.0, self.mean - reach), min(1.0, self.mean + reach)

    def chance(self, lead: float | None = None, sets: int | None = None) -> float:
        """How likely a lead at least so large, either way, is by chance alone."""
        lead = self.mean if lead is None else lead
        return two_sided(lead / self.error(sets), max(1, len(self.units) - 1))

    def needed(self, lead: float | None = None) -> int:
        """How many matches each side would need for a lead to show in four of five runs."""
        lead = abs(self.mean if lead is None else lead)
        if lead == 0:
            return MANY
        return min(MANY, self.matches * ceil(((CONFIDENCE + POWER) * self.spread / lead) ** 2))

    def least(self, sets: int) -> float:
        """The least lead that so many sets can tell from chance."""
        return CONFIDENCE * self.error(sets)

    def as_json(self) -> dict[str, Any]:
        """The lead as plain data."""
        return {
            "lead": self.mean,
            "ci95": self.interval,
            "p": self.chance(),
            "needed_matches": self.needed(),
        }


# Leads of a contest

Shares = Mapping[Pairing, Sequence[float]]


def shares_of(scores: Mapping[Pairing, Sequence[Score]]) -> Shares:
    """The share of every set that the first of each pairing won."""
    return {pairing: [one.share for one in played] for pairing, played in scores.items()}


def totals(names: Sequence[str], shares: Shares, agent: str) -> list[float]:
    """The mean share that an agent won against everybody else, set by set."""
    me = names.index(agent)
    won = [seen_by(me, other, shares) for other in range(len(names)) if other != me]
    return [mean(some) for some in zip(*won, strict=True)]


def won_by(names: Sequence[str], shares: Shares, pairs_in_unit: int = 1) -> dict[str, dict[str, Any]]:
    """The share of matches that everybody won, the best first; see `share_row`."""
    found = {name: share_row(totals(names, shares, name), pairs_in_unit) for name in names}
    return dict(sorted(found.items(), key=lambda item: -item[1]["win_rate"]))


def share_row(shares: Sequence[float], pairs_in_unit: int = 1) -> dict[str, Any]:
    """A share of matches with its interval, as plain data: over duplicate sets, or between whole trainings.

    >>> row = share_row([0.5, 0.7], pairs_in_unit=30)
    >>> row["win_rate"], [round(end, 2) for end in row["win_rate_ci95"]]
    (0.6, [0.0, 1.0])
    """
    if pairs_in_unit == 1:
        rate, interval = share_interval(shares)
        return {"win_rate": rate, "win_rate_ci95": interval}
    lead = Lead(tuple(share - 0.5 for share in shares), 2 * pairs_in_unit)
    low, high = (0.5 + end for end in lead.interval)
    return {"win_rate": 0.5 + lead.mean, "win_rate_ci95": (max(0.0, low), min(1.0, high))}


def between(names: Sequence[str], shares: Shares, a: str, b: str) -> Lead:
    """The lead of one agent over another, in what they won against everybody."""
    both = zip(totals(names, shares, a), totals(names, shares, b), strict=True)
    return Lead(tuple(one - other for one, other in both), 2 * (len(names) - 1))


def over_the_rest(names: Sequence[str], shares: Shares, a: str) -> Lead:
    """The lead of an agent over the best of the others."""
    best = max((agent for agent in names if agent != a), key=lambda agent: mean(totals(names, shares, agent)))
    return between(names, shares, a, best)


def over_half(names: Sequence[str], shares: Shares, a: str) -> Lead:
    """What an agent won above one half."""
    return Lead(tuple(one - 0.5 for one in totals(names, shares, a)), 2 * (len(names) - 1))


def head_to_head(names: Sequence[str], shares: Shares, a: str, b: str) -> Lead:
    """The lead of an agent in its own matches with another, wins minus losses."""
    return Lead(tuple(2 * one - 1 for one in seen_by(names.index(a), names.index(b), shares)))


def best_against(names: Sequence[str], shares: Shares, a: str, b: str) -> Lead:
    """The lead of an agent, in its matches with another, over the best of those who met that one too."""
    other = names.index(b)
    met = {one: seen_by(names.index(one), other, shares) for one in names if one != b}
    best = max((agent for agent in met if agent != a), key=lambda agent: mean(met[agent]))
    return Lead(tuple(mine - theirs for mine, theirs in zip(met[a], met[best], strict=True)))


def together(names: Sequence[str], shares: Shares) -> Lead:
    """The lead of the first over the second of all meetings, wins minus losses."""
    units = zip(*shares.values(), strict=True)
    return Lead(tuple(2 * mean(unit) - 1 for unit in units), 2 * len(shares))


# Several trainings

ENOUGH_TRAININGS: Final = 10
"""From how many trainings on a statement about what was learnt is judged."""


def over_trainings(trainings: Sequence[Shares]) -> Shares:
    """Take every training as one unit, so that intervals hold the variance between trainings.

    After one training alone, its duplicate sets stay the units; see `Study.pairs_in_unit`.

    >>> over_trainings([{(0, 1): [1.0, 0.5]}, {(0, 1): [0.5, 0.5]}])
    {(0, 1): [0.75, 0.5]}
    >>> over_trainings([{(0, 1): [1.0, 0.5]}])
    {(0, 1): [1.0, 0.5]}
    """
    if len(trainings) == 1:
        return trainings[0]
    return {pairing: [mean(shares[pairing]) for shares in trainings] for pairing in trainings[0]}


def over_seeds(seeds: Sequence[Shares]) -> Shares:
    """Put the duplicate sets of several seeds together, where nothing is trained.

    >>> over_seeds([{(0, 1): [1.0, 0.5]}, {(0, 1): [0.5]}])
    {(0, 1): [1.0, 0.5, 0.5]}
    """
    return {pairing: [share for shares in seeds for share in shares[pairing]] for pairing in seeds[0]}


def why_unjudged(quick: bool, trainings: int | None = None) -> str:
    """Say why statements are not judged, if what was played is too little; `trainings` where something was learnt.

    >>> why_unjudged(False, 1)
    'verdicts on what was learnt rest on at least 10 trainings, not on 1'
    """
    if quick:
        return "a quick look plays too few matches"
    if trainings is not None and trainings < ENOUGH_TRAININGS:
        return (
            f"verdicts on what was learnt rest on at least {ENOUGH_TRAININGS} trainings, not on {trainings}"
        )
    return ""


# Claims


@dataclass(frozen=True)
class Claim:
    """Something a publication says that ours can agree with or not: a lead above zero."""

    said: str
    where: str
    """The table, figure or section it stands in."""
    leads: Mapping[str, Lead]
    """What was found, by the name of the reading; what the published lead is worth is told by the first."""
    sets: int
    """How many duplicate sets were published."""
    published: float | None = None
    """The published lead as a share of matches, where it is told in numbers."""
    unjudged: str = ""
    """Why no verdict is given, if what was played is too little for one."""


def judged(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Hold every claim against ours; all tests of one reading are corrected together (Holm)."""
    names = dict.fromkeys(name for claim in claims for name in claim.leads)
    chances = {name: _corrected(name, claims) for name in names}
    return [
        _judged(claim, {name: chances[name][place] for name in claim.leads})
        for place, claim in enumerate(claims)
    ]


def _corrected(reading: str, claims: Sequence[Claim]) -> dict[int, float]:
    """The corrected chance of every claim that a reading can be judged by, by its place."""
    tested = [
        (place, claim.leads[reading].chance())
        for place, claim in enumerate(claims)
        if reading in claim.leads and not claim.unjudged
    ]
    places = [place for place, _ in tested]
    return {
        **dict.fromkeys(range(len(claims)), 1.0),
        **dict(zip(places, holm([chance for _, chance in tested]), strict=True)),
    }


def _judged(claim: Claim, chances: Mapping[str, float]) -> dict[str, Any]:
    found = {
        name: {
            **lead.as_json(),
            "p_holm": chances[name],
            "verdict": UNJUDGED if claim.unjudged else _verdict(lead, chances[name]),
        }
        for name, lead in claim.leads.items()
    }
    why = {"unjudged": claim.unjudged} if claim.unjudged else {}
    return {
        "said": claim.said,
        "where": claim.where,
        "published": _published(claim),
        "readings": found,
        **why,
    }


def _published(claim: Claim) -> dict[str, Any]:
    """What the published lead is worth, by the spread that we have measured for the same plan."""
    ours = next(iter(claim.leads.values()))
    worth: dict[str, Any] = {
        "sets": claim.sets,
        "matches": claim.sets * ours.matches,
        "least_lead": ours.least(claim.sets),
        "lead": None,
    }
    if claim.published is None:
        return worth
    chance = ours.chance(claim.published, claim.sets)
    needed = ours.needed(claim.published)
    return {**worth, "lead": claim.published, "p": chance, "needed_matches": needed}


CONFIRMED, CONTRADICTED, UNJUDGED = "confirmed", "contradicted", "not judged"
ALIKE, UNLIKE, EVEN = "open, same way", "open, other way", "open, even"


def _verdict(lead: Lead, chance: float) -> str:
    if chance < SIGNIFICANT:
        return CONFIRMED if lead.mean > 0 else CONTRADICTED
    return ALIKE if lead.mean > 0 else UNLIKE if lead.mean < 0 else EVEN


# Counts, where no sets are known


def count_interval(wins: int, matches: int) -> Interval:
    """Wilson's 95 % interval of a share of independent matches.

    >>> [round(end, 2) for end in count_interval(7, 13)]
    [0.29, 0.77]
    """
    square = CONFIDENCE**2 / matches
    share = wins / matches
    centre, reach = (
        share + square / 2,
        CONFIDENCE * sqrt(share * (1 - share) / matches + square / (4 * matches)),
    )
    return (centre - reach) / (1 + square), (centre + reach) / (1 + square)


def count_chance(wins: int, matches: int) -> float:
    """How likely a count so far from half is with a fair coin.

    >>> round(count_chance(287, 500), 4)
    0.0011
    """
    return min(1.0, 2 * fair_coin_cdf(min(wins, matches - wins), matches))


def counts_differ(a: int, b: int, matches: int) -> float:
    """How likely two counts of as many matches differ so much by chance alone (normal, both pooled).

    >>> round(counts_differ(7, 6, 13), 2)
    0.69
    """
    pooled = (a + b) / (2 * matches)
    error = sqrt(2 * matches * pooled * (1 - pooled))
    return two_sided((a - b) / error, MANY) if error else 1.0


def matches_to_tell(a: float, b: float) -> int:
    """How many matches each of two would need for their shares to be told apart in four of five runs.

    >>> matches_to_tell(7 / 13, 6 / 13)
    660
    """
    if a == b:
        return MANY
    variance = a * (1 - a) + b * (1 - b)
    return min(MANY, ceil((CONFIDENCE + POWER) ** 2 * variance / (a - b) ** 2))
