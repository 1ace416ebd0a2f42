"""What case bases cost on each database: commits, loading a million hands, space, memory.

    python3 tests/servers.py .venv/bin/python benchmarks/storage.py --write docs/scale.md

The hands are the embedded baseline's, synthetic, drawn again and again until there are enough; where repeats
would flatter a figure (the size of a Parquet file) it comes of the hands that differ. The databases are
those of RETRUCO_TEST_POSTGRES and RETRUCO_TEST_MARIADB, as far as they are given, and a file of SQLite,
with the settings they come with: a commit is on the disk when it is acknowledged.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from sqlalchemy import text

from retruco.cbr.case_index import Batch
from retruco.cbr.casebase import CaseBase
from retruco.learning.truco.embedded import baseline_hands
from retruco.storage.deriving import Deriving
from retruco.storage.exchange import writer_for
from retruco.storage.library import Library
from retruco.storage.reading import Hand
from retruco.storage.store import Store, open_store
from retruco.vocab import truco

DISTINCT = 3195
COMMITS, ROUND = 2000, 100
NAMES = ("bench", "small")
MARKS = ("<!-- figures: begin -->", "<!-- figures: end -->")


def took(what: Callable[[], Any]) -> tuple[float, float]:
    """Do something; say how many seconds it took, by the clock and of this process's own processor time."""
    clock, own = time.perf_counter(), time.process_time()
    what()
    return time.perf_counter() - clock, time.process_time() - own


def seconds(both: tuple[float, float]) -> str:
    """Both times, as a table shows them."""
    return f"{both[0]:,.1f} s ({both[1]:,.1f} s)"


