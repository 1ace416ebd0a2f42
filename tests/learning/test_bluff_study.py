"""How well bluffs are told: the calls of people, each match by the people of others."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

# The tables of hands are made in one place, for the tests of two rooms.
sys.path.insert(0, str(Path(__file__).parent.parent / "storage"))
from trucogame_tables import lines, text_of

from retruco.agents.truco.opponent_turns import UNKNOWN
from retruco.games.truco.deck import STRENGTH
from retruco.learning.agreement import people_answers
from retruco.learning.bluff_study import (
    CODE_STRENGTH,
    MODEL,
    WAYS,
    JudgedCall,
    area_under_curve,
    calls_of_people,
    detect,
    fold_of_matches,
)
from retruco.learning.opponents import PEOPLE_GROUPS, group_people, people_replies
from retruco.storage.importers.formats import COLUMNS_165
from retruco.storage.importers.source import read_file
from retruco.vocab.truco.partial import PartialHand
from retruco.vocab.truco.scenarios import STRENGTH_CODES


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> dict[int, PartialHand]:
    """Recorded hands of people in some matches."""
    file = tmp_path_factory.mktemp("hands") / "table"
    file.write_text(text_of(lines(matches=4), COLUMNS_165, "\t"))
    return {number: read.hand for number, read in enumerate(read_file(file), 1) if read.hand is not None}


def test_codes_of_cards_are_in_the_order_of_their_strength() -> None:
    for name, code in STRENGTH_CODES.items():
        card = name if name in STRENGTH else f"{name}c"
        assert CODE_STRENGTH[code] == STRENGTH[card]


def test_people_are_put_into_groups_and_every_reply_counts_once(hands: dict[int, PartialHand]) -> None:
    replies = list(people_replies(people_answers(hands.items())))
    assert len(replies) > 50
    assert all(replied.reply.holding != UNKNOWN for replied in replies), "people know their own cards"
    groups = group_people(replies)
    assert len(groups) == PEOPLE_GROUPS
    assert sum(group.sum() for group in groups) == pytest.approx(len(replies))
    assert [group.sum() for group in groups] == sorted((group.sum() for group in groups), reverse=True)


def test_calls_of_people_are_judged_without_their_own_match(hands: dict[int, PartialHand]) -> None:
    answers = people_answers(hands.items())
    calls = calls_of_people(answers, list(people_replies(answers)), hands, folds=2)
    assert {call.match for call in calls} <= {answered.match for answered in answers}
    assert len(calls) > 10
    for call in calls:
        assert call.chances.keys() == set(WAYS)
        assert all(0 <= chance <= 1 for chance in call.chances.values())
    folds = fold_of_matches([answered.match for answered in answers], 2)
    assert sorted(folds.values()) == [0, 0, 1, 1]


def test_who_knows_tells_every_bluff_and_who_guesses_half() -> None:
    truth = np.array([True, False] * 20)
    assert area_under_curve(truth.astype(float), truth) == 1
    assert area_under_curve(1 - truth.astype(float), truth) == 0
    assert area_under_curve(np.full(40, 0.3), truth) == 0.5
    calls = [
        JudgedCall(str(place % 5), "truco", dict.fromkeys(WAYS, 0.9 if bluff else 0.1), bool(bluff))
        for place, bluff in enumerate(truth)
    ]
    found = detect(calls, MODEL)
    assert (found.calls, found.bluffs, found.area, found.interval) == (40, 20, 1, (1, 1))
    assert found.brier == pytest.approx(0.01)
    assert [row.predicted for row in found.calibration] == pytest.approx([0.1, 0.9])
    assert [row.observed for row in found.calibration] == [0, 1]
