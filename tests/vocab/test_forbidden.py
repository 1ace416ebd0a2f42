"""Cleaning a base with the rules of revision: a row is asked what its question was asked."""

from __future__ import annotations

import pytest

from retruco.agents.registry import find_agent
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.cbr.casebase import CaseBase
from retruco.cbr.revise import revise
from retruco.games.truco import Truco, TrucoState
from retruco.vocab.truco import VOCABULARY, answered_in, rows_of
from retruco.vocab.truco.forbidden import cards_left, clean, find_forbidden, forbidden_rule
from retruco.vocab.truco.revision import PUBLISHED_RULES

GAME = Truco.named("trucogame")


@pytest.fixture(scope="module")
def hands() -> list[TrucoState]:
    """Hands by chance, in which every folly happens."""
    chance = find_agent("random", "truco")
    matches = (play_match(GAME, (chance, chance), deals_from(GAME, 9, one), 0, one) for one in range(60))
    return [hand.state for match in matches for hand in match.hands if isinstance(hand.state, TrucoState)]


def test_a_row_is_forbidden_where_the_question_would_have_been_revised(hands: list[TrucoState]) -> None:
    fired: set[str] = set()
    for end in hands:
        for seat in (0, 1):
            for question, answer in answered_in(end, seat):
                values = VOCABULARY[question.scenario].decode(question.problem)
                if "down" in values.values():
                    continue  # a row does not say which card lies face down
                _, revisions = revise(PUBLISHED_RULES, question, answer)
                rule = forbidden_rule(question.scenario, values, answer)
                assert rule == (revisions[0].rule if revisions else None), (question.scenario, values, answer)
                fired.update([rule] if rule else [])
    assert fired >= {"compulsive-bluff", "logical-bet", "wasted-card"}


def test_a_cleaned_base_has_no_forbidden_rows_and_the_other_stays_as_it_is(hands: list[TrucoState]) -> None:
    base = CaseBase(VOCABULARY)
    for episode, end in enumerate(hands[:150], 1):
        base.add(rows_of(end, answered_in(end, 0), 0, episode))
    before = len(base)
    cleaned, counts = clean(base)
    assert len(base) == before
    assert 0 < cleaned.episodes() < base.episodes()
    assert counts.total() > 0
    assert find_forbidden(cleaned) == {}


def test_a_card_face_down_leaves_open_what_is_held() -> None:
    held = {"high": 24, "medium": 24, "low": 6, "own_first": 24}
    assert cards_left(held) == {"medium": 24, "low": 6}
    assert cards_left({**held, "own_second": "down"}) == {}
