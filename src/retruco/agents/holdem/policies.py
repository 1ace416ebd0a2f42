"""The policies of Casey, the case-based learner of Sandven and Tessem (2006): readings of the paper, and three that mend its weaknesses.

In each stage Casey asks its cases what similar situations brought, strategy by strategy. Knowing
too little it plays at random, but never folds, and so fills its base; else it takes what paid
best, now and then bluffs where nothing pays, and folds the rest. What it retains of a hand is
decided in `retruco.learning.holdem`.

The paper leaves some things open. Each choice is a field of `CaseyPolicy`, and `CaseyPolicy.choices`
writes all of them down. A reading is written after a name, as `casey@ties=newest+blinds=sunk`; what it does
not choose stays as the name alone has it:

| choice | values |
|---|---|
| `ties` | which of equally similar cases are retrieved: the `oldest`, or the `newest` |
| `blinds` | whether a blind that was posted is `invested`, so that folding loses it, or `sunk`, so that playing on has to beat folding |
| `search` | the `generalised` case, or the `best-match`, which the paper tried first and gave up |
| `neighbours` | how many cases are generalised, at what similarity: `100@0.95` |
| `prior` | how many cases at the common mean each strategy is credited with |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent, CasesFor, Entry
from retruco.cbr.case import Choice, Json, Pick, QuestionRecord
from retruco.cbr.modes import Top, TopNewest
from retruco.cbr.summary import CaseTally
from retruco.compiler import compiled_step
from retruco.games.core import Action
from retruco.games.holdem import HoldemObservation
from retruco.games.holdem.compiled import AT, Longs, bets_to_call
from retruco.streams import Stream
from retruco.vocab.holdem.questions import turn
from retruco.vocab.holdem.revision import PotOdds, StartingHand
from retruco.vocab.holdem.rows import HALVES
from retruco.vocab.holdem.strategies import NAMES, NOT_FOLD, PLAY
from retruco.vocab.holdem.strength import Floats
from retruco.vocab.registry import Answer

if TYPE_CHECKING:
    from retruco.cbr.casebase import Retrieval
    from retruco.cbr.tallies import Bytes, Ints

UNKNOWN, PAYS, STEALS, NOTHING_PAYS = "too-few-cases", "pays-best", "bluff", "nothing-pays"
"""The rules that decide, in the order in which they are tried."""
TOO_FEW, MAY_BLUFF, NONE_PAYS = -1, -2, -3
"""What `choose` says instead of a strategy, of which the first two are left to chance."""
PLAYED: Final = tuple(NAMES.index(name) for name in PLAY)
ROWS, POINTS, CLOSENESS = (CaseTally._fields.index(name) for name in ("rows", "points", "closeness"))
ROW_MASK: Final = (1 << 32) - 1
"""The row of a case, which may come with its distance; see `retruco.cbr.kernel`."""


class CaseyValues(Mapping[str, Json]):
    """What the reason of a decision tells; the table is laid out when somebody reads it."""

    def __init__(self, asked: QuestionRecord) -> None:
        self._asked = asked

    @cached_property
    def _values(self) -> dict[str, Json]:
        found: Any = self._asked.evidence
        table = generalised_case(sums_of(found))
        return {"strategy": self._asked.answer, "cases": len(found), "generalised": table}

    def __getitem__(self, name: str) -> Json:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True, slots=True)
class CaseyPolicy(Policy):
    """Chooses a strategy for each stage by its generalised case."""

    game: str = "holdem"
    mode: Top = Top(100, 0.95)  # noqa: RUF009  a frozen record, the same for all
    enough: int = 20
    """With fewer similar cases it plays at random."""
    bluffs: float = 0.1
    """How often it bluffs where it may."""
    most_bets: int = 1
    most_opponents: int = 2
    """Where a bluff is possible: so many bets to call and opponents at the most."""
    reads: bool = False
    """Whether the opponents' aggression is a feature."""
    blinds: Literal["invested", "sunk"] = "invested"
    """What a strategy is compared with before the flop: zero, or what folding loses."""
    search: Literal["generalised", "best-match"] = "generalised"
    """Whether it goes by the generalised case, or by the nearest case that did not lose."""
    prior: int = 0
    """How many cases at the mean of all PLAY cases each strategy is credited with."""

    @property
    def choices(self) -> dict[str, Json]:
        """How it reads what the paper leaves open."""
        return {
            "ties": "newest" if isinstance(self.mode, TopNewest) else "oldest",
            "blinds": self.blinds,
            "search": self.search,
            "neighbours": f"{self.mode.k}@{self.mode.at_least}",
            "prior": self.prior,
        }

    def turn(self, seen: HoldemObservation, answer: Answer) -> Action:
        """Ask for the strategy of this stage, with the opponent model or without."""
        return turn(seen, answer, self.reads)

    @property
    def terms(self) -> Terms:
        """The numbers by which a strategy is chosen."""
        sunk, best_match = self.blinds == "sunk", self.search == "best-match"
        prior = 0 if best_match else self.prior
        return Terms(self.enough, prior, self.most_bets, self.most_opponents, sunk, best_match)

    def reuse(self, found: Retrieval, question: Any, chance: Stream) -> Choice:
        """Pick a strategy; the chance belongs to the stage, so that asking again gives the same."""
        sums, means = sums_of(found), np.zeros(len(NAMES))
        best = choose(sums, means, *nearest_rows(found, self.terms), question.situation, self.terms)
        chosen, rule = self.draw(best, question.stream)
        scores = {NAMES[place]: float(means[place]) for place in PLAYED if sums[place, ROWS]}
        return Choice(None if rule == UNKNOWN else chosen, (Pick(chosen, rule, scores),))

    def draw(self, best: int, stream: Callable[[str], Stream]) -> tuple[str, str]:
        """Draw where `choose` leaves it to chance; give the strategy and the rule that decided."""
        if best >= 0:
            return NAMES[best], PAYS
        if best == TOO_FEW:
            return stream(self.name).choice(NOT_FOLD), UNKNOWN
        if best == MAY_BLUFF and stream(self.name).chance(self.bluffs):
            return "BLUFF", STEALS
        return "FOLD", NOTHING_PAYS

    def fallback(self, question: Any, choice: Choice) -> str:
        """Play what was drawn at random."""
        return str(choice.picks[-1].chosen)

    def values(self, asked: QuestionRecord) -> Mapping[str, Json]:
        """The strategy, and the generalised case by which it was chosen."""
        return CaseyValues(asked)


