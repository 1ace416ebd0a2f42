"""Runs of learning, in the store: one transaction a match, so that a run that was cut off goes on.

A run belongs to the base it fills. With every match the store takes, all at once, the hands that
were kept and replaced, how things stand, and the clusters; a process that is killed leaves the
base as it was after some match. Whoever comes second, be it another learner or somebody who has
changed the base in the meantime, is told so and changes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from sqlalchemy import select

from retruco.cbr.clusters import Clustering
from retruco.damage import reading_back
from retruco.games.registry import game_class
from retruco.storage.columns import packed_json, unpacked_json
from retruco.storage.deriving import CLUSTERS, METHOD, Elbow
from retruco.storage.errors import StoreError
from retruco.storage.library import Library, vocabulary_of
from retruco.storage.reading import Derived, Facts, Hand, Reader, StoredHand
from retruco.storage.schema import BASES, JOURNAL, RUNS
from retruco.storage.store import Store
from retruco.storage.writing import Writer


class Groups(Protocol):
    """The clusters of one scenario, and the curve by which their number was chosen."""

    @property
    def clustering(self) -> Clustering: ...
    @property
    def curve(self) -> Mapping[int, float]: ...


class Retained(Protocol):
    """An entry to keep."""

    @property
    def record(self) -> Mapping[str, object]: ...
    @property
    def seat(self) -> int: ...
    @property
    def origin(self) -> str: ...


class Checkpoint(Protocol):
    """What a learner hands in after a match."""

    @property
    def match(self) -> int: ...
    @property
    def first(self) -> int: ...
    @property
    def retained(self) -> Sequence[Retained]: ...
    @property
    def removed(self) -> Sequence[int]: ...
    @property
    def uses(self) -> Mapping[int, int]: ...
    @property
    def standing(self) -> Mapping[str, Any]: ...
    @property
    def watches(self) -> Mapping[str, Any]: ...
    @property
    def elbows(self) -> Mapping[str, Groups]: ...
    @property
    def journal(self) -> Sequence[Mapping[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """A run as the store knows it."""

    settings: Mapping[str, Any]
    match: int
    """How many matches it has played."""
    fingerprint: str
    standing: Mapping[str, Any]
    watches: Mapping[str, Any]
    elbows: Mapping[str, Elbow]


REMEDY: Final = "restore the store from a copy, or learn into another base"


# Beginning


@dataclass(frozen=True, slots=True)
class Start:
    """What a new run begins with: hands of another base or none, and what it is told to do."""

    source: str | None
    """The other base; without one, the run begins with no hands, of the game and rules below."""
    into: str
    settings: Mapping[str, Any]
    note: str
    created: str = ""
    first: int | None = None
    """How many of the other base's hands, by their numbers; all if not said."""
    stages: Sequence[str] = ()
    """The stages for which every hand is entered on its own; none enters hands whole."""
    elbows: Mapping[str, Groups] = field(default_factory=dict)
    """The clusters of a base that is not simply copied."""
    game: str = ""
    rules: str = ""


def begin(library: Library, start: Start, staged: Staged) -> None:
    """Make the base of a new run from another one; nothing is left behind if it fails."""
    source = library.info(start.source) if start.source is not None else None
    vocabulary_of(source.game if source else start.game)
    with library.store.writing() as writer:
        if source is None:
            writer.create(start.into, start.game, start.rules, start.note, start.created)
        elif start.first is None and not start.stages:
            copied = writer.copy(source.name, start.into, start.created)
            noted = BASES.update().where(BASES.c.id == copied.id).values(note=start.note)
            writer.connection.execute(noted)
        else:
            writer.create(start.into, source.game, source.rules, start.note, start.created)
            writer.append(start.into, _entries(writer, source, start, staged))
        base = writer.facts(start.into)
        _put_clusters(writer, base, _plain(start.elbows))
        values = {"match": 0, "fingerprint": base.fingerprint, "state": packed_json({})}
        settings = {**start.settings, **words_of(base)}
        writer.connection.execute(RUNS.insert().values(base=base.id, settings=json.dumps(settings), **values))


class Staged(Protocol):
    """Writes down that a record is kept for one stage."""

    def __call__(self, record: Mapping[str, object], seat: int, stage: str, /) -> dict[str, object]: ...


def _entries(reader: Reader, source: Facts, start: Start, staged: Staged) -> Iterator[Hand]:
    for stage in start.stages or (None,):
        for stored in _first_hands(reader, source, start.first):
            hand = stored.hand
            if stage is None:
                yield hand
            else:
                yield Hand.of(staged(hand.record, hand.seat, stage), hand.seat, hand.origin)


def _first_hands(reader: Reader, source: Facts, first: int | None) -> Iterator[StoredHand]:
    return (one for one in reader.hands(source) if first is None or one.number <= first)


def words_of(base: Facts) -> dict[str, str]:
    """Name the words in which a base's hands are remembered, and the rules' version."""
    return {"words": f"{vocabulary_of(base.game).VOCABULARY.digest}-{game_class(base.game).version}"}


