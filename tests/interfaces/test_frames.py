"""Cases go into data frames and come back."""

from __future__ import annotations

from typing import Any

import pytest

from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal, hindsight, interval
from retruco.interfaces.frames import LIBRARIES, add_frame, case_frame, read_columns

OPENING = Scenario(
    "opening",
    (interval("high", 1, 9, special=("absent",)), equal("is_mao", ("no", "yes"))),
    (),
    ("go", "stay"),
)
VOCABULARY = Vocabulary(
    "small", 1, (OPENING, Scenario("late", OPENING.visible, (hindsight("won", 0, 1),), ("go",)))
)


@pytest.fixture
def base() -> CaseBase:
    found = CaseBase(VOCABULARY)
    highs: tuple[int | str, ...] = (3, "absent", 9)
    for number, high in enumerate(highs):
        problem = OPENING.problem({"high": high, "is_mao": "yes"})
        found.add([Row(problem, "go", number - 1, (), number, 0)])
    return found


@pytest.mark.parametrize("library", LIBRARIES)
def test_cases_go_into_a_frame_and_come_back(base: CaseBase, library: str) -> None:
    pytest.importorskip("pyarrow" if library == "arrow" else library)
    frame = case_frame(base, "opening", library)
    assert read_columns(frame)["high"] == ["3", "absent", "9"]
    again = CaseBase(VOCABULARY)
    assert add_frame(again, "opening", frame) == 3
    assert list(again.rows("opening")) == list(base.rows("opening"))


@pytest.mark.parametrize(
    ("scenario", "frame", "message"),
    [
        ("opening", {"high": [3]}, "the table lacks is_mao, action, credit, episode, question: it has high"),
        ("late", {"high": [3]}, "rows of late hold hindsight"),
        ("never", {"high": [3]}, "small has no scenario 'never': it has opening, late"),
        ("opening", {"high": [3], "is_mao": []}, r"a table has columns of one length, not of \[0, 1\]"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    base: CaseBase, scenario: str, frame: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        add_frame(base, scenario, frame)