class Many:
    """Hands drawn again and again, in an order of their own every time, with the rows they make."""

    def __init__(self, hands: list[Hand]) -> None:
        self.hands = hands
        self._cases = CaseBase(truco.VOCABULARY)
        for number, hand in enumerate(hands):
            self._cases.add(truco.rows(hand.record, hand.seat, number))

    def _order(self, turn: int) -> list[int]:
        return Random(turn).sample(range(len(self.hands)), len(self.hands))

    def draw(self, count: int) -> Iterator[Hand]:
        """So many hands."""
        turns = (self.hands[place] for turn in itertools.count() for place in self._order(turn))
        return islice(turns, count)

    def rows(self, scenario: str, count: int) -> Iterator[Batch]:
        """The rows of so many hands, as a replay of their records would give them."""
        found = self._cases.columns(scenario)
        for turn in range(-(-count // len(self.hands))):
            place = np.empty(len(self.hands), np.int32)
            place[self._order(turn)] = np.arange(1, len(self.hands) + 1)
            episodes = turn * len(self.hands) + place[found.episodes]
            order = np.argsort(episodes, kind="stable")
            kept = order[episodes[order] <= count]
            yield found.part(kept)._replace(episodes=episodes[kept])


def deriving(many: Many) -> type[Deriving]:
    """Deriving that takes the rows of repeated hands from those made before, and all else as always."""

    class Repeated(Deriving):
        def _add_replayed(self, cases: CaseBase, last: int) -> None:
            for scenario in cases.vocabulary.scenarios:
                for batch in many.rows(scenario.name, self.facts.hands):
                    if len(batch.actions):
                        cases.add_columns(scenario.name, *batch)

    return Repeated


def databases(folder: Path) -> Iterator[tuple[str, Path | str]]:
    """Every database there is to measure."""
    yield "SQLite", folder / "cases.db"
    for name, variable in (("PostgreSQL", "RETRUCO_TEST_POSTGRES"), ("MariaDB", "RETRUCO_TEST_MARIADB")):
        if address := os.environ.get(variable):
            yield name, address


def quietest(taken: list[float]) -> float:
    """The least median of a hundred times one after the other."""
    return min(statistics.median(taken[start : start + ROUND]) for start in range(0, len(taken), ROUND))


def commits(place: Path | str, hands: list[Hand]) -> dict[str, float]:
    """Keep hands one by one, each durable before the next: milliseconds, in rounds of a hundred.

    Whatever else runs on the machine shows in the median of all; the quietest round is nearest to what
    a commit takes by itself.
    """
    with open_store(place) as store:
        store.create("commits", "truco", "trucogame", "synthetic, for a benchmark")
        taken = [1e3 * took(lambda hand=hand: store.append("commits", [hand]))[0] for hand in hands]  # type: ignore[misc]
        with store.writing() as writer:
            writer.delete("commits")
    ordered = sorted(taken)
    return {
        "commit": quietest(taken),
        "commit50": statistics.median(taken),
        "commit95": ordered[len(ordered) * 95 // 100],
    }


def sync(folder: Path) -> float:
    """How long this disk takes to write 4 kB for good, in milliseconds: no commit can be quicker."""
    taken = []
    with (folder / "sync").open("wb", buffering=0) as out:
        for _ in range(COMMITS):
            out.write(bytes(4096))
            taken.append(took(lambda: os.fdatasync(out.fileno()))[0])
    return 1e3 * quietest(taken)


SIZES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT pg_database_size(current_database())",
    "mysql": "SELECT SUM(file_size) FROM information_schema.innodb_sys_tablespaces WHERE name LIKE CONCAT(DATABASE(), '/%')",
}


def size(store: Store) -> float:
    """Megabytes that the database takes on disk."""
    with store.reading() as reader:
        query = SIZES[reader.connection.dialect.name]
        return float(reader.connection.scalar(text(query)) or 0) / 1e6


MEMORY = """
import os, sys
from pathlib import Path
from retruco.storage.library import Library
from retruco.storage.store import open_store
place = sys.argv[1]
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
with open_store(place if "://" in place else Path(place)) as store:
    Library(store).open(sys.argv[3])
    before = resident()
    base = Library(store).open(sys.argv[2])
    after = resident()
print(after - before)
"""


def memory(place: Path | str, name: str, small: str) -> float:
    """Megabytes of an open base, in a process of its own that has opened a small one before."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(place), name, small], capture_output=True, text=True, check=True
    )
    return float(done.stdout) / 1e6


def measure(place: Path | str, many: Many, count: int) -> dict[str, Any]:
    """All figures of one database."""
    with open_store(place) as store:
        library = Library(store)
        for name in NAMES:
            store.create(name, "truco", "trucogame", "synthetic, for a benchmark")
        store.append("small", many.hands[:200])
        library.open("small")
        empty = size(store)
        found: dict[str, Any] = {"hands": count}
        found["append"] = took(lambda: store.append("bench", many.draw(count)))
        found["read"] = took(lambda: sum(1 for _ in store.hands("bench")))
        before = size(store)
        with store.reading() as reader:
            derived = deriving(many)(reader, reader.facts("bench"), truco)
        derived.save(store)
        found["records"], found["segments"] = before - empty, size(store) - before
        found["rows"] = len(derived.cases)
        found["open"] = took(lambda: library.open("bench"))
        found["memory"] = memory(place, "bench", "small")
        with store.writing() as writer:
            for name in NAMES:
                writer.delete(name)
    return found


def parquet(hands: list[Hand]) -> float:
    """Bytes of a hand in a Parquet file, among hands that differ."""
    out = BytesIO()
    writer_for("parquet")(enumerate(hands, 1), out)
    return len(out.getvalue()) / len(hands)


def replaying(hands: list[Hand]) -> float:
    """Microseconds to make the rows of a hand from its record."""
    some = hands[:1000]
    spent = took(lambda: [truco.rows(hand.record, hand.seat, 1) for hand in some])
    return 1e6 * spent[1] / len(some)


LINES: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    (
        "**commit of one hand, durable**: median of the quietest hundred",
        lambda one: f"**{one['commit']:.2f} ms**",
    ),
    ("… median of all", lambda one: f"{one['commit50']:.2f} ms"),
    ("… 95th percentile", lambda one: f"{one['commit95']:.2f} ms"),
    ("append, one transaction", lambda one: seconds(one["append"])),
    ("read as records", lambda one: seconds(one["read"])),
    ("**open from column segments**", lambda one: f"**{seconds(one['open'])}**"),
    ("records on disk", lambda one: f"{one['records']:,.0f} MB"),
    ("column segments on disk", lambda one: f"{one['segments']:,.0f} MB"),
    ("open base in memory", lambda one: f"{one['memory']:,.0f} MB"),
)


def headed(found: dict[str, dict[str, Any]], *columns: str) -> list[str]:
    """The head of a table with a column a database."""
    return [f"| | {' | '.join(columns)} |", f"|---|{'---:|' * len(found)}"]


def table(found: dict[str, dict[str, Any]], disk: float, replayed: float) -> str:
    """The figures as a page shows them."""
    columns = [f"{name}, {one['hands']:,} hands, {one['rows']:,} rows" for name, one in found.items()]
    heading = [
        "Synthetic hands. Times by the clock, in brackets the processor time of Retruco's own process.",
        f"Writing 4 kB for good takes this disk {disk:.2f} ms; making the rows of a hand from its record takes "
        f"{replayed:,.0f} µs, once.",
        "",
        *headed(found, *columns),
    ]
    return "\n".join(
        [*heading, *(f"| {name} | {' | '.join(map(tell, found.values()))} |" for name, tell in LINES)]
    )


MANY = 100_000_000


def hours(seconds: float) -> str:
    """A long time in words."""
    return f"{seconds / 3600:,.1f} h" if seconds >= 3600 else f"{seconds / 60:,.0f} min"


def hundredfold(found: dict[str, dict[str, Any]], replayed: float, packed: float) -> str:
    """What a hundred million hands would cost, each figure in proportion to those measured."""

    def times(one: dict[str, Any]) -> float:
        return MANY / float(one["hands"])

    lines: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
        ("append", lambda one: hours(times(one) * one["append"][1])),
        ("keep hand by hand, each durable (by the clock)", lambda one: hours(MANY * one["commit"] / 1e3)),
        ("read as records", lambda one: hours(times(one) * one["read"][1])),
        ("open from column segments", lambda one: hours(times(one) * one["open"][1])),
        ("records on disk", lambda one: f"{times(one) * one['records'] / 1e3:,.0f} GB"),
        ("column segments on disk", lambda one: f"{times(one) * one['segments'] / 1e3:,.1f} GB"),
        ("open base in memory", lambda one: f"{times(one) * one['memory'] / 1e3:,.0f} GB"),
    )
    heading = [
        "Times are processor time of Retruco's own process; a server's own comes on top, on its machine.",
        f"Making the rows of all hands from their records, once: {hours(MANY * replayed / 1e6)} of one processor. "
        f"As a Parquet file, at {packed:.0f} bytes a hand: {MANY * packed / 1e9:,.1f} GB.",
        "",
        *headed(found, *found),
    ]
    return "\n".join(
        [*heading, *(f"| {name} | {' | '.join(map(tell, found.values()))} |" for name, tell in lines)]
    )


def main() -> None:
    """Measure, print, and write the figures into a page between its marks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--commits", action="store_true", help="measure commits only, beside what is there")
    parser.add_argument("--only", help="one database: SQLite, PostgreSQL or MariaDB")
    parser.add_argument("--figures", type=Path, help="a file to put the figures into, beside those it has")
    parser.add_argument("--write", type=Path, help="a page with marks, whose figures are replaced")
    asked = parser.parse_args()
    found = json.loads(asked.figures.read_text()) if asked.figures and asked.figures.exists() else {}
    hands = list(islice(baseline_hands(), DISTINCT))
    with tempfile.TemporaryDirectory() as folder:
        found |= {"disk": sync(Path(folder)), "replayed": replaying(hands), "parquet": parquet(hands)}
        many = Many(hands)
        for name, place in databases(Path(folder)):
            if asked.only in (None, name):
                found[name] = {
                    **(found[name] if asked.commits else measure(place, many, asked.hands)),
                    **commits(place, hands[:COMMITS]),
                }
                print(name, found[name], file=sys.stderr, flush=True)
    if asked.figures:
        asked.figures.write_text(json.dumps(found, indent=1))
    page = told(found)
    print(page)
    if asked.write:
        begin, end = MARKS
        before, _, rest = asked.write.read_text().partition(begin)
        asked.write.write_text(f"{before}{begin}\n\n{page}\n\n{end}{rest.partition(end)[2]}")


def told(found: dict[str, Any]) -> str:
    """All figures as a page shows them."""
    measured: dict[str, dict[str, Any]] = {
        name: found[name] for name in ("SQLite", "PostgreSQL", "MariaDB") if name in found
    }
    return "\n".join(
        (
            "### Measured\n",
            table(measured, found["disk"], found["replayed"]),
            f"\n### {MANY:,} hands, in proportion\n",
            hundredfold(measured, found["replayed"], found["parquet"]),
        )
    )


if __name__ == "__main__":
    main()
