"""The embedded baseline: one, the same everywhere, and nobody's to change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from store_hands import go, start

from places import Place
from retruco.games.records import replay
from retruco.learning.case_bases import library_of
from retruco.learning.truco.embedded import BASELINE, PANEL, baseline_hands
from retruco.storage.errors import StoreError
from retruco.storage.progress import silent
from retruco.storage.store import Store, open_store

RACE = """
import json, sys
from dataclasses import replace
from retruco.learning.truco.embedded import BASELINE
from retruco.storage.library import Library
from retruco.storage.store import open_store
with open_store() as store:
    print("ready", flush=True)
    sys.stdin.readline()
    base = Library(store, providers=[replace(BASELINE, hands=12)]).open("baseline")
    print(json.dumps({"id": base.facts.id, "records": base.facts.digest, **base.as_json()}))
"""

DIGEST = "08d6a784082997ba985fc94823cfcaa7848d9838030786efd668d88898519e3f"
"""Changes when a player of the panel does: then raise the version of `BASELINE`, too."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with the whole baseline."""
    with open_store(tmp_path_factory.mktemp("baseline") / "cases.db") as opened:
        BASELINE.provide(opened, silent)
        yield opened


@pytest.mark.slow
def test_two_processes_make_it_at_once_and_there_is_one(place: Place) -> None:
    processes = [start(RACE, place) for _ in range(2)]
    go(*processes)
    seen = []
    for one in processes:
        out, err = one.communicate(timeout=300)
        assert err == ""
        seen.append(json.loads(out))
    assert seen[0] == seen[1]
    with place.open() as store, store.reading() as reader:
        assert [base.name for base in reader.bases()] == ["baseline"]
        assert len(reader.numbers(reader.facts("baseline"))) == seen[0]["hands"] == 12


@pytest.mark.slow
def test_its_bytes_are_the_same_everywhere(store: Store) -> None:
    assert store.facts("baseline").digest == DIGEST


@pytest.mark.slow
def test_it_can_be_played_again_hand_by_hand(store: Store) -> None:
    kept = [hand for _, hand in islice(store.hands("baseline"), 40)]
    assert list(islice(baseline_hands(), 40)) == kept


@pytest.mark.slow
def test_it_says_what_it_is(store: Store) -> None:
    base = library_of(store).open("baseline", game="truco")
    assert base.facts.synthetic
    assert base.description.startswith("synthetic hands of truco, rules trucogame")
    assert base.facts.origins == {"synthetic": BASELINE.hands} == {"synthetic": 3195}
    assert all(base.cases.count(scenario.name) > 100 for scenario in base.cases.vocabulary.scenarios)
    assert len(base.elbows) == 14
    assert all(2 <= one.clustering.k <= 10 for one in base.elbows.values())


@pytest.mark.slow
def test_its_hands_are_whole_and_by_everybody(store: Store) -> None:
    players, seats = set(), set()
    for _, hand in islice(store.hands("baseline"), 0, None, 20):
        record = hand.record
        state = replay(record)
        assert state.outcome is not None
        assert (record["rules"], record["target"]) == ("trucogame", 24)
        assert record["result"] == {"points": state.summary()["points"]}
        assert isinstance(record["agents"], list)
        players |= set(record["agents"])
        seats.add(hand.seat)
    assert players == set(PANEL)
    assert seats == {0, 1}


@pytest.mark.slow
def test_it_can_be_copied_and_nothing_else(store: Store) -> None:
    library = library_of(store)
    before = store.facts("baseline")
    with pytest.raises(StoreError, match="embedded base and cannot be deleted"):
        library.delete("baseline")
    with pytest.raises(StoreError, match="embedded base and cannot be renamed"):
        library.rename("baseline", "mine")
    for change in (
        lambda: store.append("baseline", islice(baseline_hands(), 1)),
        lambda: store.remove("baseline", [1]),
    ):
        with pytest.raises(StoreError, match="'baseline' is fixed: copy it"):
            change()
    library.copy("baseline", "mine")
    assert store.append("mine", islice(baseline_hands(), 1)) == range(BASELINE.hands + 1, BASELINE.hands + 2)
    library.delete("mine")
    assert store.facts("baseline") == before


def test_a_new_version_takes_the_place_of_an_older_one_and_never_of_a_newer(
    tmp_path: Path,
) -> None:
    messages: list[str] = []
    with open_store(tmp_path / "cases.db") as store:
        for version in (1, 2, 1):
            few = replace(BASELINE, hands=5, version=version)
            few.provide(store, lambda message, done=0, of=0: None if done else messages.append(message))
        assert store.facts("baseline").created == "as version 2"
        assert store.facts("baseline").hands == 5
    assert len(messages) == 2
    assert "5 synthetic hands" in messages[0]
