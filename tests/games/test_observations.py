"""What a seat sees, as JSON: read back as it was in every game, and nothing hidden is in it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import pytest

from retruco.cards import Card
from retruco.games.check import check_observation
from retruco.games.core import BadRecord, Game, State
from retruco.games.euchre import Euchre
from retruco.games.holdem import Holdem
from retruco.games.kuhn import Kuhn, KuhnState
from retruco.games.leduc import LeducState
from retruco.games.observations import read_value, write_fields, write_value
from retruco.games.registry import all_tables
from retruco.streams import Stream

BOTS_PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
TABLES = pytest.mark.parametrize("game", all_tables(), ids=repr)


def random_hand(game: Game, number: int) -> Iterator[State]:
    """Every state of a random hand, the end too."""
    chance = Stream("observations", game.name, number)
    state = game.start(game.deal(chance), game.opening(number % game.seats))
    yield state
    while state.outcome is None:
        state = state.play(chance.choice(state.legal))
        yield state


@TABLES
def test_an_observation_is_read_back_as_it_was_at_every_decision(game: Game) -> None:
    for number in range(4):
        for state in random_hand(game, number):
            for seat in range(game.seats):
                check_observation(game, state.observe(seat))


@TABLES
def test_earlier_hands_are_left_out_and_added_when_it_is_read(game: Game) -> None:
    *_, end = random_hand(game, 1)
    first = end.observe(0)
    seen = game.start(game.deal(Stream("next")), game.opening()).observe(0, (first,))
    plain = game.write_observation(seen)
    assert "history" not in plain
    assert game.read_observation(plain, (first,)) == seen


@TABLES
def test_a_deal_is_read_back_from_its_text(game: Game) -> None:
    for number in range(20):
        deal = game.deal(Stream("deal", number))
        assert game.read_deal(str(deal)) == deal
    text = str(game.deal(Stream("deal")))
    first, *_, last = [word for word in text.split() if word not in ("/", "|", "up")]
    twice = text.replace(first, last) if game.name != "leduc" else "K K / K"  # Leduc has two of each rank
    for wrong in ("", "99x", twice, text.replace(first, "99x"), f"{text} / {first}"):
        with pytest.raises(BadRecord):
            game.read_deal(wrong)


def test_a_game_without_read_deal_says_what_it_needs() -> None:
    with pytest.raises(
        NotImplementedError, match=r"Kuhn needs read_deal\(text\), the opposite of str\(deal\)"
    ):
        Game.read_deal(Kuhn(), "K / J")


# Nothing hidden


def hidden_cards(state: Any, seat: int) -> set[str]:
    """The cards of the deal that a seat has not seen, worked out from the state and not from an observation."""
    if isinstance(state, KuhnState):
        dealt, own = set(state.cards), {state.cards[seat]}
        shows = state.outcome is not None and state.outcome.reason == "showdown"
        folded = {who for who, action in state.did() if action == "fold"}
        return dealt - own - {card for who, card in enumerate(state.cards) if shows and who not in folded}
    if isinstance(state, LeducState):
        shows = state.outcome is not None and state.outcome.reason == "showdown"
        seen = {
            state.cards[seat],
            *([state.board] if state.betting.round else []),
            *(state.cards if shows else []),
        }
        return {*state.cards, state.board} - seen
    dealt, public = {card for hand in state.deal.hands for card in hand}, set[str]()
    if state.game.name == "holdem":
        dealt, public = dealt | {*state.deal.board}, {*state.board}
        if state.outcome is not None and state.outcome.reason == "showdown":
            folded = {step.seat for step in state.steps() if step.action == "fold"}
            public |= {
                card for who, hand in enumerate(state.deal.hands) if who not in folded for card in hand
            }
    if state.game.name == "euchre":
        public = {card for trick in state.tricks for card in trick.cards} | {*state.table, state.deal.upcard}
    return dealt - public - {*state.deal.hands[seat]}


def hidden_truco_cards(state: Any, seat: int) -> set[str]:
    faces = {play.card for play in state.rounds.plays if play.seat != seat and not play.down}
    return {*state.hands[1 - seat]} - faces


def words(plain: object) -> set[str]:
    """Every text in some JSON, in its parts: `discard:9c` has a card in it."""
    return {part for text in json.dumps(plain).split('"')[1::2] for part in text.split(":")}


@TABLES
def test_no_card_that_a_seat_has_not_seen_is_in_its_observation(game: Game) -> None:
    hidden_of = hidden_truco_cards if game.name == "truco" else hidden_cards
    checked = 0
    for number in range(4):
        for state in random_hand(game, number):
            for seat in range(game.seats):
                hidden = hidden_of(state, seat)
                checked += len(hidden)
                assert not hidden & words(game.write_observation(state.observe(seat)))
    assert checked > 10


# Readable


def test_a_seat_of_holdem_sees_what_the_docs_show() -> None:
    found = re.search(r"```json\n(.*?)```", BOTS_PAGE.read_text(), re.DOTALL)
    assert found is not None
    documented = json.loads(found[1])
    game = Holdem.named("limit-3", target=50)
    deal = game.read_deal("As Kd / 2c 7d / 9h 9s | Qh Jh Ts 3c 4c")
    state = game.start(deal, game.opening(first=2))
    for action in ("fold", "call", "check", "bet"):
        state = state.play(action)
    assert game.write_observation(state.observe(1)) == documented


def test_a_seat_of_kuhn_poker_sees_its_card_and_what_was_done() -> None:
    seen = KuhnState(("K", "J")).play("bet").observe(1)
    assert Kuhn(2, 30).write_observation(seen) == {
        "game": "kuhn",
        "rules": "two-seats",
        "target": 30,
        "seat": 1,
        "to_act": 1,
        "legal": ["call", "fold"],
        "card": "J",
        "actions": ["bet"],
        "outcome": None,
        "shown": [None, None],
    }


# From outside


def plain_of(game: Game) -> dict[str, Any]:
    return game.write_observation(game.start(game.deal(Stream("plain")), game.opening()).observe(0))


@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        (Kuhn(), {"game": "poker"}, "game must be 'kuhn', not 'poker'"),
        (Kuhn(), {"rules": "four-seats"}, "unknown rules 'four-seats': one of two-seats, three-seats"),
        (Kuhn(), {"target": "12"}, "target must be an integer, not '12'"),
        (Kuhn(), {"seat": 2}, "seat must be a seat from 0 to 1, not 2"),
        (Kuhn(), {"legal": ["bet", 7]}, r"legal\[1\] must be text, not 7"),
        (Kuhn(), {"shown": "K"}, "shown must be a list, not 'K'"),
        (Kuhn(), {"outcome": {"reason": "fold"}}, "outcome must be an object with reason, winner, points"),
        (Euchre.named(), {"upcard": "10h"}, "unknown card '10h': a card is 9, T"),
        (Euchre.named(), {"contract": {"maker": 0, "trump": "x", "ordered": True, "out": None}}, "trump must be"),
        (Euchre.named(), {"contract": {"maker": 0}}, "contract must be an object with maker, trump"),
        (Holdem.named(), {"hole": ["As", "1s"]}, "unknown card '1s'"),
        (Holdem.named(), {"hole": ["As", "As"]}, "card 'As' is dealt twice"),
        (Holdem.named(), {"board": ["2c", "3c", "4c"]}, r"board must be \[\] by the rest of it"),
        (Holdem.named(), {"pot": 7}, "pot must be 3 by the rest of it, not 7"),
        (Holdem.named(), {"dealer": 4}, "dealer must be a seat from 0 to 3, not 4"),
        (Holdem.named(), {"actions": [{"action": "bet"}]}, "illegal action 'bet'"),
        (Holdem.named(), {"actions": ["call"]}, r"actions\[0\] must be an object, not 'call'"),
        (Holdem.named(), {"actions": [{}]}, "missing key 'action'"),
        (Holdem.named(), {"shown": 3}, "hands must be a list of 4 hands, not 3"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named(game: Game, change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        game.read_observation({**plain_of(game), **change})


@TABLES
def test_every_key_is_needed_and_others_are_ignored(game: Game) -> None:
    plain = plain_of(game)
    assert game.read_observation({**plain, "added later": 1}) == game.read_observation(plain)
    for key in plain.keys() - {"game", "to_act", "legal"}:
        with pytest.raises(BadRecord, match=key):
            game.read_observation({name: value for name, value in plain.items() if name != key})
    others: tuple[object, ...] = (None, [], 3, "seen", {})
    for nothing in others:
        with pytest.raises(BadRecord):
            game.read_observation(nothing)


# Any fields


class Colour(Enum):
    RED = 1
    BLACK = 2


class Bid(NamedTuple):
    seat: int
    colour: Colour | None


@dataclass(frozen=True)
class Pass:
    seat: int


@dataclass(frozen=True)
class Sight:
    """One field of every type that an observation may have."""

    seat: int
    to_act: int | None
    legal: tuple[str, ...]
    cards: tuple[Card, Card]
    said: tuple[Bid | Pass, ...]
    trumps: frozenset[Colour]
    way: Literal["up", "down"]
    share: float
    is_over: bool
    counts: dict[str, int]
    history: tuple["Sight", ...] = ()
    KIND: ClassVar[str] = "sight"


SIGHT = Sight(
    1, None, ("up",), (Card("1e"), Card("7c")), (Bid(0, Colour.RED), Pass(1), Bid(1, None)),
    frozenset(Colour), "up", 0.5, False, {"taken": 2},
)  # fmt: skip


def test_every_type_of_field_is_read_back_as_it_was() -> None:
    plain = json.loads(json.dumps(write_value(SIGHT)))
    assert plain["said"] == [{"seat": 0, "colour": "RED"}, {"seat": 1}, {"seat": 1, "colour": None}]
    assert plain["trumps"] == ["BLACK", "RED"]
    again = read_value(Sight, plain, "sight")
    assert again == SIGHT
    assert type(again.cards[0]) is Card


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cards": ["1e"]}, "sight.cards must be a list of 2"),
        ({"cards": ["1e", "8e"]}, r"sight.cards\[1\]: unknown card '8e'"),
        ({"said": [{"seat": 0, "colour": "PINK"}]}, "must be one of RED, BLACK, not 'PINK'"),
        ({"way": "left"}, "sight.way must be one of up, down, not 'left'"),
        ({"share": "half"}, "sight.share must be a number"),
        ({"is_over": 0}, "sight.is_over must be true or false, not 0"),
        ({"counts": {"taken": True}}, "sight.counts.taken must be an integer, not True"),
        ({"counts": []}, "sight.counts must be an object, not "),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        read_value(Sight, {**write_value(SIGHT), **change}, "sight")


@dataclass(frozen=True)
class Colliding:
    seat: int
    to_act: int | None
    legal: tuple[str, ...]
    target: int


def test_what_cannot_be_written_is_refused_with_what_to_do() -> None:
    with pytest.raises(TypeError, match="the field 'target' of Colliding needs another name"):
        write_fields(Kuhn(), Colliding(0, 0, (), 9))
    with pytest.raises(TypeError, match="object is neither a dataclass nor a NamedTuple"):
        write_value(replace(SIGHT, counts=object()))  # type: ignore[arg-type]  # what no hint allows
