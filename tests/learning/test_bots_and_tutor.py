"""The bots of Moral (2020): what they do when they do not know, and whom they ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bases import some_cases

from hand_made import Asked, choose, choose_each
from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.registry import find_agent
from retruco.agents.truco.bots import STYLES
from retruco.agents.truco.guessing import BETS, LOT, Guessing, knows
from retruco.arena.duel import deals_from, play_duel
from retruco.arena.match import ask
from retruco.arena.table import Table
from retruco.cbr.case import Decision
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import Top
from retruco.cbr.reuse import Conventional, GuardedMajority
from retruco.cbr.summary import CaseTally
from retruco.explain import Explainer, sentences
from retruco.games.core import Action, IllegalAction
from retruco.games.truco import Truco, TrucoObservation
from retruco.learning.learners import BOTS, PLANS, plan_for
from retruco.learning.starting import scripted_tutor
from retruco.learning.truco.training import TrucoTraining
from retruco.learning.tutor import SHOWN, DrawnTutors, Pupil, ScriptedTutor, stages_by_rule
from retruco.streams import Stream
from retruco.vocab.truco import VOCABULARY, Question, questions
from retruco.vocab.truco.questions import stage_of

GAME = Truco.named("trucogame")


@pytest.fixture(name="some_cases")
def fixture_some_cases() -> CaseBase:
    return some_cases()


def bot(name: str, cases: CaseBase) -> CaseBasedAgent:
    found = find_agent(name, "truco", lambda game: cases)
    assert isinstance(found, CaseBasedAgent)
    return found


def say_why(decision: Decision) -> str:
    return Explainer(sentences("en")).explain(decision)


def turns(one: CaseBasedAgent, matches: int = 6) -> Iterator[tuple[TrucoObservation, Decision]]:
    """What a bot saw and did in some matches against `aggressive`."""
    other = find_agent("aggressive", "truco")
    for match in range(matches):
        table = Table(GAME, deals_from(GAME, 9, match))
        while (seat := table.to_act) is not None:
            seen = table.observe(seat)
            decision = ask(one if seat == 0 else other, table, seat, match)
            if seat == 0:
                assert isinstance(seen, TrucoObservation)
                yield seen, decision
            table.act(seat, decision.action)


def test_every_bot_has_a_plan_and_decides_by_ten_cases_at_ninety_per_cent(some_cases: CaseBase) -> None:
    assert set(STYLES) == {plan.learner for plan in BOTS} <= set(PLANS)
    for name in STYLES:
        one = bot(name, some_cases)
        assert one.policy.mode == Top(10, 0.90)
        assert isinstance(one.policy.model, Guessing) == (name in ("BOT3", "BOT4"))


def test_bot0_is_the_guarded_majority(some_cases: CaseBase) -> None:
    agents = (bot("BOT0", some_cases), bot("guarded-majority", some_cases))
    assert play_duel(GAME, agents, ("BOT0", "guarded-majority"), 5, 1).points_per_hand == 0


def test_lots_are_drawn_for_unknown_bets_only(some_cases: CaseBase) -> None:
    one = bot("BOT3", some_cases)
    drawn = 0
    for seen, decision in turns(one, 12):
        for asked, question in zip(decision.asked, questions(seen), strict=False):
            if asked.choice.rule == LOT:
                assert asked.choice.answer in BETS
                assert question.stage in ("truco", "envido")
                assert not knows(one, question)
                assert "lot" in say_why(decision) or asked is not decision.asked[-1]
                drawn += 1
            elif all(reply in question.answers for reply in BETS) and question.stage != "flor":
                assert knows(one, question)
    assert drawn > 0


def test_an_empty_base_guesses_every_bet_and_still_says_why() -> None:
    for _, decision in turns(bot("BOT4", CaseBase(VOCABULARY)), 3):
        assert say_why(decision)


def test_of_many_questions_only_unknown_bets_are_answered_by_lot() -> None:
    words = ("quero", "nao-quero", "baralho")
    few, many = ((0, "quero", CaseTally(rows, rows, 0, rows, 90 * rows)) for rows in (9, 10))
    asked = [
        Asked([few], words),
        Asked([], words),
        Asked([many], words),
        Asked([few], words, available=("quero", "baralho")),
        Asked([few], ("flor", *words)),  # its scenario is one of flor
    ]
    model = Guessing(Conventional(GuardedMajority()))
    for seed in range(40):
        streams, alone = ([Stream(seed, place) for place in range(len(asked))] for _ in range(2))
        choices = choose_each(model, asked, streams)
        assert [choice.rule for choice in choices] == [LOT, LOT, "GM", "GM", "GM"]
        assert choices == [choose(model, one, stream) for one, stream in zip(asked, alone, strict=True)]
        drawn = [Stream(seed, place).choice(BETS) for place in range(2)]
        assert [choice.answer for choice in choices] == [*drawn, "quero", "quero", "quero"]
        assert choices[0].scores == {"quero": 0.5, "nao-quero": 0.5}
        assert streams[2].random() == Stream(seed, 2).random()


class Noting:
    """A tutor who notes what it is shown and plays the first legal action."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, TrucoObservation, Action]] = []

    def show(self, question: Question, seen: TrucoObservation, proposed: Action) -> Action:
        self.asked.append((question, seen, proposed))
        return seen.legal[0]


