"""Flor: what each answer is worth, when it is sung, and what it closes."""

import pytest
from hands import (
    COMPULSORY,
    FLOR_0,
    FLOR_1,
    FLORS,
    FLORS_1,
    PLAIN,
    answers,
    assert_refused,
    either_mao,
    every_preset,
    legal,
    paid,
    table,
    turn,
    where_flor_is_compulsory,
    with_flor,
)

FLOR_CALLS = ("flor", "contraflor", "contraflor-resto", "achico")
ENVIDO_CALLS = ("envido", "real-envido", "falta-envido")


def replies(rules: str) -> str:
    """The answers to `flor`."""
    return "flor contraflor contraflor-resto" + (" achico" if rules in COMPULSORY else "")


# The table, at 7 to 3 (target 24; argentino 30)


@with_flor
@either_mao
def test_a_flor_alone_pays_three_at_once(rules: str, mao: int) -> None:
    hands = (FLOR_0, FLOR_1)[mao]
    after = table(rules, "flor", hands=hands, mao=mao)
    assert after["points"]["flor"] == ([3, 0] if mao == 0 else [0, 3])
    assert (after["turn"], after["over"]) == (mao, False)


ACCEPTED = [
    ("cbtg", "flor flor", 6),
    ("trucogame", "flor flor", 6),
    ("argentino", "flor flor", 4),
    ("cbtg", "flor contraflor quero", 6),
    ("trucogame", "flor contraflor quero", 6),
    ("argentino", "flor contraflor quero", 6),
]
RESTO = [
    ("cbtg", 6 + 17, 6 + 17),
    ("trucogame", 24, 24),
    ("argentino", 15 - 7, 15 - 3),
]
DECLINED = [
    ("cbtg", "flor contraflor nao-quero", [0, 4]),
    ("trucogame", "flor contraflor nao-quero", [0, 4]),
    ("argentino", "flor contraflor nao-quero", [0, 4]),
    ("cbtg", "flor contraflor-resto nao-quero", [0, 4]),
    ("trucogame", "flor contraflor-resto nao-quero", [0, 4]),
    ("argentino", "flor contraflor-resto nao-quero", [0, 4]),
    ("cbtg", "flor contraflor contraflor-resto nao-quero", [6, 0]),
    ("trucogame", "flor contraflor contraflor-resto nao-quero", [4, 0]),
    ("argentino", "flor contraflor contraflor-resto nao-quero", [6, 0]),
]


@pytest.mark.parametrize(("rules", "line", "worth"), ACCEPTED)
def test_two_flors_pay_the_better(rules: str, line: str, worth: int) -> None:
    assert paid(rules, line, hands=FLORS) == {"flor": [worth, 0]}
    assert paid(rules, line, hands=FLORS_1) == {"flor": [0, worth]}


@pytest.mark.parametrize("line", ["flor contraflor-resto quero", "flor contraflor contraflor-resto quero"])
@pytest.mark.parametrize(("rules", "won_by_0", "won_by_1"), RESTO)
def test_an_accepted_contraflor_resto_pays_the_better(
    rules: str, won_by_0: int, won_by_1: int, line: str
) -> None:
    assert paid(rules, line, hands=FLORS, scores=(7, 3)) == {"flor": [won_by_0, 0]}
    assert paid(rules, line, hands=FLORS_1, scores=(7, 3)) == {"flor": [0, won_by_1]}


@pytest.mark.parametrize("hands", [FLORS, FLORS_1], ids=["better first", "better second"])
@pytest.mark.parametrize(("rules", "line", "points"), DECLINED)
def test_a_declined_call_pays_its_caller(rules: str, line: str, points: list[int], hands: str) -> None:
    assert paid(rules, line, hands=hands) == {"flor": points}


@pytest.mark.parametrize("hands", [FLORS, FLORS_1], ids=["better first", "better second"])
@pytest.mark.parametrize(("rules", "worth"), [("cbtg", 4), ("argentino", 3)])
def test_achico_pays_the_first_singer(rules: str, worth: int, hands: str) -> None:
    assert paid(rules, "flor achico", hands=hands) == {"flor": [worth, 0]}
    assert paid(rules, "flor achico", hands=hands, mao=1) == {"flor": [0, worth]}


def test_trucogame_has_no_achico() -> None:
    assert_refused("trucogame", "flor achico", hands=FLORS)


