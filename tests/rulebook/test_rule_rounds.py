"""A hand: rounds, ties, face-down cards, whose turn it is."""

from itertools import pairwise

import pytest
from hands import assert_refused, either_mao, every_preset, legal, paid, table, turn

HIGH_TO_LOW = ("1e", "1b", "7e", "7o", "3c", "2c", "1c", "12c", "11c", "10c", "7c", "6c", "5c", "4c")
EQUALS = (
    *(("1c", "1o"), ("7b", "7c"), ("3e", "3o"), ("2b", "2c"), ("12e", "12b")),
    *(("11o", "11c"), ("10e", "10c"), ("6b", "6o"), ("5e", "5c"), ("4b", "4o")),
)


def holding(one: str, other: str) -> str:
    """Hands without flor in which seat 0 holds one card and seat 1 the other."""
    return f"{one} 11e 10b | {other} 11b 10o"


@pytest.mark.parametrize(("strong", "weak"), [*pairwise(HIGH_TO_LOW)])
def test_the_stronger_card_takes_the_round_and_leads_the_next(strong: str, weak: str) -> None:
    assert turn("cbtg", f"{strong} {weak}", hands=holding(strong, weak)) == 0
    assert turn("cbtg", f"{weak} {strong}", hands=holding(weak, strong)) == 1


@pytest.mark.parametrize(("one", "other"), EQUALS)
@either_mao
def test_equal_cards_tie_the_round_and_the_mao_leads_the_next(one: str, other: str, mao: int) -> None:
    played = (f"{one} {other}", f"{other} {one}")[mao]
    assert turn("cbtg", played, hands=holding(one, other), mao=mao) == mao


@every_preset
@either_mao
def test_the_mao_leads_the_first_round(rules: str, mao: int) -> None:
    assert turn(rules, mao=mao) == mao


MIRROR = ("3e 12b 6o", "3b 12c 6e")
"""The mão's hand and the pé's: every card has its equal on the other side."""


@every_preset
@either_mao
@pytest.mark.parametrize(
    ("played", "mao_wins"),
    [
        pytest.param("3e 12c 12b 6e", True, id="won, won"),
        pytest.param("6o 12c 3b 12b", False, id="lost, lost"),
        pytest.param("12b 6e 6o 3b 12c 3e", True, id="won, lost, won"),
        pytest.param("3e 6e 6o 12c 3b 12b", False, id="won, lost, lost"),
        pytest.param("6o 3b 6e 12b 3e 12c", True, id="lost, won, won"),
        pytest.param("12b 3b 6e 3e 6o 12c", False, id="lost, won, lost"),
        pytest.param("12b 12c 3e 6e", True, id="tied, won: the second decides"),
        pytest.param("12b 12c 6o 3b", False, id="tied, lost: the second decides"),
        pytest.param("3e 12c 6o 6e", True, id="won, tied: the first winner"),
        pytest.param("6o 3b 12c 12b", False, id="lost, tied: the first winner"),
        pytest.param("3e 12c 12b 3b 6e 6o", True, id="won, lost, tied: the first winner"),
        pytest.param("12b 3b 12c 3e 6o 6e", False, id="lost, won, tied: the first winner"),
        pytest.param("12b 12c down:6o down:3b 3e 6e", True, id="tied, tied, won: the third decides"),
        pytest.param("12b 12c down:3e down:6e 6o 3b", False, id="tied, tied, lost: the third decides"),
        pytest.param("3e 3b 12b 12c 6o 6e", True, id="all tied: the mao"),
    ],
)
def test_the_hand_ends_with_the_round_that_decides_it(
    rules: str, mao: int, played: str, mao_wins: bool
) -> None:
    hands = " | ".join(MIRROR if mao == 0 else MIRROR[::-1])
    winner = mao if mao_wins else 1 - mao
    one_card_short = table(rules, played.rpartition(" ")[0], hands=hands, mao=mao)
    assert not one_card_short["over"]
    assert one_card_short["winner"] is None
    end = table(rules, played, hands=hands, mao=mao)
    assert end["over"]
    assert (end["winner"], end["turn"], end["legal"]) == (winner, None, [])
    assert end["points"]["truco"] == ([1, 0] if winner == 0 else [0, 1])


