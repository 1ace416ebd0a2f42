"""More than one at the table, in a real Chromium: two people, a pupil and its teacher, opinions, the laboratory."""

import re
from collections.abc import Callable, Iterator

import httpx2
import pytest
import test_browser
from page_checks import findings
from serving import RealServer, StackedDealer
from test_browser import CARD, MAY, OVER, PHONE, Tab  # skips where there is no browser
from test_laboratory import small_base
from visitors import Json, Visitor, first_legal, legal

from waiting import wait_until

from playwright.sync_api import Page, expect  # isort: skip
from retruco.web.core.admin_key import new_key

chromium = test_browser.chromium
dealer = test_browser.dealer
tabs = test_browser.tabs
open_tab = test_browser.open_tab
tab = test_browser.tab


class Keyed(RealServer):
    """A server whose owner's key is known to the test."""

    key: str


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, dealer: StackedDealer, loopback: None
) -> Iterator[Keyed]:
    folder = tmp_path_factory.mktemp("people")
    small_base(folder / "cases.db")
    key = new_key(folder / "table.sqlite")
    found = Keyed(folder / "table.sqlite", dealer=dealer)
    found.key = key or ""
    found.start()
    yield found
    found.stop()


@pytest.fixture
def other(open_tab: Callable[..., Tab]) -> Tab:
    """Another person, at a phone."""
    return open_tab(viewport=PHONE)


def sit_together(tab: Tab, other: Tab, target: int) -> None:
    """Invite from the front page, and sit down by the link."""
    tab.page.goto("/")
    tab.page.fill("#my-name", "Ana")
    tab.page.fill("#friend-target", str(target))
    tab.page.click("#friend .primary")
    expect(tab.page.locator("#link")).to_have_value(re.compile("^http"))
    other.page.goto(tab.page.input_value("#link"))
    expect(other.page.locator("h1")).to_contain_text("Ana invites you")
    other.page.fill("#name", "Beto")
    other.page.click("#sit")
    other.page.wait_for_url(re.compile("/table/"))
    tab.page.wait_for_url(re.compile("/table/"))


def next_mover(tab: Tab, other: Tab) -> Tab | None:
    """Whose turn it is; when the match is over for both, either."""
    over = [one.page.locator(OVER).count() for one in (tab, other)]
    if all(over):
        return tab
    may = (one for one, ended in zip((tab, other), over, strict=True) if not ended)
    return next((one for one in may if one.page.locator(MAY).count()), None)


def test_two_people_in_two_browsers_play_to_the_end_and_once_more(tab: Tab, other: Tab) -> None:
    sit_together(tab, other, target=2)
    expect(tab.page.locator(".side.other .name")).to_have_text("Beto")
    expect(other.page.locator(".side.other .name")).to_have_text("Ana")
    expect(tab.page.locator("#clock-time")).to_contain_text(re.compile(r"\d:\d\d"))
    tab.page.click("#phrases summary")
    tab.page.click("#phrases [data-phrase=good_luck]")
    expect(other.page.locator("#notice")).to_have_text("Ana: “Good luck!”")
    assert not findings(tab.page)
    first = tab.page.url
    while mover := wait_until(lambda: next_mover(tab, other), "somebody may move, or the match is over"):
        if mover.page.locator(OVER).count():
            break
        mover.step()
    expect(tab.page.locator("#result")).to_contain_text("won the match")
    expect(other.page.locator("#result")).to_contain_text("won the match")
    tab.page.click("#rematch")
    expect(tab.page.locator("h1")).to_have_text("Waiting for the rematch to be accepted")
    expect(tab.page.locator("#link")).to_have_count(0)
    expect(other.page.locator("#notice")).to_have_text("Ana asks for a rematch.")
    other.page.click("#rematch")
    for one in (tab, other):
        one.page.wait_for_url(re.compile("/table/"))
        one.page.wait_for_selector(".play-card")
        assert one.page.url != first


