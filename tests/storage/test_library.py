"""Rows and clusters: derived, kept, and made again from the records alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_hands import kuhn_hands, kuhn_words, truco_hands

from places import Place
from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.learning.case_bases import cases_named, open_cases
from retruco.storage import columns, deriving
from retruco.storage.errors import StoreError
from retruco.storage.library import Base, Library, regrouped
from retruco.storage.schema import DERIVED
from retruco.storage.store import Store, open_store
from retruco.vocab.registry import GameVocabulary
from retruco.vocab.truco import VOCABULARY, rows


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with place.open() as opened:
        opened.create("mine", "kuhn", "two-seats")
        yield opened


@pytest.fixture
def library(store: Store) -> Library:
    return Library(store, vocabulary=lambda game: kuhn_words())


def all_rows(cases: CaseBase) -> list[list[Row]]:
    return [list(cases.rows(scenario.name)) for scenario in cases.vocabulary.scenarios]


def rebuilt(store: Store) -> list[list[Row]]:
    """The rows as they come from the records, one hand after the other."""
    words = kuhn_words()
    cases = CaseBase(words.VOCABULARY)
    for number, hand in store.hands("mine"):
        cases.add(words.rows(hand.record, hand.seat, number))
    return all_rows(cases)


def same(a: Base, b: Base) -> bool:
    """Whether two bases have the same rows in the same clusters."""
    clusters = [
        {name: one.as_json() for name, one in base.elbows.items()} | {"sizes": base.as_json()["clusters"]}
        for base in (a, b)
    ]
    return all_rows(a.cases) == all_rows(b.cases) and clusters[0] == clusters[1]


class TestRows:
    def test_rows_read_again_equal_rows_made_from_records(self, store: Store, library: Library) -> None:
        store.append("mine", kuhn_hands(200))
        made = library.open("mine")
        read = library.open("mine")
        assert all_rows(made.cases) == all_rows(read.cases) == rebuilt(store)
        assert same(made, read)

    def test_the_second_time_nothing_is_replayed(self, store: Store, library: Library) -> None:
        store.append("mine", kuhn_hands(20))
        library.open("mine")
        assert Library(store, vocabulary=lambda game: never_replaying()).open("mine").hands == 20

    def test_hands_that_came_and_went_are_reckoned_with(
        self, store: Store, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In segments of sixteen rows, so that whole ones stay, are left behind or written anew."""
        for module in (columns, deriving):
            monkeypatch.setattr(module, "SEGMENT", 16)
        hands = kuhn_hands(90)
        for change in (
            lambda: store.append("mine", hands[:30]),
            lambda: store.append("mine", hands[30:60]),
            lambda: store.remove("mine", [3, 31, 60]),
            lambda: store.append("mine", hands[60:]),
            lambda: store.remove("mine", range(1, 50)),
        ):
            change()
            made, read = library.open("mine"), library.open("mine")
            assert all_rows(made.cases) == rebuilt(store)
            assert same(made, read)

    def test_only_new_hands_are_replayed(self, store: Store, library: Library) -> None:
        store.append("mine", kuhn_hands(20))
        library.open("mine")
        store.append("mine", kuhn_hands(25)[20:])
        store.remove("mine", [2])
        replayed: list[int] = []
        Library(store, vocabulary=lambda game: counting(replayed)).open("mine")
        assert replayed == [21, 22, 23, 24, 25]

    def test_another_vocabulary_makes_them_anew_and_the_old_ones_go(
        self, store: Store, library: Library
    ) -> None:
        store.append("mine", kuhn_hands(20))
        first = library.open("mine")
        second = Library(store, vocabulary=lambda game: kuhn_words(version=2)).open("mine")
        assert all_rows(first.cases) == all_rows(second.cases)
        assert first.digest != second.digest
        with store.reading() as reader:
            assert (
                len(set(reader.connection.scalars(DERIVED.select().with_only_columns(DERIVED.c.vocabulary))))
                == 1
            )

    @pytest.mark.parametrize("damage", [b"", b"nonsense", b"x\x9c\x03\x00\x00\x00\x00\x01"])
    def test_damaged_rows_are_made_anew(self, store: Store, library: Library, damage: bytes) -> None:
        store.append("mine", kuhn_hands(20))
        before = library.open("mine")
        with store.writing() as writer:
            writer.connection.execute(DERIVED.update().values(content=damage))
        assert same(before, library.open("mine"))
        assert Library(store, vocabulary=lambda game: never_replaying()).open("mine").hands == 20

    def test_a_record_that_cannot_be_replayed_is_named(self, store: Store, library: Library) -> None:
        good = kuhn_hands(3)
        bad = type(good[0])(good[0].text.replace("actions", "auctions"), 0)
        store.append("mine", [*good, bad])
        with pytest.raises(StoreError, match=r"hand 4 of case base 'mine' cannot be replayed: missing key"):
            library.open("mine")


