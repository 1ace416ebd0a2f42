"""The match: awards that end it, targets, scores, and what holds in every hand."""

import random

import pytest
from hands import (
    FLOR_0,
    FLOR_1,
    FLORS,
    PLAIN,
    TARGET,
    assert_refused,
    either_mao,
    every_preset,
    legal,
    paid,
    table,
    where_truco_waits,
    with_flor,
)

from retruco.cards import SPANISH_DECK
from retruco.games.core import IllegalAction

CALLS = (
    *("flor", "contraflor", "contraflor-resto", "achico", "envido", "real-envido", "falta-envido"),
    *("truco", "retruco", "vale4", "quero", "nao-quero", "baralho"),
)


@every_preset
@pytest.mark.parametrize(
    ("line", "short", "worth"),
    [
        ("envido quero", 1, 2),
        ("envido quero", 2, 2),
        ("envido nao-quero", 1, 1),
        ("real-envido quero", 1, 3),
        ("1e envido envido nao-quero", 2, 2),
    ],
)
def test_an_envido_that_reaches_the_target_ends_hand_and_match(
    rules: str, line: str, short: int, worth: int
) -> None:
    before = TARGET[rules] - short
    end = table(rules, line, scores=(before, 0))
    assert (end["over"], end["turn"], end["legal"]) == (True, None, [])
    assert (end["match_winner"], end["winner"]) == (0, None)
    assert end["scores"] == [before + worth, 0]
    assert end["points"] == {"envido": [worth, 0], "flor": [0, 0], "truco": [0, 0]}


@with_flor
def test_a_flor_that_reaches_the_target_ends_hand_and_match(rules: str) -> None:
    for line in ("flor", "1e flor", "envido flor", "truco flor"):
        hands = FLOR_0 if line == "flor" else FLOR_1
        seat = 0 if line == "flor" else 1
        end = table(rules, line, hands=hands, scores=(TARGET[rules] - 3, TARGET[rules] - 3))
        assert (end["over"], end["winner"], end["match_winner"]) == (True, None, seat)
        assert end["scores"][seat] == TARGET[rules]


@with_flor
def test_a_contraflor_that_reaches_the_target_ends_hand_and_match(rules: str) -> None:
    for line, seat in (("flor contraflor quero", 0), ("flor contraflor nao-quero", 1)):
        end = table(rules, line, hands=FLORS, scores=(TARGET[rules] - 4, TARGET[rules] - 4))
        assert (end["over"], end["winner"], end["match_winner"]) == (True, None, seat)


@every_preset
def test_one_point_short_of_the_target_the_hand_goes_on(rules: str) -> None:
    after = table(rules, "envido quero", scores=(TARGET[rules] - 3, 0))
    assert (after["scores"], after["over"]) == ([TARGET[rules] - 1, 0], False)
    assert (after["turn"], after["match_winner"]) == (0, None)


@where_truco_waits
def test_a_pending_truco_is_void_when_the_envido_ends_the_match(rules: str) -> None:
    end = table(rules, "truco envido quero", scores=(TARGET[rules] - 1, 5))
    assert (end["over"], end["winner"], end["match_winner"]) == (True, None, 0)
    assert end["points"] == {"envido": [2, 0], "flor": [0, 0], "truco": [0, 0]}


@every_preset
def test_nothing_can_be_done_after_the_match_has_ended_in_mid_hand(rules: str) -> None:
    for action in ("1e", "truco", "baralho", "quero"):
        assert_refused(rules, f"envido quero {action}", scores=(TARGET[rules] - 1, 0))


@every_preset
@pytest.mark.parametrize("action", ["1e", "4b", "down:4b", "truco", "quero", "baralho", "envido"])
def test_nothing_can_be_done_after_the_hand_has_ended(rules: str, action: str) -> None:
    assert_refused(rules, f"1e 3o 7c 5e {action}")
    assert_refused(rules, f"truco nao-quero {action}")
    assert_refused(rules, f"baralho {action}")


@every_preset
@pytest.mark.parametrize(
    ("line", "worth"),
    [("1e 3o 7c 5e", 1), ("truco quero 1e 3o 7c 5e", 2), ("truco retruco vale4 nao-quero", 3)],
)
def test_truco_points_that_reach_the_target_win_hand_and_match(rules: str, line: str, worth: int) -> None:
    end = table(rules, line, scores=(TARGET[rules] - 1, 7))
    assert (end["winner"], end["match_winner"]) == (0, 0)
    assert end["scores"] == [TARGET[rules] - 1 + worth, 7]


