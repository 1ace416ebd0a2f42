"""Imports on the command line: hands and deals of other programs, told in counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from retruco.cli.cases import now, opened_library, written_text
from retruco.storage.deals import import_deals
from retruco.storage.exchange import format_of, import_exchanged
from retruco.storage.importers.importing import import_hands


def import_file(file: str, into: str, report: str | None, complete_from: Sequence[str]) -> None:
    """Import a file of hands as a new base; of those of another program, print what was doubtful."""
    as_ = format_of(Path(file))
    if as_ is not None:
        _import_own(Path(file), as_, into, bool(report or complete_from))
        return
    rich = [Path(one) for one in complete_from]
    is_table = report is not None and report.endswith(".md")
    with opened_library() as library, written_text(report) if report else nullcontext() as stream:
        sink = None if is_table else stream
        facts, found = import_hands(library.store, Path(file), into, now(), rich, sink=sink)
        if is_table and stream is not None:
            stream.write("\n".join(found.table()) + "\n")
    print(f"{facts.name}: {facts.hands:,} {facts.description}")
    for line in found.lines():
        print(line)


def _import_own(file: Path, as_: str, into: str, more: bool) -> None:
    if more:
        raise ValueError(f"{file} holds whole hands as {as_}: --report and --complete-from are for tables")
    with opened_library() as library:
        facts = import_exchanged(library.store, file, as_, into, now())
    print(f"{facts.name}: {facts.hands:,} {facts.description}")


def import_deal_file(file: str, into: str | None) -> None:
    """Keep the deals of a file and print what they are called."""
    path = Path(file)
    with opened_library() as library:
        deals, _ = import_deals(library.store, path, into or path.stem)
    print(f"{deals.name}: {deals.note}; play them with `retruco duel A B --deals {deals.name}`")
