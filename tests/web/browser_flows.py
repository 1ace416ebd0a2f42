"""The table as people meet it, in a real Chromium: mouse, keyboard, phone, dropped lines, three languages."""

import os
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import serving
from serving import RealServer

try:
    from playwright.sync_api import Browser, Page, expect, sync_playwright
except ImportError:  # a machine that only plays needs no browser driver
    assert os.environ.get("CI") != "true", "the browser tests need playwright"
    pytest.skip("playwright is not installed", allow_module_level=True)


server = serving.server

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync")  # fmt: skip
MAY = ".play-card:not([aria-disabled]), .call:not([aria-disabled])"
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    found = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
    if found is None:
        assert os.environ.get("CI") != "true", "the browser tests need Debian's chromium"
        pytest.skip("no chromium on this machine: the browser tests are left out")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


class Tab:
    """A page of a fresh browser, playing without waiting, that notes whatever goes wrong in it."""

    def __init__(self, browser: Browser, server: RealServer, **options: object) -> None:
        self.context = browser.new_context(base_url=server.address, locale="en-US", **options)  # type: ignore[arg-type]
        self.context.add_init_script(
            "localStorage.getItem('speed') ?? localStorage.setItem('speed', 'instant')"
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self.wrong.append(line.text) if line.type == "error" else None)

    def open(self, opponent: str = "random", target: int = 3, practice: bool = False) -> None:
        """Sit down by the form of the front page."""
        page = self.page
        page.goto("/")
        page.select_option("#opponent", opponent)
        page.fill("#target", str(target))
        page.set_checked("input[name=practice]", practice)
        page.click(".wish .primary")
        page.wait_for_selector(f"{MAY}, #rematch")

    def step(self) -> bool:
        """Do the first thing that can be done; tell whether the match is over."""
        page = self.page
        page.wait_for_selector(f"{MAY}, #rematch, #next")
        for selector in ("#rematch", "#next", ".call.flor:not([aria-disabled])", ".call.quero:not([aria-disabled])",
                         ".play-card:not([aria-disabled])", MAY):  # fmt: skip
            found = page.locator(selector).first
            if found.is_visible():
                if selector != "#rematch":
                    found.click()
                return selector == "#rematch"
        return False

    def play_out(self) -> None:
        for _ in range(300):
            if self.step():
                return
        raise AssertionError("the match never ends")


@pytest.fixture
def tab(chromium: Browser, server: RealServer) -> Iterator[Tab]:
    found = Tab(chromium, server)
    yield found
    found.context.close()
    assert found.wrong == []


def test_a_match_by_mouse_from_the_front_page_to_the_rematch(tab: Tab) -> None:
    tab.open(target=4)
    expect(tab.page.locator(".call .worth").first).to_be_visible()
    tab.play_out()
    expect(tab.page.locator("#result")).to_contain_text(re.compile("won the match"))
    before = tab.page.url
    tab.page.click("#rematch")
    tab.page.wait_for_url(lambda url: url != before)
    tab.page.wait_for_selector(MAY)


def test_one_click_is_enough(tab: Tab) -> None:
    tab.page.goto("/")
    tab.page.click(".level.easy")
    tab.page.wait_for_selector(MAY)
    assert "/table/" in tab.page.url


def test_what_is_said_shows_as_speech_and_finished_rounds_stay(tab: Tab) -> None:
    tab.open("novice", target=30)
    page = tab.page
    while page.locator(".call.truco:not([aria-disabled])").count() == 0:
        tab.step()
    page.click(".call.truco")
    expect(page.locator("#log")).to_contain_text("Truco!")
    for _ in range(20):
        if page.locator(".round .slot.won").count():
            break
        tab.step()
    expect(page.locator(".round .slot.won").first).to_be_visible()


def test_why_a_call_is_not_possible_is_said_when_it_is_pressed(tab: Tab) -> None:
    tab.open("novice", target=30)
    button = tab.page.locator(".call[aria-disabled]").first
    button.click(force=True)  # for the driver what is not possible cannot be pressed; people can
    expect(tab.page.locator("#notice")).not_to_be_empty()