# The choice, compiled: at a table in compiled code as in a single decision


class Terms(NamedTuple):
    """The numbers of a policy."""

    enough: int
    prior: int
    most_bets: int
    most_opponents: int
    sunk: bool
    best_match: bool


@compiled_step
def fold_result(situation: Longs, sunk: bool) -> float:
    """What folding brings: nothing, or the loss of one's own blind where blinds are sunk.

    Cases count a blind as paid in their stage, so that a strategy pays if it loses less than the blind.
    """
    if not sunk or situation[AT.stage]:
        return 0.0
    return float(-HALVES * situation[AT.paid] / situation[AT.blind])


@compiled_step
def generalise(sums: Longs, prior: int, means: Floats) -> int:
    """Write down the mean result of each strategy that means to win, and give the best of those that have cases; or -1.

    `prior` cases at the mean of all are added to each; closer cases break ties.
    """
    rows, points, best = 0, 0, -1
    for place in PLAYED:
        rows += sums[place, ROWS]
        points += sums[place, POINTS]
    pull = prior * points / rows if rows else 0.0
    for place in PLAYED:
        if sums[place, ROWS]:
            means[place] = (sums[place, POINTS] + pull) / (sums[place, ROWS] + prior)
            better = best < 0 or means[place] > means[best]
            if better or (means[place] == means[best] and sums[place, CLOSENESS] > sums[best, CLOSENESS]):
                best = place
    return best


@compiled_step
def choose(
    sums: Longs,
    means: Floats,
    near: Longs,
    actions: Bytes,
    results: Ints,
    situation: Longs,
    terms: Terms,
) -> int:
    """Choose the strategy that pays best in similar cases; or say that there are too few, or that none pays.

    `sums` has the tally of each strategy. The paper's first search takes the action of the nearest case that did
    not lose: `near` lists the rows of the cases, nearest first, `actions` and `results` are columns of the base.
    """
    found = 0
    for place in range(sums.shape[0]):
        found += sums[place, ROWS]
    folding, best = fold_result(situation, terms.sunk), generalise(sums, terms.prior, means)
    if found < terms.enough:
        return TOO_FEW
    if terms.best_match:
        for entry in range(found):
            row = near[entry] & ROW_MASK
            if results[row] >= folding:
                return int(actions[row])
    elif best >= 0 and means[best] > folding:
        return best
    is_cheap = bets_to_call(situation) <= terms.most_bets
    return MAY_BLUFF if is_cheap and situation[AT.opponents] <= terms.most_opponents else NONE_PAYS


def sums_of(found: Retrieval) -> Longs:
    """What similar cases brought, by strategy."""
    sums = np.zeros((len(NAMES), len(CaseTally._fields)), np.int64)
    for _, action, tally in found.summary.items:
        sums[NAMES.index(action)] = tally
    return sums


def nearest_rows(found: Retrieval, terms: Terms) -> tuple[Longs, Bytes, Ints]:
    """The cases nearest first, with their actions and credits, where the choice looks at them."""
    matches = found.matches if terms.best_match else ()
    return (
        np.arange(len(matches)),
        np.array([NAMES.index(case.action) for case in matches], np.uint8),
        np.array([case.credit for case in matches], np.int32),
    )


