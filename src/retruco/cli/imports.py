"""Imports on the command line: hands and deals of other programs, told in counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from retruco.cli.cases import now, opened_library, written
from retruco.storage.deals import import_deals
from retruco.storage.importers.importing import import_hands


def import_file(file: str, into: str, report: str | None, complete_from: Sequence[str]) -> None:
    """Import a file of hands as a new base and print what was doubtful."""
    rich = [Path(one) for one in complete_from]
    is_table = report is not None and report.endswith(".md")
    with opened_library() as library, written(report) if report else nullcontext() as stream:
        sink = None if is_table else stream
        facts, found = import_hands(library.store, Path(file), into, now(), rich, sink=sink)
        if is_table and stream is not None:
            stream.write("\n".join(found.table()) + "\n")
    print(f"{facts.name}: {facts.hands:,} {facts.description}")
    for line in found.lines():
        print(line)


def import_deal_file(file: str, into: str | None) -> None:
    """Keep the deals of a file and print what they are called."""
    path = Path(file)
    with opened_library() as library:
        deals, _ = import_deals(library.store, path, into or path.stem)
    print(f"{deals.name}: {deals.note}; play them with `retruco duel A B --deals {deals.name}`")
