"""What scripts that write a page of the documentation share: their options, and the writing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path


def page_options(about: str | None) -> argparse.ArgumentParser:
    """The options of every such script: the case base, and the file of the page."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", help="the case base; human if it can be had, else the embedded one")
    parser.add_argument("--out", type=Path, help="the file of the page; it is only printed if none is named")
    return parser


def write_page(lines: Iterable[str], file: Path | None) -> None:
    """Print the lines as they come; write them to a file when all are there."""
    written = []
    for line in lines:
        print(line, flush=True)
        written.append(line)
    if file is not None:
        file.write_text("\n".join(written) + "\n", encoding="utf-8")