@every_preset
def test_a_hand_that_does_not_reach_the_target_has_a_winner_and_the_match_none(rules: str) -> None:
    end = table(rules, "1e 3o 7c 5e", scores=(3, 4))
    assert (end["over"], end["winner"], end["match_winner"]) == (True, 0, None)
    assert (end["turn"], end["legal"], end["scores"]) == (None, [], [4, 4])


@every_preset
def test_there_is_no_winner_before_truco_points_are_paid(rules: str) -> None:
    for line in ("", "envido quero", "truco quero", "1e 3o", "truco retruco"):
        before = table(rules, line)
        assert (before["over"], before["winner"], before["match_winner"]) == (False, None, None)
        assert before["points"]["truco"] == [0, 0]


@every_preset
@pytest.mark.parametrize("target", [1, 2, 3, 5, 12, 15, 18, 24, 25, 30, 1000])
def test_any_target_from_one_up(rules: str, target: int) -> None:
    end = table(rules, "1e 3o 7c 5e", target=target)
    assert end["match_winner"] == (0 if target == 1 else None)
    assert end["scores"] == [1, 0]
    last = table(rules, "1e 3o 7c 5e", target=target, scores=(target - 1, target - 1))
    assert (last["winner"], last["match_winner"]) == (0, 0)


@every_preset
@pytest.mark.parametrize(
    ("target", "line", "scores", "over"),
    [
        (1, "envido quero", [2, 0], True),
        (1, "envido nao-quero", [1, 0], True),
        (1, "falta-envido quero", [1, 0], True),
        (1, "real-envido falta-envido nao-quero", [0, 3], True),
        (1, "truco nao-quero", [1, 0], True),
        (2, "envido nao-quero", [1, 0], False),
        (2, "envido quero", [2, 0], True),
        (2, "falta-envido quero", [2, 0], True),
        (3, "envido quero", [2, 0], False),
        (3, "real-envido quero", [3, 0], True),
        (3, "truco retruco vale4 quero 1e 3o 7c 5e", [4, 0], True),
    ],
)
def test_tiny_targets(rules: str, target: int, line: str, scores: list[int], over: bool) -> None:
    end = table(rules, line, target=target)
    assert end["scores"] == scores
    assert end["over"] is over
    assert (end["match_winner"] is not None) is over


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        ("cbtg", {"envido": [0, 1]}),
        ("trucogame", {"truco": [0, 1]}),
        ("argentino", {"envido": [0, 1]}),
        ("argentino-sem-flor", {"envido": [0, 1]}),
    ],
)
def test_a_fold_at_target_one(rules: str, points: dict[str, list[int]]) -> None:
    assert paid(rules, "baralho", target=1) == points


@with_flor
@pytest.mark.parametrize("target", [1, 2, 3, 4])
def test_a_flor_at_a_tiny_target(rules: str, target: int) -> None:
    end = table(rules, "flor", hands=FLOR_0, target=target)
    assert (end["scores"], end["over"]) == ([3, 0], target <= 3)


@pytest.mark.parametrize(
    ("rules", "line", "hands", "scores"),
    [
        ("cbtg", "real-envido quero", PLAIN, [26, 23]),
        ("cbtg", "truco quero 1e 3o 7c 5e", PLAIN, [25, 23]),
        ("cbtg", "flor contraflor-resto quero", FLORS, [30, 23]),
        ("trucogame", "flor contraflor-resto quero", FLORS, [47, 23]),
        ("cbtg", "truco retruco vale4 nao-quero", PLAIN, [26, 23]),
    ],
)
def test_scores_are_never_capped(rules: str, line: str, hands: str, scores: list[int]) -> None:
    assert table(rules, line, hands=hands, scores=(23, 23))["scores"] == scores


@every_preset
@either_mao
@pytest.mark.parametrize("scores", [(0, 0), (1, 0), (5, 6), (23, 22)])
def test_who_is_mao_is_told_by_the_record_and_not_by_the_score(
    rules: str, mao: int, scores: tuple[int, int]
) -> None:
    assert table(rules, scores=scores, mao=mao)["turn"] == mao
    assert table(rules, "baralho", mao=mao)["turn"] is None


# What holds in every hand


