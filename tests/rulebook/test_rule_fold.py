"""Going to the deck: what a fold pays to the other seat."""

import pytest
from hands import (
    FLOR_0,
    FLOR_1,
    FLORS,
    NO_FOLD_FACING_A_BET,
    PLAIN,
    RULES,
    TARGET,
    assert_refused,
    every_preset,
    legal,
    paid,
    table,
    where_flor_is_compulsory,
    with_flor,
)

Points = dict[str, list[int]]
FOLDS_FACING_A_BET = tuple(rules for rules in RULES if rules not in NO_FOLD_FACING_A_BET)


# The folder has played no card and nothing has been called


@pytest.mark.parametrize(
    ("rules", "by_mao", "by_pe"),
    [
        ("cbtg", {"envido": [0, 1], "truco": [0, 1]}, {"envido": [1, 0], "truco": [1, 0]}),
        ("trucogame", {"truco": [0, 1]}, {"truco": [1, 0]}),
        ("argentino", {"envido": [0, 1], "truco": [0, 1]}, {"envido": [1, 0], "truco": [1, 0]}),
        ("argentino-sem-flor", {"envido": [0, 1], "truco": [0, 1]}, {"envido": [1, 0], "truco": [1, 0]}),
    ],
)
def test_a_fold_before_anything(rules: str, by_mao: Points, by_pe: Points) -> None:
    assert paid(rules, "baralho") == by_mao
    assert paid(rules, "1e baralho") == by_pe
    assert paid(rules, "baralho", mao=1) == by_pe
    assert paid(rules, "3o baralho", mao=1) == by_mao


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        ("cbtg", {"flor": [0, 3], "truco": [0, 1]}),
        ("trucogame", {"truco": [0, 1]}),
        ("argentino", {"envido": [0, 1], "truco": [0, 1]}),
        ("argentino-sem-flor", {"envido": [0, 1], "truco": [0, 1]}),
    ],
)
def test_a_fold_before_anything_against_a_flor(rules: str, points: Points) -> None:
    assert paid(rules, "baralho", hands=FLOR_1) == points
    assert paid(rules, "baralho", hands=FLOR_0, mao=1) == {
        stage: both[::-1] for stage, both in points.items()
    }


def test_in_trucogame_a_seat_may_fold_its_own_flor() -> None:
    assert paid("trucogame", "baralho", hands=FLOR_0) == {"truco": [0, 1]}
    assert paid("trucogame", "baralho", hands=FLORS) == {"truco": [0, 1]}
    assert paid("trucogame", "1e baralho", hands=FLOR_1) == {"truco": [1, 0]}


@where_flor_is_compulsory
def test_a_compulsory_flor_is_sung_before_the_fold(rules: str) -> None:
    assert_refused(rules, "baralho", hands=FLOR_0)
    assert paid(rules, "flor baralho", hands=FLOR_0) == {"flor": [3, 0], "truco": [0, 1]}


def test_in_argentino_sem_flor_a_hand_of_one_suit_folds_like_any_other() -> None:
    assert paid("argentino-sem-flor", "baralho", hands=FLORS) == {"envido": [0, 1], "truco": [0, 1]}


# Otherwise, no truco accepted, no bet pending


@every_preset
@pytest.mark.parametrize(
    ("line", "points"),
    [
        pytest.param("1e 3o", {"truco": [0, 1]}, id="a card played"),
        pytest.param("1e 3o 7c", {"truco": [1, 0]}, id="both have played"),
        pytest.param("1e 3o 4b 5e", {"truco": [1, 0]}, id="third round"),
        pytest.param("envido quero", {"envido": [2, 0], "truco": [0, 1]}, id="envido accepted"),
        pytest.param("envido nao-quero", {"envido": [1, 0], "truco": [0, 1]}, id="envido declined"),
        pytest.param("envido envido nao-quero", {"envido": [0, 2], "truco": [0, 1]}, id="raise declined"),
        pytest.param("1e envido quero", {"envido": [2, 0], "truco": [1, 0]}, id="the pe, envido accepted"),
        pytest.param("envido quero 1e", {"envido": [2, 0], "truco": [1, 0]}, id="the pe, later"),
    ],
)
def test_a_fold_with_no_truco_accepted_pays_one(rules: str, line: str, points: Points) -> None:
    assert paid(rules, f"{line} baralho") == points


@with_flor
def test_a_fold_after_a_flor_pays_one(rules: str) -> None:
    assert paid(rules, "flor baralho", hands=FLOR_0) == {"flor": [3, 0], "truco": [0, 1]}
    assert paid(rules, "flor 5b baralho", hands=FLOR_0) == {"flor": [3, 0], "truco": [1, 0]}
    assert paid(rules, "envido flor baralho", hands=FLOR_1) == {"flor": [0, 3], "truco": [0, 1]}
    assert paid(rules, "1e flor baralho", hands=FLOR_1) == {"flor": [0, 3], "truco": [1, 0]}
    both = 4 if rules == "argentino" else 6
    assert paid(rules, "flor flor baralho", hands=FLORS) == {"flor": [both, 0], "truco": [0, 1]}