@pytest.mark.parametrize("last", ["6o 4e", "4e 6o"])
def test_two_open_ties_leave_it_to_the_third_round(last: str) -> None:
    mao, pe = last.split()
    end = table("cbtg", f"3e 3b 12b 12c {last}", hands=f"3e 12b {mao} | 3b 12c {pe}")
    assert end["winner"] == (0 if mao == "6o" else 1)


@every_preset
def test_the_winner_of_a_round_leads_the_next_whoever_is_mao(rules: str) -> None:
    assert turn(rules, "6o 12c", hands="3e 12b 6o | 3b 12c 6e") == 1
    assert turn(rules, "6o 12c 6e 12b", hands="3e 12b 6o | 3b 12c 6e") == 0
    assert turn(rules, "12c 6o", hands="3e 12b 6o | 3b 12c 6e", mao=1) == 1
    assert turn(rules, "6e 12b", hands="3e 12b 6o | 3b 12c 6e", mao=1) == 0


@every_preset
def test_after_a_second_tie_the_mao_leads_again(rules: str) -> None:
    assert turn(rules, "3e 3b 12b 12c", hands="3e 12b 6o | 3b 12c 6e") == 0
    assert turn(rules, "3b 3e 12c 12b", hands="3e 12b 6o | 3b 12c 6e", mao=1) == 1


# Face-down cards


@every_preset
def test_in_the_first_round_every_card_is_played_open(rules: str) -> None:
    assert_refused(rules, "down:4b")
    assert_refused(rules, "1e down:5e")


@every_preset
def test_from_the_second_round_on_each_card_may_be_played_face_down_leading_too(rules: str) -> None:
    assert legal(rules, "1e 3o") == "7c 4b down:7c down:4b truco baralho"
    assert legal(rules, "1e 3o 4b") == "2c 5e down:2c down:5e truco baralho"
    assert legal(rules, "1e 3o 4b 5e") == "2c down:2c truco baralho"
    assert legal(rules, "1e 3o 4b 5e 2c") == "7c down:7c truco baralho"


@every_preset
def test_a_face_down_card_leaves_the_hand(rules: str) -> None:
    assert legal(rules, "1e 3o down:7c 5e") == "2c down:2c truco baralho"
    assert legal(rules, "1e 3o down:7c 5e down:2c") == "4b down:4b truco baralho"


@every_preset
@pytest.mark.parametrize(
    ("played", "winner"),
    [
        pytest.param("12b 12o down:1e 4c", 1, id="a led 1e loses to a 4"),
        pytest.param("12b 12o 4e down:1b", 0, id="a 4 holds against 1b"),
        pytest.param("12b 12o down:1e down:4c 4e 1b", 1, id="1e and 4c tie, the third decides"),
        pytest.param("12b 12o down:4e down:1b 1e 4c", 0, id="4e and 1b tie, the third decides"),
        pytest.param("12b 12o down:1e down:1b down:4e down:4c", 0, id="all tied: the mao"),
    ],
)
def test_a_face_down_card_loses_to_anything_and_two_of_them_tie(rules: str, played: str, winner: int) -> None:
    assert table(rules, played, hands="12b 1e 4e | 12o 1b 4c")["winner"] == winner


@every_preset
def test_two_face_down_cards_in_the_second_round_leave_the_hand_to_the_first_winner(rules: str) -> None:
    assert table(rules, "1e 3o down:7c down:2c")["winner"] == 0


@every_preset
def test_a_face_down_card_loses_the_third_round_too(rules: str) -> None:
    # One round each; seat 1 leads the third.
    assert table(rules, "1e 3o 4b 5e down:2c 7c")["winner"] == 0
    assert table(rules, "1e 3o 4b 5e 2c down:7c")["winner"] == 1
    assert table(rules, "1e 3o 4b 5e down:2c down:7c")["winner"] == 0


