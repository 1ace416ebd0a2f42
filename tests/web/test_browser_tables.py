"""Euchre and hold'em in a real Chromium, mostly without a script: open, play a hand, why, replay, leave."""

import re
from collections.abc import Iterator

import pytest
import test_browser
from serving import RealServer
from test_browser import PHONE, Tab, tab_to  # skips where there is no browser

from waiting import wait_until

from playwright.sync_api import Browser, Page, expect  # isort: skip

chromium = test_browser.chromium
dealer = test_browser.dealer
server = test_browser.server
MAY = "button.word, button.playable"


@pytest.fixture
def plain(chromium: Browser, server: RealServer) -> Iterator[Tab]:
    """A browser that runs no script."""
    found = Tab(chromium, server, java_script_enabled=False)
    yield found
    found.close()


def everybody_has_learnt(page: Page) -> bool:
    """Whether the table is no longer waiting for somebody; if it is, look again."""
    waits = page.locator("meta[http-equiv=refresh]").count() > 0
    if waits:
        page.reload()
    return not waits


def play_hand(page: Page, choice: str = MAY) -> None:
    """Press the first button that fits until the hand is over."""
    for _ in range(40):
        wait_until(lambda: everybody_has_learnt(page), "everybody at the table has learnt")
        if page.locator("#next").count():
            return
        may = page.locator(choice)
        with page.expect_navigation():
            (may if may.count() else page.locator(MAY)).first.click()
    raise AssertionError("the hand never ends")


def test_holdem_without_a_script(plain: Tab) -> None:
    page = plain.page
    page.goto("/")
    page.click(".doors.games a[href='/holdem']")
    page.select_option("#seat2", "always-call")
    page.select_option("#seat3", "")
    page.click("button.primary")
    expect(page.locator(".holdem-felt .seat")).to_have_count(3)
    expect(page.locator(".holdem-felt .me svg[role=img]")).to_have_count(2)
    play_hand(page, "button.call, button.check")
    expect(page.locator("#turn")).to_contain_text("big blinds")
    page.click(".why-panel > details > summary")
    expect(page.locator(".why-panel li").first).to_be_visible()
    page.locator(".why-panel li details summary", has_text="Its situation").first.click()
    expect(page.locator(".why-panel table").first).to_contain_text("chance to be the best hand")
    page.click("#next")
    expect(page.locator("h1")).to_contain_text("Hand 2")
    page.click("a[href$='/hands']")
    page.click("table.hands a")
    for _ in range(3):
        page.click(".player a[aria-label='Forward']")
    expect(page.locator(".player")).to_contain_text("Move 3 of")
    expect(page.locator("#why strong")).to_be_visible()
    page.click("a.primary[href^='/holdem/']")
    page.click(".leaving summary")
    page.click("#leave")
    expect(page.locator("main")).to_contain_text("You have left the table.")
    page.click("table.hands a")
    page.locator("details", has_text="Fair deals").locator("summary").click()
    expect(page.locator("pre")).to_contain_text("sha256sum")


def test_euchre_without_a_script(plain: Tab) -> None:
    page = plain.page
    page.goto("/euchre")
    page.select_option("#right", "UF@tricks")
    page.click("button.primary")
    play_hand(page)
    page.click(".why-panel > details > summary")
    expect(page.locator(".why-panel .sentence").first).to_be_visible()
    page.click("#next")
    page.click("a[href$='/hands']")
    page.click("table.hands a")
    page.click(".player a[aria-label='End']")
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator("[aria-current=step]")).to_have_count(1)


def test_a_hand_of_holdem_by_keyboard(chromium: Browser, server: RealServer) -> None:
    tab = Tab(chromium, server)
    page = tab.page
    page.goto("/holdem?lang=es")
    tab_to(page, "#seat1")
    page.keyboard.type("always-c")
    tab_to(page, "button.primary")
    page.keyboard.press("Enter")
    expect(page.locator("#turn")).to_contain_text("Te toca")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # straight to one's move
    tab_to(page, "button.call, button.check")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(re.compile("Vos: (Igualar|Pasar)"))
    tab.close()


def test_every_page_fits_a_phone(chromium: Browser, server: RealServer) -> None:
    tab = Tab(chromium, server, viewport=PHONE, has_touch=True, is_mobile=True)
    page = tab.page

    def fits() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], page.url

    for game in ("holdem", "euchre"):
        page.goto(f"/{game}")
        fits()
        if game == "holdem":
            page.locator(".more summary").tap()
            for seat in range(1, 10):
                page.select_option(f"#seat{seat}", "always-raise" if seat % 2 else "always-call")
        with page.expect_navigation():
            page.locator("button.primary").tap()
        fits()
        for button in page.locator(MAY).all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
        play_hand(page)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        fits()
        page.goto(f"{page.url}/hands")
        fits()
        page.goto(f"{page.url}/1?step=2")
        fits()
    tab.close()
