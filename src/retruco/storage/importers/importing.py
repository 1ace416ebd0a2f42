"""An import into the store: one transaction, so that nothing is ever half imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from retruco.storage.importers.hands import RULES
from retruco.storage.importers.report import Report
from retruco.storage.importers.source import read_file
from retruco.storage.reading import Facts, Hand
from retruco.storage.store import Store
from retruco.storage.writing import check_name
from retruco.vocab.truco.partial import SELF_PLAY

NOTE = "imported from {file}: partial records of hands that other programs wrote down"


def import_hands(
    store: Store,
    file: Path,
    name: str,
    created: str = "",
    complete_from: Sequence[Path] = (),
    note: str = "",
    sink: TextIO | None = None,
) -> tuple[Facts, Report]:
    """Make a base of the hands of a file, or nothing at all; report every row that was doubtful.

    Every finding goes to `sink` as a line of JSON, the counts as the last line.
    """
    check_name(name)
    report = Report(sink=sink)
    with store.writing() as writer:
        writer.create(name, "truco", RULES, note or NOTE.format(file=file.name), created)
        writer.append(name, _stored(report, file, complete_from))
        if not report.hands:
            raise ValueError(f"{file} has no hand that can be read: {_why(report)}")
        report.finish()
        return writer.facts(name), report


def _stored(report: Report, file: Path, complete_from: Sequence[Path]) -> Iterator[Hand]:
    for hand in report.watch(read_file(file, complete_from)):
        origin = "imitated" if hand.source == SELF_PLAY else "imported"
        yield Hand.of(hand.as_json(), 0, origin)


def _why(report: Report) -> str:
    if not report.rows:
        return "it has no rows"
    first = report.first
    assert first is not None, "a refused row has a finding"
    return f"{report.rows} rows refused, the first (line {first.line}) for {first.kind}: {first.detail}"