# Going on


def progress(store: Store, name: str) -> Progress:
    """Find how far the run of a base has come; refuse one that cannot go on."""
    with store.reading() as reader:
        base = reader.facts(name)
        found = reader.connection.execute(select(RUNS).where(RUNS.c.base == base.id)).first()
    if found is None:
        raise StoreError(f"nobody learns into case base {name!r}: there is nothing to resume")
    with reading_back(f"{store.place}: the run of case base {name!r}", REMEDY):
        run = _progress(found)
    settings = run.settings
    if settings["words"] != words_of(base)["words"]:
        raise StoreError(
            f"case base {name!r} was learnt in other words or by other rules than this Retruco's: "
            f"{settings['words']}, not {words_of(base)['words']}"
        )
    if found.fingerprint != base.fingerprint:
        raise StoreError(_changed(name, found.fingerprint, base))
    return run


def _progress(found: Any) -> Progress:
    """Read a line of the table of runs."""
    settings, state = json.loads(found.settings), unpacked_json(found.state)
    for needed in ("words", "plan", "source", "digest", "rules"):
        settings[needed]  # one that is missing is told here, and not in the middle of a match
    elbows = {scenario: Elbow.of(one) for scenario, one in state.get("elbows", {}).items()}
    return Progress(
        settings, found.match, found.fingerprint, state.get("standing", {}), state.get("watches", {}), elbows
    )


def _changed(name: str, then: str, now: Facts) -> str:
    return f"case base {name!r} was changed by somebody else: it had {then}, now {now.fingerprint}"


def journal(store: Store, name: str) -> list[dict[str, Any]]:
    """Read what the run of a base has written down, in order."""
    with store.reading() as reader:
        base = reader.facts(name)
        lines = select(JOURNAL.c.content).where(JOURNAL.c.base == base.id)
        found = reader.connection.scalars(lines.order_by(JOURNAL.c.match, JOURNAL.c.line))
        return [json.loads(line) for line in found]


def stages_of(store: Store, name: str, stage_of: StageOf) -> dict[str | None, int]:
    """Count the entries of a base by the stage they are kept for."""
    return dict(Counter(stage_of(hand.record) for _, hand in store.hands(name)))


class StageOf(Protocol):
    """Names the stage that a record is kept for."""

    def __call__(self, record: Mapping[str, object], /) -> str | None: ...


class RunSink:
    """Takes the checkpoints of one run; each is on the disk when the call returns."""

    wants_records = True

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name

    def commit(self, page: Checkpoint, /) -> None:
        """Take a page: hands in and out, how things stand, the clusters."""
        hands = [Hand.of(one.record, one.seat, one.origin) for one in page.retained]
        elbows = _plain(page.elbows)
        state = packed_json({"standing": page.standing, "watches": page.watches, "elbows": elbows})
        with self._store.writing() as writer:
            base = self._mine(writer, page)
            writer.append(self._name, hands)
            if page.removed:
                writer.remove(self._name, page.removed)
            writer.count_uses(base, page.uses)
            now = writer.facts(self._name)
            _put_clusters(writer, now, elbows)
            _put_state(writer, now, page, state)

    def _mine(self, writer: Writer, page: Checkpoint) -> Facts:
        """Make sure that nobody else has learnt into the base or changed it."""
        base = writer.changeable(self._name)
        run = writer.connection.execute(select(RUNS).where(RUNS.c.base == base.id)).first()
        if run is None or run.match != page.match:
            at = f"is at match {run.match}" if run else "has gone"
            raise StoreError(
                f"somebody else learns into case base {self._name!r}: "
                f"its run {at}, this learner has played match {page.match}"
            )
        if run.fingerprint != base.fingerprint or base.next_number != page.first:
            raise StoreError(_changed(self._name, run.fingerprint, base))
        return base


def _plain(elbows: Mapping[str, Groups]) -> dict[str, Any]:
    return {name: Elbow(one.clustering, one.curve).as_json() for name, one in elbows.items()}


def _put_clusters(writer: Writer, base: Facts, elbows: Mapping[str, Any]) -> None:
    """Leave the clusters where the library finds them; a run without any leaves it to make them."""
    if elbows:
        content = packed_json({"method": METHOD, "scenarios": elbows})
        key = words_of(base)["words"]
        writer.put_derived(base, key, CLUSTERS, [Derived(0, base.fingerprint, content)])


def _put_state(writer: Writer, base: Facts, page: Checkpoint, state: bytes) -> None:
    values = {"match": page.match + 1, "fingerprint": base.fingerprint, "state": state}
    writer.connection.execute(RUNS.update().where(RUNS.c.base == base.id).values(**values))
    lines = [
        {"base": base.id, "match": page.match, "line": line, "content": json.dumps(content)}
        for line, content in enumerate(page.journal)
    ]
    if lines:
        writer.connection.execute(JOURNAL.insert(), lines)
