"""Learning to bluff: what is tried, what is kept of it, and what is dealt for it."""

from __future__ import annotations

import pytest
from bases import some_cases

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.registry import find_agent
from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.games.truco import Truco, envido_points, strength
from retruco.games.truco.behaviour import POOR_CARD, POOR_POINTS
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rules import TRUCO_CALLS
from retruco.learning.checkpoints import Memory
from retruco.learning.learners import plan_for
from retruco.learning.starting import in_memory
from retruco.learning.truco.bluffing import FEW_BLUFFS, TRIED, BluffTrying, bluff_to_try
from retruco.learning.truco.dealing import guided_deals
from retruco.streams import Stream
from retruco.vocab.truco import VOCABULARY, Question, questions

GAME = Truco.named("trucogame")
POOR_DEAL = next(
    deal
    for number in range(1000)
    if max(map(strength, (deal := GAME.deal(Stream("poor", number))).hands[0])) <= POOR_CARD
    and envido_points(deal.hands[0]) < POOR_POINTS
)


def poor_hand() -> TrucoObservation:
    """A seat that begins with nothing."""
    return GAME.begin(POOR_DEAL.hands, (0, 0), 0).observe(0)


def truco_question(seen: TrucoObservation) -> Question:
    """Whether to call truco."""
    return next(asked for asked in questions(seen) if asked.scenario.startswith("truco"))


def test_a_call_on_poor_cards_is_tried_until_the_base_knows_it() -> None:
    cases, question = CaseBase(VOCABULARY), truco_question(poor_hand())
    nothing = (0,) * len(VOCABULARY[question.scenario].hindsight)
    for number in range(FEW_BLUFFS):
        assert bluff_to_try(question, cases) == "truco"
        cases.add([Row(question.problem, "truco", -1, nothing, number, 0)])
    assert bluff_to_try(question, cases) is None


def test_a_call_on_good_cards_or_in_answer_to_a_bet_is_no_bluff_to_try() -> None:
    cases, state = CaseBase(VOCABULARY), GAME.begin(POOR_DEAL.hands, (0, 0), 1).play("truco")
    assert bluff_to_try(truco_question(state.observe(0)), cases) is None
    strong = GAME.begin(GAME.deal(Stream("strong", 2)).hands, (0, 0), 0).observe(0)
    assert max(map(strength, strong.hand)) > POOR_CARD
    assert bluff_to_try(truco_question(strong), cases) is None


def test_what_was_tried_is_an_answer_with_its_own_reason() -> None:
    agent = find_agent("NPS", "truco", lambda *_: some_cases())
    assert isinstance(agent, CaseBasedAgent)
    trying = BluffTrying(agent.policy, agent.cases, share=1.0)
    never = BluffTrying(agent.policy, agent.cases, share=0.0)
    seen = poor_hand()
    assert never.decide(seen, Stream("same")) == agent.decide(seen, Stream("same"))
    tried = trying.decide(seen, Stream("same"))
    assert tried.reason == TRIED
    assert tried.action in ("envido", "truco")
    assert tried.asked[-1].answer == tried.action


def test_a_stage_with_a_bluff_is_kept_whether_it_worked_or_not() -> None:
    kept = {}
    for bluffs in (0.0, 1.0):
        plan = plan_for("never", first=100, bluffs=bluffs)
        loop = in_memory(plan, GAME, some_cases(), 150, sink=Memory())
        loop.run(matches=4)
        kept[bluffs] = loop
    assert kept[0.0].standing.kept == 0
    assert kept[1.0].standing.kept > 5
    new = [row for name in ("truco-1-first", "truco-1-second") for row in kept[1.0].cases.rows(name)]
    brought = [row.credit for row in new if row.episode > 300 and row.action in TRUCO_CALLS]
    assert min(brought) < 0 < max(brought)


def test_poor_hands_are_dealt_on_purpose() -> None:
    deal = guided_deals(GAME, 1, 0, ("poor",), every=2)
    for number in (1, 3, 5):
        poor = [
            hand
            for hand in deal(number).hands
            if envido_points(hand) < POOR_POINTS and max(map(strength, hand)) <= POOR_CARD
        ]
        assert poor


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"policies": ("balanced",)}, "balanced does not remember"),
        ({"tutor": "balanced"}, "leave --tutor or --bluffs out"),
    ],
)
def test_who_cannot_learn_from_bluffs_is_refused(changes: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        in_memory(plan_for("new", first=100, bluffs=0.5, **changes), GAME, some_cases(), 150)
