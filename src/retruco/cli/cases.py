"""`retruco cases`: list, describe, export, copy, merge and delete case bases, and show their clusters."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Final, TextIO

import typer
from rich.console import Console

from retruco.cli.errors import print_error
from retruco.cli.formatting import plain_table
from retruco.cli.progress import show_progress
from retruco.learning.case_bases import library_of
from retruco.learning.registry import providers
from retruco.storage.embedded import EmbeddedBase, ShippedBase
from retruco.storage.exchange import writer_for
from retruco.storage.library import Base, Library
from retruco.storage.reading import EMBEDDED, Facts
from retruco.storage.store import open_store

WIDTH: Final = 80


@contextmanager
def open_library() -> Iterator[Library]:
    """Open the user's library; what takes a while is said on stderr."""
    with open_store() as store:
        yield library_of(store, show_progress)


def now() -> str:
    """The time of day as a base remembers it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _console() -> Console:
    return Console(width=min(WIDTH, Console().width), highlight=False)


def list_bases() -> None:
    """Print every base with what it is, also those that are made on first use or come with the program."""
    rows = {
        base.name: _embedded_row(base) for base in providers() if isinstance(base, EmbeddedBase | ShippedBase)
    }
    with open_library() as library, library.store.reading() as reader:
        rows.update((base.name, _facts_row(base)) for base in reader.bases())
    table = plain_table("cases", "hands", "game", "rules", "what it is")
    table.columns[1].justify = "right"
    for name, about in sorted(rows.items()):
        table.add_row(name, *about)
    _console().print(table)


def _facts_row(base: Facts) -> tuple[str, ...]:
    about = ": ".join(filter(None, (base.kind, base.note)))
    return f"{base.hands:,}", base.game, base.rules, about


def _embedded_row(base: EmbeddedBase | ShippedBase) -> tuple[str, ...]:
    return f"{base.hands:,}", base.game, base.rules, f"synthetic: {base.note}; {base.source}"


def print_info(name: str, as_json: bool) -> None:
    """Print what is known of a base, its rows and its clusters."""
    with open_library() as library:
        base = library.open(name)
        uses = library.uses(name)
    if as_json:
        print(json.dumps({**base.as_json(), "used": {"hands": len(uses), "times": sum(uses.values())}}))
        return
    console = _console()
    facts = base.facts
    origins = ", ".join(f"{count:,} {origin}" for origin, count in facts.origins.items())
    console.print(f"[bold]{base.name}[/], {base.hands:,} {base.description}")
    console.print(f"origin {origins or 'no hands yet'}; made {facts.created or 'at an unknown time'}")
    if uses:
        number, most = next(iter(uses.items()))
        console.print(
            f"used {sum(uses.values()):,} times, {len(uses):,} hands of {base.hands:,}; "
            f"most often hand {number}, {most:,} times"
        )
    console.print(f"vocabulary {base.cases.vocabulary.version}, digest {base.digest}")
    table = plain_table("scenario", "rows", "K", "rows of each cluster")
    table.columns[1].justify = table.columns[2].justify = "right"
    for scenario in base.cases.vocabulary.scenarios:
        sizes = base.sizes(scenario.name)
        clusters = (str(len(sizes)), " ".join(map(str, sizes))) if sizes else ("-", "-")
        table.add_row(scenario.name, f"{base.cases.count(scenario.name):,}", *clusters)
    console.print(table)


# Export


def export_base(name: str, file_format: str, out: str | None) -> None:
    """Write the hands of a base in one of the formats."""
    write = writer_for(file_format)
    with open_library() as library:
        hands = library.hands(name)
        with open_output(out) as stream:
            write(hands, stream)


@contextmanager
def open_output(out: str | None) -> Iterator[BinaryIO]:
    """Write to standard output or to a file, which appears under its name when it is complete."""
    path = Path(out) if out not in (None, "-") else None
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif path.exists() and not path.is_file():  # a pipe, say; a folder is refused
        with path.open("wb") as stream:
            yield stream
    else:
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(f"cannot write to {path}: it is read-only")
        draft = path.with_name(path.name + ".part")
        with draft.open("wb") as stream:
            try:
                yield stream
                stream.flush()
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)


@contextmanager
def open_text_output(out: str | None) -> Iterator[TextIO]:
    """Write text to standard output or to a file."""
    with open_output(out) as stream:
        text = TextIOWrapper(stream, "utf-8")
        try:
            yield text
        finally:
            text.detach()


# Changes


def copy_base(name: str, new: str) -> None:
    """Copy a base under another name."""
    with open_library() as library:
        _print_facts(library.copy(name, new, now()))


def rename_base(name: str, new: str) -> None:
    """Give a base another name."""
    with open_library() as library:
        _print_facts(library.rename(name, new))


def merge_bases(names: Sequence[str], new: str) -> None:
    """Make a base of the hands of several."""
    with open_library() as library:
        _print_facts(library.merge(names, new, now()))


def delete_base(name: str, yes: bool) -> None:
    """Delete a base, once it is certain that this is meant."""
    with open_library() as library:
        if name == EMBEDDED:
            library.delete(name)
        facts = library.info(name)
        if not yes:
            _confirm_deletion(facts)
        library.delete(name)
    print(f"deleted {name}, {facts.hands:,} {facts.description}")


def _confirm_deletion(facts: Facts) -> None:
    if not sys.stdin.isatty():
        raise ValueError(f"deleting {facts.name!r} ({facts.hands:,} hands) needs --yes")
    typer.confirm(f"Delete {facts.name}, {facts.hands:,} {facts.description}?", abort=True)


def _print_facts(facts: Facts) -> None:
    print(f"{facts.name}: {facts.hands:,} {facts.description}")


# Clusters


def show_clusters(name: str, out: str | None) -> None:
    """Print what every cluster of a base is like, and draw the elbows by which they were counted."""
    from retruco.arena.plots import NO_MATPLOTLIB, can_draw
    from retruco.cli.cluster_profiles import print_profiles
    from retruco.cli.elbow_plot import draw_elbows

    with open_library() as library:
        base = library.open(name)
    if not base.elbows:
        raise ValueError(f"case base {name!r} has no clusters: {_why_no_clusters(base)}")
    if not can_draw():
        print_profiles(_console(), base)
        print_error(NO_MATPLOTLIB)
        return
    folder = Path(out or f"clusters-{name}")
    folder.mkdir(parents=True, exist_ok=True)
    picture = draw_elbows(base, folder)
    print_profiles(_console(), base)
    print(f"elbows drawn in {picture}")


def _why_no_clusters(base: Base) -> str:
    if not base.hands:
        return "it has no hands"
    if any(scenario.hindsight for scenario in base.cases.vocabulary.scenarios):
        return "it comes with the program, as cases without clusters"
    return f"the vocabulary of {base.facts.game} has no hindsight features"
