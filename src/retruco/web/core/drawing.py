"""Renders templates: the site's own, and those that a game's view brings."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from retruco.web.core.paths import STATIC, TEMPLATES


@cache
def environment(folder: Path | None = None) -> Environment:
    """The templates, with those of a view's folder beside the site's; everything filled into them is escaped."""
    found = Environment(
        loader=FileSystemLoader([TEMPLATES, *([folder / "templates"] if folder else [])]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["static"] = static
    return found


def render(folder: Path | None, template: str, **values: Any) -> str:
    """Fill a template in."""
    return environment(folder).get_template(template).render(values)


@cache
def static(path: str) -> str:
    """The address of one of our files, with a version made of all of them."""
    return f"/static/{path}?v={_version()}"


@cache
def _version() -> str:
    digest = blake2b(digest_size=6)
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()
