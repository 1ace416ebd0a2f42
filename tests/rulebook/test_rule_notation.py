"""Notation: a hand as one JSON object, and the refusal of everything else."""

import json

import pytest
from hands import FLORS, assert_refused, every_preset, legal, naming, record, table

from retruco.games.core import IllegalAction
from retruco.games.records import replay

GOOD = record("cbtg", "envido real-envido quero 1e")


def refused(change: dict[str, object], names: object) -> None:
    """The record with this change is refused, and the refusal names the value."""
    replay(GOOD)
    with pytest.raises(ValueError, match=naming(names)):
        replay(GOOD | change)


def test_the_example_of_the_rule() -> None:
    line = """
        {"game":"truco","rules":"cbtg","target":24,"scores":[0,0],"mao":0,
         "hands":[["1e","7c","4b"],["3o","2c","5e"]],"actions":["envido","real-envido","quero","1e"]}
    """
    assert replay(json.loads(line)).summary() == {
        "turn": 1,
        "legal": ["3o", "2c", "5e", "truco", "baralho"],
        "over": False,
        "winner": None,
        "match_winner": None,
        "points": {"envido": [5, 0], "flor": [0, 0], "truco": [0, 0]},
        "scores": [5, 0],
    }


def test_a_summary_can_be_written_as_json() -> None:
    for actions in ("", "envido quero", "baralho"):
        summary = table("cbtg", actions)
        assert json.loads(json.dumps(summary)) == summary


def test_an_illegal_action_is_a_value_error() -> None:
    assert issubclass(IllegalAction, ValueError)


@every_preset
def test_legal_lists_hold_cards_then_face_down_cards_then_calls(rules: str) -> None:
    hands = "4b 1e 7c | 5e 3o 2c"
    assert legal(rules, hands=hands) == "4b 1e 7c envido real-envido falta-envido truco baralho"
    assert legal(rules, "1e 3o", hands=hands) == "4b 7c down:4b down:7c truco baralho"
    assert legal(rules, "1e 3o 7c", hands=hands) == "5e 2c down:5e down:2c truco baralho"
    assert legal(rules, "truco quero 4b", hands=hands) == "5e 3o 2c retruco baralho"


def test_calls_stand_in_their_fixed_order() -> None:
    assert legal("trucogame", "truco", hands=FLORS) == (
        "flor envido real-envido falta-envido retruco quero nao-quero baralho"
    )
    assert legal("cbtg", "flor", hands=FLORS) == "flor contraflor contraflor-resto achico"


@pytest.mark.parametrize("key", ["game", "rules", "target", "scores", "mao", "hands", "actions"])
def test_the_seven_keys_are_required(key: str) -> None:
    with pytest.raises(ValueError, match=naming(key)):
        replay({name: value for name, value in GOOD.items() if name != key})


@pytest.mark.parametrize("key", ["id", "version", "agents", "decisions", "result"])
def test_what_a_stored_record_has_may_stand_beside_them(key: str) -> None:
    beside: dict[str, object] = {
        "id": "one",
        "version": 1,
        "agents": ["human", "chance"],
        "decisions": [],
        "result": {},
    }
    assert replay(GOOD | {key: beside[key]}).summary() == replay(GOOD).summary()


@pytest.mark.parametrize("key", ["dealer", "seed", "Game", "action", "winner", ""])
def test_any_other_key_is_refused(key: str) -> None:
    refused({key: 0}, names=key)


@pytest.mark.parametrize("game", ["poker", "Truco", "", None, 1, ["truco"]])
def test_another_game_is_refused(game: object) -> None:
    refused({"game": game}, names=game)


@pytest.mark.parametrize("rules", ["paulista", "CBTG", "uruguayo", "", None, 3, ["cbtg"]])
def test_an_unknown_preset_is_refused(rules: object) -> None:
    refused({"rules": rules}, names=rules)


@pytest.mark.parametrize("target", [0, -1, True, 24.0, "24", None, [24]])
def test_a_target_is_an_integer_from_one_up(target: object) -> None:
    refused({"target": target}, names=target)


