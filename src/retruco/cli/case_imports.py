"""`retruco cases import` and `import-deals`: hands and deals of other programs, reported in counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from retruco.cli.cases import now, open_library, open_text_output
from retruco.storage.deals import import_deals
from retruco.storage.exchange import format_of, import_exchanged
from retruco.storage.importers.importing import import_hands
from retruco.storage.seat_choice import SeatChoice


def import_file(
    file: str, into: str, report: str | None, complete_from: Sequence[str], seat: str | None = None
) -> None:
    """Import a file of hands as a new base; of those of another program, print what was doubtful."""
    choice = None if seat is None else SeatChoice(seat)
    file_format = format_of(Path(file))
    if file_format is not None:
        _import_own(Path(file), file_format, into, bool(report or complete_from), choice)
        return
    if choice is not None:
        raise ValueError(
            f"{file} is a table of hands of other programs, all seen from seat 0: leave --seat out"
        )
    richer_tables = [Path(table) for table in complete_from]
    is_table = report is not None and report.endswith(".md")
    with open_library() as library, open_text_output(report) if report else nullcontext() as stream:
        sink = None if is_table else stream
        facts, found = import_hands(library.store, Path(file), into, now(), richer_tables, sink=sink)
        if is_table and stream is not None:
            stream.write("\n".join(found.table()) + "\n")
    print(f"{facts.name}: {facts.hands:,} {facts.description}")
    for line in found.lines():
        print(line)


def _import_own(file: Path, file_format: str, into: str, more: bool, choice: SeatChoice | None) -> None:
    if more:
        raise ValueError(
            f"{file} holds whole hands as {file_format}: --report and --complete-from are for tables"
        )
    with open_library() as library:
        facts = import_exchanged(library.store, file, file_format, into, now(), choice)
    print(f"{facts.name}: {facts.hands:,} {facts.description}")
    if choice is not None and choice.skipped:
        print(f"{choice.skipped:,} of {choice.hands:,} hands skipped: {choice.reason_to_skip}")


def import_deal_file(file: str, into: str | None) -> None:
    """Keep the deals of a file and print what they are called."""
    path = Path(file)
    with open_library() as library:
        deals, _ = import_deals(library.store, path, into or path.stem)
    print(f"{deals.name}: {deals.note}; play them with `retruco duel A B --deals {deals.name}`")
