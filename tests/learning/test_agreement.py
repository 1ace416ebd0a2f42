"""The agreement study: one match left out, twins with it, everything put back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

# The tables of hands are made in one place, for the tests of two rooms.
sys.path.insert(0, str(Path(__file__).parent.parent / "storage"))
from trucogame_tables import lines, text_of

from retruco.cbr.casebase import CaseBase
from retruco.learning.agreement import (
    ALL,
    BOOSTING,
    MOST_FREQUENT,
    HumanAnswer,
    LeftOut,
    people_answers,
    study_agreement,
)
from retruco.storage.importers.formats import COLUMNS_165
from retruco.storage.importers.source import read_file
from retruco.vocab.truco import VOCABULARY, rows
from retruco.vocab.truco.partial import PartialHand

Case = tuple[int, PartialHand]


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    file = tmp_path_factory.mktemp("hands") / "table"
    file.write_text(text_of(lines(matches=5), COLUMNS_165, "\t"))
    return [(number, read.hand) for number, read in enumerate(read_file(file), 1) if read.hand is not None]


@pytest.fixture
def cases(hands: list[Case]) -> CaseBase:
    base = CaseBase(VOCABULARY)
    for number, hand in hands:
        base.add(rows(hand.as_json(), 0, number))
    return base


@pytest.fixture(scope="module")
def answers(hands: list[Case]) -> Sequence[HumanAnswer]:
    return people_answers(hands)


def test_every_question_of_the_base_is_asked(answers: Sequence[HumanAnswer], cases: CaseBase) -> None:
    assert len(answers) >= len(cases)
    assert {one.match for one in answers} == {f"match-{number}" for number in range(5)}


def test_a_match_left_out_is_gone_with_its_twins_and_comes_back(
    answers: Sequence[HumanAnswer], cases: CaseBase
) -> None:
    left_out = LeftOut(cases)
    before = {one.name: cases.count(one.name) for one in VOCABULARY.scenarios}
    gone = sorted({one.episode for one in answers if one.match == "match-1"})

    def ask() -> None:
        for one in answers:
            if one.match == "match-1":
                found = left_out.cases.retrieve(one.question.problem).matches
                assert not {match.episode for match in found} & set(gone)

    left_out.without(gone, ask)
    assert {one.name: left_out.cases.count(one.name) for one in VOCABULARY.scenarios} == before


@pytest.mark.slow
def test_the_study_compares_policies_with_both_references(
    answers: Sequence[HumanAnswer], cases: CaseBase
) -> None:
    found = study_agreement(cases, answers, names=("MJS", "PLS"), folds=2)
    assert list(found.shares) == ["MJS", "PLS", MOST_FREQUENT, BOOSTING]
    assert found.questions == len(answers)
    for shares in found.shares.values():
        whole = shares[ALL]
        assert whole.interval[0] <= whole.agree <= whole.interval[1]
        assert whole.questions == len(answers) == sum(shares[name].questions for name in found.scenarios)
    assert found.shares["MJS"][ALL].agree > 0.5
    assert 0 <= found.error < 0.2
    assert found.as_json()["agreement"]["MJS"]["all"]["questions"] == len(answers)


@pytest.mark.slow
def test_the_same_study_gives_the_same_numbers(answers: Sequence[HumanAnswer], cases: CaseBase) -> None:
    def once() -> object:
        return study_agreement(cases, answers, names=("PLCS",), folds=2, most_matches=2).as_json()

    assert once() == once()