def random_hands(rng: random.Random) -> tuple[list[str], list[str]]:
    """Two hands, with a flor as often as without."""
    deck = [str(card) for card in SPANISH_DECK]
    both: list[list[str]] = []
    for _ in range(2):
        suit = rng.choice("eboc")
        suited = [card for card in deck if card.endswith(suit)] if rng.random() < 0.5 else deck
        both.append(rng.sample(suited, 3))
        deck = [card for card in deck if card not in both[-1]]
    return both[0], both[1]


def possible(hands: tuple[list[str], list[str]]) -> list[str]:
    """Every action worth trying: the six cards open and face down, and all calls."""
    held = [card for hand in hands for card in hand]
    return [*held, *(f"down:{card}" for card in held), *CALLS]


def accepted(rules: str, actions: list[str], hands: str, scores: tuple[int, int], mao: int) -> bool:
    """Whether the engine plays these actions."""
    try:
        table(rules, " ".join(actions), hands=hands, scores=scores, mao=mao)
    except IllegalAction:
        return False
    return True


@every_preset
@pytest.mark.parametrize("seed", range(12))
def test_what_is_listed_is_accepted_and_nothing_else(rules: str, seed: int) -> None:
    rng = random.Random(f"{rules} {seed}")
    both = random_hands(rng)
    hands, mao = " | ".join(map(" ".join, both)), rng.randrange(2)
    scores = rng.randrange(TARGET[rules]), rng.randrange(TARGET[rules])
    actions: list[str] = []
    while True:
        now = table(rules, " ".join(actions), hands=hands, scores=scores, mao=mao)
        plays = [one for one in possible(both) if accepted(rules, [*actions, one], hands, scores, mao)]
        assert sorted(plays) == sorted(now["legal"])
        if now["over"]:
            break
        actions.append(rng.choice(now["legal"]))


@every_preset
@pytest.mark.parametrize("seed", range(25))
def test_a_random_hand_keeps_its_books(rules: str, seed: int) -> None:
    rng = random.Random(f"books {rules} {seed}")
    both = random_hands(rng)
    hands, mao = " | ".join(map(" ".join, both)), rng.randrange(2)
    scores = rng.randrange(TARGET[rules]), rng.randrange(TARGET[rules])
    actions: list[str] = []
    while True:
        now = table(rules, " ".join(actions), hands=hands, scores=scores, mao=mao)
        truco = now["points"]["truco"]
        assert now["scores"] == [
            scores[seat] + sum(won[seat] for won in now["points"].values()) for seat in (0, 1)
        ]
        assert now["winner"] == (None if truco == [0, 0] else truco.index(max(truco)))
        reached = [seat for seat in (0, 1) if now["scores"][seat] >= TARGET[rules]]
        assert now["match_winner"] == (reached[0] if reached else None)
        assert now["over"] is (now["winner"] is not None or now["match_winner"] is not None)
        assert (now["turn"] is None) is now["over"] is (now["legal"] == [])
        order = [*both[0], *both[1], *(f"down:{card}" for hand in both for card in hand), *CALLS]
        assert now["legal"] == sorted(now["legal"], key=order.index)
        if now["over"]:
            break
        actions.append(rng.choice(now["legal"]))


@every_preset
@pytest.mark.parametrize("seed", range(10))
def test_seats_are_only_names(rules: str, seed: int) -> None:
    rng = random.Random(f"mirror {rules} {seed}")
    both = random_hands(rng)
    scores = rng.randrange(TARGET[rules]), rng.randrange(TARGET[rules])
    actions: list[str] = []
    while words := table(rules, " ".join(actions), hands=" | ".join(map(" ".join, both)), scores=scores)[
        "legal"
    ]:
        actions.append(rng.choice(words))
    line = " ".join(actions)
    here = table(rules, line, hands=" | ".join(map(" ".join, both)), scores=scores)
    there = table(rules, line, hands=" | ".join(map(" ".join, both[::-1])), scores=scores[::-1], mao=1)
    assert there["scores"] == here["scores"][::-1]
    assert there["points"] == {stage: won[::-1] for stage, won in here["points"].items()}
    assert there["winner"] == (None if here["winner"] is None else 1 - here["winner"])
    assert there["match_winner"] == (None if here["match_winner"] is None else 1 - here["match_winner"])


@every_preset
def test_the_opening_legal_list_is_the_same_for_either_mao(rules: str) -> None:
    calls = "envido real-envido falta-envido truco baralho"
    assert legal(rules, mao=0) == f"1e 7c 4b {calls}"
    assert legal(rules, mao=1) == f"3o 2c 5e {calls}"