@pytest.mark.parametrize(
    ("target", "scores", "worth"),
    [
        (24, (0, 0), 30),
        (24, (20, 3), 10),
        (24, (3, 20), 10),
        (15, (9, 9), 12),
        (12, (11, 0), 7),
        (1, (0, 0), 7),
    ],
)
def test_resto_in_cbtg_is_six_and_what_the_leader_lacks(
    target: int, scores: tuple[int, int], worth: int
) -> None:
    line = "flor contraflor-resto quero"
    assert paid("cbtg", line, hands=FLORS, target=target, scores=scores) == {"flor": [worth, 0]}
    assert paid("cbtg", line, hands=FLORS_1, target=target, scores=scores) == {"flor": [0, worth]}


@pytest.mark.parametrize(
    ("target", "scores"), [(24, (0, 0)), (24, (23, 0)), (24, (3, 20)), (15, (9, 9)), (1, (0, 0))]
)
def test_resto_in_trucogame_is_the_target(target: int, scores: tuple[int, int]) -> None:
    line = "flor contraflor-resto quero"
    assert paid("trucogame", line, hands=FLORS, target=target, scores=scores) == {"flor": [target, 0]}
    assert paid("trucogame", line, hands=FLORS_1, target=target, scores=scores) == {"flor": [0, target]}


@pytest.mark.parametrize(
    ("target", "scores", "won_by_0", "won_by_1"),
    [
        (30, (0, 0), 15, 15),
        (30, (10, 4), 5, 11),
        (30, (15, 4), 15, 15),
        (30, (20, 25), 5, 5),
        (24, (11, 5), 1, 7),
        (25, (3, 1), 22, 22),
        (18, (3, 1), 15, 15),
    ],
)
def test_resto_in_argentino_is_a_falta(
    target: int, scores: tuple[int, int], won_by_0: int, won_by_1: int
) -> None:
    line = "flor contraflor-resto quero"
    assert paid("argentino", line, hands=FLORS, target=target, scores=scores) == {"flor": [won_by_0, 0]}
    assert paid("argentino", line, hands=FLORS_1, target=target, scores=scores) == {"flor": [0, won_by_1]}


def test_resto_can_leave_the_match_open() -> None:
    after = table("cbtg", "flor contraflor-resto quero", hands=FLORS_1, scores=(20, 3))
    assert (after["scores"], after["over"]) == ([20, 13], False)


@with_flor
@pytest.mark.parametrize("line", ["flor flor", "flor contraflor quero"])
def test_ties_between_flors_go_to_the_mao(rules: str, line: str) -> None:
    worth = 4 if (rules, line) == ("argentino", "flor flor") else 6
    hands = "1e 2e 7e | 6o 4o 10o"  # 30 to 30
    assert paid(rules, line, hands=hands, mao=0) == {"flor": [worth, 0]}
    assert paid(rules, line, hands=hands, mao=1) == {"flor": [0, worth]}


@with_flor
def test_two_flors_compare_all_three_cards(rules: str) -> None:
    # Seat 0 has the better two cards (33 to 31), seat 1 the better three (35 to 33).
    worth = 4 if rules == "argentino" else 6
    assert paid(rules, "flor flor", hands="7e 6e 12e | 5o 4o 6o") == {"flor": [0, worth]}


# The answers


@with_flor
def test_the_answers_to_flor(rules: str) -> None:
    assert legal(rules, "flor", hands=FLORS) == replies(rules)
    assert legal(rules, "flor", hands=FLORS, mao=1) == replies(rules)


@with_flor
@pytest.mark.parametrize("answer", ["quero", "nao-quero", "baralho", "truco", "envido", "4o"])
def test_flor_is_answered_with_a_flor_call_only(rules: str, answer: str) -> None:
    assert_refused(rules, f"flor {answer}", hands=FLORS)


@with_flor
def test_the_answers_to_contraflor(rules: str) -> None:
    assert turn(rules, "flor contraflor", hands=FLORS) == 0
    assert legal(rules, "flor contraflor", hands=FLORS) == answers(rules, "contraflor-resto quero nao-quero")


@with_flor
@pytest.mark.parametrize("line", ["flor contraflor-resto", "flor contraflor contraflor-resto"])
def test_the_answers_to_contraflor_resto(rules: str, line: str) -> None:
    assert turn(rules, line, hands=FLORS) == len(line.split()) % 2
    assert legal(rules, line, hands=FLORS) == answers(rules, "quero nao-quero")


