"""Envido: what each chain is worth, who may call it and when."""

import pytest
from hands import (
    NO_FOLD_FACING_A_BET,
    PLAIN,
    PLAIN_1,
    RULES,
    answers,
    assert_refused,
    either_mao,
    every_preset,
    legal,
    paid,
    table,
    turn,
    where_truco_waits,
)

CALLS = {"E": "envido", "R": "real-envido", "F": "falta-envido"}
ENVIDO_CALLS = tuple(CALLS.values())
FALTA = {"cbtg": 17, "trucogame": 21, "argentino": 8, "argentino-sem-flor": 8}
"""What seat 0 wins by a falta at 7 to 3, target 24 (argentino: 30)."""

TABLE = {
    "E": ("2", 1),
    "R": ("3", 1),
    "F": ("falta", 1),
    "E-E": ("4", 2),
    "E-R": ("5", 2),
    "E-F": ("falta", 2),
    "R-F": ("falta", 3),
    "E-E-R": ("7", 4),
    "E-E-F": ("falta", 4),
    "E-R-F": ("falta", 5),
    "E-E-R-F": ("falta", 7),
}
CBTG_ONLY = {
    "R-R": ("6", 3),
    "R-R-R": ("9", 6),
    "E-R-R": ("8", 5),
    "E-E-R-R": ("10", 7),
    "R-R-F": ("falta", 6),
}
ROWS = [
    pytest.param(rules, chain, accepted, declined, id=f"{rules} {chain}")
    for rules in RULES
    for chain, (accepted, declined) in (TABLE | (CBTG_ONLY if rules == "cbtg" else {})).items()
]


def spoken(chain: str) -> str:
    """The calls of a chain written as in the rule.

    >>> spoken("E-R-F")
    'envido real-envido falta-envido'
    """
    return " ".join(CALLS[letter] for letter in chain.split("-") if letter)


@pytest.mark.parametrize(("rules", "chain", "accepted", "declined"), ROWS)
def test_an_accepted_chain_pays_the_better_envido(
    rules: str, chain: str, accepted: str, declined: int
) -> None:
    worth = FALTA[rules] if accepted == "falta" else int(accepted)
    assert paid(rules, f"{spoken(chain)} quero", scores=(7, 3)) == {"envido": [worth, 0]}
    assert paid(rules, f"7c {spoken(chain)} quero", scores=(7, 3)) == {"envido": [worth, 0]}


@pytest.mark.parametrize(("rules", "chain", "accepted", "declined"), ROWS)
def test_a_declined_chain_pays_the_last_caller_what_stood_before(
    rules: str, chain: str, accepted: str, declined: int
) -> None:
    last_is_mao = len(chain.split("-")) % 2 == 1
    to_mao, to_pe = [declined, 0], [0, declined]
    assert paid(rules, f"{spoken(chain)} nao-quero") == {"envido": to_mao if last_is_mao else to_pe}
    assert paid(rules, f"7c {spoken(chain)} nao-quero") == {"envido": to_pe if last_is_mao else to_mao}


@pytest.mark.parametrize(
    ("chain", "raises", "raises_in_cbtg"),
    [
        ("E", "E-R-F", "E-R-F"),
        ("E-E", "R-F", "R-F"),
        ("R", "F", "R-F"),
        ("E-R", "F", "R-F"),
        ("E-E-R", "F", "R-F"),
        ("F", "", ""),
        ("E-F", "", ""),
        ("R-F", "", ""),
        ("E-E-F", "", ""),
        ("E-R-F", "", ""),
        ("E-E-R-F", "", ""),
    ],
)
@every_preset
def test_the_raises_after_each_chain(rules: str, chain: str, raises: str, raises_in_cbtg: str) -> None:
    calls = spoken(raises_in_cbtg if rules == "cbtg" else raises)
    expected = answers(rules, f"{calls} quero nao-quero".strip())
    assert legal(rules, spoken(chain)) == expected
    assert legal(rules, f"7c {spoken(chain)}") == expected


@pytest.mark.parametrize("chain", ["R-R", "R-R-R", "E-R-R", "E-E-R-R"])
def test_the_raises_after_the_repeated_real_of_cbtg(chain: str) -> None:
    assert legal("cbtg", spoken(chain)) == "real-envido falta-envido quero nao-quero baralho"


@pytest.mark.parametrize("chain", ["R-E", "E-R-E", "E-E-E", "F-E", "F-R", "F-F", "E-F-R"])
@every_preset
def test_what_no_chain_may_hold(rules: str, chain: str) -> None:
    assert_refused(rules, spoken(chain))


@pytest.mark.parametrize("chain", ["R-R", "E-R-R", "E-E-R-R"])
@pytest.mark.parametrize("rules", [rules for rules in RULES if rules != "cbtg"])
def test_outside_cbtg_real_envido_is_called_once(rules: str, chain: str) -> None:
    assert_refused(rules, spoken(chain))