def generalised_case(sums: Longs) -> list[dict[str, Json]]:
    """The results of similar cases by strategy (Sandven and Tessem 2006, table 3), sums last."""
    lines = dict(zip(NAMES, sums, strict=True))
    lines |= {"sum of play": sums[list(PLAYED)].sum(axis=0), "sum": sums.sum(axis=0)}
    plain = {name: CaseTally(*map(int, tally)) for name, tally in lines.items()}
    return [
        {
            "strategy": name,
            "result": tally.points,
            "mean": round(tally.points / tally.rows, 3) if tally.rows else None,
            "frequency": tally.rows,
            "wins": tally.wins,
            "losses": tally.rows - tally.wins - tally.draws,
        }
        for name, tally in plain.items()
    ]


NEWEST: Final = TopNewest(100, 0.95)

POLICIES: Final = {
    policy.name: policy
    for policy in (
        CaseyPolicy("casey"),
        CaseyPolicy("casey-newest", mode=NEWEST),
        CaseyPolicy("casey-sunk", blinds="sunk"),
        CaseyPolicy("casey-newest-sunk", mode=NEWEST, blinds="sunk"),
        CaseyPolicy("casey-wide", mode=TopNewest(300, 0.95), blinds="sunk", prior=20),
        CaseyPolicy("casey-best-match", search="best-match"),
        CaseyPolicy("casey-odds", rules=(PotOdds(),)),
        CaseyPolicy("casey-starts", rules=(StartingHand(),)),
        CaseyPolicy("casey-reads", reads=True),
    )
}
STYLES: Final = {
    "casey": "Remembers what each strategy brought in similar situations and plays what paid (Sandven 2006).",
    "casey-newest": "As casey, but of equally similar cases it goes by the newest.",
    "casey-sunk": "As casey, but a posted blind is lost already: it plays on where that loses less than folding.",
    "casey-newest-sunk": "As casey, with the newest of equally similar cases, and blinds that are lost already.",
    "casey-wide": "As casey-newest-sunk, by 300 cases, and a strategy with few of them counts less.",
    "casey-best-match": "As casey, but by the nearest case that did not lose, which the paper tried first.",
    "casey-odds": "As casey, but it does not fold where the pot pays for the chance to win.",
    "casey-starts": "As casey, but it folds starting hands that win less than their part against as many random ones.",
    "casey-reads": "As casey, with how aggressive its opponents have been as one more feature.",
}


WORDS: Final = {
    "ties": ("oldest", "newest"),
    "blinds": ("invested", "sunk"),
    "search": ("generalised", "best-match"),
}
"""The choices that are one word of two."""
NUMBERS: Final = ("neighbours", "prior")


def policy_named(name: str) -> CaseyPolicy:
    """Find a Casey by its name, or by a name and a reading.

    >>> policy_named("casey@ties=newest+blinds=sunk").choices == POLICIES["casey-newest-sunk"].choices
    True
    >>> policy_named("casey@blinds=raised")
    Traceback (most recent call last):
    ...
    ValueError: unknown blinds 'raised' in the reading 'blinds=raised': one of invested, sunk
    """
    plain, _, reading = name.partition("@")
    if plain not in POLICIES:
        raise ValueError(f"unknown reading {name!r}: one of {', '.join(POLICIES)}")
    policy = POLICIES[plain]
    for part in reading.split("+") if reading else ():
        policy = _changed(policy, part, reading)
    return replace(policy, name=name)


def _changed(policy: CaseyPolicy, part: str, reading: str) -> CaseyPolicy:
    """Change one choice of a reading."""
    choice, _, value = part.partition("=")
    if choice not in (*WORDS, *NUMBERS):
        raise ValueError(
            f"unknown part {part!r} in the reading {reading!r}: one of {', '.join((*WORDS, *NUMBERS))}"
        )
    if choice in WORDS and value not in WORDS[choice]:
        raise ValueError(
            f"unknown {choice} {value!r} in the reading {reading!r}: one of {', '.join(WORDS[choice])}"
        )
    mode = policy.mode
    if choice == "ties":
        kind = TopNewest if value == "newest" else Top
        return replace(policy, mode=kind(mode.k, mode.at_least))
    if choice in WORDS:
        changes: dict[str, Any] = {choice: value}
        return replace(policy, **changes)
    count, _, share = value.partition("@")
    if not count.isdecimal() or (choice == "neighbours" and not _is_share(share)):
        form = "100@0.95" if choice == "neighbours" else "20"
        raise ValueError(f"cannot read {part!r} in the reading {reading!r}: write {choice}={form}")
    if choice == "prior":
        return replace(policy, prior=int(count))
    return replace(policy, mode=replace(mode, k=max(1, int(count)), at_least=float(share)))


def _is_share(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and float(text) <= 1


def make(policy: Policy, cases_for: CasesFor) -> Agent:
    """Give a Casey its case base."""
    return CaseBasedAgent(policy, cases_for(policy.game))


def make_reading(name: str, reading: str, cases_for: CasesFor) -> Agent:
    """Give another reading of a Casey its case base."""
    return make(policy_named(f"{name}@{reading}"), cases_for)


ROSTER = tuple(
    Entry(name, "holdem", style, partial(make, POLICIES[name]), make_reading=partial(make_reading, name))
    for name, style in STYLES.items()
)
