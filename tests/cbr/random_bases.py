"""Random scenarios, rows and bases, to compare every search with the readable one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from retruco.cbr.case import Problem, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import Clustering
from retruco.cbr.modes import Adaptive, Threshold, Top, TopNewest
from retruco.cbr.similarity import Euclid, Mean, Measure, WeightedMean
from retruco.cbr.summary import EMPTY, CaseTally
from retruco.cbr.vocabulary import Scenario, VisibleFeature, Vocabulary, equal, hindsight, interval, table

MEASURES: tuple[Measure, ...] = (Mean(), WeightedMean(), Euclid())
MODES: tuple[Threshold | Top | Adaptive, ...] = (
    Threshold(0.75),
    Threshold(0),
    Threshold(1),
    Threshold(Fraction(2, 3)),
    Top(),
    Top(3, 0),
    Top(1, 0.5),
    Top(40, 0.3),
    TopNewest(3, 0),
    TopNewest(40, 0.3),
    Adaptive(),
    Adaptive(0.9, 0.3, 4),
    Adaptive(1, 0.25, 1),
    Adaptive(0.5, 0.07, 9),
)
PLAYED = (46, 16, 4, -1)
ACTIONS = ("high", "medium", "low")


@st.composite
def features(draw: st.DrawFn, name: str) -> VisibleFeature:
    weight = draw(st.integers(1, 3))
    match draw(st.sampled_from(["interval", "special", "equal", "table"])):
        case "interval":
            low = draw(st.integers(-3, 3))
            high = low + draw(st.integers(1, 8))
            return interval(name, low, high, span=high - low + draw(st.integers(0, 2)), weight=weight)
        case "special":
            return interval(name, 1, draw(st.integers(2, 7)), special=("absent", "down"), weight=weight)
        case "equal":
            return equal(name, ("nobody", "me", "other")[: draw(st.integers(1, 3))], weight=weight)
        case _:
            near = draw(st.sampled_from(["0.5", "0.1", "1/3"]))
            return table(name, ("a", "b", "c"), {("a", "b"): near, ("b", "c"): 0.25}, weight=weight)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    visible = tuple(draw(features(f"f{place}")) for place in range(draw(st.integers(1, 4))))
    known = (hindsight("played", *PLAYED),)
    return Scenario("asked", visible, known, ACTIONS, wins_only=draw(st.booleans()))


@st.composite
def rows_of(draw: st.DrawFn, scenario: Scenario, first_episode: int = 0, most: int = 30) -> list[Row]:
    codes = st.tuples(*(st.integers(0, len(one.values) - 1) for one in scenario.visible))
    drawn = draw(
        st.lists(
            st.tuples(codes, st.sampled_from(ACTIONS), st.integers(-3, 3), st.integers(0, 3)), max_size=most
        )
    )
    return [
        Row(Problem("asked", values), action, credit, (known,), first_episode + number // 2, number % 2)
        for number, (values, action, credit, known) in enumerate(drawn)
    ]


def clusters() -> Clustering:
    return Clustering(("played",), np.zeros(1), np.ones(1), np.array([[40.0], [10.0], [0.0]]), 1)


TRUCO_CARDS = (52, 50, 42, 40, 24, 16, 12, 8, 7, 6, 4, 3, 2, 1)


def card(name: str) -> VisibleFeature:
    return interval(name, 1, 52, span=52, special=("absent", "down"))


CARDS = Scenario(
    "asked",
    (card("high"), card("medium"), card("low"), equal("is_mao", (0, 1)), equal("winner", (0, 1, 2))),
    (hindsight("played", *PLAYED),),
    ACTIONS,
)


def many_rows(count: int, seed: int = 0, first_episode: int = 0) -> list[Row]:
    chance = np.random.default_rng(seed)
    hands = np.sort(chance.choice(TRUCO_CARDS, (count, 3)), axis=1)[:, ::-1] - 1
    rest = np.column_stack([chance.integers(0, 2, count), chance.integers(0, 3, count)])
    return [
        Row(
            Problem("asked", tuple(codes)),
            ACTIONS[int(chance.integers(3))],
            int(chance.integers(-4, 5)),
            (int(chance.integers(4)),),
            first_episode + number // 3,
            number % 3,
        )
        for number, codes in enumerate(np.column_stack([hands, rest]).tolist())
    ]


def base_of(rows: list[Row], measure: Measure = MEASURES[0]) -> CaseBase:
    base = CaseBase(Vocabulary("cards", 1, (CARDS,)), measure)
    base.add(rows)
    return base


def sum_by_key(
    found: list[tuple[int, Row]], farthest: int, clustering: Clustering | None
) -> dict[tuple[int, str], CaseTally]:
    """Add up rows one by one, by cluster and action."""
    sums: dict[tuple[int, str], CaseTally] = {}
    for distance, row in found:
        cluster = 0
        if clustering is not None:
            cluster = int(clustering.assign(np.array([[PLAYED[code] for code in row.hindsight]], float))[0])
        one = CaseTally(1, int(row.credit > 0), int(row.credit == 0), row.credit, farthest - distance)
        sums[cluster, row.action] = sums.get((cluster, row.action), EMPTY).plus(one)
    return sums
