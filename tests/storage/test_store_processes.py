"""Real processes: several writers at once, and one that is killed in the middle."""

from __future__ import annotations

import signal

import pytest
from store_hands import contents, go, kuhn_hands, kuhn_words, read_to_end, start

from places import Place
from retruco.storage.library import Library
from retruco.storage.schema import STEPS, taken
from retruco.storage.writing import hand_digest

WRITE = """
import sys
from retruco.storage.reading import Hand
from retruco.storage.store import open_store
text, size, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open_store() as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(times):
        numbers = store.append("mine", [Hand(text, 0)] * size)
        print(numbers.start, numbers.stop, flush=True)
"""
GREAT = """
import sys
from retruco.storage.reading import Hand
from retruco.storage.store import open_store
def hands():
    for number in range(3_000_000):
        if number == 20_000:
            print("in the middle", flush=True)
        yield Hand(sys.argv[1], 0)
with open_store() as store:
    print("ready", flush=True)
    sys.stdin.readline()
    store.append("mine", hands())
"""
OPEN = """
import sys
from retruco.storage.store import open_store
print("ready", flush=True)
sys.stdin.readline()
open_store().close()
"""
HAND = kuhn_hands(1)[0]


@pytest.mark.slow
def test_three_processes_open_a_store_that_is_not_there_yet(new_place: Place) -> None:
    processes = [start(OPEN, new_place) for _ in range(3)]
    go(*processes)
    for one in processes:
        assert one.communicate(timeout=120)[1] == ""
        assert one.returncode == 0
    with new_place.open() as store, store.reading() as reader:
        assert taken(reader.connection) == tuple(range(1, len(STEPS) + 1))
    if new_place.kind == "sqlite":
        assert [file.name for file in new_place.home.iterdir()] == ["cases.db"]


@pytest.mark.slow
def test_two_writers_lose_nothing_and_double_nothing(place: Place) -> None:
    with place.open() as store:
        store.create("mine", "kuhn", "two-seats")
        writers = [start(WRITE, place, HAND.text, "3", "50") for _ in range(2)]
        go(*writers)
        given: list[int] = []
        for one in writers:
            out, err = one.communicate(timeout=120)
            assert err == ""
            given += [number for line in out.splitlines() for number in range(*map(int, line.split()))]
        assert sorted(given) == list(range(1, 301))
        assert [number for number, _ in contents(store, "mine")] == sorted(given)
        digest = sum(hand_digest(number, HAND) for number in given) % (1 << 256)
        assert store.facts("mine").digest == f"{digest:064x}"


@pytest.mark.slow
def test_after_a_kill_every_acknowledged_hand_is_there(place: Place) -> None:
    """The kill may fall between the commit and its acknowledgement: then one batch more, whole."""
    batch = 20
    with place.open() as store:
        store.create("mine", "kuhn", "two-seats")
    writer = start(WRITE, place, HAND.text, str(batch), "1000000")
    go(writer)
    assert writer.stdout is not None
    for _ in range(50):
        writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    out, _ = read_to_end(writer)
    acknowledged = 50 * batch + batch * sum(line.count(" ") for line in out.splitlines(True) if "\n" in line)
    assert writer.returncode == -signal.SIGKILL
    with place.open() as store:
        numbers = [number for number, _ in contents(store, "mine")]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) in (acknowledged, acknowledged + batch)
        base = Library(store, vocabulary=lambda game: kuhn_words()).open("mine")
        assert base.hands == len(numbers)
        assert base.cases.episodes() == len(numbers)


def test_a_kill_in_the_middle_of_one_great_change_leaves_nothing_of_it(place: Place) -> None:
    with place.open() as store:
        store.create("mine", "kuhn", "two-seats")
        store.append("mine", [HAND])
    writer = start(GREAT, place, HAND.text)
    go(writer)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "in the middle\n"
    writer.send_signal(signal.SIGKILL)
    writer.communicate(timeout=120)
    with place.open() as store:
        assert contents(store, "mine") == [(1, HAND)]
        assert store.append("mine", [HAND]) == range(2, 3)
