"""How well bluffs are told from the other side of the table: the calls of people and of agents, with what lay behind them.

Every call that somebody had to answer is judged four ways, without the caller's cards: by what is believed of the caller
and the cards that are not seen, by cases of like situations, by the cards that are not seen alone, and by how often calls
in that situation are bluffs. What people did in a match is never used to judge calls of that match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent
from retruco.agents.truco.bluff_cases import CallCase, CallCases, problem_of_call
from retruco.agents.truco.bluffs import BluffChance, bluff_chance, call_to_answer
from retruco.agents.truco.opponent_model import FREE, Numbers, OpponentModel, Styles
from retruco.agents.truco.opponent_turns import (
    CARD_CLASSES,
    ENVIDO_SITUATIONS,
    POINTS_CLASSES,
    POOR,
    SITUATIONS,
    KnownCards,
    class_of,
    replies_in,
    replies_of_other,
)
from retruco.arena.sets import play_set
from retruco.arena.stats import Interval, ratio_interval
from retruco.cbr.case import Decision
from retruco.games.truco.deck import STRENGTH, envido_points
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.state import TrucoState
from retruco.learning.agreement import Bin, HumanAnswer
from retruco.learning.opponents import PersonReply, group_people
from retruco.streams import Stream
from retruco.vocab.truco.partial import PartialHand
from retruco.vocab.truco.scenarios import CATEGORIES

MODEL, CASES, CARDS, RATE = "model", "like cases", "cards alone", "rate alone"
WAYS: Final = (MODEL, CASES, CARDS, RATE)
BINS: Final = 8
RESAMPLES: Final = 200
CODE_STRENGTH: Final = {code: place for place, code in enumerate(sorted(CATEGORIES), 1)}
"""The strength of a card by its code in the recorded hands."""


class JudgedCall(NamedTuple):
    """A call that somebody had to answer, how likely it seemed a bluff, and whether it was one."""

    match: str
    call: str
    chances: Mapping[str, float]
    """By way of judging."""
    is_bluff: bool


class Detection(NamedTuple):
    """How well one way of judging tells bluffs."""

    calls: int
    bluffs: int
    area: float
    """The chance that a bluff seemed likelier to be one than an honest call: 0.5 by guessing, 1 at best."""
    interval: Interval
    brier: float
    """The mean square of chance less truth; the lower, the better."""
    calibration: tuple[Bin, ...]
    intervals: tuple[Interval, ...]
    """Of the observed share of every bin."""


def detect(calls: Sequence[JudgedCall], way: str, seed: int = 1) -> Detection:
    """Sum up one way of judging; the match is the unit of intervals."""
    chances = np.array([call.chances[way] for call in calls])
    truth = np.array([call.is_bluff for call in calls])
    matches = sorted({call.match for call in calls})
    by_match = [np.flatnonzero([call.match == match for call in calls]) for match in matches]
    random, areas = np.random.default_rng(seed), list[float]()
    for _ in range(RESAMPLES):
        drawn = np.concatenate([by_match[place] for place in random.integers(0, len(matches), len(matches))])
        areas.append(area_under_curve(chances[drawn], truth[drawn]))
    low, high = np.nanquantile(areas, (0.025, 0.975))
    bins, intervals = calibrate(chances, truth, by_match)
    return Detection(
        len(calls),
        int(truth.sum()),
        area_under_curve(chances, truth),
        (float(low), float(high)),
        float(((chances - truth) ** 2).mean()),
        bins,
        intervals,
    )


def area_under_curve(chances: Numbers, truth: NDArray[np.bool_]) -> float:
    """The area under the curve of hits by false alarms; ties count half.

    >>> area_under_curve(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    bluffs, honest = np.sort(chances[truth]), chances[~truth]
    if not len(bluffs) or not len(honest):
        return float("nan")
    above = len(bluffs) - np.searchsorted(bluffs, honest, side="right")
    level = np.searchsorted(bluffs, honest, side="right") - np.searchsorted(bluffs, honest, side="left")
    return float((above + level / 2).sum() / (len(bluffs) * len(honest)))


def calibrate(
    chances: Numbers, truth: NDArray[np.bool_], by_match: Sequence[NDArray[np.intp]]
) -> tuple[tuple[Bin, ...], tuple[Interval, ...]]:
    """Predicted and observed shares by bins of equal size, with intervals over matches."""
    edges = np.quantile(chances, np.linspace(0, 1, BINS + 1))
    places = np.clip(np.searchsorted(edges, chances, side="right") - 1, 0, BINS - 1)
    bins, intervals = list[Bin](), list[Interval]()
    for number in range(BINS):
        inside = places == number
        if not inside.any():
            continue
        counts = [int(inside[match].sum()) for match in by_match]
        bluffs = [int(truth[match][inside[match]].sum()) for match in by_match]
        used = [place for place, count in enumerate(counts) if count]
        share, interval = ratio_interval(
            [bluffs[place] for place in used], [counts[place] for place in used], (0.0, 1.0)
        )
        low, high = float(edges[number]), float(edges[number + 1])
        bins.append(Bin(low, high, int(inside.sum()), float(chances[inside].mean()), share))
        intervals.append(interval)
    return tuple(bins), tuple(intervals)


# Calls of an agent


class Watching:
    """An agent that notes every call it has to answer."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.noted = agent, list[TrucoObservation]()

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision | str:
        """Note a call that waits, and decide as the agent does."""
        if call_to_answer(observation) is not None:
            self.noted.append(observation)
        return self.agent.decide(observation, chance)


def watch_calls(
    observer: Agent, caller: Agent, pairs: int, seed: int
) -> Iterator[tuple[str, TrucoObservation, bool]]:
    """The calls that one agent had to answer in matches against another: the match, the call, whether a bluff."""
    game = Truco.named("trucogame")
    for number in range(pairs):
        watching = Watching(observer)
        played = play_set(game, [[watching], [caller]], seed, number)
        for order, match in enumerate(played.matches):
            for seen in watching.noted:
                if seen.seat == order:
                    state = match.hands[len(seen.history)].state
                    assert isinstance(state, TrucoState)
                    yield f"{number}.{order}", seen, is_bluff(seen, state)


def is_bluff(seen: TrucoObservation, end: TrucoState) -> bool:
    """Whether the call that waits was made on poor cards or points, by the cards of the finished hand."""
    hand = end.hands[seen.other]
    known = KnownCards(envido_points(hand), hand)
    calls = [reply for reply in replies_in(seen.log, seen.mao, seen.other, known) if reply.is_call]
    return calls[-1].holding == POOR


def cases_of_agent(observer: Agent, caller: Agent, pairs: int, seed: int) -> Iterator[CallCase]:
    """The calls of an agent as cases."""
    for _, seen, bluff in watch_calls(observer, caller, pairs, seed):
        problem = problem_of_call(seen)
        assert problem is not None, "a call waits"
        yield CallCase(problem, bluff)


def calls_of_agent(
    model: OpponentModel, cases: CallCases, observer: Agent, caller: Agent, pairs: int, seed: int
) -> list[JudgedCall]:
    """The calls of an agent in matches against another, judged in every way."""
    found = list[JudgedCall]()
    for match, seen, bluff in watch_calls(observer, caller, pairs, seed):
        chance = bluff_chance(model, model.read(seen.history), seen, cases)
        assert chance is not None, "a call waits"
        found.append(JudgedCall(match, chance.call, by_way(chance), bluff))
    return found


def by_way(chance: BluffChance) -> dict[str, float]:
    """How likely a call is a bluff, by way of judging."""
    assert chance.by_cases is not None, "studies bring cases"
    return {
        MODEL: chance.chance,
        CASES: chance.by_cases.share,
        CARDS: chance.by_cards,
        RATE: chance.by_rate,
    }


# Calls of people


def calls_of_people(
    answers: Sequence[HumanAnswer],
    replies: Sequence[PersonReply],
    hands: Mapping[int, PartialHand],
    folds: int,
) -> list[JudgedCall]:
    """The calls that people had to answer, judged by people of other matches and by the match so far."""
    fold_of = fold_of_matches([answered.match for answered in answers], folds)
    found = list[JudgedCall]()
    for fold in range(folds):
        others = [replied for replied in replies if fold_of[replied.person[0]] != fold]
        model = OpponentModel(people_styles(group_people(others)))
        cases = CallCases(cases_of_people((each for each in answers if fold_of[each.match] != fold), hands))
        own = [answered for answered in answers if fold_of[answered.match] == fold]
        found += judge_people(model, cases, own, hands)
    return found


def cases_of_people(answers: Iterable[HumanAnswer], hands: Mapping[int, PartialHand]) -> Iterator[CallCase]:
    """The calls that people had to answer as cases, where the caller's cards or points were recorded."""
    for episode, questions in by_episode(answers).items():
        for seen in views_with_calls(questions):
            holding, problem = holding_behind(seen, hands[episode]), problem_of_call(seen)
            if holding is not None and problem is not None:
                yield CallCase(problem, holding == POOR)


def by_episode(answers: Iterable[HumanAnswer]) -> dict[int, list[HumanAnswer]]:
    """Answers by the hand they were given in, in the order of the hands."""
    episodes = defaultdict[int, list[HumanAnswer]](list)
    for answered in answers:
        episodes[answered.episode].append(answered)
    return dict(sorted(episodes.items()))


def people_styles(groups: Sequence[Numbers]) -> Styles:
    """Groups of people as styles, without responses to them."""
    names = (*(f"people {number}" for number in range(1, len(groups) + 1)), FREE)
    return Styles(names, np.array(groups), (), np.zeros((0, len(names))), {})


def judge_people(
    model: OpponentModel, cases: CallCases, answers: Iterable[HumanAnswer], hands: Mapping[int, PartialHand]
) -> Iterator[JudgedCall]:
    """Judge the calls of some matches, hand by hand as one side saw them."""
    reading, before = model.start, ("", -2)
    for episode, questions in by_episode(answers).items():
        match = questions[0].match
        if before != (match, episode - 1):
            reading = model.start
        for seen in views_with_calls(questions):
            holding = holding_behind(seen, hands[episode])
            chance = bluff_chance(model, reading, seen, cases)
            if holding is not None and chance is not None:
                yield JudgedCall(match, chance.call, by_way(chance), holding == POOR)
        reading = model.after(reading, replies_of_other(questions[-1].question.seen))
        before = match, episode


def views_with_calls(questions: Iterable[HumanAnswer]) -> Iterator[TrucoObservation]:
    """What a person saw when a call waited for an answer, once for each call."""
    lengths = set[int]()
    for answered in questions:
        seen = answered.question.seen
        if len(seen.log) not in lengths and call_to_answer(seen) is not None:
            lengths.add(len(seen.log))
            yield seen


def holding_behind(seen: TrucoObservation, hand: PartialHand) -> int | None:
    """The class of what the caller held, as far as it was recorded."""
    call = call_to_answer(seen)
    assert call is not None, "a call waits"
    if SITUATIONS[call.situation] in ENVIDO_SITUATIONS:
        return None if hand.points[1] is None else class_of(hand.points[1], POINTS_CLASSES)
    if hand.other_hand is None:
        return None
    left = [CODE_STRENGTH[code] for code in hand.other_hand]
    for play in seen.rounds.plays:
        if play.seat == seen.other and play.card and STRENGTH[play.card] in left and len(left) > 1:
            left.remove(STRENGTH[play.card])
    return class_of(max(left), CARD_CLASSES)


def fold_of_matches(matches: Iterable[str], folds: int) -> dict[str, int]:
    """Deal matches into folds, the same ones always."""
    order = sorted(set(matches))
    Stream("opponents", "folds").shuffle(order)
    return {match: place % folds for place, match in enumerate(order)}