def test_who_stays_claims_the_match_of_who_left(tab: Tab, other: Tab, server: Keyed) -> None:
    sit_together(tab, other, target=30)
    mover = wait_until(lambda: next_mover(tab, other), "one of the two pages shows whose turn it is")
    stays = other if mover is tab else tab
    match = tab.page.url.rpartition("/")[2]
    mover.page.goto("/glossary")
    live = server.app.state.registry.find(match)
    live.since -= 1000
    stays.page.wait_for_selector("#claim:visible")
    stays.page.click("#claim")
    expect(stays.page.locator("#result")).to_contain_text("left the table")


def test_a_rated_match_is_watched_live_and_given_up(
    tab: Tab, other: Tab, open_tab: Callable[..., Tab]
) -> None:
    tab.page.goto("/")
    tab.page.fill("#my-name", "Ana")
    tab.page.check("#friend [name=rated]")
    tab.page.click("#friend .primary")
    expect(tab.page.locator("#link")).to_have_value(re.compile("^http"))
    other.page.goto(tab.page.input_value("#link"))
    expect(other.page.locator("#rated")).to_contain_text("By sitting down you agree.")
    other.page.fill("#name", "Beto")
    other.page.click("#sit")
    tab.page.wait_for_url(re.compile("/table/"))
    expect(tab.page.locator("#rated-match")).to_contain_text("You 1500, Beto 1500")
    for player in (tab, other):
        player.page.click("#watchers")
        player.page.check("#let-watch")
    link = other.page.locator("#watch-link")
    expect(link).to_be_visible()
    watcher = open_tab()
    watcher.page.goto(link.get_attribute("href") or "")
    expect(watcher.page.locator("#watchers")).to_have_text("Spectators: 1")
    expect(watcher.page.locator("#hand .card, #other-hand .card")).to_have_count(6)
    expect(watcher.page.locator("#clock-time")).to_contain_text(re.compile(r"\d:\d\d"))
    expect(tab.page.locator("#watchers")).to_have_text("Spectators: 1")
    mover = wait_until(lambda: next_mover(tab, other), "one of the two may move")
    mover.page.locator(CARD).first.click()
    expect(watcher.page.locator(".slot .card")).to_have_count(1)
    expect(watcher.page.locator("#hand .card, #other-hand .card")).to_have_count(5)
    assert not findings(watcher.page)
    other.page.click("#resign")
    other.page.click("#sure [value=yes]")
    for page in (tab.page, watcher.page):
        expect(page.locator("#result")).to_contain_text("by resignation")
    expect(tab.page.locator("#rating-now")).to_contain_text("(+")
    expect(other.page.locator("#rating-now")).to_contain_text("(−")
    watcher.page.click("#to-replay")
    watcher.page.wait_for_url(re.compile("/replay/"))


def test_hands_are_kept_by_consent_and_deleted_by_wish(tab: Tab, server: Keyed) -> None:
    page = tab.page
    tab.open(target=1)
    expect(page.locator("#consent")).to_be_hidden()
    tab.play_out()
    page.click("#consent-yes")
    expect(page.locator("#consent")).to_have_count(0)
    tab.open(target=2)
    tab.play_out()
    registry = server.app.state.registry
    count = len(registry.find(page.url.rpartition("/")[2]).table.hands)
    registry.recorder._hands.submit(lambda: None).result()  # hands are kept soon after they end
    page.goto("/me/hands")
    expect(page.locator("#consent-now")).to_contain_text("are kept")
    expect(page.locator("#kept tbody tr")).to_have_count(count)
    assert not findings(page)
    with page.expect_download() as taken:
        page.click("#export")
    assert len(taken.value.path().read_text().splitlines()) == count
    page.locator(".delete").first.click()
    expect(page.locator("#kept tbody tr")).to_have_count(count - 1)
    tab.open(target=30)
    expect(page.locator("#consent")).to_have_count(0)
    page.goto("/me/hands")
    page.locator("details:has(#forget) summary").click()
    page.click("#forget")
    expect(page.locator("#none")).to_be_visible()
    expect(page.locator("#consent-now")).to_contain_text("not kept")


def teach_a_little(page: Page) -> bool:
    """Do as the pupil proposes, or ask for the next hand; tell whether it has kept a case."""
    if page.locator("#next:visible").count():
        page.click("#next")
    elif page.locator("#propose:visible").count():
        expect(page.locator("#question-now")).to_contain_text("does not know")
        page.click("#propose")
    return page.locator(f".lesson-case, {OVER}").count() > 0


