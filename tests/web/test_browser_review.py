"""Review, puzzles, rating and sharing in a real Chromium: on a laptop and on a phone, by day and by night."""

from collections.abc import Iterator
from typing import Literal

import pytest
import test_browser
from page_checks import SIZES, findings  # skips where there is no axe-core
from serving import RealServer
from test_browser import CARD, Tab  # skips where there is no browser

from retruco.web.puzzles.puzzle_book import puzzles

from playwright.sync_api import Browser, Page, expect  # isort: skip

chromium = test_browser.chromium
dealer = test_browser.dealer
server = test_browser.server
fresh_deck = test_browser.fresh_deck

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SHOWN_CARDS = "#board .play-card"


@pytest.fixture(scope="module")
def tab(chromium: Browser, server: RealServer) -> Iterator[Tab]:
    """One visitor for the whole file."""
    found = Tab(chromium, server)
    yield found
    found.close()


@pytest.fixture(scope="module")
def match(tab: Tab) -> str:
    """The name of a match that was played out at the table, up to its review."""
    tab.open(target=2)
    tab.play_out()
    tab.page.click("#to-review")
    tab.page.wait_for_selector(SHOWN_CARDS)
    return tab.page.url.rpartition("/")[2]


def assert_fits(page: Page) -> None:
    """Nothing sticks out sideways, on any size, by day or by night."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)


def test_the_review_is_one_click_from_the_end_and_fits(tab: Tab, match: str) -> None:
    expect(tab.page.locator(".chart")).to_have_count(2)
    assert_fits(tab.page)


def test_a_move_of_the_list_is_shown_on_the_board(tab: Tab, match: str) -> None:
    page = tab.page
    page.goto(f"/review/{match}#hand-1")
    link = page.locator("#hand-1 .moves a").last
    expect(link).to_be_visible()
    link.click()
    expect(page.locator("#caption")).to_have_text(link.get_attribute("data-caption") or "")
    page.click("#steps button[data-step=played]")
    expect(page.locator("#steps button[data-step=played]")).to_have_attribute("aria-pressed", "true")
    assert page.url.endswith(f"/review/{match}#hand-1")


def test_a_decision_is_played_on_from_and_leads_back(tab: Tab, match: str) -> None:
    page = tab.page
    page.goto(f"/review/{match}#hand-1")
    link = page.locator("#hand-1 .moves a", has_text="You").first
    link.click()
    expect(page.locator("#caption")).to_have_text(link.get_attribute("data-caption") or "")
    page.click("#play-on")
    page.wait_for_selector(CARD)
    expect(page.locator("#practice")).to_contain_text("Open practice from a finished match")
    page.locator(CARD).first.click()
    expect(page.locator(".slot.me .card")).to_have_count(1)
    page.click("#to-origin")
    page.wait_for_url(f"**/review/{match}")


def test_a_hand_is_saved_as_a_png(tab: Tab, match: str) -> None:
    tab.page.goto(f"/share/{match}/1")
    assert_fits(tab.page)
    with tab.page.expect_download() as download:
        tab.page.click("#png")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_puzzle_is_answered_by_a_click(tab: Tab) -> None:
    puzzle = next(puzzle for puzzle in puzzles().values() if puzzle.best in puzzle.seen.held)
    tab.page.goto(f"/puzzles/{puzzle.id}")
    tab.page.wait_for_selector(SHOWN_CARDS)
    assert not findings(tab.page)
    tab.page.click(f'.play-card[data-card="{puzzle.best}"]')
    expect(tab.page.locator("h2.right")).to_be_visible()
    assert not findings(tab.page)