@pytest.mark.parametrize(
    ("target", "chain", "again"),
    [
        (24, "R-R-R-R-R-R-R", True),  # 21
        (24, "R-R-R-R-R-R-R-R", False),  # 24
        (24, "E-R-R-R-R-R-R-R", True),  # 23
        (24, "E-R-R-R-R-R-R-R-R", False),  # 26
        (12, "R-R-R", True),  # 9
        (12, "R-R-R-R", False),  # 12
        (6, "E-R", True),  # 5
        (5, "E-R", False),  # 5
        (4, "R", True),  # 3
        (3, "R", False),  # 3
        (1, "R", False),  # 3
    ],
)
def test_in_cbtg_real_envido_repeats_while_the_chain_is_below_the_target(
    target: int, chain: str, again: bool
) -> None:
    raises = "real-envido falta-envido" if again else "falta-envido"
    assert legal("cbtg", spoken(chain), target=target) == f"{raises} quero nao-quero baralho"


@every_preset
@pytest.mark.parametrize("target", [1, 2, 4])
def test_the_first_real_envido_does_not_ask_for_the_target(rules: str, target: int) -> None:
    assert legal(rules, "envido envido", target=target).startswith("real-envido falta-envido quero")


def test_eight_reals_are_worth_twenty_four() -> None:
    reals = spoken("R-R-R-R-R-R-R-R")
    assert paid("cbtg", f"{reals} quero") == {"envido": [24, 0]}
    assert paid("cbtg", f"{reals} nao-quero") == {"envido": [0, 21]}


# Who has the better envido


@every_preset
@either_mao
@pytest.mark.parametrize("opening", ["envido", "real-envido", "envido envido"])
def test_the_better_envido_wins_whoever_called(rules: str, mao: int, opening: str) -> None:
    worth = {"envido": 2, "real-envido": 3, "envido envido": 4}[opening]
    assert paid(rules, f"{opening} quero", hands=PLAIN, mao=mao) == {"envido": [worth, 0]}
    assert paid(rules, f"{opening} quero", hands=PLAIN_1, mao=mao) == {"envido": [0, worth]}


@every_preset
@pytest.mark.parametrize("hands", ["7e 12e 1c | 7o 12o 1b", "7e 12b 11o | 7b 12c 11e"])
def test_ties_go_to_the_mao(rules: str, hands: str) -> None:
    assert paid(rules, "envido quero", hands=hands, mao=0) == {"envido": [2, 0]}
    assert paid(rules, "envido quero", hands=hands, mao=1) == {"envido": [0, 2]}
    assert paid(rules, "envido envido quero", hands=hands, mao=1) == {"envido": [0, 4]}


@every_preset
def test_a_card_already_played_still_counts(rules: str) -> None:
    assert paid(rules, "7c envido quero", hands="6c 7c 1e | 7o 5o 4e") == {"envido": [2, 0]}


@every_preset
def test_points_are_awarded_at_once_and_played_on(rules: str) -> None:
    after = table(rules, "envido quero", scores=(5, 6))
    assert (after["scores"], after["over"], after["winner"]) == ([7, 6], False, None)


# Falta


@pytest.mark.parametrize(
    ("target", "scores", "worth"),
    [
        (24, (0, 0), 24),
        (24, (10, 4), 14),
        (24, (4, 10), 14),
        (24, (10, 10), 14),
        (24, (23, 0), 1),
        (30, (12, 20), 10),
        (15, (3, 2), 12),
        (12, (11, 10), 1),
        (1, (0, 0), 1),
    ],
)
@pytest.mark.parametrize("winner", [0, 1])
def test_falta_in_cbtg_is_what_the_leader_lacks(
    target: int, scores: tuple[int, int], worth: int, winner: int
) -> None:
    envido = paid("cbtg", "falta-envido quero", hands=(PLAIN, PLAIN_1)[winner], target=target, scores=scores)
    assert envido == {"envido": [worth, 0] if winner == 0 else [0, worth]}


@pytest.mark.parametrize(
    ("target", "scores", "won_by_0", "won_by_1"),
    [
        (24, (0, 0), 24, 24),
        (24, (10, 4), 20, 14),
        (24, (4, 10), 14, 20),
        (24, (10, 10), 14, 14),
        (24, (23, 0), 24, 1),
        (30, (12, 20), 10, 18),
        (15, (3, 2), 13, 12),
        (12, (11, 10), 2, 1),
        (1, (0, 0), 1, 1),
    ],
)
def test_falta_in_trucogame_is_the_target_minus_the_score_of_the_loser(
    target: int, scores: tuple[int, int], won_by_0: int, won_by_1: int
) -> None:
    line = "falta-envido quero"
    assert paid("trucogame", line, hands=PLAIN, target=target, scores=scores) == {"envido": [won_by_0, 0]}
    assert paid("trucogame", line, hands=PLAIN_1, target=target, scores=scores) == {"envido": [0, won_by_1]}


