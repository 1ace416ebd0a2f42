"""Vocabularies: codes in and out, errors that speak, and imports that stay light."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retruco.cbr.case import Choice, Decision, Pick, Problem, QuestionRecord
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, hindsight, interval, table

CARD = interval("card", 1, 52, span=52, special=("absent", "down"), labels={24: "3"})
SCENARIO = Scenario(
    "opening", (CARD, equal("is_mao", (0, 1))), (hindsight("played", 46, -46),), ("high", "low")
)


@given(st.sampled_from(CARD.values))
def test_codes_go_in_and_out(value: int | str) -> None:
    assert CARD.decode(CARD.encode(value)) == value


def test_a_problem_shows_its_names_and_labels() -> None:
    problem = SCENARIO.problem({"card": 24, "is_mao": 1})
    assert problem == Problem("opening", (23, 1))
    assert SCENARIO.decode(problem) == {"card": 24, "is_mao": 1}
    assert SCENARIO.show(problem) == {"card": "3", "is_mao": "1"}
    assert SCENARIO.hindsight_codes({"played": -46}) == (1,)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: CARD.encode(53), "card cannot be 53: it is one of 1 to 52, absent, down"),
        (lambda: CARD.decode(54), "card has no code 54: codes run from 0 to 53"),
        (lambda: SCENARIO.problem({"card": 3}), r"opening asks for \['card', 'is_mao'\], not \['card'\]"),
        (lambda: SCENARIO.problem({"card": 3, "is_mao": 1, "x": 0}), "opening asks for"),
        (lambda: SCENARIO.hindsight_codes({}), "lacks"),
        (lambda: SCENARIO.action_code("fold"), "opening has no action 'fold': it has high, low"),
        (lambda: Vocabulary("truco", 1, (SCENARIO,))["closing"], "no scenario 'closing': it has opening"),
        (lambda: interval("x", 5, 5), "low < high"),
        (lambda: interval("x", 0, 300), "needs 1 to 256"),
        (lambda: equal("x", (1, 1)), "lists a value twice"),
        (lambda: equal("x", (1, 2), weight=0), "weights are 1 or more"),
        (lambda: table("x", ("a", "b"), {("a", "c"): 0.5}), "names c"),
        (lambda: Vocabulary("truco", 1, (SCENARIO, SCENARIO)), "lists a scenario twice"),
        (lambda: Scenario("s", (CARD, CARD), (), ("a",)), "different visible features"),
        (lambda: Scenario("s", (CARD,), (), ()), "different actions"),
    ],
)
def test_errors_name_the_value_and_the_alternatives(wrong: object, message: str) -> None:
    assert callable(wrong)
    with pytest.raises(ValueError, match=message):
        wrong()


def test_the_digest_changes_with_any_word() -> None:
    words = Vocabulary("truco", 1, (SCENARIO,))
    heavier = Scenario(
        "opening", (CARD, equal("is_mao", (0, 1), weight=2)), SCENARIO.hindsight, SCENARIO.actions
    )
    others = [
        Vocabulary("truco", 2, (SCENARIO,)),
        Vocabulary("truco", 1, (heavier,)),
        Vocabulary("truco", 1, (Scenario("opening", SCENARIO.visible, (), SCENARIO.actions),)),
        Vocabulary("truco", 1, (Scenario("opening", SCENARIO.visible, SCENARIO.hindsight, ("low", "high")),)),
    ]
    assert words.digest == Vocabulary("truco", 1, (SCENARIO,)).digest
    assert len({words.digest, *(one.digest for one in others)}) == 5


def test_only_visible_features_enter_a_scenarios_query() -> None:
    """By type as well: `Scenario(visible=(hindsight(...),))` does not pass mypy."""
    assert not issubclass(type(SCENARIO.hindsight[0]), type(SCENARIO.visible[0]))
    assert not hasattr(SCENARIO.hindsight[0], "local")


@pytest.mark.parametrize(
    ("names", "heavy"),
    [
        (("case", "vocabulary", "similarity", "summary", "modes", "revise"), ("numpy", "numba", "sklearn")),
        (("reuse", "queries", "tallies"), ("numba", "sklearn")),
    ],
)
def test_light_words_import_no_heavy_library(names: tuple[str, ...], heavy: tuple[str, ...]) -> None:
    program = "; ".join(f"import retruco.cbr.{name}" for name in names)
    program += f"; import sys; print([one for one in {heavy} if one in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_a_decision_is_plain_data_with_or_without_evidence() -> None:
    scripted = Decision("quero", reason="strong-hand", values={"points": 31})
    assert scripted.as_json() == {
        "action": "quero",
        "reason": "strong-hand",
        "values": {"points": 31},
        "asked": [],
        "revised_by": [],
    }
    choice = Choice("low", (Pick(3, "MJ", {3: 2.0, 1: 1.0}), Pick("low", "PV", {"low": 0.5})))
    asked = QuestionRecord(Problem("opening", (23, 1)), "low", choice)
    assert asked.as_json() == {
        "scenario": "opening",
        "answer": "low",
        "rule": "PV",
        "scores": {"low": 0.5},
        "cluster": 3,
        "clusters": {"3": 2.0, "1": 1.0},
    }
    assert asked.matches == ()
    assert (Choice(None).rule, Choice(None).scores, Choice(None).cluster) == ("no-experience", {}, None)
