"""The table as people meet it, in a real Chromium: mouse, keyboard, phone, dropped lines, three languages.

The cards are stacked, so that every test plays the same hands each time it runs.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from serving import RealServer, StackedDealer

from requirements import find_chromium, require
from retruco.web.tables.table_registry import TableRegistry

try:
    from playwright.sync_api import Browser, FloatRect, Locator, Page, expect, sync_playwright
except ImportError:  # a machine that only plays needs no browser driver
    require("playwright")


FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync")  # fmt: skip
CARD = ".play-card:not([aria-disabled]):visible"
CALL = ".call:not([aria-disabled]):visible"
MAY = f"{CARD}, {CALL}"
"""What can be done now."""
OVER = "#rematch:visible"
NEXT = "#next:visible"
PHONE = {"width": 360, "height": 740}
QUICK = {"device_scale_factor": 0.5, "reduced_motion": "reduce"}
"""Of a browser that nobody looks at: fewer dots to draw, and no motion."""
PATIENCE = 120_000
"""How long a busy machine is waited for, in milliseconds."""

STRONG = "1e 7o 3c / 5b 6c 4o"
"""A hand that the visitor, in seat 0, cannot lose at cards."""
WEAK = "4e 5o 6c / 1b 7e 3o"
TIED = "3e 2o 6b / 3c 12o 4e"
"""A hand whose first round can be tied."""
FLOR = "7c 6c 2c / 3o 12e 4b"
"""A hand in which the visitor has to sing a flor."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def dealer() -> StackedDealer:
    return StackedDealer(STRONG)


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, dealer: StackedDealer, loopback: None
) -> Iterator[RealServer]:
    found = RealServer(tmp_path_factory.mktemp("real") / "table.sqlite", dealer=dealer)
    found.start()
    yield found
    found.stop()


class Tab:
    """A page of a fresh browser, playing without waiting, that notes whatever goes wrong in it.

    At other speeds it waits for a click after every hand.
    """

    def __init__(
        self,
        browser: Browser,
        server: RealServer,
        speed: str = "instant",
        between: str = "",
        **options: object,
    ) -> None:
        self.address = server.address
        self.context = browser.new_context(base_url=server.address, locale="en-US", **options)  # type: ignore[arg-type]
        between = between or ("0" if speed == "instant" else "click")
        for name, value in (("speed", speed), ("between", between)):
            self.context.add_init_script(
                f"localStorage.getItem('{name}') ?? localStorage.setItem('{name}', '{value}')"
            )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self.wrong.append(line.text) if line.type == "error" else None)

    def begin_again(self) -> None:
        """Be somebody who has never been here: no cookies, nothing stored, one page."""
        for page in self.context.pages[1:]:
            page.close()
        self.page.goto("/glossary")  # a page that waits for nothing from the server
        self.context.clear_cookies()
        storage = self.context.new_cdp_session(self.page)
        storage.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "local_storage"})
        storage.detach()
        self.wrong.clear()

    def close(self) -> None:
        self.context.close()
        assert self.wrong == []

    def open(self, opponent: str = "novice", target: int = 30, practice: bool = False) -> None:
        """Sit down at a new table, without the front page."""
        found = re.search(r'name="form_key" value="(\w+)"', self.page.request.get("/").text())
        assert found is not None
        wish = {"opponent": opponent, "target": target, "practice": practice}
        answer = self.page.request.post("/api/matches", data=wish, headers={"X-Form-Key": found[1]})
        assert answer.status == 201, answer.text()
        self.page.goto(f"/table/{answer.json()['match']}")
        self.wait()

    def open_by_form(self, opponent: str = "novice", target: int = 30, practice: bool = False) -> None:
        """Sit down by the form of the front page."""
        page = self.page
        page.goto("/")
        page.locator("#researchers summary").click()
        page.select_option("#opponent", opponent)
        page.fill("#target", str(target))
        page.set_checked("input[name=practice]", practice)
        page.click(".wish .primary")
        self.wait()

    def wait(self) -> None:
        """Wait until it is the visitor's turn, or a hand or the match is over."""
        self.page.wait_for_selector(f"{MAY}, {OVER}, {NEXT}")

    def step(self) -> bool:
        """Do the first thing that can be done; tell whether the match is over."""
        self.wait()
        if self.page.locator(OVER).count():
            return True
        for selector in (
            NEXT,
            ".call.flor:not([aria-disabled])",
            ".call.quero:not([aria-disabled])",
            CARD,
            CALL,
        ):
            found = self.page.locator(selector)
            if found.count():
                found.first.click()
                return False
        raise AssertionError("nothing can be done")

    def play_out(self) -> None:
        for _ in range(100):
            if self.step():
                return
        raise AssertionError("the match never ends")


