"""Reuse: the seeds' figures in numbers, and every criterion on tables made by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from retruco.cbr.case import Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Top
from retruco.cbr.reuse import (
    Conventional,
    Criterion,
    GuardedMajority,
    Lottery,
    Majority,
    Points,
    TwoStep,
    Victory,
)
from retruco.cbr.revise import Replacement, revise
from retruco.cbr.summary import CaseTally, Summary
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, interval
from retruco.streams import Stream

ACTIONS = ("high", "medium", "low")
STREAM = Stream("test")


def summary(*items: tuple[int, str, CaseTally], wins_only: bool = False) -> Summary:
    return Summary.of(items, ACTIONS, wins_only)


def row(cluster: int, action: str, credit: int = 1) -> tuple[int, str, CaseTally]:
    return cluster, action, CaseTally(1, int(credit > 0), int(credit == 0), credit, 100)


FIGURES = summary(row(1, "medium"), row(2, "medium"), row(3, "high"), row(3, "high"), row(4, "medium"))


def test_figure_6_of_seed_002_the_majority_of_actions_is_medium() -> None:
    choice = Conventional(Majority())(FIGURES, ACTIONS, STREAM)
    assert (choice.answer, choice.scores) == ("medium", {"high": 2.0, "medium": 3.0})


def test_figure_7_of_seed_002_the_majority_of_clusters_leads_to_high() -> None:
    choice = TwoStep(Majority(), Majority())(FIGURES, ACTIONS, STREAM)
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
    named = ("high", "medium", "low")
    for number, (*held, action) in cases.items():
        values = {**dict(zip(named, held, strict=True)), "is_mao": 1}
        base.add([Row(scenario.problem(values), action, 1, (), number, 0)])
    query = scenario.problem({"high": 24, "medium": 6, "low": 1, "is_mao": 1})
    retrieval = base.retrieve(query, Top(10, 0.90))
    choice = Conventional(Majority())(retrieval.summary, ACTIONS, STREAM)
    assert (choice.answer, choice.scores) == ("low", {"medium": 2.0, "low": 8.0})
    assert {match.episode for match in retrieval.matches} == set(cases)
    assert [match.episode for match in retrieval.matches[:2]] == [378, 164]


TABLE = summary(
    (0, "high", CaseTally(10, 5, 0, 20, 900)),
    (0, "medium", CaseTally(4, 3, 1, 2, 390)),
    (1, "low", CaseTally(26, 10, 2, -10, 2500)),
    (1, "high", CaseTally(1, 1, 0, 12, 90)),
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
    assert Conventional(criterion)(TABLE, ACTIONS, STREAM).answer == action
    assert criterion(TABLE.by_cluster, TABLE, STREAM).chosen == cluster


def test_victory_shrinks_to_the_mean_of_the_retrieval() -> None:
    mean = (19 + 3 / 2) / 41
    scores = Conventional(Victory())(TABLE, ACTIONS, STREAM).scores
    assert scores["medium"] == pytest.approx((3.5 + 4 * mean) / 8)
    assert scores["high"] == pytest.approx((6 + 4 * mean) / 15)
    literal = Conventional(Victory(support=0, prior=0))(TABLE, ACTIONS, STREAM).scores
    assert literal["medium"] == 3.5 / 4


def test_points_shrink_to_the_mean_of_the_retrieval() -> None:
    scores = Conventional(Points())(TABLE, ACTIONS, STREAM).scores
    assert scores["low"] == pytest.approx((-10 + 4 * 24 / 41) / 30)


def test_an_item_without_support_takes_no_part() -> None:
    lucky = summary((0, "high", CaseTally(2, 2, 0, 24, 200)), (0, "low", CaseTally(70, 30, 0, -5, 7000)))
    assert Conventional(Points())(lucky, ACTIONS, STREAM).answer == "low"
    assert Conventional(Points(support=0, prior=0))(lucky, ACTIONS, STREAM).answer == "high"
    three = summary((0, "high", CaseTally(3, 3, 0, 24, 300)), (0, "low", CaseTally(61, 30, 0, -5, 7000)))
    assert Conventional(Victory())(three, ACTIONS, STREAM).answer == "low"
    three = summary((0, "high", CaseTally(3, 3, 0, 24, 300)), (0, "low", CaseTally(57, 30, 0, -5, 7000)))
    assert Conventional(Victory())(three, ACTIONS, STREAM).answer == "high"


def test_without_any_support_the_majority_decides() -> None:
    few = summary(row(0, "high", 5), row(0, "low", -1), row(0, "low", -1))
    for criterion in (Victory(), Points()):
        choice = Conventional(criterion)(few, ACTIONS, STREAM)
        assert (choice.answer, choice.rule) == ("low", "MJ")


def test_points_on_wins_only_scenarios_are_victories() -> None:
    only = Summary(TABLE.items, ACTIONS, TABLE.whole, wins_only=True)
    points, victory = (Conventional(one)(only, ACTIONS, STREAM) for one in (Points(), Victory()))
    assert points == victory


def test_ties_go_to_the_closer_rows_then_to_the_order_of_actions() -> None:
    closer = summary((0, "low", CaseTally(3, 1, 0, 0, 300)), (0, "medium", CaseTally(3, 1, 0, 0, 299)))
    alike = summary((0, "low", CaseTally(3, 1, 0, 0, 300)), (0, "medium", CaseTally(3, 1, 0, 0, 300)))
    for criterion in (Majority(), Victory(), Points(), GuardedMajority()):
        assert Conventional(criterion)(closer, ACTIONS, STREAM).answer == "low"
        assert Conventional(criterion)(alike, ACTIONS, STREAM).answer == "medium"


def test_the_lottery_draws_by_count_and_repeats_with_its_key() -> None:
    drawn = Counter(
        Conventional(Lottery())(TABLE, ACTIONS, Stream("draw", number)).answer for number in range(4000)
    )
    assert drawn["low"] / 4000 == pytest.approx(26 / 41, abs=0.03)
    assert drawn["medium"] / 4000 == pytest.approx(4 / 41, abs=0.02)
    again = [Conventional(Lottery())(TABLE, ACTIONS, Stream("draw", 5)).answer for _ in range(3)]
    assert len(set(again)) == 1


def test_the_guarded_majority_goes_down_the_votes() -> None:
    lost = summary((0, "low", CaseTally(8, 2, 0, -3, 800)), (0, "high", CaseTally(2, 1, 0, 1, 200)))
    assert Conventional(GuardedMajority())(lost, ACTIONS, STREAM).answer == "high"
    all_lost = summary((0, "low", CaseTally(8, 2, 0, -8, 800)), (0, "high", CaseTally(2, 0, 0, -4, 200)))
    choice = Conventional(GuardedMajority())(all_lost, ACTIONS, STREAM)
    assert (choice.answer, choice.rule) == ("low", "lost-least")


def test_actions_not_available_are_skipped_and_adapted_ones_join() -> None:
    assert Conventional(Majority())(TABLE, {"high", "medium"}, STREAM).answer == "high"
    assert Conventional(Majority())(TABLE, set(), STREAM).answer is None
    assert Conventional(Majority())(summary(), ACTIONS, STREAM).rule == "no-experience"
    assert TwoStep(Majority(), Majority())(summary(), ACTIONS, STREAM).answer is None
    adapted = TABLE.relabel({"low": "medium"})
    assert Conventional(Majority())(adapted, {"high", "medium"}, STREAM).answer == "medium"
    assert adapted.whole == TABLE.whole


def test_two_steps_choose_within_the_cluster_only() -> None:
    choice = TwoStep(Points(), Majority())(TABLE, ACTIONS, STREAM)
    assert (choice.cluster, choice.answer) == (0, "high")
    choice = TwoStep(Majority(), Points())(TABLE, ACTIONS, STREAM)
    assert (choice.cluster, choice.answer) == (1, "low")


def test_policies_print_themselves() -> None:
    assert repr(TwoStep(Majority(), Victory())) == (
        "TwoStep(clusters=Majority(), actions=Victory(support=3, percent=5, prior=4))"
    )


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


def test_problems_are_hashable_words() -> None:
    assert len({Problem("a", (1,)), Problem("a", (1,)), Problem("b", (1,))}) == 2


def test_a_retrieval_remembers_choices_without_chance_and_draws_the_others_anew() -> None:
    scenario = Scenario("asked", (equal("is_mao", (0, 1)),), (), ACTIONS)
    base = CaseBase(Vocabulary("any", 1, (scenario,)))
    query = Problem("asked", (0,))
    base.add([Row(query, ACTIONS[number % 3], number % 2, (), number, 0) for number in range(30)])
    retrieval = base.retrieve(query)
    model = Conventional(Majority())
    assert retrieval.choose(model, ACTIONS, STREAM) is retrieval.choose(model, ACTIONS, STREAM)
    assert retrieval.choose(model, ACTIONS, STREAM) == model(retrieval.summary, ACTIONS, STREAM)
    assert retrieval.choose(model, {"low"}, STREAM).answer == "low"
    adapted = retrieval.choose(model, {"low", "medium"}, STREAM, {"high": "medium"})
    assert adapted.scores == {"medium": 20, "low": 10}
    drawn = {
        retrieval.choose(Conventional(Lottery()), ACTIONS, Stream(number)).answer for number in range(40)
    }
    assert drawn == set(ACTIONS)
