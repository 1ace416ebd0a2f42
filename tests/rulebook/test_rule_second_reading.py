"""The engine and a second reading of the rule, held against each other."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import permutations
from typing import Unpack, cast

import pytest
from hands import (
    COMPULSORY,
    FLOR_0,
    FLOR_1,
    FLORS,
    PLAIN,
    RULES,
    TARGET,
    Setup,
    Summary,
    either_mao,
    every_preset,
    record,
)
from second_reading import CALLS, FLOR_CALLS, STRENGTH, Record, Table, count, is_flor

from retruco.games.check import perft
from retruco.games.records import replay

DECK = tuple(STRENGTH)
CALLS_OF = {
    "trucogame": set(CALLS) - {"achico"},
    "cbtg": set(CALLS),
    "argentino": set(CALLS),
    "argentino-sem-flor": set(CALLS) - set(FLOR_CALLS),
}
MIRROR = "3e 12b 6o | 3b 12c 6e"
"""Every card has its equal on the other side, and so has the envido."""
DEALS = (PLAIN, FLOR_0, FLOR_1, FLORS, MIRROR)


def chosen(rules: str, actions: str = "", **setup: Unpack[Setup]) -> Record:
    """A hand of a test's own choice."""
    return cast(Record, record(rules, actions, **setup))


@contextmanager
def showing(hand: Record) -> Iterator[None]:
    """Whatever goes wrong inside, print the hand as `retruco replay` reads it."""
    try:
        yield
    except Exception as error:
        error.add_note(json.dumps(hand))
        raise


# Random hands, side by side


def random_hands(chance: random.Random) -> list[list[str]]:
    """Two hands; half of the time a hand is of one suit."""
    deck = list(DECK)
    hands = []
    for _ in range(2):
        suit = chance.choice("eboc")
        one_suit = [card for card in deck if card.endswith(suit)]
        hand = chance.sample(one_suit if chance.random() < 0.5 else deck, 3)
        deck = [card for card in deck if card not in hand]
        hands.append(hand)
    return hands


def random_record(chance: random.Random, rules: str) -> Record:
    """Any deal at any score of any match; the usual targets and very short matches come often."""
    target = chance.choice([24, 30, chance.randint(1, 5), chance.randint(1, 40)])
    return {
        "game": "truco",
        "rules": rules,
        "target": target,
        "scores": [chance.randrange(target), chance.randrange(target)],
        "mao": chance.randrange(2),
        "hands": random_hands(chance),
        "actions": [],
    }


def random_action(chance: random.Random, legal: list[str], eagerness: float, timidity: float) -> str:
    """Any legal action, calls and folds more or less often than cards."""
    weights = dict.fromkeys(CALLS, eagerness) | {"baralho": timidity}
    return chance.choices(legal, [weights.get(action, 1) for action in legal])[0]


def play_side_by_side(hand: Record, chance: random.Random) -> None:
    """Play a random hand with both and compare all they tell at every step."""
    eagerness, timidity = chance.choice([1, 3, 8]), chance.choice([0.05, 0.3, 1])
    table, state = Table(hand), replay(hand)
    assert state.summary() == table.summary()
    while not table.over:
        action = random_action(chance, table.legal(), eagerness, timidity)
        hand["actions"].append(action)
        table.play(action)
        state = state.play(action)
        assert state.summary() == table.summary()
    assert replay(hand).summary() == table.summary()


@every_preset
def test_random_hands_are_read_alike_at_every_step(rules: str) -> None:
    chance = random.Random(1000 * RULES.index(rules))
    heard = set()
    for _ in range(1000):
        hand = random_record(chance, rules)
        with showing(hand):
            play_side_by_side(hand, chance)
        heard.update(hand["actions"])
    assert heard & set(CALLS) == CALLS_OF[rules], "a thousand hands hear every call of the preset"


# Every way to play a chosen deal


@pytest.mark.slow
@every_preset
@pytest.mark.parametrize("hands", DEALS)
def test_a_deal_opens_into_as_many_hands(rules: str, hands: str) -> None:
    hand = chosen(rules, hands=hands)
    with showing(hand):
        assert perft(replay(hand), 6) == count(Table(hand), 6)


@every_preset
@pytest.mark.parametrize("hands", [PLAIN, FLORS])
@pytest.mark.parametrize("short", [1, 3, 4])
def test_a_deal_near_the_end_of_a_match_opens_into_as_many_hands(rules: str, hands: str, short: int) -> None:
    score = TARGET[rules] - short
    hand = chosen(rules, hands=hands, scores=(score, score), mao=1)
    with showing(hand):
        assert perft(replay(hand), 5) == count(Table(hand), 5)


@every_preset
@pytest.mark.parametrize(
    ("hands", "actions"),
    [
        pytest.param(PLAIN, "1e 3o 4b 5e", id="one round each"),
        pytest.param(MIRROR, "3e 3b 12b 12c", id="two ties"),
        pytest.param(PLAIN, "1e 3o", id="a round won"),
        pytest.param(MIRROR, "3e 3b", id="a round tied"),
        pytest.param(PLAIN, "truco quero 1e 3o", id="a round won, truco accepted"),
    ],
)
def test_a_hand_half_played_ends_in_as_many_ways(rules: str, hands: str, actions: str) -> None:
    hand = chosen(rules, actions, hands=hands)
    with showing(hand):
        assert perft(replay(hand)) == count(Table(hand))


# Open cards only


@either_mao
def test_every_card_meets_every_other_alike(mao: int) -> None:
    for one, other in permutations(DECK, 2):
        fillers = [card for card in DECK if card not in (one, other)]
        hands = f"{one} {' '.join(fillers[:2])} | {other} {' '.join(fillers[2:4])}"
        hand = chosen("trucogame", f"{one} {other}" if mao == 0 else f"{other} {one}", hands=hands, mao=mao)
        with showing(hand):
            assert replay(hand).summary() == Table(hand).summary()


def told_by_the_engine(hand: Record) -> Summary:
    return cast(Summary, replay(hand).summary())


def told_by_the_second_reading(hand: Record) -> Summary:
    return cast(Summary, Table(hand).summary())


def open_hands(told: Callable[[Record], Summary], hand: Record) -> list[tuple[list[str], Summary]]:
    """Every complete hand of open cards only, nobody calling or folding, and how it ends."""
    now = told(hand)
    if now["over"]:
        return [(hand["actions"], now)]
    nexts: list[Record] = [
        {**hand, "actions": [*hand["actions"], card]} for card in now["legal"] if card in STRENGTH
    ]
    return [end for one in nexts for end in open_hands(told, one)]


@every_preset
@either_mao
@pytest.mark.parametrize("hands", DEALS)
def test_three_cards_against_three_make_36_hands_of_open_cards(rules: str, mao: int, hands: str) -> None:
    hand = chosen(rules, hands=hands, mao=mao)
    with showing(hand):
        ends = open_hands(told_by_the_engine, hand)
        assert ends == open_hands(told_by_the_second_reading, hand)
    # Each seat has 3! orders; whoever must sing a flor cannot stay silent.
    somebody_must_sing = rules in COMPULSORY and any(map(is_flor, hand["hands"]))
    assert len(ends) == (0 if somebody_must_sing else 36)