@every_preset
def test_after_two_face_down_cards_the_mao_leads(rules: str) -> None:
    assert turn(rules, "12b 12o down:1e down:1b", hands="12b 1e 4e | 12o 1b 4c") == 0
    assert turn(rules, "12o 12b down:1b down:1e", hands="12b 1e 4e | 12o 1b 4c", mao=1) == 1


# Turns


@every_preset
def test_a_free_turn_offers_the_cards_as_held_and_then_the_calls(rules: str) -> None:
    assert legal(rules) == "1e 7c 4b envido real-envido falta-envido truco baralho"
    assert legal(rules, "7c") == "3o 2c 5e envido real-envido falta-envido truco baralho"
    assert legal(rules, hands="4b 1e 7c | 3o 2c 5e").startswith("4b 1e 7c envido")


@every_preset
@pytest.mark.parametrize("call", ["envido", "real-envido", "falta-envido", "truco"])
def test_a_call_passes_the_turn_and_must_be_answered(rules: str, call: str) -> None:
    assert turn(rules, call) == 1
    assert turn(rules, f"1e {call}") == 0
    assert_refused(rules, f"{call} 3o")
    assert_refused(rules, f"1e {call} 7c")


@every_preset
@pytest.mark.parametrize(
    "calls", ["envido envido", "envido real-envido", "real-envido falta-envido", "truco retruco"]
)
def test_a_raise_turns_it_back(rules: str, calls: str) -> None:
    assert turn(rules, calls) == 0
    assert turn(rules, f"1e {calls}") == 1


@every_preset
@pytest.mark.parametrize(
    "chain", ["envido quero", "envido nao-quero", "envido envido quero", "envido envido nao-quero"]
)
def test_the_turn_returns_to_the_seat_that_was_about_to_play(rules: str, chain: str) -> None:
    assert turn(rules, chain) == 0
    assert turn(rules, f"1e {chain}") == 1
    assert turn(rules, chain, mao=1) == 1
    assert turn(rules, f"3o {chain}", mao=1) == 0


@every_preset
def test_in_that_same_turn_the_seat_may_call_something_else(rules: str) -> None:
    assert legal(rules, "envido quero") == "1e 7c 4b truco baralho"
    assert turn(rules, "envido quero truco") == 1
    assert turn(rules, "envido quero truco quero") == 0
    assert turn(rules, "1e envido quero truco quero") == 1
    assert legal(rules, "1e envido nao-quero") == "3o 2c 5e truco baralho"


@every_preset
def test_nothing_is_answered_in_a_free_turn(rules: str) -> None:
    for answer in ("quero", "nao-quero"):
        assert_refused(rules, answer)
        assert_refused(rules, f"envido quero {answer}")
        assert_refused(rules, f"1e 3o {answer}")


@every_preset
@pytest.mark.parametrize(
    "actions",
    [
        pytest.param("3o", id="a card of the other seat"),
        pytest.param("12e", id="a card nobody holds"),
        pytest.param("1e 3o 1e", id="a card already played"),
        pytest.param("1e 3o down:1e", id="a card already played, face down"),
        pytest.param("1e 3o down:7c 5e 7c", id="a card that lies face down"),
        pytest.param("1e 7c", id="two cards in a row"),
        pytest.param("1e 3o 7c down:4b", id="a card of the seat that has just led"),
    ],
)
def test_only_the_cards_in_hand_can_be_played_and_only_in_turn(rules: str, actions: str) -> None:
    assert_refused(rules, actions)


@every_preset
def test_a_hand_played_without_a_call_is_worth_one_point(rules: str) -> None:
    assert paid(rules, "1e 3o 7c 2c 5e 4b") == {"truco": [0, 1]}
    assert table(rules, "1e 3o 7c 2c 5e 4b", scores=(4, 9))["scores"] == [4, 10]