@pytest.mark.parametrize("rules", NO_FOLD_FACING_A_BET)
@pytest.mark.parametrize(
    ("target", "scores", "won_by_0", "won_by_1"),
    [
        pytest.param(30, (0, 0), 15, 15, id="30: both at the start"),
        pytest.param(30, (10, 4), 5, 11, id="30: both in the first half"),
        pytest.param(30, (4, 10), 11, 5, id="30: both in the first half, seat 1 ahead"),
        pytest.param(30, (14, 14), 1, 1, id="30: both on the brink of the second half"),
        pytest.param(30, (15, 0), 15, 15, id="30: half the target is the second half"),
        pytest.param(30, (14, 15), 15, 15, id="30: seat 1 in the second half"),
        pytest.param(30, (20, 16), 10, 10, id="30: both in the second half"),
        pytest.param(30, (29, 3), 1, 1, id="30: the leader lacks one"),
        pytest.param(24, (11, 5), 1, 7, id="24 has halves"),
        pytest.param(24, (12, 5), 12, 12, id="24: second half from 12"),
        pytest.param(26, (12, 3), 1, 10, id="26 has halves of 13"),
        pytest.param(26, (13, 3), 13, 13, id="26: second half from 13"),
        pytest.param(25, (3, 1), 22, 22, id="25 is odd: no halves"),
        pytest.param(31, (15, 0), 16, 16, id="31 is odd: no halves"),
        pytest.param(23, (3, 1), 20, 20, id="23 is odd and short: no halves"),
        pytest.param(22, (3, 1), 19, 19, id="22 is short: no halves"),
        pytest.param(18, (0, 0), 18, 18, id="18 is short: no halves"),
        pytest.param(15, (2, 9), 6, 6, id="15 is odd and short: no halves"),
        pytest.param(12, (5, 2), 7, 7, id="12 is short: no halves"),
        pytest.param(2, (1, 0), 1, 1, id="2 is short: no halves"),
        pytest.param(1, (0, 0), 1, 1, id="1: no halves"),
    ],
)
def test_falta_in_argentino_is_the_rest_of_the_half_or_what_the_leader_lacks(
    rules: str, target: int, scores: tuple[int, int], won_by_0: int, won_by_1: int
) -> None:
    line = "falta-envido quero"
    assert paid(rules, line, hands=PLAIN, target=target, scores=scores) == {"envido": [won_by_0, 0]}
    assert paid(rules, line, hands=PLAIN_1, target=target, scores=scores) == {"envido": [0, won_by_1]}


def test_falta_goes_by_who_wins_the_envido_not_by_who_called_it() -> None:
    # Seat 1 calls, seat 0 wins: the loser is seat 1, at 4.
    assert paid("trucogame", "7c falta-envido quero", scores=(10, 4)) == {"envido": [20, 0]}
    assert paid("argentino", "7c falta-envido quero", scores=(10, 4)) == {"envido": [5, 0]}


def test_a_falta_can_leave_the_match_open_or_pass_the_target() -> None:
    behind = table("cbtg", "falta-envido quero", hands=PLAIN_1, scores=(20, 3))
    assert (behind["scores"], behind["over"], behind["match_winner"]) == ([20, 7], False, None)
    past = table("trucogame", "falta-envido quero", scores=(23, 0))
    assert (past["scores"], past["over"], past["match_winner"]) == ([47, 0], True, 0)
    half = table("argentino", "falta-envido quero", scores=(10, 4))
    assert (half["scores"], half["over"], half["match_winner"]) == ([15, 4], False, None)


# When


@every_preset
@pytest.mark.parametrize("call", ENVIDO_CALLS)
def test_envido_is_called_before_ones_own_first_card(rules: str, call: str) -> None:
    assert turn(rules, call) == 1
    assert turn(rules, f"1e {call}") == 0
    assert_refused(rules, f"1e 3o {call}")
    assert_refused(rules, f"7c 3o {call}")
    assert_refused(rules, f"1e 3o 7c {call}")


@every_preset
def test_a_seat_that_has_played_may_still_raise_the_others_envido(rules: str) -> None:
    assert legal(rules, "1e envido") == answers(rules, "envido real-envido falta-envido quero nao-quero")
    assert paid(rules, "1e envido real-envido falta-envido nao-quero") == {"envido": [0, 5]}


