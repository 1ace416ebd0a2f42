"""The compiled rules play every hand as the readable engine does, and the tables in the cache are never wrong ones."""

from dataclasses import dataclass, fields, replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retruco.cards import card
from retruco.compiler import read_checked, write_checked
from retruco.games.kuhn import Kuhn
from retruco.games.truco import PRESETS, Rules, Truco, TrucoState
from retruco.games.truco.compiled import tables
from retruco.games.truco.compiled.automaton import (
    COLUMNS,
    MAO_FLOR,
    NO_CONDITION,
    PE_FLOR,
    CannotCompile,
    dealings,
)
from retruco.games.truco.compiled.random_hands import play_random_hands, play_readable_hand
from retruco.games.truco.compiled.stepper import (
    ACTIONS,
    POINTS,
    SCORES,
    STATE,
    Row,
    action_number,
    action_text,
    is_over,
    legal_actions,
    play,
    reason_of,
    row_of,
    seat_to_act,
    start_hand,
)
from retruco.games.truco.compiled.tables import MOST_TARGET, Tables, tables_for, why_not
from retruco.games.truco.deck import Hand
from retruco.games.truco.rules import Falta, Resto


def hand(cards: str) -> Hand:
    a, b, c = map(card, cards.split())
    return a, b, c


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    tables._tables.cache_clear()
    return tmp_path


# The same hands


def compare(found: Tables, row: Row, state: TrucoState) -> None:
    """Both engines say the same of a hand."""
    assert tuple(row[SCORES : SCORES + 2]) == state.scores
    assert tuple(row[POINTS : POINTS + 6]) == tuple(points for pair in state.points for points in pair)
    assert is_over(row) == (state.outcome is not None)
    if state.outcome is not None:
        assert reason_of(row) == state.outcome.reason
        return
    assert state.to_act is not None
    assert seat_to_act(found, row) == state.to_act
    legal = np.zeros(ACTIONS, dtype=np.int32)
    count = legal_actions(found, row, legal)
    assert [action_text(state.hands[state.to_act], action) for action in legal[:count]] == list(state.legal)


def walk(game: Truco, state: TrucoState, seen: set[int]) -> None:
    """Take every action in every public state that this deal reaches, in both engines side by side."""
    found = tables_for(game)
    row = row_of(state.hands, state.scores)
    start_hand(found, row, state.mao)
    compare(found, row, state)
    queue, here = [(row, state)], {0}
    for row, state in queue:
        assert state.to_act is not None
        for action in state.legal:
            after, played = row.copy(), state.play(action)
            play(found, after, action_number(state.hands[state.to_act], action))
            compare(found, after, played)
            if not is_over(after) and after[STATE] not in here:
                here.add(int(after[STATE]))
                queue.append((after, played))
    seen |= here


def reachable(found: Tables) -> set[int]:
    """The states that some deal leads to, by the tables alone: a state in which only a flor is legal needs a flor."""
    queue = [(0, flors) for flors in product((0, 1), repeat=2)]
    seen = set(queue)
    for state, flors in queue:
        for column in range(len(COLUMNS)):
            edge = found.edge[state, column]
            if found.legal[state, flors[found.actor[state]]] >> column & 1:
                places = {MAO_FLOR: [flors[0]], PE_FLOR: [flors[1]], NO_CONDITION: [0]}
                for place in places.get(int(found.condition[edge]), range(3)):
                    after = (int(found.next[edge, place]), flors)
                    if after[0] >= 0 and after not in seen:
                        seen.add(after)
                        queue.append(after)
    return {state for state, _ in seen}


PLAIN = (hand("3e 2b 12o"), hand("12c 3b 2o"))
FLOR = (hand("3e 2e 12e"), hand("12b 3b 2b"))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_public_state_has_the_same_actions_awards_and_successors_as_the_readable_engine(
    preset: str,
) -> None:
    game, seen = Truco.named(preset), set[int]()
    for (mao, pe), first in product(product((PLAIN[0], FLOR[0]), (PLAIN[1], FLOR[1])), (0, 1)):
        walk(game, game.begin((mao, pe), (0, 0), first), seen)
    for number, (_, hands) in enumerate(dealings()):
        walk(game, game.begin(hands, (20 + number % 4, 19), number % 2), seen)
    assert seen == reachable(tables_for(game))


def assert_equal_hands(game: Truco, seed: int, hands: int) -> None:
    compiled = play_random_hands(game, seed, hands)
    for number in range(hands):
        assert compiled[number].tolist() == play_readable_hand(game, seed, number), (game, seed, number)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("target", [1, 5, None, 31])
def test_random_hands_at_random_scores_are_the_same(preset: str, target: int | None) -> None:
    assert_equal_hands(Truco.named(preset, target), seed=20, hands=400)


def test_without_folding_random_hands_are_the_same() -> None:
    game = Truco.named("cbtg")
    compiled = play_random_hands(game, 3, 200, folding=False)
    for number in range(200):
        assert compiled[number].tolist() == play_readable_hand(game, 3, number, folding=False)