def test_a_match_by_keyboard_alone(tab: Tab) -> None:
    page = tab.page
    page.goto("/")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "target":
            break
    page.keyboard.type("2")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.wish .primary')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{MAY}, #rematch")
    for _ in range(200):
        page.wait_for_selector(f"{MAY}, #rematch, #next")
        if page.locator("#rematch").is_visible():
            break
        keys = page.eval_on_selector_all(
            ".call:not([aria-disabled]), .play-card:not([aria-disabled])",
            "found => found.map((one) => one.getAttribute('aria-keyshortcuts'))",
        )
        wanted = next((key for key in ("l", "q", "1") if key in keys), "Enter")
        page.keyboard.press(wanted)
    expect(page.locator("#rematch")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(MAY)


def test_screen_readers_hear_what_happens(tab: Tab) -> None:
    tab.open("novice", target=30)
    tab.step()
    heard = tab.page.locator("#live")
    assert heard.get_attribute("aria-live") == "polite"
    expect(heard).to_contain_text(re.compile("Your turn|played|You"))
    assert tab.page.locator("svg[role=img]:not([aria-label])").count() == 0
    labels = tab.page.eval_on_selector_all(
        ".play-card", "found => found.map((one) => one.getAttribute('aria-label'))"
    )
    assert all(label.startswith("Play the ") for label in labels)


def test_everything_fits_a_phone(chromium: Browser, server: RealServer) -> None:
    tab = Tab(chromium, server, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = tab.page
    for path in ("/", "/rules/cbtg", "/lesson", "/glossary", "/me", "/api"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
    tab.open("novice", target=30)
    for _ in range(4):
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        card = page.locator(".play-card").first.bounding_box()
        assert card is not None
        assert card["width"] >= 80
        boxes = [page.locator(one).bounding_box() for one in (".board", ".felt", ".calls")]
        for above, below in pairwise(boxes):
            assert above is not None
            assert below is not None
            assert above["y"] + above["height"] <= below["y"] + 1
        tab.step()
        page.wait_for_selector(MAY)
    tab.context.close()
    assert tab.wrong == []


def test_a_dropped_line_is_taken_up_again(tab: Tab) -> None:
    tab.open("novice", target=30)
    page = tab.page
    tab.step()
    page.wait_for_selector(MAY)
    seal = page.locator("#seal").text_content()
    score = page.locator(".side.me .count").text_content()
    cards = page.locator(".play-card").count()
    page.reload()
    page.wait_for_selector(MAY)
    assert page.locator("#seal").text_content() == seal
    assert page.locator(".side.me .count").text_content() == score
    assert page.locator(".play-card").count() == cards


def test_a_restarted_server_is_found_again(chromium: Browser, tmp_path: Path) -> None:
    first = RealServer(tmp_path / "table.sqlite")
    first.start()
    tab = Tab(chromium, first)
    tab.open("novice", target=30)
    tab.step()
    tab.page.wait_for_selector(MAY)
    first.stop()
    expect(tab.page.locator("body")).to_have_class(re.compile("line-lost"))
    second = RealServer(tmp_path / "table.sqlite", first.port)
    second.start()
    expect(tab.page.locator("body")).not_to_have_class(re.compile("line-lost"), timeout=20_000)
    for _ in range(3):
        tab.step()
    tab.context.close()
    second.stop()


def test_a_second_tab_follows_and_cannot_act_twice(tab: Tab) -> None:
    tab.open("novice", target=30)
    other = tab.context.new_page()
    other.goto(tab.page.url)
    other.wait_for_selector(MAY)
    card = other.locator(".play-card:not([aria-disabled]), .call.quero:not([aria-disabled])").first
    tab.step()
    for _ in range(100):
        if other.locator("#log").text_content() == tab.page.locator("#log").text_content() != "":
            break
        other.wait_for_timeout(50)
    expect(other.locator("#log")).to_have_text(tab.page.locator("#log").text_content() or "")
    expect(card).to_be_visible()


def test_open_practice_shows_hints_and_reasons_and_takes_moves_back(tab: Tab) -> None:
    tab.open("NPCS", target=30, practice=True)
    page = tab.page
    expect(page.locator("#practice")).to_contain_text("Open practice")
    page.select_option("#adviser", "balanced")
    page.click("#hint")
    expect(page.locator("#advice")).to_contain_text("balanced would do")
    page.check("#peek")
    expect(page.locator("#other-hand")).to_have_class(re.compile("open"))
    tab.step()
    page.wait_for_selector(f"{MAY}, #next")
    page.wait_for_selector("#why-last:not([disabled])")
    page.click("#why-last")
    expect(page.locator("#advice")).to_contain_text("NPCS did")
    held = page.locator(".play-card").count()
    page.click("#take-back")
    expect(page.locator(".play-card")).to_have_count(3) if held == 2 else None
    page.wait_for_selector(MAY)


def test_replay_walks_shows_why_and_checks_the_seals(tab: Tab) -> None:
    tab.open("NPCS", target=3)
    tab.play_out()
    page = tab.page
    page.click("#to-replay")
    page.wait_for_selector("#slider:not([max='0'])")
    last = int(page.locator("#slider").get_attribute("max") or 0)
    assert page.locator("#other-hand svg[role=img]").count() == 0
    for _ in range(last):
        page.keyboard.press("ArrowRight")
    assert page.url.endswith(f"/{last}")
    page.keyboard.press("Home")
    for _ in range(last):
        page.keyboard.press("ArrowRight")
        if "NPCS" in (page.locator("#move").text_content() or ""):
            break
    expect(page.locator("#why .sentence")).to_be_visible()
    expect(page.locator("#why .cases tbody tr").first).to_be_attached()
    page.click("#ask-others")
    expect(page.locator("#others .would").first).to_be_visible()
    page.check("#open")
    expect(page.locator("#other-hand svg[role=img]").first).to_be_attached()
    page.select_option("#view", "1")
    page.locator("details:has(#check) summary").click()
    page.click("#check")
    expect(page.locator("#seals li").first).to_contain_text("the seal shown before the hand")
    assert page.locator("#seals li.wrong").count() == 0
    here = page.url
    page.goto(here)
    page.wait_for_selector("#slider:not([max='0'])")
    assert page.url == here


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pt", ("Não quero", "Sua vez|Quero")),
        ("es", ("No quiero", "turno|Quiero")),
        ("en", ("No quiero", "")),
    ],
)
def test_three_languages_at_the_table(tab: Tab, language: str, words: tuple[str, str]) -> None:
    page = tab.page
    page.goto("/")
    page.click(f".language[hreflang={language}]")
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.click(".level.easy")
    page.wait_for_selector(MAY)
    expect(page.locator("html")).to_have_attribute("lang", language)
    texts = page.evaluate("JSON.parse(document.getElementById('setup').textContent).texts")
    assert texts["call.nao-quero.label"] == words[0]
    expect(page.locator(".call").first).to_have_text(re.compile(r"\w"))


def test_dark_mode_by_the_system_and_by_choice(chromium: Browser, server: RealServer) -> None:
    tab = Tab(chromium, server, color_scheme="dark")
    tab.page.goto("/")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = tab.page.evaluate(paper)
    tab.page.click("#theme")
    assert tab.page.evaluate(paper) != dark
    tab.page.goto("/lesson")
    assert tab.page.evaluate(paper) != dark
    tab.context.close()