def test_an_agent_is_taught_and_shows_what_it_keeps(tab: Tab) -> None:
    page = tab.page
    page.goto("/teach")
    page.click("#begin")
    wait_until(lambda: teach_a_little(page), "a case is kept")
    expect(page.locator(".lesson-case").first).to_contain_text("case ")
    expect(page.locator("#lesson-count")).to_contain_text(re.compile(r"[1-9]"))
    assert not findings(page)


def fold(frame: Json) -> str:
    """Give the hand up, or answer so that one can."""
    return "baralho" if "baralho" in legal(frame) else first_legal(frame)


def fold_out(tab: Tab) -> None:
    """Lose a whole match as quickly as the rules allow; the page shows only its end."""
    where = tab.page.url
    tab.page.goto("/glossary")
    match = where.rpartition("/")[2]
    cookies = {cookie["name"]: cookie["value"] for cookie in tab.context.cookies()}
    with httpx2.Client(base_url=tab.address) as client:
        visitor = Visitor(client, cookies)
        while not (frame := visitor.now(match))["end"]:
            assert visitor.act(match, frame["number"], fold(frame)).status_code == 200
    tab.page.goto(where)
    tab.page.wait_for_selector(OVER)


def test_opinions_are_asked_after_a_match_of_the_study_and_shown_in_sums(tab: Tab) -> None:
    page = tab.page
    tab.open("NPS", target=1)
    tab.play_out()
    assert page.locator("#to-opinion").count() == 0
    page.goto("/results")
    page.click("#study")
    page.click("#play button")
    tab.wait()
    fold_out(tab)
    page.click("#to-opinion")
    assert not findings(page)
    for question in ("competence", "coherence", "predictability", "fun"):
        page.check(f"input[name={question}][value='5']", force=True)
    page.fill("#years", "7")
    page.click("#send")
    page.wait_for_url(re.compile("/study"))
    expect(page.locator("#mine li")).to_have_count(1)
    page.goto("/results")
    expect(page.locator("#agent-PVCNPS .ours")).to_contain_text("1 · 0 · 0")
    expect(page.locator("#agent-PVCNPS")).to_contain_text("12 · 1 · 0")
    assert not findings(page)


def test_agents_can_be_watched(tab: Tab) -> None:
    page = tab.page
    page.goto("/")
    page.select_option("#first", "novice")
    page.select_option("#second", "cautious")
    page.click("#watch .primary")
    page.wait_for_url(re.compile(r"/replay/.*"))
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#slider")).to_have_value(re.compile(r"^([3-9]|\d\d+)$"))
    page.click("#play")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_the_laboratory_opens_to_the_key_runs_a_job_and_cancels_one(tab: Tab, server: Keyed) -> None:
    page = tab.page
    page.goto("/laboratory")
    page.fill("#key", "not the key")
    tab.wrong.clear()
    page.click("#enter")
    expect(page.locator("#told")).to_be_visible()
    tab.wrong.clear()  # the browser notes the refusal, as it should
    page.fill("#key", server.key)
    page.click("#enter")
    page.select_option("#first_technique", "novice")
    page.select_option("#second_technique", "random")
    page.fill("#match-count", "2")
    page.click("#start")
    expect(page.locator(".jobs .state").first).to_contain_text("done", timeout=300_000)
    page.click(".jobs .report:visible")
    expect(page.locator("h1")).to_be_visible()
    tab.wrong.clear()  # the box lets nothing run, not even what the test puts into every page
    page.go_back()
    page.select_option("#first_technique", "novice")
    page.select_option("#second_technique", "random")
    page.fill("#match-count", "5000")
    page.click("#start")
    # The script shows the progress: from then on it also listens to the button.
    expect(page.locator(".jobs .state").first).to_contain_text("novice", timeout=300_000)
    page.locator(".cancel:visible").first.click()
    expect(page.locator(".jobs .state").first).to_contain_text("cancelled")
    assert not findings(page)
    page.goto("/laboratory/cases/small")
    expect(page.locator("#rows tbody tr").first).to_be_visible()
    assert not findings(page)
    page.select_option("#filter select[name=won]", "yes")
    page.click("#filter .primary")
    assert "won=yes" in page.url
