"""Where the files of the pages are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).parents[1]
STATIC: Final = WEB / "static"
TEMPLATES: Final = WEB / "templates"
TEXTS: Final = WEB / "texts"
DOCUMENTATION: Final = WEB / "documentation"
"""The documentation site, if `make docs` has built it."""