@with_flor
@pytest.mark.parametrize("call", ["contraflor", "contraflor-resto", "achico"])
def test_a_flor_is_opened_with_flor_only(rules: str, call: str) -> None:
    assert_refused(rules, call, hands=FLORS)
    assert_refused(rules, call, hands=FLOR_0)
    assert_refused(rules, f"envido {call}", hands=FLOR_1)
    assert_refused(rules, f"truco {call}", hands=FLOR_1)


@every_preset
@pytest.mark.parametrize("call", FLOR_CALLS)
def test_a_seat_without_flor_cannot_sing(rules: str, call: str) -> None:
    assert_refused(rules, call, hands=PLAIN)
    assert_refused(rules, f"1e {call}", hands=PLAIN)
    assert_refused(rules, f"envido {call}", hands=PLAIN)


@with_flor
@pytest.mark.parametrize(
    "line",
    ["flor flor", "flor contraflor quero", "flor contraflor nao-quero", "flor contraflor-resto nao-quero"],
)
def test_a_settled_flor_returns_the_turn_and_leaves_cards_truco_and_fold(rules: str, line: str) -> None:
    assert turn(rules, line, hands=FLORS) == 0
    assert legal(rules, line, hands=FLORS) == "5b 6b 7b truco baralho"
    assert legal(rules, f"{line} 7b", hands=FLORS) == "4o 5o 6o truco baralho"


@where_flor_is_compulsory
def test_achico_settles_the_flor_too(rules: str) -> None:
    assert legal(rules, "flor achico", hands=FLORS) == "5b 6b 7b truco baralho"


@with_flor
def test_there_is_one_flor_chain_a_hand(rules: str) -> None:
    assert legal(rules, "flor", hands=FLOR_0) == "5b 6b 7b truco baralho"
    assert_refused(rules, "flor flor", hands=FLOR_0)
    assert_refused(rules, "flor flor flor", hands=FLORS)
    assert_refused(rules, "flor flor 5b flor", hands=FLORS)
    assert_refused(rules, "flor contraflor quero flor", hands=FLORS)


@with_flor
@pytest.mark.parametrize("call", ENVIDO_CALLS)
def test_a_sung_flor_closes_envido_for_the_rest_of_the_hand(rules: str, call: str) -> None:
    assert_refused(rules, f"flor {call}", hands=FLOR_0)
    assert_refused(rules, f"flor 5b {call}", hands=FLOR_0)
    assert_refused(rules, f"flor truco {call}", hands=FLOR_0)
    assert_refused(rules, f"1e flor {call}", hands=FLOR_1)
    assert_refused(rules, f"flor flor {call}", hands=FLORS)


@with_flor
def test_no_truco_call_answers_a_flor(rules: str) -> None:
    for call in ("truco", "retruco", "vale4"):
        assert_refused(rules, f"flor {call}", hands=FLORS)
        assert_refused(rules, f"flor contraflor {call}", hands=FLORS)


# Over an envido or a truco


@with_flor
@pytest.mark.parametrize("chain", ENVIDO_CALLS)
def test_flor_cancels_a_pending_envido_unpaid(rules: str, chain: str) -> None:
    after = table(rules, f"{chain} flor", hands=FLOR_1)
    assert after["points"] == {"envido": [0, 0], "flor": [0, 3], "truco": [0, 0]}
    assert after["turn"] == 0
    assert after["legal"] == ["1e", "7c", "4b", "truco", "baralho"]


@with_flor
def test_flor_in_ones_own_turn_after_the_others_card(rules: str) -> None:
    assert paid(rules, "1e flor", hands=FLOR_1) == {"flor": [0, 3]}
    assert legal(rules, "1e flor", hands=FLOR_1) == "4o 5o 6o truco baralho"


@where_flor_is_compulsory
def test_a_truco_is_answered_after_the_flor(rules: str) -> None:
    assert paid(rules, "truco flor", hands=FLOR_1) == {"flor": [0, 3]}
    assert turn(rules, "truco flor", hands=FLOR_1) == 1
    assert legal(rules, "truco flor", hands=FLOR_1) == answers(rules, "retruco quero nao-quero")
    assert turn(rules, "truco flor quero", hands=FLOR_1) == 0
    assert legal(rules, "truco flor quero", hands=FLOR_1) == "1e 7c 4b baralho"
    assert paid(rules, "truco flor nao-quero", hands=FLOR_1) == {"flor": [0, 3], "truco": [1, 0]}


