"""What every page owes its readers, in a real Chromium: it can be read by everybody, it fits, it does not jump, it is light."""

import re
from collections.abc import Callable

import pytest
import test_browser
from page_checks import LAPTOP, PHONE, SMALL, findings
from serving import RealServer, StackedDealer
from test_browser import CARD, STRONG, WEAK, Tab, box  # skips where there is no browser

from waiting import wait_until

from playwright.sync_api import Browser, Page, expect  # isort: skip

chromium = test_browser.chromium
dealer = test_browser.dealer
server = test_browser.server
fresh_deck = test_browser.fresh_deck
tabs = test_browser.tabs
open_tab = test_browser.open_tab
tab = test_browser.tab

PAGES = (
    "/", "/rules/cbtg", "/lesson", "/glossary", "/me", "/me/hands", "/teach", "/study", "/laboratory", "/api", "/nowhere",
    "/euchre", "/holdem", "/kuhn", "/puzzles", "/rating",
)  # fmt: skip
ENVIDO = "4e 5o 6c / 7e 6e 3o"
"""A hand in which the other calls envido at once."""
CLS = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
"""Adds up how far the layout has jumped, in `window.shifts`."""


@pytest.mark.slow
def test_axe_finds_nothing_wrong_with_any_page(tab: Tab) -> None:
    found = []
    for path in PAGES:
        tab.page.goto(path)
        found += findings(tab.page)
    tab.wrong.clear()  # the browser notes that one page is not there, as it should
    assert not found, "\n".join(found)


def walk_to_a_reason(page: Page) -> None:
    """Walk through a replay up to the first move of an agent."""
    while "NPCS" not in (page.locator("#move").text_content() or ""):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("#why .sentence")


@pytest.mark.slow
def test_axe_finds_nothing_wrong_with_tables(tab: Tab) -> None:
    page, found = tab.page, []
    tab.open("NPCS", target=2, practice=True)
    page.click("#hint:not([disabled])")
    page.wait_for_selector("#advice .sentence")
    found += findings(page)
    tab.open("NPCS", target=2)
    found += findings(page)
    tab.play_out()
    found += findings(page)
    page.click("#to-replay")
    page.wait_for_selector("#slider:not([max='0'])")
    walk_to_a_reason(page)
    found += findings(page)
    match = page.url.split("/")[4]
    for path in ("/me", f"/review/{match}", f"/share/{match}/1"):
        response = page.goto(path)
        assert response is not None
        assert response.ok, path
        found += findings(page)
    page.goto("/")
    page.click("#friend .primary")
    page.wait_for_selector("#link")
    found += findings(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", [LAPTOP, SMALL, PHONE])
def test_cards_and_answers_fit_the_screen_and_the_turn_is_said(
    open_tab: Callable[..., Tab], dealer: StackedDealer, size: tuple[int, int]
) -> None:
    width, height = size
    tab = open_tab(viewport={"width": width, "height": height})
    dealer.stack(ENVIDO)
    page = tab.page
    tab.open("balanced")
    expect(page.locator("#turn-line")).to_have_text("Your turn: play a card or call.")
    page.locator(CARD).first.click()
    expect(page.locator("#turn-line")).to_have_text(re.compile("Elena said “.*” What do you answer?"))
    assert page.locator(".call.quero:not([aria-disabled])").count() == 1
    for what in ("#hand", "#turn-line", "#calls .call >> nth=0", "#calls .call >> nth=-1"):
        place = box(page.locator(what))
        assert place["y"] >= 0, what
        assert place["y"] + place["height"] <= height, what
    expect(page.locator("#consent")).to_be_hidden()


def play_until_hand(page: Page, number: int) -> None:
    """Accept what is bet and play the first card, until a hand is dealt; the hands before it follow by themselves."""
    acts = page.locator(f".call.quero:not([aria-disabled]):visible, {CARD}")
    dealt = page.locator("#facts", has_text=f"Hand {number} ")
    while not dealt.count():
        wait_until(lambda: acts.count() or dealt.count(), "one may act, or the next hand is dealt")
        if acts.count():
            acts.first.click()


@pytest.mark.parametrize("size", [SMALL, PHONE])
def test_the_layout_of_the_table_does_not_jump_while_hands_follow_by_themselves(
    chromium: Browser, server: RealServer, size: tuple[int, int]
) -> None:
    tab = Tab(chromium, server, viewport={"width": size[0], "height": size[1]})
    tab.context.add_init_script(CLS)
    page = tab.page
    page.goto("/")
    page.evaluate("localStorage.setItem('between', '0.7')")
    tab.open("novice")
    play_until_hand(page, 3)
    expect(page.locator("#hands > li")).to_have_count(2)
    assert page.evaluate("window.shifts") < 0.05
    tab.close()


def test_the_table_page_is_light(tab: Tab) -> None:
    tab.open()
    tab.page.reload()
    sizes = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
    loaded = tab.page.evaluate(f"{sizes}.reduce((sum, entry) => sum + entry.encodedBodySize, 0)")
    whole = tab.page.evaluate(f"{sizes}.reduce((sum, entry) => sum + entry.decodedBodySize, 0)")
    assert loaded < 80_000
    assert loaded < whole / 2


def test_consent_is_asked_after_the_first_match(tab: Tab) -> None:
    tab.open(target=1)
    expect(tab.page.locator("#consent")).to_be_hidden()
    tab.play_out()
    expect(tab.page.locator("#consent")).to_be_visible()


def test_sound_has_a_switch_that_is_always_seen(tab: Tab) -> None:
    tab.open()
    switch = tab.page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    tab.page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")


def test_a_result_stays_until_the_player_goes_on(tab: Tab, dealer: StackedDealer) -> None:
    dealer.stack(STRONG)
    page = tab.page
    page.goto("/")
    page.evaluate("localStorage.setItem('between', 'click')")
    tab.open()
    page.click(".call.baralho")
    expect(page.locator("#result .outcome")).to_contain_text("you folded")
    page.keyboard.press("Enter")
    expect(page.locator("#facts")).to_contain_text("Hand 2")


def test_the_first_match_is_guided_to_its_end_and_the_help_recedes(
    open_tab: Callable[..., Tab], dealer: StackedDealer
) -> None:
    dealer.stack(WEAK)
    tab = open_tab(viewport={"width": 360, "height": 640})
    page = tab.page
    page.goto("/")
    page.evaluate("document.querySelector('#first-match [name=target]').value = 9")
    page.click("#first-match button")
    tab.wait()
    expect(page.locator("#guide-now")).to_contain_text("Your best card is the six of cups: ")
    expect(page.locator("#guide-can li").first).to_contain_text("Play a card")
    expect(page.locator("#guide-cards svg")).to_have_count(40)
    expect(page.locator("#guide-cards svg.mine")).to_have_count(3)
    expect(page.locator("#guide-words dt").first).to_be_visible()
    page.click("#guide-ask")
    expect(page.locator("#guide-answer")).to_contain_text("Elena would do: ")
    assert not findings(page)
    for hand in range(1, 6):  # a hand that is given up at once costs two points
        expect(page.locator("#facts")).to_contain_text(f"Hand {hand}")
        page.locator(".call.baralho:not([aria-disabled]):visible").click()
    expect(page.locator("#result")).to_contain_text("Bia won the match")
    assert not page.locator("#guide-can").evaluate("found => found.open"), "help is folded after some hands"
