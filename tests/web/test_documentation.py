"""The documentation site: built strictly, every link checked, served at /docs under the policy of all pages."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import test_browser
from fastapi.testclient import TestClient
from playwright.sync_api import Browser
from serving import GENEROUS, RealServer

from retruco.web.core.app import create_app
from retruco.web.core.security import POLICY
from retruco.web.core.settings import Settings

ROOT = Path(__file__).parents[2]
chromium = test_browser.chromium
pytestmark = [pytest.mark.slow, pytest.mark.documentation]


class Elements(HTMLParser):
    """The addresses, anchors and inline code of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.sources: list[str] = []
        self.anchors: set[str] = set()
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.add(values.get("id", ""))
        if tag == "a":
            self.links.append(values.get("href", ""))
        else:
            self.sources += [values[name] for name in ("src", "href") if name in values]
        is_code = tag == "script" and "src" not in values and values.get("type") != "application/json"
        if is_code or tag == "style" or any(name == "style" or name.startswith("on") for name in values):
            self.inline.append(self.get_starttag_text() or tag)


@cache
def elements_of(page: Path) -> Elements:
    return Elements(page.read_text())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def client(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(
        tmp_path_factory.mktemp("table") / "table.sqlite", limits=GENEROUS, documentation=site
    )
    with TestClient(create_app(settings), base_url="http://localhost") as found:
        yield found


def test_every_link_picture_and_anchor_of_the_site_leads_somewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 50
    wrong = [
        f"{page.relative_to(site)}: {link}"
        for page in pages
        for link in elements_of(page).links + elements_of(page).sources
        if not leads_somewhere(page, link)
    ]
    assert wrong == []


def leads_somewhere(page: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    is_top = not parts.fragment or parts.fragment.startswith("__")  # `__tabbed` and the like are the theme's
    return is_top or unquote(parts.fragment) in elements_of(target).anchors


def test_the_site_needs_nothing_that_the_policy_forbids(site: Path) -> None:
    for page in site.rglob("*.html"):
        found = elements_of(page)
        assert found.inline == [], page
        assert [link for link in found.sources if urlsplit(link).netloc] == [], page
    for sheet in site.rglob("*.css"):
        assert re.findall(r"url\(['\"]?(?:data:|https?:|//)[^)]{0,40}", sheet.read_text()) == [], sheet


def test_the_site_is_served_with_the_policy_of_all_pages(client: TestClient) -> None:
    answer = client.get("/docs")
    assert answer.status_code == 200
    assert answer.url.path == "/docs/"
    assert answer.headers["content-security-policy"] == POLICY
    assert "Card-playing agents" in answer.text
    assert client.get("/docs/search/search_index.json").json()["docs"]


@pytest.mark.parametrize("path", ["/docs/nothing.html", "/docs/../core/app.py", "/docs/%2e%2e/core/app.py"])
def test_a_page_that_the_site_lacks_is_answered_by_the_web_table(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_site_that_was_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "table.sqlite", documentation=tmp_path / "documentation")
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        answer = client.get("/docs/", headers={"Accept-Language": "en"})
    assert answer.status_code == 404
    assert "make docs" in answer.text


def test_the_search_of_the_site_works_offline(
    site: Path, chromium: Browser, tmp_path: Path, loopback: None
) -> None:
    server = RealServer(tmp_path / "table.sqlite", documentation=site)
    server.start()
    page, complaints, strangers = chromium.new_page(), [], []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: strangers.append(request.url))
    page.goto(f"{server.address}/docs/")
    page.fill("input.md-search__input", "envido")
    page.wait_for_selector("li.md-search-result__item")
    page.close()
    server.stop()
    assert complaints == []
    assert [url for url in strangers if not url.startswith(server.address)] == []
