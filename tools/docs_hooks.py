"""What MkDocs does beside its usual work when `make docs` builds the documentation site.

Pages are generated from the commands, the web routes, the docstrings and the notebooks. Inline
scripts, and the icons inside style sheets, become files: the web table forbids both by its
Content-Security-Policy, and the site is served under the same policy.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from notebook_pages import notebook_pages
from reference_pages import api_pages, json_page, options_page

ROOT: Final = Path(__file__).resolve().parent.parent
COPIES: Final = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "examples/bot.mjs": "examples/bot.mjs",
    "images/logo.svg": "src/retruco/web/static/logo.svg",
}
"""Files of the repository outside docs that the site shows, by their place in the site."""

LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s:]+)\)")
INLINE_SCRIPT: Final = re.compile(r"<script>(.+?)</script>", re.DOTALL)
DATA_URL: Final = re.compile(r"""url\((['"]?)data:image/svg\+xml;charset=utf-8,(.+?)\1\)""")
USELESS: Final = ("404.html", "sitemap.xml", "sitemap.xml.gz", "objects.inv")
"""What MkDocs makes for a site with an address of its own; the web table has its own page for errors."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages and the copies."""
    pages = {"reference/options.md": options_page(), "reference/json.md": json_page()}
    for path, text in {**pages, **api_pages(), **notebook_pages(ROOT / "docs")}.items():
        files.append(File.generated(config, path, content=text))
    for path, source in COPIES.items():
        files.append(File.generated(config, path, content=(ROOT / source).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links of pages and copies lead to the site; a file that the site lacks is only named."""
    place = Path(COPIES.get(page.file.src_uri, f"docs/{page.file.src_uri}")).parent

    def adapt(link: re.Match[str]) -> str:
        text, target = link[1], link[2]
        path, hash_sign, anchor = target.partition("#")
        if not path:
            return link[0]
        found = site_path(place / path)
        if found is None:
            return text
        up = "../" * page.file.src_uri.count("/")
        return f"[{text}]({up}{found}{hash_sign}{anchor})"

    return LINK.sub(adapt, markdown)


def site_path(path: Path) -> str | None:
    """Where the site has a file of the repository, if it does."""
    whole = (ROOT / path).resolve()
    copies = {source: place for place, source in COPIES.items()}
    whole = whole.with_suffix(".md") if whole.suffix == ".ipynb" else whole
    if not whole.is_relative_to(ROOT):
        return None
    source = whole.relative_to(ROOT).as_posix()
    return copies.get(source) or (source.removeprefix("docs/") if source.startswith("docs/") else None)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Put inline scripts into files."""
    up = "../" * page.file.dest_uri.count("/")

    def move(script: re.Match[str]) -> str:
        name = save(Path(config.site_dir), "assets/inline", script[1], "js")
        return f'<script src="{up}{name}"></script>'

    return INLINE_SCRIPT.sub(move, output)


def on_post_build(config: MkDocsConfig) -> None:
    """Put the icons of style sheets into files, and remove what this site does not use."""
    site = Path(config.site_dir)
    for sheet in site.rglob("*.css"):
        move_icons(sheet, site)
    for name in USELESS:
        (site / name).unlink(missing_ok=True)
    for source_map in site.rglob("*.map"):
        source_map.unlink()


def move_icons(sheet: Path, site: Path) -> None:
    """Put the icons of one style sheet into files."""
    up = "../" * (len(sheet.relative_to(site).parts) - 1)

    def move(icon: re.Match[str]) -> str:
        return f"url({up}{save(site, 'assets/icons', unquote(icon[2]), 'svg')})"

    sheet.write_text(DATA_URL.sub(move, sheet.read_text()))


def save(site: Path, folder: str, text: str, kind: str) -> str:
    """Write a file named after its content; give its place in the site."""
    name = f"{folder}/{hashlib.sha256(text.encode()).hexdigest()[:16]}.{kind}"
    file = site / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return name
