"""What case bases cost on each database: commits, loading a million hands, space, memory.

    python3 tests/servers.py .venv/bin/python benchmarks/storage.py --write docs/scale.md

The hands are the embedded baseline's, synthetic, repeated until there are enough. The databases are
those of RETRUCO_TEST_POSTGRES and RETRUCO_TEST_MARIADB, as far as they are given, and a file of SQLite,
with the settings they come with: a commit is on the disk when it is acknowledged.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import text

from retruco.cbr.case import Row
from retruco.storage.baseline import baseline_hands
from retruco.storage.deriving import Wording
from retruco.storage.exchange import writer_for
from retruco.storage.library import Library
from retruco.storage.reading import Hand
from retruco.storage.store import Store, open_store
from retruco.vocab import truco

DISTINCT = 3195
COMMITS = 1000
MARKS = ("<!-- figures: begin -->", "<!-- figures: end -->")


@dataclass
class Took:
    """How long something took, by the clock and of this process's own processor time."""

    seconds: float
    processor: float

    def __str__(self) -> str:
        return f"{self.seconds:,.1f} s ({self.processor:,.1f} s)"


def took(what: Callable[[], Any]) -> Took:
    """Do something and say how long it took."""
    clock, own = time.perf_counter(), time.process_time()
    what()
    return Took(time.perf_counter() - clock, time.process_time() - own)


def quick_words() -> Wording:
    """The words of Truco, with the rows of a record made once: the hands of this benchmark repeat."""
    known: dict[object, list[Row]] = {}

    def rows(record: Mapping[str, object], seat: int, episode: int) -> list[Row]:
        key = (repr(record), seat)
        if key not in known:
            known[key] = truco.rows(record, seat, 0)
        return [
            Row(one.problem, one.action, one.credit, one.hindsight, episode, one.question)
            for one in known[key]
        ]

    return cast(Wording, SimpleNamespace(VOCABULARY=truco.VOCABULARY, rows=rows))


def databases(folder: Path) -> Iterator[tuple[str, Path | str]]:
    """Every database there is to measure."""
    yield "SQLite", folder / "cases.db"
    for name, variable in (("PostgreSQL", "RETRUCO_TEST_POSTGRES"), ("MariaDB", "RETRUCO_TEST_MARIADB")):
        if address := os.environ.get(variable):
            yield name, address


