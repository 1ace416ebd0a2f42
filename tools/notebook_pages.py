"""The notebooks as pages of the documentation site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def notebook_pages(docs: Path) -> dict[str, str]:
    """A page for each notebook, by its place in the site."""
    files = sorted((docs / "notebooks").glob("*.ipynb"))
    return {f"notebooks/{file.stem}.md": page_of(json.loads(file.read_text())) for file in files}


def page_of(notebook: dict[str, Any]) -> str:
    """The cells of a notebook as Markdown: text, code, and what the code prints."""
    return "\n\n".join(part for cell in notebook["cells"] for part in parts_of(cell)) + "\n"


def parts_of(cell: dict[str, Any]) -> list[str]:
    """The blocks of one cell."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    printed = "".join(text_of(output) for output in cell["outputs"]).rstrip()
    return [f"```python\n{source}\n```", *([f"``` {{ .text .output }}\n{printed}\n```"] if printed else [])]


def text_of(output: dict[str, Any]) -> str:
    """An output as text."""
    return "".join(output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"])