def test_in_trucogame_flor_cancels_the_truco_which_may_be_called_again() -> None:
    assert paid("trucogame", "truco flor", hands=FLOR_1) == {"flor": [0, 3]}
    assert turn("trucogame", "truco flor", hands=FLOR_1) == 0
    assert legal("trucogame", "truco flor", hands=FLOR_1) == "1e 7c 4b truco baralho"
    assert legal("trucogame", "truco flor truco", hands=FLOR_1) == "retruco quero nao-quero baralho"


def test_in_trucogame_two_flors_over_a_truco_cancel_it_too() -> None:
    assert legal("trucogame", "truco flor", hands=FLORS) == replies("trucogame")
    assert paid("trucogame", "truco flor flor", hands=FLORS) == {"flor": [6, 0]}
    assert legal("trucogame", "truco flor flor", hands=FLORS) == "5b 6b 7b truco baralho"
    assert legal("trucogame", "truco flor contraflor nao-quero", hands=FLORS) == "5b 6b 7b truco baralho"


@pytest.mark.parametrize("hands", [FLOR_0, FLORS], ids=["one flor", "two flors"])
def test_in_trucogame_flor_over_an_envido_over_a_truco_cancels_both(hands: str) -> None:
    line = "truco envido flor" + (" flor" if hands == FLORS else "")
    assert paid("trucogame", line, hands=hands) == {"flor": [6 if hands == FLORS else 3, 0]}
    assert turn("trucogame", line, hands=hands) == 0
    assert legal("trucogame", line, hands=hands) == "5b 6b 7b truco baralho"


def test_in_trucogame_flor_is_sung_by_the_seat_that_itself_called_the_envido() -> None:
    assert legal("trucogame", "envido envido", hands=FLOR_0) == (
        "flor real-envido falta-envido quero nao-quero baralho"
    )
    after = table("trucogame", "envido real-envido flor", hands=FLOR_0)
    assert after["points"] == {"envido": [0, 0], "flor": [3, 0], "truco": [0, 0]}
    assert after["turn"] == 0
    assert paid("trucogame", "1e envido envido flor", hands=FLOR_1) == {"flor": [0, 3]}
    assert turn("trucogame", "1e envido envido flor", hands=FLOR_1) == 1


def test_in_trucogame_both_flors_over_an_envido_leave_it_unpaid() -> None:
    assert legal("trucogame", "envido flor", hands=FLORS) == replies("trucogame")
    assert paid("trucogame", "envido flor flor", hands=FLORS) == {"flor": [6, 0]}
    assert paid("trucogame", "envido flor contraflor nao-quero", hands=FLORS) == {"flor": [4, 0]}
    assert turn("trucogame", "envido flor flor", hands=FLORS) == 0
    assert turn("trucogame", "envido envido flor flor", hands=FLORS) == 0


# Compulsory


@where_flor_is_compulsory
@pytest.mark.parametrize(
    ("line", "hands"),
    [
        pytest.param("", FLOR_0, id="the mao opens"),
        pytest.param("", FLORS, id="the mao opens against a flor"),
        pytest.param("1e", FLOR_1, id="the pe, after the mao's card"),
        pytest.param("envido", FLOR_1, id="facing envido"),
        pytest.param("real-envido", FLOR_1, id="facing real-envido"),
        pytest.param("falta-envido", FLOR_1, id="facing falta-envido"),
        pytest.param("truco", FLOR_1, id="facing truco"),
    ],
)
def test_a_compulsory_flor_leaves_nothing_else(rules: str, line: str, hands: str) -> None:
    assert legal(rules, line, hands=hands) == "flor"


@where_flor_is_compulsory
def test_a_compulsory_flor_forbids_even_the_fold(rules: str) -> None:
    assert_refused(rules, "baralho", hands=FLOR_0)
    assert_refused(rules, "1e baralho", hands=FLOR_1)
    assert_refused(rules, "truco nao-quero", hands=FLOR_1)


@where_flor_is_compulsory
@pytest.mark.parametrize("answer", ["flor", "achico"])
def test_an_answer_counts_as_having_sung(rules: str, answer: str) -> None:
    assert legal(rules, f"flor {answer} 5b", hands=FLORS) == "4o 5o 6o truco baralho"


@where_flor_is_compulsory
def test_contraflor_counts_as_having_sung(rules: str) -> None:
    assert legal(rules, "flor contraflor quero 5b", hands=FLORS) == "4o 5o 6o truco baralho"


