"""Truco as questions and rows: what is asked, what is seen, what is credited."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retruco.cards import SPANISH_DECK
from retruco.cbr.case import Row
from retruco.cbr.similarity import Mean, Scale
from retruco.games.records import replay
from retruco.games.truco import PRESETS, Truco, TrucoState
from retruco.streams import Stream
from retruco.vocab.truco import VOCABULARY, answered_in, questions, rows, rows_of
from retruco.vocab.truco.hindsight import hindsight_of
from retruco.vocab.truco.questions import NONE, Question, answers_given
from retruco.vocab.truco.scenarios import CARD_CODES

HANDS = "3o 10b 4e / 7c 6e 2c"


def state_after(
    actions: str, hands: str = HANDS, rules: str = "trucogame", mao: int = 0, **more: object
) -> TrucoState:
    record: dict[str, object] = {
        "game": "truco",
        "rules": rules,
        "target": 24,
        "scores": [0, 0],
        "mao": mao,
        "hands": [half.split() for half in hands.split(" / ")],
        "actions": actions.split(),
    }
    state = replay(record | more)
    assert isinstance(state, TrucoState)
    return state


def asked(actions: str, hands: str = HANDS, rules: str = "trucogame") -> list[tuple[str, list[str]]]:
    state = state_after(actions, hands, rules)
    assert state.to_act is not None
    return [(one.scenario, list(one.answers)) for one in questions(state.observe(state.to_act))]


def seen(actions: str, scenario: str, hands: str = HANDS) -> Mapping[str, object]:
    state = state_after(actions, hands)
    assert state.to_act is not None
    found = {one.scenario: one for one in questions(state.observe(state.to_act))}
    return VOCABULARY[scenario].decode(found[scenario].problem)


def test_strength_codes_are_those_of_the_dissertation() -> None:
    """Paulus (2020), table 4."""
    table = {
        "1e": 52,
        "1b": 50,
        "7e": 42,
        "7o": 40,
        "3c": 24,
        "2b": 16,
        "1o": 12,
        "1c": 12,
        "12e": 8,
        "11o": 7,
    }
    table |= {"10c": 6, "7b": 4, "7c": 4, "6e": 3, "5o": 2, "4b": 1}
    assert {
        text: code for text, code in ((str(card), code) for card, code in CARD_CODES.items()) if text in table
    } == table
    assert len(CARD_CODES) == 40


class TestAsking:
    def test_a_free_turn_asks_envido_truco_card(self) -> None:
        assert asked("") == [
            ("envido-first", ["none", "envido", "real-envido", "falta-envido"]),
            ("truco-1-first", ["none", "truco"]),
            ("card-1-lead", ["high", "medium", "low", "baralho"]),
        ]

    def test_a_flor_is_asked_first(self) -> None:
        assert asked("", "3o 10o 4o / 7c 6e 2c")[0] == ("flor", ["none", "flor"])

    def test_a_compulsory_flor_leaves_one_answer(self) -> None:
        assert asked("", "3o 10o 4o / 7c 6e 2c", "cbtg")[0] == ("flor", ["flor"])

    def test_an_envido_is_answered_or_raised(self) -> None:
        assert asked("envido") == [
            ("envido-second", ["envido", "real-envido", "falta-envido", "quero", "nao-quero", "baralho"])
        ]

    def test_envido_comes_before_an_unanswered_truco(self) -> None:
        assert asked("truco") == [
            ("envido-second", ["none", "envido", "real-envido", "falta-envido"]),
            ("truco-1-second", ["retruco", "quero", "nao-quero", "baralho"]),
        ]

    def test_from_the_second_round_on_a_card_may_lie_face_down(self) -> None:
        assert asked("3o 7c") == [
            ("truco-2-lead", ["none", "truco"]),
            ("card-2-lead", ["medium", "low", "down", "baralho"]),
        ]

    def test_who_leads_a_round_stays_its_leader_when_a_bet_comes_back(self) -> None:
        assert asked("3o 7c 10b truco")[0][0] == "truco-2-lead"
        assert asked("3o 7c 10b")[0][0] == "truco-2-follow"

    def test_nobody_asks_for_a_raise_that_is_not_ones_own(self) -> None:
        assert asked("truco quero") == [("card-1-lead", ["high", "medium", "low", "baralho"])]


class TestSeeing:
    def test_the_first_card_sees_the_hand_and_the_seat(self) -> None:
        assert seen("", "card-1-lead") == {"high": 24, "medium": 6, "low": 1, "is_mao": "yes"}

    def test_following_sees_the_card_on_the_table(self) -> None:
        assert seen("3o", "card-1-follow") == {
            "high": 16,
            "medium": 4,
            "low": 3,
            "is_mao": "no",
            "other_first": 24,
        }

    def test_the_second_card_sees_the_first_round(self) -> None:
        view = seen("3o 7c", "card-2-lead")
        assert (view["own_first"], view["other_first"], view["winner_1"]) == (24, 4, "me")

    def test_a_card_face_down_is_a_value_of_its_own(self) -> None:
        assert seen("3o 7c down:4e", "card-2-follow")["other_second"] == "down"

    def test_a_card_that_is_not_there_is_a_value_too(self) -> None:
        assert seen("", "envido-first")["other_first"] == "absent"

    def test_the_envido_sees_who_called_what(self) -> None:
        view = seen("envido envido real-envido", "envido-second")
        assert (view["envido"], view["envido_again"], view["real"], view["falta"]) == (
            "other",
            "me",
            "other",
            "nobody",
        )

    def test_a_cancelled_truco_does_not_stand(self) -> None:
        view = seen("truco envido nao-quero", "truco-1-first")
        assert view["truco"] == "nobody"


class TestSimilarity:
    def test_the_worked_example_of_the_dissertation(self) -> None:
        """Paulus (2020), table 5: the printed 0.975975 is the mean of parts rounded to four digits."""
        scenario = VOCABULARY["card-1-lead"]
        query = scenario.problem({"high": 24, "medium": 12, "low": 6, "is_mao": "yes"})
        case = scenario.problem({"high": 24, "medium": 8, "low": 7, "is_mao": "yes"})
        scale = Scale.of(Mean(), scenario.visible)
        parts = scale.parts(query.values, case.values)
        assert [part.similarity for part in parts] == [1, 1 - Fraction(4, 52), 1 - Fraction(1, 52), 1]
        assert round((1 + 0.9231 + 0.9808 + 1) / 4, 6) == 0.975975
        exact = sum((Fraction(part.similarity) for part in parts), Fraction(0)) / 4
        assert exact == Fraction(203, 208)
        assert abs(exact - Fraction("0.975975")) < Fraction(1, 50_000)


class TestRows:
    def test_a_card_passes_over_the_questions_before_it(self) -> None:
        state = state_after("")
        given_answers = [(one.scenario, answer) for one, answer in answers_given(state.observe(0), "4e")]
        assert given_answers == [("envido-first", NONE), ("truco-1-first", NONE), ("card-1-lead", "low")]

    def test_a_question_with_one_answer_is_no_question(self) -> None:
        state = state_after("", "3o 10o 4o / 7c 6e 2c", "cbtg")
        assert list(answers_given(state.observe(0), "flor")) == []

    def test_each_stage_carries_its_own_balance(self) -> None:
        found = rows_by_scenario("envido quero truco quero 3o 7c 10b 6e")
        assert found["envido-first"].credit == -2  # 4 against 29
        assert found["card-1-lead"].credit == found["truco-1-first"].credit == 2

    def test_a_stage_that_the_match_cut_off_is_not_kept(self) -> None:
        end = state_after("falta-envido quero", scores=[23, 23])
        assert end.outcome is not None
        kept = rows(end.record(), 0, 1)
        assert {row.problem.scenario for row in kept} == {"envido-first"}

    def test_of_equal_cards_the_first_played_takes_the_higher_label(self) -> None:
        hands = "3o 3c 4e / 7c 6e 2c"
        end = state_after("3c 7c 3o 6e", hands)
        labels = [row.action for row in rows(end.record(), 0, 1) if row.problem.scenario.startswith("card")]
        assert labels == ["high", "medium"]

    def test_a_label_is_played_in_the_suit_that_tells_least_of_the_envido(self) -> None:
        state = state_after("", "3o 3c 6o / 7c 6e 2c")
        card = next(one for one in questions(state.observe(0)) if one.scenario == "card-1-lead")
        assert card.answers["high"] == "3c"

    def test_a_card_that_is_gone_becomes_the_nearest_left(self) -> None:
        state = state_after("3o 7c", "3o 10b 4e / 7c 6e 2c")
        card = next(one for one in questions(state.observe(0)) if one.scenario == "card-2-lead")
        assert card.adapted == {"high": "medium"}


def rows_by_scenario(actions: str, hands: str = HANDS, seat: int = 0) -> dict[str, Row]:
    end = state_after(actions, hands)
    return {row.problem.scenario: row for row in rows(end.record(), seat, 1)}


class TestHindsight:
    """Paulus (2020), tables 7 to 10."""

    def known(self, actions: str, scenario: str, seat: int = 0) -> dict[str, int]:
        row = rows_by_scenario(actions, seat=seat)[scenario]
        features = VOCABULARY[scenario].hindsight
        return {one.name: int(one.decode(code)) for one, code in zip(features, row.hindsight, strict=True)}

    def test_cards_by_category_and_the_own_card_by_slot(self) -> None:
        assert self.known("4e 7c 6e truco nao-quero", "card-1-lead") == {
            "high category": 20,
            "medium category": 7,
            "low category": 3,
            "own first": 4,
        }

    @pytest.mark.parametrize(
        ("actions", "seat", "scenario", "code"),
        [
            ("4e 7c 6e baralho", 0, "card-2-follow", -10),  # went to the deck oneself
            ("4e 7c 6e baralho", 1, "card-2-lead", 4),  # played the low card
            ("3o 7c 10b 2c 6e down:4e", 0, "card-3-follow", -1),  # face down
            ("3o 7c 10b 2c 6e truco nao-quero", 1, "card-3-lead", 4),  # played the low card last
        ],
    )
    def test_the_own_card_or_why_there_is_none(
        self, actions: str, seat: int, scenario: str, code: int
    ) -> None:
        name = {"2": "own second", "3": "own third"}[scenario[5]]
        assert self.known(actions, scenario, seat)[name] == code

    def test_why_a_hand_ended_before_a_card_was_played(self) -> None:
        def why(actions: str, seat: int) -> int:
            return hindsight_of(state_after(actions).observe(seat))["own third"]

        assert why("3o 7c 10b baralho", 0) == -46  # the other folded
        assert why("3o 7c truco nao-quero", 1) == -15  # declined oneself
        assert why("3o 7c truco nao-quero", 0) == -46  # the other declined
        assert why("3o 7c 10b 6e", 1) == -15  # lost two rounds
        assert why("baralho", 0) == -10  # went to the deck oneself

    def test_who_called_what(self) -> None:
        known = self.known("envido real-envido nao-quero baralho", "envido-first")
        assert (known["who envido"], known["who real"], known["who falta"]) == (1, 3, 2)


@st.composite
def finished_hands(draw: st.DrawFn) -> TrucoState:
    game = Truco.named(draw(st.sampled_from(list(PRESETS))))
    chance = Stream("vocab", draw(st.integers(0, 2**32)))
    state = game.start(game.deal(chance), game.opening(draw(st.integers(0, 1))))
    while state.outcome is None:
        others = tuple(action for action in state.legal if action not in ("baralho", "nao-quero"))
        state = state.play(chance.choice(others * 4 + state.legal))
    return state


@given(finished_hands(), st.integers(0, 1))
def test_live_rows_equal_rows_rebuilt_from_the_record(end: TrucoState, seat: int) -> None:
    live: list[Row] = rows_of(end, list(_asked_live(end, seat)), seat, 7)
    assert live == rows(end.record(), seat, 7)


def _asked_live(end: TrucoState, seat: int) -> Iterator[tuple[Question, str]]:
    """Ask while the hand is played, as an agent at the table is asked."""
    record = end.record()
    actions = end.actions
    for turn in range(len(actions)):
        state = replay({**record, "actions": list(actions[:turn])})
        assert isinstance(state, TrucoState)
        if state.to_act == seat:
            yield from answers_given(state.observe(seat), actions[turn])


@given(finished_hands(), st.integers(0, 1))
def test_every_row_can_be_said_in_the_vocabulary(end: TrucoState, seat: int) -> None:
    for row in rows(end.record(), seat, 1):
        scenario = VOCABULARY[row.problem.scenario]
        assert len(scenario.decode(row.problem)) == len(scenario.visible)
        scenario.action_code(row.action)
        assert len(row.hindsight) == len(scenario.hindsight)


@given(finished_hands(), st.integers(0, 1), st.integers(0, 2**32))
def test_every_answer_stands_for_a_legal_action(end: TrucoState, seat: int, seed: int) -> None:
    for question, answer in answered_in(end, seat):
        assert answer in question.answers
        for other in question.answers.values():
            assert other == "" or other in question.seen.legal


@given(finished_hands(), st.integers(0, 1), st.integers(0, 2**32))
def test_redrawing_the_other_hand_leaves_the_questions_unchanged(
    end: TrucoState, seat: int, seed: int
) -> None:
    """At the first turn of a seat nothing of the other hand is known but open cards."""
    record = end.record()
    actions = end.actions
    turn = next(
        (n for n in range(len(actions)) if replay({**record, "actions": list(actions[:n])}).to_act == seat),
        None,
    )
    if turn is None or any(action == "flor" for action in actions[:turn]):
        return
    before = replay({**record, "actions": list(actions[:turn])})
    assert isinstance(before, TrucoState)
    shown = [play.card for play in before.rounds.by(1 - seat)]
    pool = [card for card in SPANISH_DECK if card not in before.hands[seat] and card not in shown]
    drawn = iter(Stream("redraw", seed).sample(pool, 3))
    hands = [list(hand) for hand in before.hands]
    hands[1 - seat] = [card if card in shown else next(drawn) for card in before.hands[1 - seat]]
    try:
        again = replay({**record, "hands": hands, "actions": list(actions[:turn])})
    except ValueError:
        return  # the new hand holds a flor that would have been compulsory
    assert isinstance(again, TrucoState)
    redrawn = [one.problem for one in questions(again.observe(seat))]
    assert redrawn == [one.problem for one in questions(before.observe(seat))]