def commits(store: Store, hands: list[Hand]) -> tuple[float, float]:
    """Keep hands one by one, each durable before the next; median and 95th percentile in milliseconds."""
    taken = [took(lambda hand=hand: store.append("bench", [hand])).seconds for hand in hands]  # type: ignore[misc]
    ordered = sorted(taken)
    return 1e3 * statistics.median(taken), 1e3 * ordered[len(ordered) * 95 // 100]


def sync(folder: Path) -> float:
    """How long this disk takes to write 4 kB for good, in milliseconds: no commit can be quicker."""
    taken = []
    with (folder / "sync").open("wb", buffering=0) as out:
        for _ in range(300):
            out.write(bytes(4096))
            taken.append(took(lambda: os.fdatasync(out.fileno())).seconds)
    return 1e3 * statistics.median(taken)


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
import os, resource, sys
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
print(after - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def memory(place: Path | str, name: str, small: str) -> tuple[float, float]:
    """Megabytes of an open base in a process of its own, and the most that process had in use."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(place), name, small], capture_output=True, text=True, check=True
    )
    held, most = map(float, done.stdout.split())
    return held / 1e6, most / 1e6


def measure(place: Path | str, hands: list[Hand], count: int) -> dict[str, Any]:
    """All figures of one database."""
    with open_store(place) as store:
        library = Library(store, wording=lambda game: quick_words())
        for name in ("bench", "small"):
            store.create(name, "truco", "trucogame", "synthetic, for a benchmark")
        store.append("small", hands[:200])
        library.open("small")
        empty = size(store)
        median, high = commits(store, hands[:COMMITS])
        found: dict[str, Any] = {"commit": median, "commit95": high}
        found["append"] = took(
            lambda: store.append("bench", islice(cycle(hands), count - min(COMMITS, len(hands))))
        )
        found["read"] = took(lambda: sum(1 for _ in store.hands("bench")))
        before = size(store)
        library.open("bench")
        found["records"], found["segments"] = before - empty, size(store) - before
        found["open"] = took(lambda: library.open("bench"))
        found["rows"] = len(library.open("bench").cases)
        found["memory"], found["most"] = memory(place, "bench", "small")
        out = BytesIO()
        found["export"] = took(lambda: writer_for("parquet")(store.hands("bench"), out))
        found["parquet"] = len(out.getvalue()) / 1e6
        with store.writing() as writer:
            for name in ("bench", "small"):
                writer.delete(name)
    return found


def replaying(hands: list[Hand]) -> float:
    """Microseconds to make the rows of a hand from its record."""
    some = hands[:1000]
    spent = took(lambda: [truco.rows(hand.record, hand.seat, 1) for hand in some])
    return 1e6 * spent.processor / len(some)


LINES: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("commit of one hand, durable: median", lambda one: f"{one['commit']:.2f} ms"),
    ("… 95th percentile", lambda one: f"{one['commit95']:.2f} ms"),
    ("append, one transaction", lambda one: str(one["append"])),
    ("read as records", lambda one: str(one["read"])),
    ("**open from column segments**", lambda one: f"**{one['open']}**"),
    ("records on disk", lambda one: f"{one['records']:,.0f} MB"),
    ("column segments on disk", lambda one: f"{one['segments']:,.0f} MB"),
    ("open base in memory", lambda one: f"{one['memory']:,.0f} MB"),
    ("export as Parquet", lambda one: f"{one['export']}, {one['parquet']:,.0f} MB"),
)


def table(found: dict[str, dict[str, Any]], count: int, disk: float, replayed: float) -> str:
    """The figures as a page shows them."""
    rows = next(iter(found.values()))["rows"]
    heading = [
        f"{count:,} synthetic hands, {rows:,} rows. Times by the clock, in brackets the processor time of Retruco's own process.",
        f"Writing 4 kB for good takes this disk {disk:.2f} ms; making the rows of a hand from its record takes "
        f"{replayed:,.0f} µs, once.",
        "",
        f"| | {' | '.join(found)} |",
        f"|---|{'---:|' * len(found)}",
    ]
    return "\n".join(
        [*heading, *(f"| {name} | {' | '.join(map(tell, found.values()))} |" for name, tell in LINES)]
    )


MANY = 100_000_000


def hours(seconds: float) -> str:
    """A long time in words."""
    return f"{seconds / 3600:,.1f} h" if seconds >= 3600 else f"{seconds / 60:,.0f} min"


def hundredfold(found: dict[str, dict[str, Any]], count: int, replayed: float) -> str:
    """What a hundred million hands would cost, each figure in proportion to those measured."""
    times = MANY / count
    lines: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
        ("append", lambda one: hours(times * one["append"].seconds)),
        ("keep hand by hand, each durable", lambda one: hours(MANY * one["commit"] / 1e3)),
        ("read as records", lambda one: hours(times * one["read"].seconds)),
        ("open from column segments", lambda one: hours(times * one["open"].seconds)),
        ("records on disk", lambda one: f"{times * one['records'] / 1e3:,.0f} GB"),
        ("column segments on disk", lambda one: f"{times * one['segments'] / 1e3:,.1f} GB"),
        ("open base in memory", lambda one: f"{times * one['memory'] / 1e3:,.0f} GB"),
        ("as Parquet", lambda one: f"{times * one['parquet'] / 1e3:,.1f} GB"),
    )
    heading = [
        f"Making the rows of all hands from their records, once: {hours(MANY * replayed / 1e6)} of one processor.",
        "",
        f"| | {' | '.join(found)} |",
        f"|---|{'---:|' * len(found)}",
    ]
    return "\n".join(
        [*heading, *(f"| {name} | {' | '.join(map(tell, found.values()))} |" for name, tell in lines)]
    )


def main() -> None:
    """Measure, print, and write the figures into a page between its marks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--write", type=Path, help="a page with marks, whose figures are replaced")
    asked = parser.parse_args()
    hands = list(islice(baseline_hands(), DISTINCT))
    with tempfile.TemporaryDirectory() as folder:
        disk, replayed = sync(Path(folder)), replaying(hands)
        found = {}
        for name, place in databases(Path(folder)):
            found[name] = measure(place, hands, asked.hands)
            print(name, found[name], file=sys.stderr, flush=True)
    page = "\n".join(
        (
            f"### {asked.hands:,} hands, measured\n",
            table(found, asked.hands, disk, replayed),
            f"\n### {MANY:,} hands, in proportion\n",
            hundredfold(found, asked.hands, replayed),
        )
    )
    print(page)
    if asked.write:
        begin, end = MARKS
        before, _, rest = asked.write.read_text().partition(begin)
        after = rest.partition(end)[2]
        asked.write.write_text(f"{before}{begin}\n\n{page}\n\n{end}{after}")


if __name__ == "__main__":
    main()