@pytest.mark.parametrize(
    ("scores", "names"),
    [
        pytest.param([24, 0], "24", id="at the target"),
        pytest.param([0, 29], "29", id="above the target"),
        pytest.param([-3, 0], "-3", id="negative"),
        pytest.param([True, 0], "True", id="a boolean"),
        pytest.param([0, False], "False", id="another boolean"),
        pytest.param([3.0, 0], "3.0", id="a float"),
        pytest.param([0, "3"], "3", id="text"),
        pytest.param([None, 0], "None", id="nothing"),
        pytest.param([7], "7", id="only one"),
        pytest.param([7, 8, 9], "9", id="three"),
        pytest.param(17, "17", id="not a list"),
        pytest.param("17", "17", id="a text of two digits"),
    ],
)
def test_scores_are_two_integers_from_zero_to_below_the_target(scores: object, names: str) -> None:
    refused({"scores": scores}, names=names)


@pytest.mark.parametrize("mao", [2, -1, True, False, 0.0, 1.0, "0", None, [0]])
def test_mao_is_seat_0_or_1(mao: object) -> None:
    refused({"mao": mao}, names=mao)


@pytest.mark.parametrize(
    "card",
    ["8e", "9c", "13o", "0b", "1x", "e1", "1E", "01e", "1 e", "down:1e", "down", "", "envido", 1, None, True],
)
def test_an_unknown_card_is_refused(card: object) -> None:
    refused({"hands": [[card, "7c", "4b"], ["3o", "2c", "5e"]], "actions": []}, names=card)
    refused({"hands": [["1e", "7c", "4b"], ["3o", "2c", card]], "actions": []}, names=card)


@pytest.mark.parametrize(
    ("hands", "names"),
    [
        pytest.param([["1e", "7c", "1e"], ["3o", "2c", "5e"]], "1e", id="in one hand"),
        pytest.param([["1e", "7c", "4b"], ["3o", "2c", "7c"]], "7c", id="in both hands"),
    ],
)
def test_a_card_dealt_twice_is_refused(hands: object, names: str) -> None:
    refused({"hands": hands, "actions": []}, names=names)


@pytest.mark.parametrize(
    ("hands", "names"),
    [
        pytest.param([["1e", "7c"], ["3o", "2c", "5e"]], "2|1e", id="two cards"),
        pytest.param([["1e", "7c", "4b"], ["3o", "2c", "5e", "6e"]], "4|6e", id="four cards"),
        pytest.param([[], ["3o", "2c", "5e"]], r"0|\[\]", id="no cards"),
        pytest.param([["1e", "7c", "4b"]], "1", id="one hand"),
        pytest.param([["1e", "7c", "4b"], ["3o", "2c", "5e"], ["6e", "6b", "6o"]], "3|6e", id="three hands"),
        pytest.param([], r"0|\[\]", id="no hands"),
        pytest.param([["1e", "7c", "4b"], "3o 2c 5e"], "3o", id="a hand as text"),
        pytest.param([["1e", "7c", "4b"], None], "None", id="a hand missing"),
        pytest.param("1e", "1e", id="text"),
        pytest.param(None, "None", id="nothing"),
    ],
)
def test_there_are_two_hands_of_exactly_three_cards(hands: object, names: str) -> None:
    with pytest.raises(ValueError, match=names):
        replay(GOOD | {"hands": hands, "actions": []})


@pytest.mark.parametrize(
    "action",
    ["gritar", "Envido", "real envido", "falta_envido", "vale 4", "no-quero", "8e", "down:8e", "down", ""],
)
def test_an_unknown_action_is_refused(action: str) -> None:
    refused({"actions": [action]}, names=action)
    refused({"actions": ["1e", "3o", action]}, names=action)


@pytest.mark.parametrize("action", [1, None, True, ["envido"]])
def test_an_action_is_text(action: object) -> None:
    refused({"actions": [action]}, names=action)


@pytest.mark.parametrize("actions", ["envido", None, 7])
def test_the_actions_are_a_list(actions: object) -> None:
    refused({"actions": actions}, names=actions)


def test_an_illegal_call_is_refused_wherever_it_stands() -> None:
    assert_refused("cbtg", "retruco")
    assert_refused("cbtg", "envido quero envido")
    with pytest.raises(IllegalAction, match="vale4"):
        table("cbtg", "envido quero vale4 1e 3o")


def test_an_action_after_the_end_is_refused() -> None:
    assert_refused("cbtg", "baralho 1e")
    assert_refused("cbtg", "truco nao-quero quero")
    assert_refused("cbtg", "1e 3o 7c 5e 4b")


def test_a_record_says_what_the_seat_holds_even_of_a_face_down_card() -> None:
    assert table("cbtg", "1e 3o down:7c 5e")["turn"] == 1
    assert_refused("cbtg", "1e 3o down")
    assert_refused("cbtg", "1e 3o down:5e")