@pytest.fixture(autouse=True)
def fresh_deck(dealer: StackedDealer) -> None:
    """Every test begins with the same hands; one that wants others stacks them itself."""
    dealer.stack(STRONG, WEAK)


class Tabs:
    """The tabs of a file, used by one test after the other: to make one takes as long as a short test."""

    def __init__(self, browser: Browser, server: RealServer) -> None:
        self._browser, self._server = browser, server
        self._free: dict[str, list[Tab]] = defaultdict(list)
        self._taken: list[tuple[str, Tab]] = []

    def take(self, speed: str = "instant", between: str = "", **options: object) -> Tab:
        """A tab that nobody has used, or that has forgotten everything; quick, unless the time between hands matters."""
        kind = f"{speed} {between} {options}"
        if not self._free[kind]:
            look = options if between else {**QUICK, **options}
            self._free[kind].append(Tab(self._browser, self._server, speed, between, **look))
        found = self._free[kind].pop()
        self._taken.append((kind, found))
        return found

    def give_back(self) -> list[str]:
        """Make all tabs forget; tell what went wrong in them."""
        wrong = [line for _, tab in self._taken for line in tab.wrong]
        while self._taken:
            kind, tab = self._taken.pop()
            tab.begin_again()
            self._free[kind].append(tab)
        return wrong


@pytest.fixture(scope="module")
def tabs(chromium: Browser, server: RealServer) -> Tabs:
    return Tabs(chromium, server)


@pytest.fixture
def open_tab(tabs: Tabs) -> Iterator[Callable[..., Tab]]:
    """Opens a browser that nobody has used; nothing may go wrong in any of them."""
    yield tabs.take
    assert tabs.give_back() == []


@pytest.fixture
def tab(open_tab: Callable[..., Tab]) -> Tab:
    return open_tab()


def box(found: Locator) -> FloatRect:
    """Where something stands on the page."""
    place = found.bounding_box()
    assert place is not None
    return place


# A match, by every hand


def test_a_match_by_mouse_from_the_front_page_to_the_rematch(tab: Tab) -> None:
    tab.open_by_form(target=3)
    expect(tab.page.locator(".call .worth").first).to_be_visible()
    tab.play_out()
    expect(tab.page.locator("#result")).to_contain_text("won the match")
    before = tab.page.url
    tab.page.click("#rematch")
    tab.page.wait_for_url(lambda url: url != before)
    tab.page.wait_for_selector(MAY)


def test_one_click_is_enough(tab: Tab) -> None:
    tab.page.goto("/")
    tab.page.click(".level.bia")
    tab.page.wait_for_selector(MAY)
    assert "/table/" in tab.page.url