def test_in_trucogame_a_fold_after_a_cancelled_truco_pays_one() -> None:
    assert paid("trucogame", "truco envido quero baralho") == {"envido": [2, 0], "truco": [0, 1]}
    assert paid("trucogame", "truco flor baralho", hands=FLOR_1) == {"flor": [0, 3], "truco": [0, 1]}


# Truco accepted, no bet pending


@every_preset
@pytest.mark.parametrize(("calls", "worth"), [("truco", 2), ("truco retruco", 3), ("truco retruco vale4", 4)])
def test_a_fold_pays_an_accepted_truco(rules: str, calls: str, worth: int) -> None:
    assert paid(rules, f"1e 3o {calls} quero baralho") == {"truco": [0, worth]}
    assert paid(rules, f"1e 3o {calls} quero 7c baralho") == {"truco": [worth, 0]}
    assert paid(rules, f"{calls} quero 1e 3o baralho") == {"truco": [0, worth]}


@pytest.mark.parametrize(("calls", "worth"), [("truco", 2), ("truco retruco", 3), ("truco retruco vale4", 4)])
@every_preset
def test_in_argentino_a_folder_without_a_played_card_pays_the_envido_too(
    rules: str, calls: str, worth: int
) -> None:
    envido = {"envido": [0, 1]} if rules in NO_FOLD_FACING_A_BET else {}
    assert paid(rules, f"{calls} quero baralho") == envido | {"truco": [0, worth]}
    envido = {"envido": [1, 0]} if rules in NO_FOLD_FACING_A_BET else {}
    assert paid(rules, f"{calls} quero 1e baralho") == envido | {"truco": [worth, 0]}
    assert paid(rules, f"1e {calls} quero baralho") == envido | {"truco": [worth, 0]}


@every_preset
def test_a_fold_pays_no_second_envido(rules: str) -> None:
    assert paid(rules, "envido quero truco quero baralho") == {"envido": [2, 0], "truco": [0, 2]}
    assert paid(rules, "envido nao-quero truco quero baralho") == {"envido": [1, 0], "truco": [0, 2]}
    assert paid(rules, "1e envido nao-quero truco quero baralho") == {"envido": [0, 1], "truco": [2, 0]}


@pytest.mark.parametrize("rules", NO_FOLD_FACING_A_BET)
def test_an_envido_over_the_truco_counts_as_called(rules: str) -> None:
    assert paid(rules, "truco envido nao-quero quero baralho") == {"envido": [0, 1], "truco": [0, 2]}


@with_flor
def test_a_fold_after_flor_and_truco_pays_no_envido(rules: str) -> None:
    assert paid(rules, "flor truco quero baralho", hands=FLOR_0) == {"flor": [3, 0], "truco": [0, 2]}
    assert paid(rules, "flor truco quero 5b baralho", hands=FLOR_0) == {"flor": [3, 0], "truco": [2, 0]}


# Facing a bet


@pytest.mark.parametrize("rules", FOLDS_FACING_A_BET)
@pytest.mark.parametrize(
    ("calls", "declined"),
    [
        ("envido", 1),
        ("real-envido", 1),
        ("falta-envido", 1),
        ("envido envido", 2),
        ("envido real-envido", 2),
        ("envido falta-envido", 2),
        ("real-envido falta-envido", 3),
        ("envido envido real-envido", 4),
        ("envido envido falta-envido", 4),
        ("envido real-envido falta-envido", 5),
        ("envido envido real-envido falta-envido", 7),
    ],
)
def test_a_fold_facing_envido_pays_its_declined_value_and_one(rules: str, calls: str, declined: int) -> None:
    mao_called_last = len(calls.split()) % 2 == 1
    to_mao: Points = {"envido": [declined, 0], "truco": [1, 0]}
    to_pe: Points = {"envido": [0, declined], "truco": [0, 1]}
    assert paid(rules, f"{calls} baralho") == (to_mao if mao_called_last else to_pe)
    assert paid(rules, f"1e {calls} baralho") == (to_pe if mao_called_last else to_mao)


@pytest.mark.parametrize(
    ("rules", "line", "points"),
    [
        ("cbtg", "flor contraflor", {"flor": [0, 4], "truco": [0, 1]}),
        ("trucogame", "flor contraflor", {"flor": [0, 4], "truco": [0, 1]}),
        ("cbtg", "flor contraflor-resto", {"flor": [0, 4], "truco": [0, 1]}),
        ("trucogame", "flor contraflor-resto", {"flor": [0, 4], "truco": [0, 1]}),
        ("cbtg", "flor contraflor contraflor-resto", {"flor": [6, 0], "truco": [1, 0]}),
        ("trucogame", "flor contraflor contraflor-resto", {"flor": [4, 0], "truco": [1, 0]}),
        ("trucogame", "envido flor contraflor", {"flor": [4, 0], "truco": [1, 0]}),
        ("trucogame", "truco flor contraflor", {"flor": [4, 0], "truco": [1, 0]}),
    ],
)
def test_a_fold_facing_contraflor_pays_its_declined_value_and_one(
    rules: str, line: str, points: Points
) -> None:
    assert paid(rules, f"{line} baralho", hands=FLORS) == points


