"""Tables of every game in a real Chromium, with and without a script: open, play, why, look again, leave."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import test_browser
from page_checks import findings, too_low
from serving import RealServer
from test_browser import PHONE, Tab, tab_to  # skips where there is no browser

from waiting import wait_until

from playwright.sync_api import Page, expect  # isort: skip

chromium = test_browser.chromium
dealer = test_browser.dealer
server = test_browser.server
tabs = test_browser.tabs
open_tab = test_browser.open_tab
MAY = "button.word:enabled, button.playable:enabled"
OPEN_ALL = "document.querySelectorAll('details').forEach((found) => { found.open = true })"
TALL_PHONE = {"width": 390, "height": 844}

NOTE_POSITIONS = """
window.positions = [];
function note() {
  const number = Number(document.querySelector("#board .board").dataset.number);
  if (window.positions.at(-1)?.number === number) return;
  const count = (selector) => document.querySelectorAll(`#board ${selector}`).length;
  window.positions.push({
    number, at: performance.now(), cards: count(".played.gone"), hands: count(".seat:not(.me) svg[role=img]"),
  });
}
new MutationObserver(note).observe(document.getElementById("board"), { childList: true });
note();
"""
"""Notes every position that a page shows, in `window.positions`: a page that is loaded anew knows none of them."""


@pytest.fixture
def plain(open_tab: Callable[..., Tab]) -> Tab:
    """A browser that runs no script."""
    return open_tab(java_script_enabled=False)


def finished_hands(page: Page) -> int:
    """How many hands are over, as the page shows it."""
    link = page.locator("#summary a[href*='/hands/']")
    return int(str(link.get_attribute("href")).rpartition("/")[2]) if link.count() else 0


def everybody_has_acted(page: Page) -> bool:
    """Whether the table no longer waits for somebody else; if it does, look again."""
    waits = page.locator("meta[http-equiv=refresh]").count() > 0
    if waits:
        page.reload()
    return not waits


def play_hand_by_forms(page: Page, choice: str = MAY) -> None:
    """Press the first button that fits until another hand is over; every answer is a page of its own."""
    before = finished_hands(page)
    for _ in range(40):
        wait_until(lambda: everybody_has_acted(page), "everybody else has acted")
        if finished_hands(page) > before:
            return
        with page.expect_navigation():
            first_button(page, choice).click()
    raise AssertionError("the hand never ends")


def first_button(page: Page, choice: str) -> Any:
    """The first button that fits or, if none does, the first of all."""
    may = page.locator(choice)
    return (may if may.count() else page.locator(MAY)).first


def play_hand(page: Page, choice: str = MAY) -> None:
    """Press the first button that fits until the page shows how another hand ended."""
    before = finished_hands(page)
    for _ in range(40):
        if wait_until(lambda: hand_is_over(page, before), "one may act, or the hand is over") == "over":
            return
        first_button(page, choice).click()
    raise AssertionError("the hand never ends")


def hand_is_over(page: Page, before: int) -> str:
    if finished_hands(page) > before:
        return "over"
    return "going on" if page.locator(MAY).count() else ""


# Without a script


def test_holdem_without_a_script(plain: Tab) -> None:
    page = plain.page
    page.goto("/")
    page.click(".doors.games a[href='/holdem']")
    page.select_option("#seat2", "always-call")
    page.select_option("#seat3", "")
    page.click(".panel form[action='/holdem'] button.primary")
    expect(page.locator(".holdem-felt .seat")).to_have_count(3)
    expect(page.locator(".holdem-felt .me svg[role=img]")).to_have_count(2)
    play_hand_by_forms(page, "button.call, button.check")
    expect(page.locator("#summary")).to_contain_text("big blinds")
    page.click("#summary > details > summary")
    expect(page.locator("#summary li").first).to_be_visible()
    page.locator("#summary .researchers", has_text="Its situation").first.locator("> summary").click()
    page.locator("#summary li details summary", has_text="Its situation").first.click()
    expect(page.locator("#summary table").first).to_contain_text("chance to be the best hand")
    expect(page.locator(".holdem-felt .me svg[role=img]")).to_have_count(2)  # the next hand is dealt
    page.click(".beneath a[href$='/hands']")
    page.click("table.hands a")
    for _ in range(3):
        page.click(".player a[aria-label='Forward']")
    expect(page.locator(".player")).to_contain_text("Move 3 of")
    expect(page.locator("#why strong")).to_be_visible()
    page.click("a.primary[href^='/table/']")
    page.click(".leaving summary")
    page.click("#leave")
    expect(page.locator("main")).to_contain_text("somebody left the table")
    page.click("table.hands a")
    page.locator("details", has_text="Fair deals").locator("summary").click()
    expect(page.locator("pre")).to_contain_text("sha256sum")


def test_euchre_without_a_script(plain: Tab) -> None:
    page = plain.page
    page.goto("/euchre")
    page.select_option("#seat3", "UF@tricks")
    page.click(".panel form[action='/euchre'] button.primary")
    play_hand_by_forms(page)
    page.click("#summary > details > summary")
    expect(page.locator("#summary .sentence").first).to_be_visible()
    page.click(".beneath a[href$='/hands']")
    page.click("table.hands a")
    page.click(".player a[aria-label='End']")
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator("[aria-current=step]")).to_have_count(1)


# With a script


def wait_for_script(page: Page, speed: str = "instant") -> None:
    """Wait until the script of a table has begun; a form that is sent before loads a page."""
    expect(page.locator("#speed")).to_have_value(speed)


def positions(page: Page) -> list[dict[str, float]]:
    """The positions that the page has shown since it was told to note them."""
    found: list[dict[str, float]] = page.evaluate("window.positions")
    return found


def test_no_page_is_loaded_for_a_move_and_no_position_is_left_out(open_tab: Callable[..., Tab]) -> None:
    page = open_tab().page
    page.goto("/kuhn")
    page.select_option("#seat1", "random")
    page.click(".panel form[action='/kuhn'] button.primary")
    wait_for_script(page)
    page.evaluate(NOTE_POSITIONS)
    for _ in range(2):
        play_hand(page)
    numbers = [position["number"] for position in positions(page)]
    assert len(numbers) >= 4
    assert all(after == before + 1 for before, after in pairwise(numbers))


@pytest.mark.parametrize("speed", ["fast", "instant"])
def test_a_finished_trick_stays_on_the_table(open_tab: Callable[..., Tab], speed: str) -> None:
    page = open_tab(speed=speed, between="2").page
    page.goto("/euchre")
    for seat in (1, 2, 3):
        page.select_option(f"#seat{seat}", "random")
    page.select_option("#rules", "seelbinder2012")
    page.click(".panel form[action='/euchre'] button.primary")
    wait_for_script(page, speed)
    page.evaluate(NOTE_POSITIONS)
    tricks = wait_until(lambda: play_until_tricks(page), "a trick is over and the next one has begun")
    assert all(trick["cards"] == 4 for trick, _ in tricks)
    assert all(after["at"] - trick["at"] > 900 for trick, after in tricks)


def play_until_tricks(page: Page) -> list[tuple[dict[str, float], dict[str, float]]]:
    """Play on; give the positions after a finished trick, each with the one that followed."""
    if page.locator(MAY).count():
        page.locator(MAY).first.click()
    return [pair for pair in pairwise(positions(page)) if pair[0]["cards"]]


def test_a_showdown_stays_on_the_table(open_tab: Callable[..., Tab]) -> None:
    page = open_tab(between="2").page
    page.goto("/holdem")
    page.select_option("#seat1", "always-call")
    for seat in (2, 3):
        page.select_option(f"#seat{seat}", "")
    page.click(".panel form[action='/holdem'] button.primary")
    wait_for_script(page)
    page.evaluate(NOTE_POSITIONS)
    play_hand(page, "button.call:enabled, button.check:enabled")
    page.wait_for_selector(MAY)
    showdown, after = next(pair for pair in pairwise(positions(page)) if pair[0]["hands"])
    assert showdown["hands"] == 2
    assert after["hands"] == 0
    assert after["at"] - showdown["at"] > 1900, "it is seen even by who does not want to wait"
    expect(page.locator("#summary")).to_contain_text("big blinds")


def test_a_hand_of_holdem_by_keyboard(open_tab: Callable[..., Tab]) -> None:
    page = open_tab().page
    page.goto("/holdem?lang=es")
    tab_to(page, "#seat1")
    page.keyboard.type("Lou")
    tab_to(page, "button.primary")
    page.keyboard.press("Enter")
    wait_for_script(page)
    expect(page.locator("#turn")).to_contain_text("Te toca")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # straight to one's move
    tab_to(page, "button.call, button.check")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(re.compile("Vos: (Igualar|Pasar)"))
    wait_until(lambda: page.locator(MAY).count(), "the next move")
    assert page.evaluate("document.activeElement.closest('#board') !== null"), "the focus stays at the table"


@pytest.mark.slow
def test_nothing_is_wrong_with_any_page_on_a_phone_or_a_desk(open_tab: Callable[..., Tab]) -> None:
    page, found = open_tab(viewport=PHONE, has_touch=True, is_mobile=True).page, []
    for game in ("holdem", "euchre", "kuhn"):
        page.goto(f"/{game}")
        if game == "holdem":
            page.locator(".more summary").tap()
            for seat in range(1, 10):
                page.select_option(f"#seat{seat}", "always-raise" if seat % 2 else "always-call")
        with page.expect_navigation():
            page.locator(f".panel form[action='/{game}'] button.primary").tap()
        wait_for_script(page)
        page.wait_for_selector(MAY)
        found += too_low(page, f"{MAY}, #turn, .cards > *, .me .two svg") if game != "holdem" else []
        for button in page.locator(MAY).all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
        play_hand(page)
        page.evaluate(OPEN_ALL)
        found += findings(page)
        page.goto(f"{page.url}/hands")
        found += findings(page)
        page.goto(f"{page.url}/1?step=2")
        page.evaluate(OPEN_ALL)
        found += findings(page)
    assert not found, "\n".join(found)


# People


def test_two_people_and_two_agents_finish_a_game_of_euchre(
    open_tab: Callable[..., Tab], server: RealServer
) -> None:
    """One of them at a phone; the form offers no game as short as this one."""
    host, phone = open_tab(), open_tab(viewport=TALL_PHONE, has_touch=True, is_mobile=True)
    invite_partner(host.page, server, target=2)
    phone.page.goto(host.page.input_value("#link"))
    expect(phone.page.locator("h1")).to_contain_text("Ana invites you")
    phone.page.fill("#name", "Beto")
    phone.page.locator("#sit").tap()
    pages = (host.page, phone.page)
    for page in pages:
        page.wait_for_url(re.compile("/table/"))
        wait_for_script(page)
        page.evaluate(NOTE_POSITIONS)
    expect(host.page.locator(".euchre-felt .partner .who")).to_contain_text("Beto")
    expect(phone.page.locator(".euchre-felt .partner .who")).to_contain_text("Ana")
    expect(phone.page.locator("#clock-time")).not_to_be_empty()
    while (page := wait_until(lambda: next_to_act(pages), "somebody may act, or the game is over")) != "over":
        may = page.locator(MAY).first
        may.tap() if page is phone.page else may.click()
    results = {page.locator("#turn").inner_text() for page in pages}
    assert results in ({"You won the match!"}, {"You lost the match."})
    for page in pages:
        numbers = [position["number"] for position in positions(page)]
        assert all(after == before + 1 for before, after in pairwise(numbers)), "nothing was loaded anew"
        assert page.evaluate("document.documentElement.scrollWidth") <= width(page)
    match = host.page.url.rpartition("/")[2]
    host.page.click("#rematch")
    expect(host.page.locator("h1")).to_contain_text("Waiting")
    phone.page.locator("#rematch").tap()
    for page in pages:
        page.wait_for_url(re.compile(f"/table/(?!{match})"))
        page.wait_for_selector(".euchre-felt")


def invite_partner(page: Page, server: RealServer, target: int) -> None:
    """Ask for a partner by the form, and make the game short."""
    page.goto("/euchre")
    for seat, who in ((1, "random"), (2, "person"), (3, "random")):
        page.select_option(f"#seat{seat}", who)
    page.fill("#my-name", "Ana")
    page.select_option("#clock", "120")
    page.click(".panel form[action='/euchre'] button.primary")
    expect(page.locator("#link")).to_have_value(re.compile(r"^http.*/join/.*\?seat=2$"))
    invitation = page.url.rpartition("/")[2]
    server.registry.store.change(
        lambda base: base.execute("UPDATE invitation SET target = ? WHERE id = ?", (target, invitation))
    )


def width(page: Page) -> int:
    """How wide the window is."""
    assert page.viewport_size is not None
    return page.viewport_size["width"]


def next_to_act(pages: tuple[Page, ...]) -> Any:
    """The page of whoever is to act; `over` when the game is over for all."""
    over = [page.locator("#rematch:visible").count() > 0 for page in pages]
    if all(over):
        return "over"
    return next((page for page in pages if page.locator(MAY).count()), None)