def test_a_match_by_keyboard_alone(tab: Tab, dealer: StackedDealer) -> None:
    dealer.stack(FLOR, STRONG)
    page = tab.page
    page.goto("/")
    tab_to(page, "#target")
    page.keyboard.type("4")
    tab_to(page, ".wish .primary")
    page.keyboard.press("Enter")
    for _ in range(60):
        tab.wait()
        if page.locator(OVER).count():
            break
        keys = page.eval_on_selector_all(
            ".call:not([aria-disabled]), .play-card:not([aria-disabled])",
            "found => found.map((one) => one.getAttribute('aria-keyshortcuts'))",
        )
        page.keyboard.press(next(key for key in ("l", "q", "1") if key in keys))
    expect(page.locator("#result")).to_contain_text("You won the match!")
    expect(page.locator("#rematch")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(MAY)


def tab_to(page: Page, selector: str) -> None:
    """Walk with the Tab key until the focus is there."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the Tab key never reaches {selector}")


def test_between_hands_the_table_waits_and_one_can_give_up(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(speed="fast")
    tab.open()
    tab.page.click(".call.baralho")
    expect(tab.page.locator("#result .outcome")).to_contain_text("novice wins the hand: you folded.")
    expect(tab.page.locator("#next")).to_be_focused()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("#facts")).to_contain_text("Hand 2")
    expect(tab.page.locator("#hands li").first).to_contain_text("Hand 1")
    tab.page.click(".call.baralho:not([aria-disabled])")
    tab.page.wait_for_selector(NEXT)
    tab.page.click("#resign")
    tab.page.click("#sure button[value=yes]")
    expect(tab.page.locator("#result")).to_contain_text("by resignation")
    expect(tab.page.locator("#resign")).to_be_hidden()


# What the table tells


def test_what_is_said_shows_as_speech_and_finished_rounds_stay(tab: Tab, dealer: StackedDealer) -> None:
    dealer.stack(TIED)
    tab.open()
    page = tab.page
    page.click(".call.truco")
    expect(page.locator("#log")).to_contain_text("You: Truco!")
    expect(page.locator("#other-says")).to_have_text("Quiero!")
    while not page.locator(".round .slot.won").count():
        tab.step()
    expect(page.locator(".round .slot.won").first).to_be_visible()
    expect(page.locator(".round .slot.lost svg").first).to_be_visible()


def test_a_button_says_what_its_call_is_worth_or_why_it_is_not_possible(tab: Tab) -> None:
    tab.open()
    expect(tab.page.locator(".call.truco .worth")).to_contain_text("2 / 1")
    expect(tab.page.locator(".call.truco")).to_have_attribute("title", re.compile("2.*1"))
    tab.page.locator(".call.flor").click(force=True)  # for the driver what is not possible cannot be pressed
    expect(tab.page.locator("#notice")).to_have_text(re.compile("You have no flor"))


def test_the_board_counts_malos_and_buenos(tab: Tab, dealer: StackedDealer) -> None:
    dealer.stack(FLOR)
    tab.open(target=4)
    tab.page.click(".call.flor")
    tab.wait()
    expect(tab.page.locator(".side.me .standing")).to_have_text(re.compile("buen"))
    assert tab.page.locator(".side.me .square.malos path").count() == 2
    assert tab.page.locator(".side.me .square.buenos path").count() == 1


def test_screen_readers_hear_what_happens(tab: Tab) -> None:
    tab.open()
    tab.page.click(".play-card >> nth=0")
    heard = tab.page.locator("#live")
    assert heard.get_attribute("aria-live") == "polite"
    expect(heard).to_contain_text("You played the ace of swords.")
    expect(heard).to_contain_text("novice played the")
    assert tab.page.locator("svg[role=img]:not([aria-label])").count() == 0
    for card in tab.page.locator(".play-card").all():
        expect(card).to_have_attribute("aria-label", re.compile("^Play the "))


def test_everything_fits_a_phone(open_tab: Callable[..., Tab], dealer: StackedDealer) -> None:
    dealer.stack(STRONG)
    tab = open_tab("fast", viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = tab.page
    for path in ("/", "/rules/cbtg", "/lesson", "/glossary", "/me", "/api"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
    tab.open()
    for _ in range(2):
        page.wait_for_selector(MAY)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert box(page.locator(".play-card").first)["width"] >= 80
        for above, below in pairwise(box(page.locator(one)) for one in (".board", ".felt", ".calls")):
            assert above["y"] + above["height"] <= below["y"] + 1
        page.locator(".play-card").first.tap()
        tab.wait()
    expect(page.locator("#result .outcome")).to_contain_text("You win the hand")
    page.locator("#next").tap()
    page.wait_for_selector(MAY)
    page.locator(".call.truco, .call.nao-quero").last.tap()
    expect(page.locator("#other-says")).to_be_visible()
    bubble = box(page.locator("#other-says"))
    assert bubble["x"] + bubble["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# Lines drop, servers restart, tabs double


def test_a_reloaded_page_stands_where_it_stood(tab: Tab) -> None:
    tab.open()
    page = tab.page
    page.click(".play-card >> nth=1")
    page.wait_for_selector(MAY)
    shown = ("#seal", ".side.me .count", "#facts", "#log")
    before = [page.locator(one).text_content() for one in shown]
    page.reload()
    page.wait_for_selector(MAY)
    assert [page.locator(one).text_content() for one in shown] == before
    assert page.locator(".play-card").count() == 2


def test_a_restarted_server_is_found_again(chromium: Browser, tmp_path: Path) -> None:
    first = RealServer(tmp_path / "table.sqlite", dealer=StackedDealer(STRONG))
    first.start()
    tab = Tab(chromium, first)
    tab.open()
    tab.page.click(".play-card >> nth=0")
    tab.page.wait_for_selector(MAY)
    story = tab.page.locator("#log").text_content() or ""
    first.stop()
    expect(tab.page.locator("body")).to_have_class(re.compile("line-lost"))
    second = RealServer(tmp_path / "table.sqlite", first.port)
    second.start()
    expect(tab.page.locator("body")).not_to_have_class(re.compile("line-lost"))
    expect(tab.page.locator("#log")).to_have_text(story)
    tab.page.locator(CARD).first.click()
    expect(tab.page.locator("#live")).to_contain_text("You played the seven of coins.")
    tab.context.close()  # the lost line is noted as an error, rightly
    second.stop()


def test_a_second_tab_follows_and_cannot_act_twice(tab: Tab) -> None:
    tab.open()
    other = tab.context.new_page()
    other.goto(tab.page.url)
    other.wait_for_selector(MAY)
    card = tab.page.locator(CARD).first.get_attribute("data-card")
    tab.page.click(f"[data-card='{card}']")
    expect(other.locator("#log li.act.me")).to_have_count(1)
    expect(other.locator(f".play-card[data-card='{card}']")).to_have_count(0)
    tab.page.wait_for_selector(MAY)
    expect(other.locator("#log")).to_have_text(tab.page.locator("#log").text_content() or "")


# Why, practice, replay


def test_open_practice_shows_hints_and_reasons_and_takes_moves_back(tab: Tab) -> None:
    tab.open("NPCS", practice=True)
    page = tab.page
    expect(page.locator("#practice")).to_contain_text("Open practice")
    page.select_option("#adviser", "balanced")
    page.click("#hint")
    expect(page.locator("#advice")).to_contain_text("balanced would do")
    page.check("#peek")
    expect(page.locator("#other-hand svg[aria-label='five of clubs']")).to_be_attached()
    page.click(".play-card >> nth=0")
    page.click("#why-last:not([disabled])")
    expect(page.locator("#advice")).to_contain_text("NPCS did")
    page.wait_for_selector(MAY)
    expect(page.locator(".play-card")).to_have_count(2)
    page.click("#take-back")
    expect(page.locator(".play-card")).to_have_count(3)
    page.wait_for_selector(MAY)


def test_in_open_practice_the_move_that_ended_a_hand_comes_back_too(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(speed="fast")
    page = tab.page
    tab.open_by_form(practice=True)
    page.click(".call.baralho")
    page.wait_for_selector(NEXT)
    page.click("#take-back")
    page.wait_for_selector(MAY)
    expect(page.locator("#facts")).to_contain_text("Hand 1")
    expect(page.locator(".side.other .count")).to_have_text("0")
    expect(page.locator("#result")).to_be_hidden()
    expect(page.locator("#hands li")).to_have_count(0)


def test_replay_walks_shows_why_and_finds_a_dealer_who_stacks_the_deck(tab: Tab) -> None:
    tab.open("NPCS", target=2)
    tab.play_out()
    page = tab.page
    page.click("#to-replay")
    page.wait_for_selector("#slider:not([max='0'])")
    last = int(page.locator("#slider").get_attribute("max") or 0)
    assert page.locator("#other-hand svg[role=img]").count() == 0
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(f"/{last}$"))
    page.keyboard.press("Home")
    for _ in range(last):
        page.keyboard.press("ArrowRight")
        if "NPCS" in (page.locator("#move").text_content() or ""):
            break
    expect(page.locator("#why .sentence")).to_be_visible()
    expect(page.locator("#why .cases tbody tr").first).to_be_attached()
    page.click("#ask-others")
    expect(page.locator("#others .would").first).to_be_visible()
    assert page.locator("#others .would li").count() == 20
    page.check("#open")
    expect(page.locator("#other-hand svg[role=img]").first).to_be_attached()
    page.select_option("#view", "1")
    expect(page.locator(".side.me .name")).to_have_text("NPCS")
    page.locator("details:has(#check) summary").click()
    page.click("#check")
    expect(page.locator("#seals li.wrong").first).to_contain_text("Not drawn from secret and contribution!")
    expect(page.locator("#draw li.right").first).to_contain_text("matches its commitment")
    here = page.url
    page.goto("/")
    page.goto(here)
    page.wait_for_selector("#slider:not([max='0'])")
    assert f"/{page.locator('#slider').input_value()}" == here[here.rindex("/") :]
    with page.expect_download() as saved:
        page.click("a[download]")
    assert saved.value.suggested_filename.endswith(".json")


def test_the_browser_contributes_to_honest_deals_and_draws_them_again(
    chromium: Browser, tmp_path: Path
) -> None:
    honest = RealServer(tmp_path / "table.sqlite")
    honest.start()
    tab = Tab(chromium, honest)
    try:
        tab.open_by_form(target=4)  # a flor of the agent's does not end it before anybody may move
        for _ in range(2):  # by the form of the front page, and by the button for a rematch
            tab.play_out()
            at = tab.page.url
            tab.page.click("#to-replay")
            tab.page.locator("details:has(#check) summary").click()
            expect(tab.page.locator("#recipe")).to_contain_text("sha256sum")
            tab.page.click("#check")
            expect(tab.page.locator("#draw")).to_contain_text("What this browser contributed is in it.")
            expect(tab.page.locator("#draw")).to_contain_text("Who began is drawn")
            expect(tab.page.locator("#seals li").first).to_contain_text("the seal shown before the hand")
            expect(tab.page.locator("#seals li").first).to_contain_text("Drawn from secret and contribution.")
            assert tab.page.locator("#seals li.wrong, #draw li.wrong").count() == 0
            tab.page.goto(at)
            tab.page.click("#rematch")
            tab.page.wait_for_selector(MAY)
        tab.page.goto("/holdem")
        tab.page.locator("form[data-contribute] button").last.click()
        tab.page.wait_for_url(re.compile(r"/table/."))
        registry: TableRegistry = honest.app.state.registry
        newest = registry.store.load(tab.page.url.rpartition("/")[2])
        assert newest is not None
        assert newest.shares[0].contribution
    finally:
        tab.close()
        honest.stop()


def test_after_giving_up_the_same_deals_come_with_the_seats_swapped(tab: Tab, dealer: StackedDealer) -> None:
    dealer.stack(TIED)
    page = tab.page
    tab.open()
    page.click("#resign")
    page.click("#sure button[value=yes]")
    expect(page.locator("#result")).to_contain_text("novice won the match. 0 to 0 (by resignation)")
    dealer.stack(STRONG)  # were the deals not those of the match, they would be these
    before = page.url
    page.click("#again")
    page.wait_for_url(lambda url: url != before)
    expect(page.locator(".banner")).to_be_visible()
    page.wait_for_selector(MAY)
    held = {card.get_attribute("data-card") for card in page.locator("#hand [data-card]").all()}
    assert held == {"3c", "12o", "4e"}
    page.goto("/me")
    expect(page.locator(".numbers dd").first).to_have_text("1")
    expect(page.locator("main")).to_contain_text("repeated deals")


# Languages and light


@pytest.mark.parametrize(
    ("language", "folding", "hand", "turn"),
    [
        ("pt", "Ir ao baralho", "Mão 1", "Sua vez"),
        ("es", "Irse al mazo", "Mano 1", "Te toca"),
        ("en", "Al mazo", "Hand 1", "Your turn"),
    ],
)
def test_three_languages_at_the_table(tab: Tab, language: str, folding: str, hand: str, turn: str) -> None:
    page = tab.page
    page.goto("/")
    page.click(f".language[hreflang={language}]")
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.click(".level.bia")
    page.wait_for_selector(MAY)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".call.baralho .word")).to_have_text(folding)
    expect(page.locator("#facts")).to_contain_text(hand)
    expect(page.locator("#live")).to_contain_text(turn)


def test_dark_mode_by_the_system_and_by_choice(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(color_scheme="dark")
    tab.page.goto("/")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = tab.page.evaluate(paper)
    tab.page.click("#theme")
    assert tab.page.evaluate(paper) != dark
    tab.page.goto("/lesson")
    assert tab.page.evaluate(paper) != dark
