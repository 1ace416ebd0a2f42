"""Truco, retruco, vale quatro: what they are worth and who may call them."""

import pytest
from hands import PLAIN_1, answers, assert_refused, either_mao, every_preset, legal, paid, table, turn

SEAT_0_WINS = "1e 3o 7c 5e"
"""The cards of two rounds that seat 0 wins, as mão."""


@every_preset
@pytest.mark.parametrize(
    ("calls", "worth"),
    [
        ("", 1),
        ("truco quero", 2),
        ("truco retruco quero", 3),
        ("truco retruco vale4 quero", 4),
    ],
)
def test_an_accepted_hand_is_worth(rules: str, calls: str, worth: int) -> None:
    end = table(rules, f"{calls} {SEAT_0_WINS}")
    assert end["points"] == {"envido": [0, 0], "flor": [0, 0], "truco": [worth, 0]}
    assert (end["winner"], end["over"]) == (0, True)


@every_preset
@pytest.mark.parametrize(
    ("calls", "mao_gets", "pe_gets"),
    [("truco", 1, 0), ("truco retruco", 0, 2), ("truco retruco vale4", 3, 0)],
)
@either_mao
def test_a_declined_call_pays_its_caller_and_ends_the_hand(
    rules: str, calls: str, mao_gets: int, pe_gets: int, mao: int
) -> None:
    end = table(rules, f"{calls} nao-quero", mao=mao)
    both = [mao_gets, pe_gets]
    assert end["points"]["truco"] == (both if mao == 0 else both[::-1])
    assert end["winner"] == (mao if mao_gets else 1 - mao)
    assert (end["over"], end["turn"], end["legal"]) == (True, None, [])


@every_preset
def test_the_answers_to_each_call(rules: str) -> None:
    assert legal(rules, "1e 3o truco") == answers(rules, "retruco quero nao-quero")
    assert legal(rules, "1e 3o truco retruco") == answers(rules, "vale4 quero nao-quero")
    assert legal(rules, "1e 3o truco retruco vale4") == answers(rules, "quero nao-quero")


@every_preset
@pytest.mark.parametrize(
    ("played", "seat"),
    [
        ("", 0),
        ("1e", 1),
        ("1e 3o", 0),
        ("1e 3o 4b", 1),
        ("1e 3o 4b 5e", 1),
        ("1e 3o 4b 5e 2c", 0),
    ],
)
def test_either_seat_may_call_truco_in_a_free_turn_of_any_round(rules: str, played: str, seat: int) -> None:
    assert turn(rules, played) == seat
    assert turn(rules, f"{played} truco") == 1 - seat
    assert turn(rules, f"{played} truco quero") == seat


@every_preset
def test_truco_is_not_called_again_once_accepted(rules: str) -> None:
    assert_refused(rules, "truco quero truco")
    assert_refused(rules, "truco quero 1e truco")
    assert_refused(rules, "truco quero 1e 3o truco")
    assert_refused(rules, "truco truco")


@every_preset
def test_retruco_and_vale4_need_the_call_below(rules: str) -> None:
    assert_refused(rules, "retruco")
    assert_refused(rules, "vale4")
    assert_refused(rules, "truco vale4")
    assert_refused(rules, "truco quero 1e vale4")
    assert_refused(rules, "truco retruco retruco")


@every_preset
def test_retruco_belongs_to_the_seat_that_said_quero(rules: str) -> None:
    assert legal(rules, "truco quero") == "1e 7c 4b baralho"
    assert legal(rules, "truco quero 1e") == "3o 2c 5e retruco baralho"
    assert legal(rules, "truco quero 1e 3o") == "7c 4b down:7c down:4b baralho"
    assert legal(rules, "truco quero 1e 3o 4b 5e") == "2c down:2c retruco baralho"
    assert legal(rules, "1e truco quero") == "3o 2c 5e baralho"
    assert legal(rules, "1e truco quero 3o") == "7c 4b down:7c down:4b retruco baralho"


@every_preset
def test_a_raise_implies_acceptance_and_moves_the_right_to_raise(rules: str) -> None:
    # Seat 0 said quero last: it may raise at once, in its own free turn.
    assert turn(rules, "truco retruco quero") == 0
    assert legal(rules, "truco retruco quero") == "1e 7c 4b vale4 baralho"
    assert legal(rules, "truco retruco quero 1e") == "3o 2c 5e baralho"
    assert paid(rules, "truco retruco quero vale4 nao-quero") == {"truco": [3, 0]}
    assert paid(rules, f"truco retruco quero vale4 quero {SEAT_0_WINS}") == {"truco": [4, 0]}


@every_preset
def test_a_later_retruco_is_answered_and_the_turn_returns(rules: str) -> None:
    line = "truco quero 1e retruco"
    assert turn(rules, line) == 0
    assert legal(rules, line) == answers(rules, "vale4 quero nao-quero")
    assert legal(rules, f"{line} quero") == "3o 2c 5e baralho"
    assert legal(rules, f"{line} quero 3o") == "7c 4b down:7c down:4b vale4 baralho"
    assert paid(rules, f"{line} nao-quero") == {"truco": [0, 2]}
    assert turn(rules, f"{line} vale4 quero") == 1
    assert legal(rules, f"{line} vale4 quero") == "3o 2c 5e baralho"


@every_preset
def test_the_right_to_raise_moves_with_each_quero(rules: str) -> None:
    # Truco by seat 0, retruco by seat 1, vale quatro by seat 0: each in a free turn of its own.
    line = "truco quero 1e retruco quero 3o vale4"
    assert legal(rules, line) == answers(rules, "quero nao-quero")
    assert paid(rules, f"{line} nao-quero") == {"truco": [3, 0]}
    assert paid(rules, f"{line} quero 7c 5e") == {"truco": [4, 0]}


@every_preset
def test_after_vale4_nothing_can_be_raised(rules: str) -> None:
    line = "truco retruco vale4 quero"
    assert legal(rules, line) == "1e 7c 4b baralho"
    assert legal(rules, f"{line} 1e") == "3o 2c 5e baralho"
    assert legal(rules, f"{line} 1e 3o") == "7c 4b down:7c down:4b baralho"


@pytest.mark.parametrize("rules", ["cbtg", "argentino", "argentino-sem-flor"])
def test_quero_to_an_envido_gives_no_right_to_raise_a_truco(rules: str) -> None:
    # Seat 0 said quero to the envido, seat 1 to the truco that waited.
    assert legal(rules, "truco envido quero quero") == "1e 7c 4b baralho"
    assert legal(rules, "truco envido quero quero 1e") == "3o 2c 5e retruco baralho"


@every_preset
def test_an_accepted_truco_goes_to_the_winner_of_the_hand_whoever_called(rules: str) -> None:
    assert paid(rules, "truco quero 3o 1e 7c 5e", hands=PLAIN_1) == {"truco": [0, 2]}
    assert paid(rules, "1e truco quero 3o 7c 5e") == {"truco": [2, 0]}


@every_preset
def test_envido_and_truco_are_both_paid(rules: str) -> None:
    assert paid(rules, f"envido quero truco quero {SEAT_0_WINS}") == {"envido": [2, 0], "truco": [2, 0]}
    assert paid(rules, "envido nao-quero truco nao-quero") == {"envido": [1, 0], "truco": [1, 0]}
    assert paid(rules, "real-envido quero truco retruco nao-quero") == {"envido": [3, 0], "truco": [0, 2]}