@every_preset
def test_a_seat_that_has_called_truco_may_still_raise_the_others_envido(rules: str) -> None:
    assert legal(rules, "truco envido") == answers(rules, "envido real-envido falta-envido quero nao-quero")
    assert paid(rules, "truco envido envido quero") == {"envido": [4, 0]}


@every_preset
@pytest.mark.parametrize("chain", ["envido quero", "envido nao-quero", "real-envido quero"])
def test_there_is_one_envido_chain_a_hand(rules: str, chain: str) -> None:
    assert legal(rules, chain) == "1e 7c 4b truco baralho"
    assert legal(rules, f"{chain} 1e") == "3o 2c 5e truco baralho"
    for call in ENVIDO_CALLS:
        assert_refused(rules, f"{chain} {call}")
        assert_refused(rules, f"{chain} truco {call}")


@every_preset
@pytest.mark.parametrize("answer", ["quero", "retruco quero"])
def test_an_accepted_truco_closes_envido_for_both(rules: str, answer: str) -> None:
    for call in ENVIDO_CALLS:
        assert_refused(rules, f"truco {answer} {call}")
        assert_refused(rules, f"truco {answer} 1e {call}")
        assert_refused(rules, f"1e truco {answer} {call}")


@every_preset
def test_a_raise_to_a_truco_closes_envido_at_once(rules: str) -> None:
    for call in ENVIDO_CALLS:
        assert_refused(rules, f"truco retruco {call}")
        assert_refused(rules, f"truco retruco vale4 {call}")


@every_preset
def test_a_later_retruco_is_not_answered_with_envido(rules: str) -> None:
    assert_refused(rules, "truco quero 1e retruco envido")


# Envido comes first


@every_preset
@pytest.mark.parametrize("call", ENVIDO_CALLS)
@either_mao
def test_envido_comes_first_over_an_unanswered_truco(rules: str, call: str, mao: int) -> None:
    assert turn(rules, f"truco {call}", mao=mao) == mao


@every_preset
def test_envido_stands_among_the_answers_to_truco(rules: str) -> None:
    assert legal(rules, "truco") == answers(rules, "envido real-envido falta-envido retruco quero nao-quero")


@every_preset
def test_envido_over_truco_asks_for_a_seat_that_has_not_played(rules: str) -> None:
    assert legal(rules, "1e truco") == answers(rules, "retruco quero nao-quero")
    assert legal(rules, "1e 3o truco") == answers(rules, "retruco quero nao-quero")


@where_truco_waits
@pytest.mark.parametrize("settled", ["quero", "nao-quero", "envido quero", "envido nao-quero"])
@either_mao
def test_the_same_truco_must_then_be_answered(rules: str, settled: str, mao: int) -> None:
    line = f"truco envido {settled}"
    assert turn(rules, line, mao=mao) == 1 - mao
    assert legal(rules, line, mao=mao) == answers(rules, "retruco quero nao-quero")
    assert turn(rules, f"{line} quero", mao=mao) == mao
    assert table(rules, f"{line} nao-quero", mao=mao)["winner"] == mao


@where_truco_waits
def test_the_truco_that_waited_is_worth_what_it_was(rules: str) -> None:
    assert paid(rules, "truco envido quero nao-quero") == {"envido": [2, 0], "truco": [1, 0]}
    assert paid(rules, "truco envido quero quero 1e 3o 7c 5e") == {"envido": [2, 0], "truco": [2, 0]}
    assert paid(rules, "truco envido nao-quero retruco nao-quero") == {"envido": [0, 1], "truco": [0, 2]}


@pytest.mark.parametrize("settled", ["quero", "nao-quero", "envido quero", "envido nao-quero"])
@either_mao
def test_in_trucogame_envido_cancels_the_truco_which_may_be_called_again(settled: str, mao: int) -> None:
    line = f"truco envido {settled}"
    held = ("1e 7c 4b", "3o 2c 5e")[mao]
    assert turn("trucogame", line, mao=mao) == mao
    assert legal("trucogame", line, mao=mao) == f"{held} truco baralho"
    assert legal("trucogame", f"{line} truco", mao=mao) == "retruco quero nao-quero baralho"


def test_in_trucogame_a_cancelled_truco_is_worth_nothing_and_either_seat_may_call_the_next() -> None:
    assert paid("trucogame", "truco envido quero 1e 3o 7c 5e") == {"envido": [2, 0], "truco": [1, 0]}
    assert legal("trucogame", "truco envido quero 1e") == "3o 2c 5e truco baralho"
    assert paid("trucogame", "truco envido quero 1e truco nao-quero") == {"envido": [2, 0], "truco": [0, 1]}


@every_preset
def test_no_truco_call_answers_an_envido(rules: str) -> None:
    for call in ("truco", "retruco", "vale4"):
        assert_refused(rules, f"envido {call}")
        assert_refused(rules, f"truco envido {call}")