FLAGS = [one.name for one in fields(Rules) if one.type == "bool"]
POINTS_OF_FLOR = [
    field.name for field in fields(Rules) if field.type == "int" and field.name not in ("target", "hand_size")
]


@st.composite
def some_rules(draw: st.DrawFn) -> Rules:
    """Rules of anybody's own."""
    options: dict[str, Any] = {name: draw(st.booleans()) for name in FLAGS}
    options |= {name: draw(st.integers(0, 40)) for name in POINTS_OF_FLOR}
    return replace(
        PRESETS["cbtg"],
        name="a user's own/rules",
        falta=draw(st.sampled_from(get_args(Falta))),
        resto=draw(st.sampled_from(get_args(Resto))),
        achico=draw(st.none() | st.integers(0, 9)),
        **options,
    )


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(some_rules(), st.integers(1, 40), st.integers(0, 2**32))
def test_rules_of_ones_own_are_compiled_the_same_way(rules: Rules, target: int, seed: int) -> None:
    assert_equal_hands(Truco(rules, target), seed, 300)


# What cannot be compiled


@dataclass(frozen=True, slots=True)
class OwnRules(Rules):
    """Rules with something of their own in them."""


class OwnTruco(Truco):
    """A game with something of its own in it."""


def test_what_cannot_be_compiled_is_told_why() -> None:
    cbtg = PRESETS["cbtg"]
    own = OwnRules(**{one.name: getattr(cbtg, one.name) for one in fields(Rules)})
    assert why_not(Truco(cbtg, 24)) is None
    assert why_not(Kuhn()) == "only Truco is compiled, not Kuhn"
    assert why_not(OwnTruco(cbtg, 24)) == "only Truco is compiled, not OwnTruco"
    assert why_not(Truco(own, 24)) == "its rules are of a kind of their own, OwnRules"
    assert why_not(Truco(cbtg, MOST_TARGET + 1)) == "its target 251 is above 250"
    with pytest.raises(CannotCompile, match="above 250"):
        tables_for(Truco(cbtg, MOST_TARGET + 1))


@pytest.mark.slow
def test_awards_that_take_points_away_are_refused() -> None:
    with pytest.raises(CannotCompile, match="takes points away"):
        tables_for(Truco(replace(PRESETS["cbtg"], flor_alone=-1), 6))


# The cache


def only_file(folder: Path) -> Path:
    (file,) = folder.glob("truco-*.tables")
    return file


def same(one: Tables, other: Tables) -> bool:
    return all(np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(one, other, strict=True))


SMALL = Truco.named("argentino-sem-flor", 6)


def test_tables_are_read_back_as_they_were_made(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tables_for(SMALL)
    tables._tables.cache_clear()
    monkeypatch.setattr(tables, "explore", lambda game: pytest.fail("explored again"))
    assert same(tables_for(SMALL), made)
    assert only_file(saved).stat().st_size < 10_000_000


@pytest.fixture(scope="module")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tables, Path]:
    """Tables of a small game and the file that they are in."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(folder))
        tables._tables.cache_clear()
        return tables_for(SMALL), only_file(folder)


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["truncated", "empty", "foreign", "of other rules", "no tables"])
def test_a_damaged_or_foreign_file_is_made_anew(
    small_file: tuple[Tables, Path], saved: Path, damage: str
) -> None:
    made, whole = small_file
    file = saved / whole.name
    if damage == "of other rules":
        tables_for(Truco.named("trucogame", 6))
        only_file(saved).rename(file)
    elif damage == "no tables":
        write_checked(file, b"PK\x03\x04 and nothing else")
    else:
        text = whole.read_bytes()
        file.write_bytes({"truncated": text[:-9], "empty": b"", "foreign": b"x" * 5000}[damage])
    tables._tables.cache_clear()
    assert same(tables_for(SMALL), made)
    tables._tables.cache_clear()
    assert read_checked(file) is not None, "the file is whole again"


def test_other_rules_targets_and_sources_have_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = PRESETS["cbtg"]
    digests = {
        tables.digest_of(rules, 24),
        tables.digest_of(rules, 25),
        tables.digest_of(replace(rules, achico=None), 24),
    }
    monkeypatch.setattr(tables, "sources_digest", lambda: "another version")
    digests.add(tables.digest_of(rules, 24))
    assert len(digests) == 4
    assert tables.digest_of(replace(rules, name="x", summary="y"), 24) == tables.digest_of(rules, 24)


def _make(folder: str) -> int:
    tables._tables.cache_clear()
    return int(tables_for(SMALL).longest)


@pytest.mark.slow
def test_two_processes_may_make_tables_at_once(saved: Path) -> None:
    with get_context("spawn").Pool(2) as pool:
        longest = pool.map(_make, [str(saved)] * 4)
    tables._tables.cache_clear()
    assert longest == [tables_for(SMALL).longest] * 4
    assert not list(saved.glob("*.part"))


def test_without_a_folder_to_write_to_tables_are_made_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "code"))
    tables._tables.cache_clear()
    assert tables_for(SMALL).target == 6
