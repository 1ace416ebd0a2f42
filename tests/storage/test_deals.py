"""Fixed deals: read with care, kept under a name, dealt in a shuffled order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from trucogame_tables import published

from retruco.agents.registry import find_agent
from retruco.arena.duel import play_pair
from retruco.games.truco import Truco, TrucoState
from retruco.storage.deals import find_deals, import_deals, read_deals
from retruco.storage.human import HumanBase
from retruco.storage.progress import silent
from retruco.storage.store import Store, open_store

DEAL = dict(zip((f"carta{n}" for n in range(1, 7)), (52, 8, 2, 50, 16, 16), strict=True)) | dict(
    zip(
        (f"naipeCarta{n}" for n in range(1, 7)),
        ("ESPADAS", "BASTOS", "COPAS", "BASTOS", "OURO", "BASTOS"),
        strict=True,
    )
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "cases.db")


def file_of(folder: Path, plain: object) -> Path:
    file = folder / "deals.json"
    file.write_text(json.dumps(plain))
    return file


def test_deals_are_kept_and_found_by_name(tmp_path: Path, store: Store) -> None:
    made, mended = import_deals(store, file_of(tmp_path, [DEAL]), "mine")
    assert mended == 0
    assert find_deals(store, "mine") == made
    assert str(made.deals[0]) == "1e 12b 5c / 1b 2o 2b"


def test_a_last_card_that_cannot_be_is_mended_and_counted(tmp_path: Path) -> None:
    twice = DEAL | {"naipeCarta6": "OURO"}
    nowhere = DEAL | {"carta6": 4, "naipeCarta6": "ESPADAS"}
    deals, mended = read_deals(file_of(tmp_path, [DEAL, twice, nowhere]))
    assert mended == 2
    assert all(len({*deal.hands[0], *deal.hands[1]}) == 6 for deal in deals)


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ([], "holds no deals"),
        ({"a": 1}, "holds no deals"),
        ([7], "deal 1 is not an object"),
        ([DEAL | {"carta3": 9}], "deal 1, card 3 is 9 of 'COPAS'"),
        ([DEAL, DEAL | {"naipeCarta2": "PAUS"}], "deal 2, card 2 is 8 of 'PAUS'"),
        (
            [DEAL | {"carta4": 52, "naipeCarta4": "ESPADAS"}],
            "deal 1, card 4: 52 of ESPADAS does not exist or is dealt",
        ),
    ],
)
def test_bad_deals_are_refused_whole(plain: object, message: str, tmp_path: Path, store: Store) -> None:
    with pytest.raises(ValueError, match=message):
        import_deals(store, file_of(tmp_path, plain), "mine")
    with pytest.raises(ValueError, match="unknown deals 'mine': none yet"):
        find_deals(store, "mine")


def test_what_is_not_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe[")
    with pytest.raises(ValueError, match="is not JSON"):
        read_deals(tmp_path / "x")


def test_a_name_is_taken_once(tmp_path: Path, store: Store) -> None:
    import_deals(store, file_of(tmp_path, [DEAL]), "mine")
    with pytest.raises(ValueError, match="already deals 'mine'"):
        import_deals(store, file_of(tmp_path, [DEAL]), "mine")


def test_a_duel_over_fixed_deals_deals_only_those(tmp_path: Path, store: Store) -> None:
    other = DEAL | {"carta1": 24}
    deals, _ = import_deals(store, file_of(tmp_path, [DEAL, other]), "mine")
    players = find_agent("random", "truco"), find_agent("random", "truco")
    game = Truco.named("trucogame", 5)
    seen: set[object] = set()
    for pair in range(2):
        played = play_pair(game, *players, 1, pair, lambda pair: deals.for_pair(1, pair))
        for hand in (hand for match in played.matches for hand in match.hands):
            assert isinstance(hand.state, TrucoState)
            seen.add(hand.state.hands)
    assert seen == {deal.hands for deal in deals.deals}


@pytest.mark.trucogame
def test_the_published_deals(tmp_path: Path, store: Store) -> None:
    deals, mended = import_deals(store, published("maosExperimentos.json"), "published")
    assert (len(deals.deals), mended) == (509, 56)


class TestHumanBase:
    def test_without_the_folder_it_says_how_to_get_it(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("RETRUCO_TRUCOGAME", raising=False)
        with pytest.raises(
            ValueError, match=r"set RETRUCO_TRUCOGAME to the folder that holds dbtrucocbr_maos.csv"
        ):
            HumanBase().provide(store, silent)

    def test_a_folder_that_is_not_there_is_named(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RETRUCO_TRUCOGAME", "/no/such/folder")
        with pytest.raises(ValueError, match="'/no/such/folder', which is no folder"):
            HumanBase().provide(store, silent)

    @pytest.mark.slow
    @pytest.mark.trucogame
    def test_it_is_imported_once(self, store: Store) -> None:
        messages: list[str] = []
        for _ in range(2):
            HumanBase().provide(store, lambda message, done=0, of=0: messages.append(message))
        assert len(messages) == 1
        assert store.facts("human").hands == 3195
