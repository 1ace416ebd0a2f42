"""Reuse: the seeds' figures in numbers, every criterion by its definition, many questions as each alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_made import Asked, choose, choose_each, tallies_of
from retruco.cbr.case import Pick, Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Top
from retruco.cbr.reuse import (
    Conventional,
    Criterion,
    GuardedMajority,
    Lottery,
    Majority,
    Model,
    Picks,
    Points,
    Ties,
    TwoStep,
    Victory,
    pick_best,
    pick_items,
)
from retruco.cbr.revise import Replacement, revise
from retruco.cbr.summary import CaseTally, Item, Summary
from retruco.cbr.tallies import Items, Tallies
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, interval
from retruco.compiled_streams import Streams
from retruco.streams import Stream

ACTIONS = ("high", "medium", "low")


def row(cluster: int, action: str, credit: int = 1) -> Item:
    return cluster, action, CaseTally(1, int(credit > 0), int(credit == 0), credit, 100)


FIGURES = Asked([row(1, "medium"), row(2, "medium"), row(3, "high"), row(3, "high"), row(4, "medium")])


def test_figure_6_of_seed_002_the_majority_of_actions_is_medium() -> None:
    choice = choose(Conventional(Majority()), FIGURES)
    assert (choice.answer, choice.scores) == ("medium", {"high": 2.0, "medium": 3.0})


def test_figure_7_of_seed_002_the_majority_of_clusters_leads_to_high() -> None:
    choice = choose(TwoStep(Majority(), Majority()), FIGURES)
    assert (choice.answer, choice.cluster) == ("high", 3)
    assert choice.cluster_scores == {"1": 1.0, "2": 1.0, "3": 2.0, "4": 1.0}


def test_table_iii_of_seed_001_votes_low_with_eight_of_ten() -> None:
    """Case, its three cards, and the card it played first; the query holds 24, 6 and 1."""
    cases = {
        306: (24, 7, 1, "low"),
        378: (24, 6, 1, "low"),
        164: (24, 6, 1, "low"),
        337: (24, 3, 2, "medium"),
        186: (24, 8, 1, "low"),
        389: (24, 1, 1, "low"),
        286: (24, 7, 2, "low"),
        441: (24, 7, 1, "low"),
        213: (24, 6, 3, "low"),
        414: (24, 4, 3, "medium"),
    }
    cards = tuple(interval(name, 1, 52, span=52) for name in ACTIONS)
    scenario = Scenario("card-1-lead", (*cards, equal("is_mao", (1, 2))), (), ACTIONS)
    base = CaseBase(Vocabulary("truco", 1, (scenario,)))
    for number, (*held, action) in cases.items():
        values = {**dict(zip(ACTIONS, held, strict=True)), "is_mao": 1}
        base.add([Row(scenario.problem(values), action, 1, (), number, 0)])
    query = scenario.problem({"high": 24, "medium": 6, "low": 1, "is_mao": 1})
    retrieval = base.retrieve(query, Top(10, 0.90))
    choice = retrieval.choose(Conventional(Majority()), ACTIONS, Stream("test"))
    assert (choice.answer, choice.scores) == ("low", {"medium": 2.0, "low": 8.0})
    assert {match.episode for match in retrieval.matches} == set(cases)
    assert [match.episode for match in retrieval.matches[:2]] == [378, 164]


TABLE = Asked(
    [
        (0, "high", CaseTally(10, 5, 0, 20, 900)),
        (0, "medium", CaseTally(4, 3, 1, 2, 390)),
        (1, "low", CaseTally(26, 10, 2, -10, 2500)),
        (1, "high", CaseTally(1, 1, 0, 12, 90)),
    ]
)


@pytest.mark.parametrize(
    ("criterion", "action", "cluster"),
    [
        (Majority(), "low", 1),
        (Victory(), "medium", 0),
        (Victory(support=0, prior=0), "medium", 0),
        (Points(), "high", 0),
        (Points(support=0, prior=0), "high", 0),
        (GuardedMajority(), "high", 1),
    ],
)
def test_criteria_pick_by_hand_made_tables(criterion: Criterion, action: str, cluster: int) -> None:
    assert choose(Conventional(criterion), TABLE).answer == action
    assert choose(TwoStep(criterion, Majority()), TABLE).cluster == cluster


def test_victory_shrinks_to_the_mean_of_the_retrieval() -> None:
    mean = (19 + 3 / 2) / 41
    scores = choose(Conventional(Victory()), TABLE).scores
    assert scores["medium"] == pytest.approx((3.5 + 4 * mean) / 8)
    assert scores["high"] == pytest.approx((6 + 4 * mean) / 15)
    assert choose(Conventional(Victory(support=0, prior=0)), TABLE).scores["medium"] == 3.5 / 4


def test_points_shrink_to_the_mean_of_the_retrieval() -> None:
    scores = choose(Conventional(Points()), TABLE).scores
    assert scores["low"] == pytest.approx((-10 + 4 * 24 / 41) / 30)


def test_an_item_without_support_takes_no_part() -> None:
    def asked(*rows: tuple[str, CaseTally]) -> Asked:
        return Asked([(0, action, tally) for action, tally in rows])

    lucky = asked(("high", CaseTally(2, 2, 0, 24, 200)), ("low", CaseTally(70, 30, 0, -5, 7000)))
    assert choose(Conventional(Points()), lucky).answer == "low"
    assert choose(Conventional(Points(support=0, prior=0)), lucky).answer == "high"
    three = CaseTally(3, 3, 0, 24, 300)
    too_few = asked(("high", three), ("low", CaseTally(61, 30, 0, -5, 7000)))
    assert choose(Conventional(Victory()), too_few).scores.keys() == {"low"}
    enough = asked(("high", three), ("low", CaseTally(57, 30, 0, -5, 7000)))
    assert choose(Conventional(Victory()), enough).answer == "high"


def test_without_any_support_the_majority_decides() -> None:
    few = Asked([row(0, "high", 5), row(0, "low", -1), row(0, "low", -1)])
    for criterion in (Victory(), Points()):
        choice = choose(Conventional(criterion), few)
        assert (choice.answer, choice.rule, choice.scores) == ("low", "MJ", {"high": 1, "low": 2})


def test_points_on_wins_only_scenarios_are_victories() -> None:
    only = TABLE._replace(wins_only=True)
    assert choose(Conventional(Points()), only) == choose(Conventional(Victory()), TABLE)


def test_ties_go_to_the_closer_rows_then_to_the_order_of_actions() -> None:
    closer = Asked([(0, "low", CaseTally(3, 1, 0, 0, 300)), (0, "medium", CaseTally(3, 1, 0, 0, 299))])
    alike = Asked([(0, "low", CaseTally(3, 1, 0, 0, 300)), (0, "medium", CaseTally(3, 1, 0, 0, 300))])
    for criterion in (Majority(), Victory(), Points(), GuardedMajority()):
        assert choose(Conventional(criterion), closer).answer == "low"
        assert choose(Conventional(criterion), alike).answer == "medium"
    more = Asked([(0, "low", CaseTally(6, 2, 0, 0, 300)), (0, "medium", CaseTally(3, 1, 0, 0, 400))])
    answers = {
        ties: choose(Conventional(Points(support=0, prior=0, ties=ties)), more).answer
        for ties in get_args(Ties)
    }
    assert answers == {"similarity": "medium", "cases": "low", "order": "medium"}


def test_the_guarded_majority_goes_down_the_votes() -> None:
    lost = Asked([(0, "low", CaseTally(8, 2, 0, -3, 800)), (0, "high", CaseTally(2, 1, 0, 1, 200))])
    assert choose(Conventional(GuardedMajority()), lost).answer == "high"
    all_lost = Asked([(0, "low", CaseTally(8, 2, 0, -8, 800)), (0, "high", CaseTally(2, 0, 0, -4, 200))])
    choice = choose(Conventional(GuardedMajority()), all_lost)
    assert (choice.answer, choice.rule) == ("low", "lost-least")


def test_actions_not_available_are_skipped_and_adapted_ones_join() -> None:
    majority = Conventional(Majority())
    assert choose(majority, TABLE._replace(available={"high", "medium"})).answer == "high"
    assert choose(majority, TABLE._replace(available=())).answer is None
    assert choose(majority, Asked([])).rule == "no-experience"
    assert choose(TwoStep(Majority(), Majority()), Asked([])).answer is None
    adapted = choose(majority, TABLE._replace(available={"high", "medium"}, adapted={"low": "medium"}))
    assert (adapted.answer, adapted.scores) == ("medium", {"high": 11, "medium": 30})
    assert adapted.label("low") == "medium"


def test_two_steps_choose_within_the_cluster_only() -> None:
    choice = choose(TwoStep(Points(), Majority()), TABLE)
    assert (choice.cluster, choice.answer) == (0, "high")
    choice = choose(TwoStep(Majority(), Points()), TABLE)
    assert (choice.cluster, choice.answer) == (1, "low")


def test_policies_print_themselves() -> None:
    assert repr(TwoStep(Majority(), Victory())) == (
        "TwoStep(clusters=Majority(), actions=Victory(support=3, percent=5, prior=4))"
    )


# Chance


def test_the_lottery_draws_by_count_and_repeats_with_its_key() -> None:
    lottery, draws = Conventional(Lottery()), 4000
    streams = [Stream("draw", number) for number in range(draws)]
    drawn = Counter(choice.answer for choice in choose_each(lottery, [TABLE] * draws, streams))
    assert drawn["low"] / draws == pytest.approx(26 / 41, abs=0.03)
    assert drawn["medium"] / draws == pytest.approx(4 / 41, abs=0.02)
    assert len({choose(lottery, TABLE, Stream("draw", 5)).answer for _ in range(3)}) == 1


def test_the_lottery_does_not_draw_what_was_hardly_ever_done() -> None:
    streams = [Stream("draw", number) for number in range(300)]
    for least, drawn in ((0.1, {"high", "low"}), (0.5, {"low"}), (0.9, {"low"})):
        choices = choose_each(Conventional(Lottery(least)), [TABLE] * 300, streams)
        assert {choice.answer for choice in choices} == drawn
        assert all(choice.scores.keys() == set(ACTIONS) for choice in choices)


def test_without_experience_nothing_is_drawn() -> None:
    nothing, streams = TABLE._replace(available=()), [Stream("draw", number) for number in range(2)]
    assert [choice.answer is None for choice in choose_each(Conventional(Lottery()), [nothing, TABLE], streams)] == [True, False]  # fmt: skip
    assert streams[0].random() == Stream("draw", 0).random()
    assert streams[1].random() != Stream("draw", 1).random()


# Definitions

NAMES = ("none", "truco", "quero", "nao-quero", "baralho")
TALLIES = st.builds(
    lambda rows, wins, draws, points, closeness: CaseTally(
        rows, min(wins, rows), min(draws, rows - min(wins, rows)), points, closeness
    ),
    st.one_of(st.integers(1, 6), st.integers(1, 10**5)),
    st.integers(0, 6),
    st.integers(0, 3),
    st.one_of(st.integers(-3, 3), st.integers(-(10**6), 10**6)),
    st.integers(0, 3),
)
ENTRIES = st.dictionaries(st.tuples(st.integers(0, 3), st.sampled_from(NAMES)), TALLIES, max_size=8)
QUESTIONS = st.builds(
    lambda entries, available, adapted, wins_only: Asked(
        [(cluster, action, tally) for (cluster, action), tally in sorted(entries.items())],
        NAMES,
        available,
        {gone: other for gone, other in adapted.items() if gone not in available and other in available},
        wins_only,
    ),
    ENTRIES,
    st.sets(st.sampled_from(NAMES), min_size=1),
    st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES), max_size=2),
    st.booleans(),
)
SUPPORTS = st.tuples(st.integers(0, 5), st.integers(0, 50), st.integers(0, 9))


def by_action(asked: Asked) -> dict[str, CaseTally]:
    """Sum up the rows of the actions that can be given, in the order of the actions."""
    return tallies_of([asked]).summary(0).by_action


def best(scores: Mapping[str, Any], items: Mapping[str, CaseTally]) -> str:
    """The highest score, then the greatest closeness, then the first."""
    return max(scores, key=lambda name: (scores[name], items[name].closeness))


@given(QUESTIONS)
def test_the_majority_has_the_most_rows(asked: Asked) -> None:
    items, choice = by_action(asked), choose(Conventional(Majority()), asked)
    votes = {name: tally.rows for name, tally in items.items()}
    assert choice.answer == (best(votes, items) if items else None)
    assert choice.scores == votes


@given(QUESTIONS, SUPPORTS)
def test_points_and_victories_are_means_shrunk_to_that_of_the_retrieval(
    asked: Asked, settings: tuple[int, int, int]
) -> None:
    support, percent, prior = settings
    items, whole = by_action(asked), tallies_of([asked]).summary(0).whole
    enough = max(Fraction(support), Fraction(percent * whole.rows, 100)) if support else Fraction(0)
    eligible = {name: tally for name, tally in items.items() if tally.rows >= enough}
    for criterion, by_points in ((Points, not asked.wins_only), (Victory, False)):
        choice = choose(Conventional(criterion(support, percent, prior)), asked)

        def gain(tally: CaseTally, by_points: bool = by_points) -> Fraction:
            return Fraction(tally.points) if by_points else tally.wins + Fraction(tally.draws, 2)

        means = {
            name: (gain(tally) + prior * gain(whole) / whole.rows) / (tally.rows + prior)
            for name, tally in eligible.items()
        }
        if eligible:
            assert choice.answer == best(means, items)
            assert choice.scores == {name: float(mean) for name, mean in means.items()}
            assert choice.rule == ("NP" if by_points else "PV")
        else:
            assert choice == choose(Conventional(Majority()), asked)


@given(QUESTIONS, st.sampled_from([("won", 1), ("not-lost", 0), ("none", -(10**9))]))
def test_the_guard_says_who_takes_part_in_the_vote(asked: Asked, guard: tuple[Any, int]) -> None:
    items, choice = by_action(asked), choose(Conventional(GuardedMajority(guard[0])), asked)
    votes = {name: tally.rows for name, tally in items.items() if tally.points >= guard[1]}
    balance = {name: Fraction(tally.points, tally.rows) for name, tally in items.items()}
    scores: Mapping[str, Any] = votes or balance
    assert choice.answer == (best(scores, items) if items else None)
    assert choice.scores == {name: float(score) for name, score in scores.items()}
    assert choice.rule == ("GM" if votes else "lost-least" if items else "no-experience")


@given(QUESTIONS, st.integers(0, 2**32))
def test_the_lottery_draws_as_a_stream_does(asked: Asked, seed: int) -> None:
    items, stream = by_action(asked), Stream("x", seed)
    choice, chance = choose(Conventional(Lottery()), asked, stream), Stream("x", seed)
    rows = {name: tally.rows for name, tally in items.items()}
    assert choice.answer == (list(rows)[chance.weighted(list(rows.values()))] if rows else None)
    assert choice.scores == {name: count / sum(rows.values()) for name, count in rows.items()}
    assert stream.random() == chance.random()


# Many questions

CRITERIA: tuple[Criterion, ...] = (Majority(), Lottery(0.1), Victory(), Points(0, 0, 0), GuardedMajority())
MODELS: tuple[Model, ...] = (
    *(Conventional(criterion) for criterion in CRITERIA),
    TwoStep(Lottery(), Points()),
    TwoStep(Points(), Lottery()),
)


@given(st.lists(QUESTIONS, max_size=6), st.integers(0, 2**32))
def test_many_questions_are_answered_as_each_alone(asked: list[Asked], seed: int) -> None:
    for model in MODELS:
        together = [Stream(seed, place) for place in range(len(asked))]
        alone = [Stream(seed, place) for place in range(len(asked))]
        choices = choose_each(model, asked, together)
        assert choices == [choose(model, one, stream) for one, stream in zip(asked, alone, strict=True)]
        assert [one.random() for one in together] == [one.random() for one in alone]


# Criteria of one's own


class Closest:
    """A criterion over arrays: the item with the most similar rows on average."""

    code: ClassVar[str] = "closest"
    by_chance: ClassVar[bool] = False

    def pick_many(self, items: Items, tallies: Tallies, streams: Streams) -> Picks:
        return pick_best(
            items.closeness / np.maximum(items.rows, 1), items.rows > 0, items, self.code, "order"
        )


class PlainClosest:
    """The same in plain Python; it knows nothing of arrays."""

    code: ClassVar[str] = "closest"
    by_chance: ClassVar[bool] = False

    def __call__(self, items: Mapping[Any, CaseTally], summary: Summary, stream: Stream) -> Pick:
        assert summary.whole.rows >= sum(tally.rows for tally in items.values())
        assert items in (summary.by_action, summary.by_cluster)
        scores = {item: tally.closeness / tally.rows for item, tally in items.items()}
        return Pick(max(scores, key=lambda item: scores[item]), self.code, scores)


class PlainLottery:
    """A lottery in plain Python."""

    code: ClassVar[str] = "PL"
    by_chance: ClassVar[bool] = True

    def __call__(self, items: Mapping[Any, CaseTally], summary: Summary, stream: Stream) -> Pick:
        total = sum(tally.rows for tally in items.values())
        drawn = stream.weighted([tally.rows for tally in items.values()])
        return Pick(
            list(items)[drawn], self.code, {item: tally.rows / total for item, tally in items.items()}
        )


@given(st.lists(QUESTIONS, max_size=6), st.integers(0, 2**32))
def test_criteria_in_plain_python_are_asked_question_by_question(asked: list[Asked], seed: int) -> None:
    for plain, ours in ((PlainClosest(), Closest()), (PlainLottery(), Lottery())):
        streams = [[Stream(seed, place) for place in range(len(asked))] for _ in range(2)]
        assert choose_each(Conventional(plain), asked, streams[0]) == choose_each(
            Conventional(ours), asked, streams[1]
        )
        assert choose_each(TwoStep(plain, Majority()), asked, streams[0]) == choose_each(
            TwoStep(ours, Majority()), asked, streams[1]
        )
        assert choose_each(TwoStep(Points(), plain), asked, streams[0]) == choose_each(
            TwoStep(Points(), ours), asked, streams[1]
        )
        assert [one.random() for one in streams[0]] == [one.random() for one in streams[1]]


def test_a_criterion_over_arrays_is_asked_once_for_all_questions() -> None:
    asked = list[int]()

    class Counting(Closest):
        def pick_many(self, items: Items, tallies: Tallies, streams: Streams) -> Picks:
            asked.append(len(items.rows))
            return super().pick_many(items, tallies, streams)

    streams = Streams.of(*(Stream(number) for number in range(3)))
    picks = pick_items(Counting(), "by_cluster", tallies_of([TABLE, FIGURES, Asked([])]), streams)
    assert (asked, picks.chosen.tolist()) == ([3], [1, 1, -1])


def test_a_criterion_that_picks_what_is_not_there_is_told() -> None:
    class Wrong(PlainClosest):
        def __call__(self, items: Mapping[Any, CaseTally], summary: Summary, stream: Stream) -> Pick:
            return Pick("ace", self.code, {})

    with pytest.raises(ValueError, match="not in tuple"):
        choose(Conventional(Wrong()), TABLE)


# Revision


class Lower:
    name = "lower"

    def __call__(self, situation: int, proposed: str) -> Replacement | None:
        return Replacement("low", {"seen": situation}) if proposed == "high" else None


class Never:
    name = "never"

    def __call__(self, situation: int, proposed: str) -> Replacement | None:
        return Replacement(proposed)


def test_revision_rules_apply_in_order_and_are_recorded() -> None:
    action, fired = revise([Never(), Lower(), Lower()], 7, "high")
    assert (action, [one.rule for one in fired]) == ("low", ["lower"])
    assert fired[0].as_json() == {"rule": "lower", "before": "high", "after": "low", "values": {"seen": 7}}
    assert revise([Lower()], 7, "medium") == ("medium", ())


# Retrievals


def test_problems_are_hashable_words() -> None:
    assert len({Problem("a", (1,)), Problem("a", (1,)), Problem("b", (1,))}) == 2


def asked_base() -> CaseBase:
    scenario = Scenario("asked", (equal("is_mao", (0, 1)),), (), ACTIONS)
    base = CaseBase(Vocabulary("any", 1, (Scenario("other", scenario.visible, (), ("go",)), scenario)))
    query = Problem("asked", (0,))
    base.add([Row(query, ACTIONS[number % 3], number % 2, (), number, 0) for number in range(30)])
    return base


def test_a_retrieval_remembers_choices_without_chance_and_draws_the_others_anew() -> None:
    retrieval, stream = asked_base().retrieve(Problem("asked", (0,))), Stream("test")
    model = Conventional(Majority())
    choice = retrieval.choose(model, ACTIONS, stream)
    assert choice is retrieval.choose(model, ACTIONS, stream)
    assert (choice.answer, choice.scores) == ("high", dict.fromkeys(ACTIONS, 10))
    assert retrieval.choose(model, {"low"}, stream).answer == "low"
    adapted = retrieval.choose(model, {"low", "medium"}, stream, {"high": "medium"})
    assert adapted.scores == {"medium": 20, "low": 10}
    drawn = {
        retrieval.choose(Conventional(Lottery()), ACTIONS, Stream(number)).answer for number in range(40)
    }
    assert drawn == set(ACTIONS)


def test_a_retrieval_draws_from_the_stream_it_is_given() -> None:
    retrieval, stream = asked_base().retrieve(Problem("asked", (0,))), Stream("test")
    answers = [retrieval.choose(Conventional(Lottery()), ACTIONS, stream).answer for _ in range(5)]
    again = Stream("test")
    assert answers == [ACTIONS[again.weighted([10, 10, 10])] for _ in range(5)]
    assert stream.random() == again.random()


def test_choices_are_plain_words_and_numbers() -> None:
    choice = (
        asked_base()
        .retrieve(Problem("asked", (0,)))
        .choose(TwoStep(Majority(), Points()), ACTIONS, Stream("x"))
    )
    assert {type(choice.answer), type(choice.cluster), type(choice.rule)} == {str, int}
    assert {type(score) for score in choice.cluster_scores.values()} == {int}
    assert {type(score) for score in choice.scores.values()} == {float}
    assert np.isfinite(list(choice.scores.values())).all()
