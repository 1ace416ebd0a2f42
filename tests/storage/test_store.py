"""What a store keeps, and what it refuses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_hands import contents, kuhn_hands

from places import Place
from retruco.storage.errors import StoreError, UnknownBase
from retruco.storage.reading import Hand
from retruco.storage.store import Store, home, open_store
from retruco.storage.writing import check_name, hand_digest


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with place.open() as opened:
        opened.create("mine", "kuhn", "two-seats", "mine alone", created="today")
        yield opened


def summed(store: Store, name: str) -> str:
    return f"{sum(hand_digest(number, hand) for number, hand in contents(store, name)) % (1 << 256):064x}"


class TestHands:
    def test_what_was_put_in_comes_out_in_order(self, store: Store) -> None:
        hands = kuhn_hands(10)
        assert store.append("mine", hands[:7]) == range(1, 8)
        assert store.append("mine", hands[7:]) == range(8, 11)
        assert contents(store, "mine") == list(enumerate(hands, 1))

    def test_they_survive_closing_and_opening(self, place: Place, store: Store) -> None:
        store.append("mine", kuhn_hands(3))
        store.close()
        with place.open() as again:
            assert [hand for _, hand in contents(again, "mine")] == kuhn_hands(3)

    def test_a_number_is_never_given_twice(self, store: Store) -> None:
        store.append("mine", kuhn_hands(3))
        assert store.remove("mine", [2, 3, 99]) == 2
        assert store.append("mine", kuhn_hands(1)) == range(4, 5)
        assert [number for number, _ in contents(store, "mine")] == [1, 4]

    def test_facts_are_kept_up_to_date(self, store: Store) -> None:
        hands = kuhn_hands(4)
        taught = Hand(hands[3].text, 1, "taught")
        store.append("mine", [*hands[:3], taught])
        store.remove("mine", [1])
        facts = store.facts("mine")
        assert facts.hands == 3
        assert facts.origins == {"played": 2, "taught": 1}
        assert facts.fingerprint == "3 hands, last 4, removed 1"
        assert facts.digest == summed(store, "mine")
        assert facts.created == "today"

    def test_equal_hands_have_equal_digests_whatever_happened_on_the_way(self, store: Store) -> None:
        store.create("other", "kuhn", "two-seats")
        hands = kuhn_hands(5)
        store.append("mine", hands)
        store.append("other", hands[:2])
        assert store.facts("mine").digest != store.facts("other").digest
        store.append("other", hands[2:])
        assert store.facts("mine").digest == store.facts("other").digest

    def test_uses_are_counted_on_top(self, store: Store) -> None:
        store.append("mine", kuhn_hands(3))
        store.count_uses("mine", {1: 2, 3: 1})
        store.count_uses("mine", {1: 5})
        store.count_uses("mine", {})
        assert [hand.uses for _, hand in contents(store, "mine")] == [7, 0, 1]

    def test_many_hands_come_through_whole(self, store: Store) -> None:
        hands = kuhn_hands(50) * 200
        store.append("mine", iter(hands))
        assert [hand for _, hand in contents(store, "mine")] == hands

    def test_an_unknown_origin_is_refused_and_nothing_is_kept(self, store: Store) -> None:
        one = kuhn_hands(1)[0]
        with pytest.raises(StoreError, match="'dreamt': one of played, taught"):
            store.append("mine", [one, Hand(one.text, 0, "dreamt")])
        assert contents(store, "mine") == []

    def test_a_hand_of_another_game_is_refused(self, store: Store) -> None:
        with pytest.raises(StoreError, match="'mine' takes hands of kuhn, not"):
            store.append("mine", [*kuhn_hands(2), Hand.of({"game": "truco"}, 0)])
        assert contents(store, "mine") == []

    def test_a_failure_in_the_middle_leaves_nothing_behind(self, store: Store) -> None:
        def failing() -> Iterator[Hand]:
            yield from kuhn_hands(50) * 100
            raise RuntimeError("the lights went out")

        before = store.facts("mine")
        with pytest.raises(RuntimeError, match="lights"):
            store.append("mine", failing())
        assert store.facts("mine") == before
        assert contents(store, "mine") == []


class TestBases:
    def test_an_unknown_one_is_named_with_the_alternatives(self, store: Store) -> None:
        with pytest.raises(UnknownBase, match="unknown case base 'yours': one of baseline, mine"):
            store.facts("yours")
        with pytest.raises(UnknownBase):
            store.append("yours", kuhn_hands(1))

    @pytest.mark.parametrize("name", ["", "a b", "a/b", "ção", "-x", ".x", "x" * 61, "a\nb", "x\n", "'; --"])
    def test_a_bad_name_is_refused(self, store: Store, name: str) -> None:
        with pytest.raises(StoreError, match="cannot name a case base"):
            store.create(name, "kuhn", "two-seats")

    @pytest.mark.parametrize("name", ["a", "7", "stage-1.envido_X", "x" * 60])
    def test_a_good_name_is_fine(self, name: str) -> None:
        assert check_name(name) == name

    @pytest.mark.parametrize("name", ["mine", "baseline"])
    def test_a_name_that_is_taken_is_refused(self, store: Store, name: str) -> None:
        store.create("other", "kuhn", "two-seats")
        before = store.facts("other")
        with store.writing() as writer, pytest.raises(StoreError, match=f"{name!r}"):
            writer.rename("other", name)
        with store.writing() as writer, pytest.raises(StoreError, match=f"{name!r}"):
            writer.copy("other", name)
        with pytest.raises(StoreError, match=f"{name!r}"):
            store.create(name, "kuhn", "two-seats")
        assert store.facts("other") == before

    def test_a_copy_has_the_same_hands_and_can_be_changed_alone(self, store: Store) -> None:
        store.append("mine", kuhn_hands(4))
        store.remove("mine", [2])
        with store.writing() as writer:
            copied = writer.copy("mine", "yours", "later")
        assert contents(store, "yours") == contents(store, "mine")
        assert (copied.digest, copied.created) == (store.facts("mine").digest, "later")
        assert store.append("yours", kuhn_hands(1)) == range(5, 6)
        assert store.facts("mine").hands == 3

    def test_renaming_keeps_everything_else(self, store: Store) -> None:
        store.append("mine", kuhn_hands(2))
        with store.writing() as writer:
            writer.rename("mine", "ours")
        assert store.facts("ours").hands == 2
        with pytest.raises(UnknownBase):
            store.facts("mine")

    def test_deleting_takes_the_hands_along(self, store: Store) -> None:
        store.append("mine", kuhn_hands(2))
        with store.writing() as writer:
            writer.delete("mine")
        store.create("mine", "kuhn", "two-seats")
        assert contents(store, "mine") == []

    def test_merging_numbers_the_hands_anew_and_keeps_their_origins(self, store: Store) -> None:
        store.create("other", "kuhn", "three-seats", "taught by a friend")
        hands = kuhn_hands(5)
        store.append("mine", hands[:3])
        store.remove("mine", [1])
        store.append("other", [Hand(hand.text, hand.seat, "taught") for hand in hands[3:]])
        with store.writing() as writer:
            merged = writer.merge(["mine", "other"], "both", "now")
        assert merged.origins == {"played": 2, "taught": 2}
        assert merged.rules == "three-seats, two-seats"
        assert merged.note == "mine alone; taught by a friend"
        assert merged.digest == summed(store, "both")
        assert [number for number, _ in contents(store, "both")] == [1, 2, 3, 4]
        assert store.facts("mine").hands == 2

    @pytest.mark.parametrize(
        ("names", "told"),
        [
            ([], "two or more"),
            (["mine"], "two or more"),
            (["mine", "mine"], "different"),
            (["mine", "other"], "nothing to merge"),
            (["mine", "truco"], "truco is truco"),
            (["mine", "nobody"], "unknown case base 'nobody'"),
        ],
    )
    def test_a_merge_that_makes_no_sense_is_refused(self, store: Store, names: list[str], told: str) -> None:
        store.create("other", "kuhn", "two-seats")
        store.create("truco", "truco", "cbtg")
        with store.writing() as writer, pytest.raises(StoreError, match=told):
            writer.merge(names, "new")
        with pytest.raises(UnknownBase):
            store.facts("new")


def test_the_data_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path / "deep" / "down"))
    with open_store() as store:
        store.create("mine", "kuhn", "two-seats")
    assert os.listdir(tmp_path / "deep" / "down") == ["cases.db"]
    monkeypatch.setenv("RETRUCO_HOME", "")
    assert home().name == "retruco"
