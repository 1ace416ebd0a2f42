"""The reduced game `truco-mini`: two cards of six, two rounds."""

import json

import pytest

from retruco.games.core import BadRecord, IllegalAction
from retruco.games.records import replay
from retruco.games.truco import Truco, TrucoState
from retruco.games.truco.compiled.automaton import CannotCompile
from retruco.games.truco.compiled.tables import tables_for
from retruco.streams import Stream
from retruco.vocab.truco import rows
from shell import typed

MINI = Truco.named("truco-mini")


def played(hands: str, actions: str) -> TrucoState:
    state = MINI.start(MINI.read_deal(hands), MINI.opening())
    for action in actions.split():
        state = state.play(action)
    return state


def record_of(hands: list[list[str]]) -> dict[str, object]:
    return {**played("7e 3b / 3e 12b", "").record(), "hands": hands}


@pytest.mark.parametrize(
    ("hands", "actions", "winner"),
    [
        ("7e 3b / 3e 12b", "7e 3e", 0),  # one round is enough for the mão
        ("3b 12e / 7e 3e", "3b 7e 3e 12e", 1),  # both rounds
        ("3b 7e / 3e 12b", "3b 3e 7e 12b", 0),  # the first tied, the second decides
        ("12b 7e / 3e 7b", "12b 3e 7b 7e", 0),  # one each: the mão
        ("12b 3b / 3e 7e", "12b 7e 3e 3b", 1),  # the first won, the second tied
        ("12b 3b / 12e 3e", "12b 12e 3b 3e", 0),  # both tied
    ],
)
def test_two_rounds_decide_the_hand(hands: str, actions: str, winner: int) -> None:
    end = played(hands, actions)
    assert end.outcome is not None
    assert end.outcome.winner == winner
    assert end.outcome.reason == "rounds"


def test_only_envido_and_truco_are_called() -> None:
    assert played("7e 3b / 3e 12b", "").legal == ("7e", "3b", "envido", "truco", "baralho")
    assert played("7e 3b / 3e 12b", "envido").legal == ("envido", "quero", "nao-quero", "baralho")
    assert played("7e 3b / 3e 12b", "7e truco").legal == ("quero", "nao-quero", "baralho")
    with pytest.raises(IllegalAction):
        played("7e 3b / 3e 12b", "real-envido")


def test_every_deal_is_listed_once() -> None:
    deals = dict(MINI.all_deals())
    assert len(deals) == 90
    assert sum(deals.values()) == pytest.approx(1)
    drawn = {tuple(frozenset(hand) for hand in MINI.deal(Stream(n)).hands) for n in range(2000)}
    assert drawn == {tuple(frozenset(hand) for hand in deal.hands) for deal in deals}


def test_the_deals_of_forty_cards_are_not_listed() -> None:
    with pytest.raises(ValueError, match="the deals of truco by cbtg are too many to list"):
        list(Truco.named("cbtg").all_deals())


def test_what_a_seat_does_not_see_is_not_in_its_key() -> None:
    """The order of the own cards, the other's cards, a card face down and conceded points."""
    keys = {
        MINI.information_key(played(hands, f"envido quero 12e 3b down:{down}").observe(0))
        for hands, down in (("12e 7e / 3b 12b", "12b"), ("7e 12e / 3e 3b", "3e"))
    }
    assert keys == {"12e 7e | envido quero mao:27 12e 3b down"}


def test_hands_of_another_size_or_deck_are_refused() -> None:
    with pytest.raises(BadRecord, match="a hand has exactly two cards, not"):
        replay(record_of([["7e", "3b", "7b"], ["3e", "12b", "12e"]]))
    with pytest.raises(BadRecord, match="1e is not in the deck of truco-mini: 3e 7e 12e 3b 7b 12b"):
        replay(record_of([["1e", "3b"], ["3e", "12b"]]))


def test_it_is_neither_compiled_nor_made_into_cases() -> None:
    with pytest.raises(CannotCompile, match="its hands are 2 of 6 cards, not three of forty"):
        tables_for(MINI)
    with pytest.raises(BadRecord, match="cases of Truco are hands of three cards, not 2: 7e 3b"):
        rows(played("7e 3b / 3e 12b", "7e 3e").record(), 0, 1)


@pytest.mark.parametrize(
    "asked",
    [
        ("duel", "balanced", "random", "--rules", "truco-mini", "--workers", "1"),
        ("duel", "MJS", "random", "--rules", "truco-mini", "--workers", "1"),
        ("decide", "-", "--agent", "balanced"),
    ],
)
def test_agents_for_hands_of_three_cards_refuse_by_name(asked: tuple[str, ...]) -> None:
    hand = json.dumps(played("7e 3b / 3e 12b", "").record()).encode()
    done = typed(*asked, stdin=hand)
    assert done.returncode == 2
    assert b"plays truco by the rules cbtg or trucogame or argentino or argentino-sem-flor" in done.stderr
    assert b"not by truco-mini" in done.stderr


def test_it_is_not_learnt() -> None:
    done = typed("learn", "--into", "mini", "--rules", "truco-mini", "--matches", "1")
    assert done.returncode == 2
    assert b"has hands by trucogame, not by 'truco-mini'" in done.stderr


def test_the_terminal_refuses_an_agent_that_does_not_play_it() -> None:
    done = typed("play", "balanced", "--rules", "truco-mini")
    assert done.returncode == 2
    assert b"not by truco-mini" in done.stderr