def test_a_pupil_asks_exactly_when_it_does_not_know(some_cases: CaseBase) -> None:
    tutor = Noting()
    plain = bot("BOT5", some_cases)
    pupil = Pupil(plain.policy, some_cases, tutor=tutor)
    for seen, decision in turns(pupil):
        taught = decision.reason == SHOWN
        asked = [asked for asked in tutor.asked if asked[1] is seen or asked[1] == seen]
        assert bool(asked) == taught
        if taught:
            question, shown_to, proposed = asked[-1]
            assert not knows(plain, question)
            assert decision.action == seen.legal[0]
            assert proposed in seen.legal
            assert shown_to.seat == seen.seat == 0
            assert list(stages_by_rule(decision, SHOWN))
            assert set(stages_by_rule(decision, SHOWN)) <= {stage_of(one.scenario) for one in decision.asked}
            assert "tutor" in say_why(decision)
        else:
            assert all(knows(plain, q) for q in _reached(seen, decision) if len(q.answers) > 1)
    assert tutor.asked


def _reached(seen: TrucoObservation, decision: Decision) -> list[Question]:
    return list(questions(seen))[: len(decision.asked)]


def test_of_several_tutors_one_is_drawn_for_every_match(some_cases: CaseBase) -> None:
    plan = plan_for("BOT5", tutor="balanced,aggressive,bluffer")
    tutors = scripted_tutor(plan)
    assert isinstance(tutors, DrawnTutors)
    training = TrucoTraining(plan, GAME, some_cases, tutor=tutors)

    def tutor(match: int) -> object:
        (pupil,) = (agent for agent in training.seating(match).agents if isinstance(agent, Pupil))
        return pupil.tutor

    assert {id(tutor(match)) for match in range(30)} == {id(one) for one in tutors.tutors}
    assert tutor(7) is tutor(7)


def test_an_illegal_move_of_a_tutor_is_refused_and_said() -> None:
    class Wrong:
        def show(self, question: Question, seen: TrucoObservation, proposed: Action) -> Action:
            return "vale4"

    cases = CaseBase(VOCABULARY)
    pupil = Pupil(bot("BOT5", cases).policy, cases, tutor=Wrong())
    state = GAME.start(GAME.deal(Stream("x")), GAME.opening())
    seen = state.observe(0)
    with pytest.raises(IllegalAction, match="shown by the tutor"):
        pupil.decide(seen, Stream("y"))


def test_a_scripted_tutor_shows_what_it_would_play_and_always_the_same() -> None:
    tutor = ScriptedTutor(find_agent("balanced", "truco"), 3)
    state = GAME.start(GAME.deal(Stream("x")), GAME.opening())
    seen = state.observe(0)
    question = next(iter(questions(seen)))
    assert tutor.show(question, seen, "baralho") == tutor.show(question, seen, "baralho")
    assert tutor.show(question, seen, "baralho") in seen.legal