def never_replaying() -> GameVocabulary:
    return watched(lambda number: pytest.fail(f"hand {number} was replayed"))


def counting(replayed: list[int]) -> GameVocabulary:
    return watched(replayed.append)


def watched(note: object) -> GameVocabulary:
    """The words of Kuhn poker, with an eye on which hands are replayed."""
    words = kuhn_words()
    plain = words.rows

    def rows(record: object, seat: int, episode: int) -> list[Row]:
        note(episode)  # type: ignore[operator]
        return plain(record, seat, episode)  # type: ignore[arg-type]

    words.rows = rows  # type: ignore[misc]
    return words


class TestClusters:
    def test_only_scenarios_with_hindsight_and_rows_have_them(self, store: Store, library: Library) -> None:
        assert library.open("mine").elbows == {}
        store.append("mine", kuhn_hands(100))
        base = library.open("mine")
        assert list(base.elbows) == ["turn"]
        assert base.cases.clustering("last") is None
        assert sum(base.sizes("turn")) == base.cases.count("turn")
        assert base.sizes("last") == []

    def test_they_are_the_same_whoever_makes_them(self, store: Store, library: Library) -> None:
        store.append("mine", kuhn_hands(100))
        first = library.open("mine")
        with store.writing() as writer:
            writer.drop_derived(writer.facts("mine"))
        assert same(first, library.open("mine"))

    def test_a_copy_brings_them_along(self, store: Store, library: Library) -> None:
        store.append("mine", kuhn_hands(50))
        first = library.open("mine")
        library.copy("mine", "yours")
        assert same(first, Library(store, vocabulary=lambda game: never_replaying()).open("yours"))


class TestOpening:
    def test_a_base_of_another_game_is_refused(self, library: Library) -> None:
        with pytest.raises(StoreError, match="'mine' is of kuhn, not of truco"):
            library.open("mine", game="truco")

    def test_a_game_without_vocabulary_is_refused(self, store: Store) -> None:
        store.create("tricks", "whist", "short")
        with pytest.raises(StoreError, match="hands of whist cannot be remembered: it has no vocabulary yet"):
            Library(store).open("tricks")

    def test_a_base_that_changes_while_it_is_opened_is_not_spoilt(
        self, store: Store, library: Library
    ) -> None:
        store.append("mine", kuhn_hands(10))
        with store.reading() as reader:
            derived = deriving.Deriving(reader, reader.facts("mine"), kuhn_words())
        store.remove("mine", [1, 2])
        derived.save(store)
        assert all_rows(library.open("mine").cases) == rebuilt(store)

    @pytest.mark.slow
    def test_truco_hands_are_remembered_row_by_row(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RETRUCO_HOME", str(tmp_path / "home"))
        hands = truco_hands(60)
        with open_store() as store:
            store.create("few", "truco", "trucogame")
            store.append("few", hands)
        opened = open_cases("few")
        by_hand = CaseBase(VOCABULARY)
        for number, hand in enumerate(hands, 1):
            by_hand.add(rows(hand.record, hand.seat, number))
        assert all_rows(opened.cases) == all_rows(by_hand) == all_rows(open_cases("few").cases)
        cases_for = cases_named("few")
        assert cases_for("truco") is cases_for("truco")
        assert "flor" not in opened.elbows
        assert opened.facts.kind == "synthetic"


def test_a_base_is_grouped_otherwise_and_the_stored_groups_stay(tmp_path: Path) -> None:
    with open_store(tmp_path / "cases.db") as store:
        store.create("mine", "kuhn", "two-seats")
        store.append("mine", kuhn_hands(60))
        library = Library(store, vocabulary=lambda game: kuhn_words())
        own = library.open("mine")
        grouped = regrouped(store, library.open("mine"), "ward")
        assert grouped.elbows.keys() == own.elbows.keys()
        for name, elbow in grouped.elbows.items():
            assert grouped.cases.clustering(name) is elbow.clustering
            assert sum(grouped.sizes(name)) == grouped.cases.count(name)
        assert same(library.open("mine"), own)
        with pytest.raises(StoreError, match="unknown clusters 'x': one of own, original, ward, mixture"):
            regrouped(store, own, "x")
        without = Base(own.facts, own.cases, {})
        with pytest.raises(StoreError, match="'mine' has no clusters, so it cannot be grouped by 'ward'"):
            regrouped(store, without, "ward")
