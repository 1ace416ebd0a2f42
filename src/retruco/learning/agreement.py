"""How human the agents are: how often each policy plays what the person played.

Leave one match out: the policies answer the questions of a match from all hands but those of
that match, so that neither the hand nor its mirrored twin is remembered. Beside them stand the
most frequent answer, and gradient boosting on the same visible attributes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

import numpy as np

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.truco.policies import TWENTY, policies
from retruco.arena.stats import Interval, ratio_interval
from retruco.cbr.casebase import CaseBase
from retruco.cbr.vocabulary import Scenario
from retruco.games.truco.notation import read
from retruco.streams import Stream
from retruco.vocab.truco.partial import PartialHand
from retruco.vocab.truco.partial_replay import partial_answers
from retruco.vocab.truco.questions import Question
from retruco.vocab.truco.rows import answered_in

ALL: Final = "all"
MOST_FREQUENT: Final = "most frequent"
BOOSTING: Final = "gradient boosting"
LOTTERY: Final = "PLS"
"""The policy whose shares are read as probabilities."""
BINS: Final = 10


class HumanAnswer(NamedTuple):
    """One question that a person answered, in which hand of which match."""

    question: Question
    answer: str
    match: str
    episode: int


class AgreementShare(NamedTuple):
    """How often two agree, of how many questions, with its interval over matches."""

    agree: float
    questions: int
    interval: Interval


@dataclass
class Tallies:
    """Questions and agreements, by who answers, scenario and match."""

    hits: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    asked: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def note(self, who: str, answered: HumanAnswer, hit: bool) -> None:
        """Count one answer, in its scenario and in all."""
        for scenario in (answered.question.scenario, ALL):
            self.asked[who, scenario][answered.match] += 1
            self.hits[who, scenario][answered.match] += hit

    def share(self, who: str, scenario: str) -> AgreementShare | None:
        """The share of agreement; the match is the unit of its interval."""
        asked, hits = self.asked.get((who, scenario)), self.hits.get((who, scenario))
        if not asked or hits is None:
            return None
        matches = list(asked)
        rate, interval = ratio_interval(
            [hits[one] for one in matches], [asked[one] for one in matches], widest=(0.0, 1.0)
        )
        return AgreementShare(rate, sum(asked.values()), interval)


class Bin(NamedTuple):
    """Predictions of like probability, and how often they came true."""

    low: float
    high: float
    predictions: int
    predicted: float
    observed: float


@dataclass(frozen=True)
class Agreement:
    """What the study found."""

    matches: int
    hands: int
    questions: int
    scenarios: tuple[str, ...]
    shares: Mapping[str, Mapping[str, AgreementShare]]
    """As played, by who answers and scenario."""
    proposed: Mapping[str, AgreementShare]
    """Before revision, over all scenarios."""
    calibration: tuple[Bin, ...]
    error: float
    """The mean distance between predicted and observed shares, weighted by predictions."""

    def as_json(self) -> dict[str, Any]:
        """The study as plain data."""
        return {
            "matches": self.matches,
            "hands": self.hands,
            "questions": self.questions,
            "agreement": {
                who: {name: _plain(share) for name, share in found.items()}
                for who, found in self.shares.items()
            },
            "before_revision": {who: _plain(share) for who, share in self.proposed.items()},
            "calibration": [one._asdict() for one in self.calibration],
            "calibration_error": self.error,
        }


def _plain(share: AgreementShare) -> dict[str, object]:
    return {"agree": share.agree, "questions": share.questions, "ci95": list(share.interval)}


def people_answers(hands: Iterable[tuple[int, PartialHand]]) -> list[HumanAnswer]:
    """List every question that people are known to have answered."""
    found = []
    for episode, hand in hands:
        match = hand.match if hand.match is not None else f"hand {hand.number}"
        answers = partial_answers(hand) if hand.record is None else answered_in(read(hand.record), 0)
        found += [HumanAnswer(question, answer, match, episode) for question, answer in answers]
    return found


class LeftOut:
    """A copy of a base from which the episodes of one match can be taken away and put back."""

    def __init__(self, cases: CaseBase) -> None:
        self.cases = CaseBase(cases.vocabulary, cases.measure)
        for scenario in cases.vocabulary.scenarios:
            if cases.count(scenario.name):
                self.cases.cluster(scenario.name, cases.clustering(scenario.name))
                self.cases.add_columns(scenario.name, *cases.columns(scenario.name))

    def without(self, episodes: Sequence[int], ask: Callable[[], None]) -> None:
        """Ask while these episodes are away."""
        away = []
        for scenario in self.cases.vocabulary.scenarios:
            batch = self.cases.columns(scenario.name)
            which = np.isin(batch.episodes, episodes)
            if which.any():
                away.append((scenario.name, [column[which] for column in batch]))
        self.cases.remove(*episodes)
        ask()
        for name, columns in away:
            self.cases.add_columns(name, *columns)


def study_agreement(
    cases: CaseBase,
    answers: Sequence[HumanAnswer],
    names: Sequence[str] = TWENTY,
    folds: int = 10,
    most_matches: int | None = None,
    after_match: Callable[[int, int], None] = lambda done, of: None,
) -> Agreement:
    """Ask every policy all questions of people, each match answered without its own hands.

    With `most_matches` only so many matches, drawn once for all, are asked about.
    """
    played, proposed, odds = Tallies(), Tallies(), list[tuple[float, bool]]()
    by_match = _by_match(answers)
    order = sorted(by_match)
    Stream("agreement", "matches").shuffle(order)
    by_match = {match: by_match[match] for match in order[:most_matches]}
    left_out = LeftOut(cases)
    chosen = [policies()[name] for name in names]
    for done, asked in enumerate(by_match.values(), 1):

        def ask(asked: Sequence[HumanAnswer] = asked) -> None:
            _ask(left_out.cases, chosen, asked, played, proposed, odds)

        left_out.without(sorted({one.episode for one in asked}), ask)
        after_match(done, len(by_match))
    _most_frequent(answers, by_match, played)
    baselines = [MOST_FREQUENT]
    if can_boost():
        _boosting(cases, answers, set(by_match), folds, played)
        baselines.append(BOOSTING)
    answers = [one for one in answers if one.match in by_match]
    return _summed_up(cases, answers, (*names, *baselines), played, proposed, odds)


def can_boost() -> bool:
    """Whether scikit-learn, an extra, is installed: the study compares with its gradient boosting."""
    return find_spec("sklearn") is not None


def _by_match(answers: Sequence[HumanAnswer]) -> dict[str, list[HumanAnswer]]:
    found: dict[str, list[HumanAnswer]] = defaultdict(list)
    for answered in answers:
        found[answered.match].append(answered)
    return dict(found)


def _ask(
    cases: CaseBase,
    chosen: Sequence[Policy],
    asked: Sequence[HumanAnswer],
    played: Tallies,
    proposed: Tallies,
    odds: list[tuple[float, bool]],
) -> None:
    players = [CaseBasedAgent(policy, cases) for policy in chosen]
    for number, answered in enumerate(asked):
        for player in players:
            name = player.policy.name
            given = player.answer(answered.question, Stream("agreement", name, answered.match, number))
            played.note(name, answered, given.answer == answered.answer)
            choice = given.asked.choice
            proposed.note(name, answered, (choice.answer or given.answer) == answered.answer)
            if name == LOTTERY:
                odds += [(share, answer == answered.answer) for answer, share in choice.scores.items()]


def _most_frequent(
    answers: Sequence[HumanAnswer], by_match: Mapping[str, Sequence[HumanAnswer]], played: Tallies
) -> None:
    """Answer as most people did in that scenario, in the other matches."""
    everything: dict[str, Counter[str]] = defaultdict(Counter)
    for answered in answers:
        everything[answered.question.scenario][answered.answer] += 1
    for asked in by_match.values():
        here: dict[str, Counter[str]] = defaultdict(Counter)
        for answered in asked:
            here[answered.question.scenario][answered.answer] += 1
        for answered in asked:
            scenario = answered.question.scenario
            others = everything[scenario] - here[scenario]
            guess = max(answered.question.answers, key=lambda answer: others[answer])
            played.note(MOST_FREQUENT, answered, guess == answered.answer)


def _boosting(
    cases: CaseBase, answers: Sequence[HumanAnswer], matches: set[str], folds: int, played: Tallies
) -> None:
    """Answer by gradient boosting on the visible attributes, whole matches held out fold by fold."""
    order = sorted({one.match for one in answers})
    Stream("agreement", "folds").shuffle(order)
    fold_of = {match: place % folds for place, match in enumerate(order)}
    for scenario in cases.vocabulary.scenarios:
        some = [one for one in answers if one.question.scenario == scenario.name]
        if some:
            _boost(scenario, some, matches, fold_of, played)


def _boost(
    scenario: Scenario,
    some: Sequence[HumanAnswer],
    matches: set[str],
    fold_of: Mapping[str, int],
    played: Tallies,
) -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier  # slow to import
    from threadpoolctl import threadpool_limits

    attributes = np.array([answered.question.problem.values for answered in some], float)
    labels = np.array([scenario.action_code(answered.answer) for answered in some])
    fold = np.array([fold_of[answered.match] for answered in some])
    for number in np.unique(fold):
        asked = np.array([answered.match in matches for answered in some])
        test, train = (fold == number) & asked, fold != number
        if not test.any():
            continue
        if len(set(labels[train])) < 2:
            _always(some, test, labels[train], scenario, played)
            continue
        model = HistGradientBoostingClassifier(max_iter=50, max_leaf_nodes=15, random_state=0)
        with threadpool_limits(1):  # so little data is slower with more
            model.fit(attributes[train], labels[train])
            odds = model.predict_proba(attributes[test])
        for place, line in zip(np.flatnonzero(test).tolist(), odds, strict=True):
            answered = some[place]
            known = {scenario.actions[code]: share for code, share in zip(model.classes_, line, strict=True)}
            guess = max(answered.question.answers, key=lambda answer: known.get(answer, 0.0))
            played.note(BOOSTING, answered, guess == answered.answer)


def _always(some: Sequence[HumanAnswer], test: Any, labels: Any, scenario: Scenario, played: Tallies) -> None:
    """Where all others gave one answer there is nothing to boost."""
    only = scenario.actions[labels[0]] if len(labels) else None
    for place in np.flatnonzero(test).tolist():
        played.note(BOOSTING, some[place], some[place].answer == only)


def _summed_up(
    cases: CaseBase,
    answers: Sequence[HumanAnswer],
    names: Sequence[str],
    played: Tallies,
    proposed: Tallies,
    odds: Sequence[tuple[float, bool]],
) -> Agreement:
    there = {one.question.scenario for one in answers}
    scenarios = tuple(one.name for one in cases.vocabulary.scenarios if one.name in there)
    shares = {
        who: {name: share for name in (ALL, *scenarios) if (share := played.share(who, name)) is not None}
        for who in names
    }
    before = {who: share for who in names if (share := proposed.share(who, ALL)) is not None}
    bins = calibration(odds)
    error = sum(one.predictions * abs(one.predicted - one.observed) for one in bins) / max(1, len(odds))
    return Agreement(
        len({one.match for one in answers}),
        len({one.episode for one in answers}),
        len(answers),
        scenarios,
        shares,
        before,
        bins,
        error,
    )


def calibration(odds: Sequence[tuple[float, bool]], bins: int = BINS) -> tuple[Bin, ...]:
    """Sort predictions by their probability and see how often they came true.

    >>> calibration([(0.1, False), (0.15, True), (0.95, True)], bins=2)
    (Bin(low=0.0, high=0.5, predictions=2, predicted=0.125, observed=0.5), Bin(low=0.5, high=1.0, predictions=1, predicted=0.95, observed=1.0))
    """
    sorted_in: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for share, hit in odds:
        sorted_in[min(bins - 1, int(share * bins))].append((share, hit))
    return tuple(
        Bin(
            place / bins,
            (place + 1) / bins,
            len(found),
            sum(share for share, _ in found) / len(found),
            sum(hit for _, hit in found) / len(found),
        )
        for place, found in sorted(sorted_in.items())
    )