# Optional


def test_in_trucogame_singing_is_optional() -> None:
    assert legal("trucogame", hands=FLOR_0) == "5b 6b 7b flor envido real-envido falta-envido truco baralho"
    assert (
        legal("trucogame", "1e", hands=FLOR_1)
        == "4o 5o 6o flor envido real-envido falta-envido truco baralho"
    )
    assert legal("trucogame", "envido", hands=FLOR_1) == (
        "flor envido real-envido falta-envido quero nao-quero baralho"
    )
    assert legal("trucogame", "truco", hands=FLOR_1) == (
        "flor envido real-envido falta-envido retruco quero nao-quero baralho"
    )


def test_in_trucogame_an_undeclared_flor_plays_envido_with_its_best_two_cards() -> None:
    # 25 with two cards loses to 26; with three it would tie, and win as mão.
    assert paid("trucogame", "envido quero", hands="1e 2e 3e | 4c 2c 12o") == {"envido": [0, 2]}
    assert paid("trucogame", "envido quero", hands="1e 2e 3e | 3c 2c 12o") == {"envido": [2, 0]}


def test_in_trucogame_a_seat_that_has_played_cannot_open_a_flor() -> None:
    assert legal("trucogame", "5b envido", hands=FLOR_0) == (
        "envido real-envido falta-envido quero nao-quero baralho"
    )
    assert legal("trucogame", "5b truco", hands=FLOR_0) == "retruco quero nao-quero baralho"
    assert legal("trucogame", "5b 3o 5e", hands=FLOR_0) == "6b 7b down:6b down:7b truco baralho"


def test_in_trucogame_a_seat_that_has_played_must_still_answer_a_flor() -> None:
    assert turn("trucogame", "5b flor", hands=FLORS) == 0
    assert legal("trucogame", "5b flor", hands=FLORS) == replies("trucogame")
    assert paid("trucogame", "5b flor flor", hands=FLORS) == {"flor": [6, 0]}
    assert turn("trucogame", "5b flor flor", hands=FLORS) == 1
    assert paid("trucogame", "5b envido envido flor contraflor quero", hands=FLORS) == {"flor": [6, 0]}


@pytest.mark.parametrize("settled", ["envido quero", "envido nao-quero", "envido envido quero"])
def test_once_the_envido_is_settled_flor_is_closed_for_both(settled: str) -> None:
    assert legal("trucogame", settled, hands=FLORS) == "5b 6b 7b truco baralho"
    assert legal("trucogame", f"{settled} 5b", hands=FLORS) == "4o 5o 6o truco baralho"
    assert legal("trucogame", f"{settled} truco", hands=FLORS) == "retruco quero nao-quero baralho"


def test_an_accepted_truco_closes_flor_for_both() -> None:
    assert legal("trucogame", "truco quero", hands=FLORS) == "5b 6b 7b baralho"
    assert legal("trucogame", "truco quero 5b", hands=FLORS) == "4o 5o 6o retruco baralho"
    assert legal("trucogame", "truco retruco", hands=FLORS) == "vale4 quero nao-quero baralho"
    assert legal("trucogame", "5b truco quero", hands=FLORS) == "4o 5o 6o baralho"


# Without flor


@pytest.mark.parametrize("hands", [FLOR_0, FLORS])
@pytest.mark.parametrize("call", FLOR_CALLS)
def test_in_argentino_sem_flor_no_flor_call_is_legal(hands: str, call: str) -> None:
    rules = "argentino-sem-flor"
    assert legal(rules, hands=hands) == "5b 6b 7b envido real-envido falta-envido truco baralho"
    assert_refused(rules, call, hands=hands)
    assert_refused(rules, f"5b {call}", hands=FLORS)
    assert_refused(rules, f"envido {call}", hands=FLORS)
    assert_refused(rules, f"truco {call}", hands=FLORS)


def test_in_argentino_sem_flor_a_hand_of_one_suit_plays_envido_with_its_best_two_cards() -> None:
    rules = "argentino-sem-flor"
    assert paid(rules, "envido quero", hands="1e 2e 3e | 4c 2c 12o") == {"envido": [0, 2]}
    assert paid(rules, "envido quero", hands="1e 2e 3e | 3c 2c 12o") == {"envido": [2, 0]}
    assert legal(rules, "truco", hands=FLORS) == "envido real-envido falta-envido retruco quero nao-quero"
