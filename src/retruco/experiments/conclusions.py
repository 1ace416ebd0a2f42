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
from retruco.arena.stats import SIGNIFICANT, Interval, holm, t_quantile, two_sided
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


# Claims


@dataclass(frozen=True)
class Claim:
    """Something a publication says that ours can agree with or not: a lead above zero."""

    said: str
    where: str
    """The table, figure or section it stands in."""
    ours: Lead
    raw: Lead
    """The same for the literal reading."""
    sets: int
    """How many duplicate sets were published."""
    published: float | None = None
    """The published lead as a share of matches, where it is told in numbers."""
    suspect: str = ""
    """What may have made it so, if both of our readings contradict it."""


def judged(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Hold every claim against ours; all tests of one reading are corrected together (Holm)."""
    ours = holm([claim.ours.chance() for claim in claims])
    raw = holm([claim.raw.chance() for claim in claims])
    return [_judged(claim, chance, other) for claim, chance, other in zip(claims, ours, raw, strict=True)]


def _judged(claim: Claim, chance: float, raw_chance: float) -> dict[str, Any]:
    verdict, raw = _verdict(claim.ours, chance), _verdict(claim.raw, raw_chance)
    return {
        "said": claim.said,
        "where": claim.where,
        "published": _published(claim),
        "ours": {**claim.ours.as_json(), "p_holm": chance, "verdict": verdict},
        "raw": {**claim.raw.as_json(), "p_holm": raw_chance, "verdict": raw},
        "cause": _cause(claim, verdict, raw),
    }


def _published(claim: Claim) -> dict[str, Any]:
    """What the published lead is worth, by the spread that we have measured for the same plan."""
    worth: dict[str, Any] = {
        "sets": claim.sets,
        "matches": claim.sets * claim.ours.matches,
        "least_lead": claim.ours.least(claim.sets),
        "lead": None,
    }
    if claim.published is None:
        return worth
    chance = claim.ours.chance(claim.published, claim.sets)
    needed = claim.ours.needed(claim.published)
    return {**worth, "lead": claim.published, "p": chance, "needed_matches": needed}


CONFIRMED, CONTRADICTED = "confirmed", "contradicted"
ALIKE, UNLIKE, EVEN = "open, same way", "open, other way", "open, even"


def _verdict(lead: Lead, chance: float) -> str:
    if chance < SIGNIFICANT:
        return CONFIRMED if lead.mean > 0 else CONTRADICTED
    return ALIKE if lead.mean > 0 else UNLIKE if lead.mean < 0 else EVEN


def _cause(claim: Claim, verdict: str, raw: str) -> str:
    """Say what the likely cause is where ours does not confirm."""
    published = None if claim.published is None else claim.ours.chance(claim.published, claim.sets)
    within = published is not None and published >= SIGNIFICANT
    if verdict == CONFIRMED:
        return ""
    if verdict in (ALIKE, UNLIKE, EVEN):
        text = "Chance: our lead is too small for the published number of matches"
        return text + (", and so is the published one." if within else ".")
    if raw == CONFIRMED:
        return "The reading: without support and revision, as the paper's text has it, ours shows it too."
    if raw in (ALIKE, UNLIKE, EVEN):
        return "The reading, in part: read literally, the difference is within chance." + _and(claim)
    return "Not the reading: the literal one contradicts it as well." + _and(claim)


def _and(claim: Claim) -> str:
    return f" {claim.suspect}" if claim.suspect else ""


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
