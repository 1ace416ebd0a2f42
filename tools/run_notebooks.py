"""Run the notebooks of the documentation, and keep what they print.

    python tools/run_notebooks.py

Every notebook begins with an empty data folder. The tests run them too, and compare what is printed
with what is kept.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

ROOT: Final = Path(__file__).resolve().parent.parent
NOTEBOOKS: Final = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
SECONDS: Final = 300
"""How long a cell may take on a busy machine."""


def read_notebook(file: Path) -> Any:
    """Read a notebook with the outputs that are kept in it."""
    return nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]  # published without types


def run_notebook(file: Path) -> Any:
    """Run a notebook in a process of its own; give it with its outputs."""
    notebook = read_notebook(file)
    with empty_home():
        NotebookClient(notebook, timeout=SECONDS, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
    return notebook


@contextmanager
def empty_home() -> Iterator[None]:
    """A data folder of its own for the programs that are started."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(RETRUCO_HOME=folder)
        os.environ.pop("RETRUCO_TRUCOGAME", None)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def printed(notebook: Any) -> list[str]:
    """What each cell of code prints, as text."""
    return ["".join(text_of(output) for output in cell.outputs) for cell in code_cells(notebook)]


def code_cells(notebook: Any) -> list[Any]:
    """The cells of code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def text_of(output: Any) -> str:
    """An output as text; progress on standard error does not count."""
    if output.output_type == "stream":
        return str(output.text) if output.name == "stdout" else ""
    return str(output.data["text/plain"])


def main() -> None:
    """Run all notebooks and write them with their outputs."""
    for file in NOTEBOOKS:
        notebook = run_notebook(file)
        for cell in code_cells(notebook):
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
        print(f"{file.relative_to(ROOT)}: {len(code_cells(notebook))} cells")


if __name__ == "__main__":
    main()