@pytest.mark.parametrize("rules", FOLDS_FACING_A_BET)
@pytest.mark.parametrize(
    ("calls", "points"),
    [("truco", [1, 0]), ("truco retruco", [0, 2]), ("truco retruco vale4", [3, 0])],
)
def test_a_fold_facing_truco_is_a_nao_quero(rules: str, calls: str, points: list[int]) -> None:
    assert paid(rules, f"{calls} baralho") == {"truco": points}
    assert paid(rules, f"{calls} nao-quero") == {"truco": points}
    assert paid(rules, f"1e 3o {calls} baralho") == {"truco": points}


@pytest.mark.parametrize("rules", FOLDS_FACING_A_BET)
def test_the_innermost_call_decides_what_an_envido_over_a_truco_pays(rules: str) -> None:
    assert paid(rules, "truco envido baralho") == {"envido": [0, 1], "truco": [0, 1]}
    assert paid(rules, "truco envido real-envido baralho") == {"envido": [2, 0], "truco": [1, 0]}


def test_in_cbtg_a_fold_facing_the_truco_that_waited_is_a_nao_quero() -> None:
    assert paid("cbtg", "truco envido quero baralho") == {"envido": [2, 0], "truco": [1, 0]}
    assert paid("cbtg", "truco flor baralho", hands=FLOR_1) == {"flor": [0, 3], "truco": [1, 0]}
    assert paid("cbtg", "truco envido quero retruco baralho") == {"envido": [2, 0], "truco": [0, 2]}


@pytest.mark.parametrize("rules", NO_FOLD_FACING_A_BET)
@pytest.mark.parametrize(
    "calls",
    [
        *("envido", "real-envido", "falta-envido", "envido envido", "envido real-envido falta-envido"),
        *("truco", "truco retruco", "truco retruco vale4", "truco envido", "truco envido quero"),
        *("1e envido", "1e truco", "1e 3o truco", "truco quero 1e retruco"),
    ],
)
def test_in_argentino_no_fold_answers_a_bet(rules: str, calls: str) -> None:
    assert_refused(rules, f"{calls} baralho")


@pytest.mark.parametrize("calls", ["flor", "flor contraflor", "flor contraflor-resto"])
def test_in_argentino_no_fold_answers_a_flor(calls: str) -> None:
    assert_refused("argentino", f"{calls} baralho", hands=FLORS)


@with_flor
def test_no_fold_answers_a_sung_flor(rules: str) -> None:
    assert_refused(rules, "flor baralho", hands=FLORS)


# The end of it


@every_preset
def test_a_fold_ends_the_hand_for_the_other_seat(rules: str) -> None:
    end = table(rules, "1e 3o baralho")
    assert (end["over"], end["turn"], end["legal"], end["winner"]) == (True, None, [], 1)
    assert end["match_winner"] is None


@every_preset
def test_every_free_turn_offers_the_fold(rules: str) -> None:
    for line in ("", "1e", "1e 3o", "1e 3o 7c", "truco quero", "truco quero 1e", "envido quero"):
        assert legal(rules, line).endswith("baralho")


@pytest.mark.parametrize(
    ("rules", "line", "hands", "first"),
    [
        ("cbtg", "baralho", PLAIN, {"envido": [0, 1]}),
        ("argentino", "baralho", PLAIN, {"envido": [0, 1]}),
        ("argentino-sem-flor", "truco quero baralho", PLAIN, {"envido": [0, 1]}),
        ("argentino", "truco quero baralho", PLAIN, {"envido": [0, 1]}),
        ("cbtg", "baralho", FLOR_1, {"flor": [0, 3]}),
        ("cbtg", "1e envido baralho", PLAIN, {"envido": [0, 1]}),
        ("trucogame", "envido real-envido baralho", PLAIN, {"envido": [0, 2]}),
        ("trucogame", "flor contraflor baralho", FLORS, {"flor": [0, 4]}),
        ("cbtg", "truco envido baralho", PLAIN, {"envido": [0, 1]}),
    ],
)
def test_a_fold_pays_the_truco_part_last_and_not_after_the_match_is_won(
    rules: str, line: str, hands: str, first: Points
) -> None:
    target = TARGET[rules]
    end = table(rules, line, hands=hands, scores=(0, target - 1))
    assert paid(rules, line, hands=hands, scores=(0, target - 1)) == first
    assert (end["over"], end["winner"], end["match_winner"]) == (True, None, 1)
    (worth,) = (both[1] for both in first.values())
    assert end["scores"] == [0, target - 1 + worth]


@pytest.mark.parametrize(("rules", "score"), [("cbtg", 22), ("argentino", 28), ("argentino-sem-flor", 28)])
def test_a_fold_pays_both_parts_when_the_first_does_not_end_the_match(rules: str, score: int) -> None:
    end = table(rules, "baralho", scores=(0, score))
    assert end["points"] == {"envido": [0, 1], "flor": [0, 0], "truco": [0, 1]}
    assert (end["winner"], end["match_winner"]) == (1, 1)
