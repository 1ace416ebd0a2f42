"""What an import found: counts by kind of fault, and every finding for those who want to look."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, TextIO

from retruco.storage.importers.faults import DOUBTFUL, REFUSED, Finding
from retruco.storage.importers.hands import Read
from retruco.vocab.truco.partial import PEOPLE, PartialHand


@dataclass
class Report:
    """The findings of one import, counted as the rows go by."""

    rows: int = 0
    hands: int = 0
    people: int = 0
    whole: int = 0
    """Hands that what is recorded tells completely, so that a replay gives what was recorded."""
    matches: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    """Findings by kind."""
    rows_of: Counter[str] = field(default_factory=Counter)
    """Rows by kind of finding: a row may have several of one kind."""
    first: Finding | None = None
    sink: TextIO | None = None
    """Where every finding is written as a line of JSON; they are not held."""
    _twins: set[int] = field(default_factory=set)
    _views: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Line, number, view and mirrored view of every hand of people, as short as can be."""
    _numbers: set[int] = field(default_factory=set)

    def watch(self, reads: Iterable[Read]) -> Iterator[PartialHand]:
        """Count what goes by; let the hands through."""
        for read in reads:
            self.rows += 1
            self._note(read.findings)
            if read.hand is not None:
                self._count(read.hand, read.line)
                yield read.hand

    def _note(self, findings: Iterable[Finding]) -> None:
        findings = tuple(findings)
        if findings and self.first is None:
            self.first = findings[0]
        self.kinds.update(one.kind for one in findings)
        self.rows_of.update({one.kind for one in findings})
        for finding in findings if self.sink else ():
            assert self.sink is not None
            self.sink.write(json.dumps({**asdict(finding), "refused": finding.refused}) + "\n")

    def _count(self, hand: PartialHand, line: int) -> None:
        self.hands += 1
        self.people += hand.source == PEOPLE
        self.whole += hand.record is not None
        if hand.number in self._numbers:
            self._note([Finding(line, hand.number, "same-number")])
        self._numbers.add(hand.number)
        if hand.match is not None and hand.source == PEOPLE:
            self.matches.add(hand.match)
        if hand.other_hand is not None and hand.match is not None and hand.source == PEOPLE:
            mine, other = (*hand.hand, *hand.suits[:2]), (*hand.other_hand, *hand.other_suits[:2])
            view = hash((hand.match, mine, other, hand.mao))
            self._twins.add(view)
            self._views.append((line, hand.number, view, hash((hand.match, other, mine, 1 - hand.mao))))

    def finish(self) -> None:
        """Note, now that all rows are known, which hands stand there twice, once for each player."""
        for line, number, _, mirror in self._views:
            if mirror in self._twins:
                self._note([Finding(line, number, "mirrored")])
        if self.sink:
            self.sink.write(json.dumps(self.as_json()) + "\n")

    @property
    def distinct(self) -> int:
        """How many different hands of people there are, twins counted once."""
        return len({frozenset((view, mirror)) for _, _, view, mirror in self._views})

    @property
    def refused(self) -> int:
        """How many rows were left out."""
        return self.rows - self.hands

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "rows": self.rows,
            "hands": self.hands,
            "refused": self.refused,
            "people": self.people,
            "matches": len(self.matches),
            "distinct": self.distinct,
            "whole": self.whole,
            "kinds": {kind: self.kinds[kind] for kind in (*REFUSED, *DOUBTFUL) if self.kinds[kind]},
        }

    def lines(self) -> Iterator[str]:
        """The counts for people: one line a kind."""
        yield (
            f"{self.rows:,} rows: {self.hands:,} hands, {self.refused:,} refused; "
            f"{self.whole:,} told completely, {self.hands - self.whole:,} partial"
        )
        for kinds, what in ((REFUSED, "refused"), (DOUBTFUL, "doubtful")):
            for kind, sentence in kinds.items():
                if self.kinds[kind]:
                    yield f"{what}  {kind:18} {self.kinds[kind]:6,}  {sentence}"

    def table(self) -> Iterator[str]:
        """The counts as a table of Markdown."""
        yield f"{self.rows:,} rows, {self.hands:,} hands, {self.refused:,} refused, {self.whole:,} told completely."
        yield ""
        yield "| kind | findings | rows | what it is |"
        yield "|---|---:|---:|---|"
        for kind, sentence in {**REFUSED, **DOUBTFUL}.items():
            if self.kinds[kind]:
                yield f"| {kind} | {self.kinds[kind]:,} | {self.rows_of[kind]:,} | {sentence} |"
