"""Make the pictures of the web table in `docs/images` with a real browser.

python docs/web_pictures.py [FOLDER [FOLDER FOR THE SINGLE PICTURES [NAMES OF PAGES...]]]

Every page is shown four times on one sheet: on a desk and on a phone, by day and by night. The
matches shown are written into a store of their own, so that the same hands lie on the table again.
"""

from __future__ import annotations

import secrets
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from retruco.agents.registry import find_agent
from retruco.arena.table import Table
from retruco.games.core import Game
from retruco.games.registry import find_game
from retruco.games.truco import Truco
from retruco.learning.case_bases import cases_named, library_of
from retruco.storage.store import FILE as CASES
from retruco.storage.store import home, open_store
from retruco.streams import Stream
from retruco.web.account.consent_recorder import finished_hands
from retruco.web.account.hand_archive import HandArchive
from retruco.web.core.admin_auth import COOKIE as OWNER_COOKIE
from retruco.web.core.admin_key import new_key
from retruco.web.core.app import create_app
from retruco.web.core.identity import COOKIE
from retruco.web.core.server import TableServer
from retruco.web.core.settings import Limits, Settings
from retruco.web.core.store import End, Kind, Sitter, Store, StoredMatch
from retruco.web.lab.job_config import JobConfig, JobSide
from retruco.web.lab.study import STUDY, StudyMatches
from retruco.web.people.invitations import Invitations, InvitedSeat
from retruco.web.people.profiles import People
from retruco.web.puzzles.puzzle_book import puzzles
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.fairness import Dealer, Draw, SealedDeal
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.table_registry import TableRegistry

ONLY = sys.argv[3:]
IMAGES = Path(__file__).parent / "images"
PORT = 8377
TOKEN = secrets.token_urlsafe(32)
ME = sha256(TOKEN.encode()).hexdigest()
OTHER = sha256(b"somebody else").hexdigest()
DESK, PHONE = {"width": 1180, "height": 800}, {"width": 360, "height": 800}
SHRINK = 0.55
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

MIDDLE = (
    ["1e 7o 4b / 3o 2c 12e", "7e 3c 6e / 2o 12b 5b"],
    [
        ["envido", "nao-quero", "4b", "3o", "12e", "7o", "1e", "2c"],
        ["envido", "real-envido", "quero", "2o", "3c", "6e", "12b", "truco"],
    ],
)
"""A hand that is over, and one in its middle: the other has just called truco."""


@dataclass(frozen=True)
class Shot:
    """A page, and what is done on it before the picture is taken."""

    name: str
    path: str
    prepare: Callable[[Page], None] = lambda page: None
    by_stranger: bool = False
    """Whether somebody looks at it who has never been here."""


def stored(
    name: str, opponent: str, deals: list[str], kind: Kind = "match", rules: str = "cbtg"
) -> StoredMatch:
    """A match with these deals, seat 0 being the visitor of the pictures."""
    sealed = tuple(SealedDeal("5a17" * 8, deal) for deal in deals)
    sitters = (Sitter(visitor=ME), Sitter(agent=opponent))
    return StoredMatch(name, rules, 24, 0, 7, kind, sitters, deals=sealed, actions=((),))


def write(store: Store, match: StoredMatch, hands: list[list[str]], end: End | None = None) -> None:
    """Write a match down action by action."""
    store.add(match)
    last = len(hands) - 1
    for hand, actions in enumerate(hands):
        for number, action in enumerate(actions):
            over = end if (hand, number) == (last, len(actions) - 1) else None
            store.append(match.id, hand, number, action, (), over)


def played(opponent: str, match_seed: int, rules: str = "cbtg") -> tuple[list[str], list[list[str]], int]:
    """A whole match between a careful stand-in for the visitor and an opponent who remembers."""
    game = Truco.named(rules)
    deals = [str(game.deal(Stream("pictures", match_seed, number))) for number in range(60)]
    table = Table(game, lambda number: game.read_deal(deals[number]), 0)
    agents, hands = AgentCache(cases_named()), list[list[str]]()
    while table.to_act is not None:
        seat, hand = table.to_act, table.match.hand
        chance = Stream("agent", match_seed, seat, hand, table.decisions[seat])
        who = find_agent("balanced", "truco") if seat == 0 else agents.agent("truco", opponent)
        decided = who.decide(table.observe(seat), chance)
        action = decided if isinstance(decided, str) else decided.action
        hands += [[]] * (hand + 1 - len(hands))
        hands[hand] = [*hands[hand], action]
        table.act(seat, action)
    return deals[: len(hands)], hands, 0 if table.winner is None else table.winner


def fill_for_more(store: Store, cases: Path) -> None:
    """Write what the pages for more than one show: another person, an invitation, a lesson, kept hands."""
    people = People(store)
    people.name(ME, "Ana")
    people.name(OTHER, "Beto")
    people.answer(ME, agrees=True)
    game = Truco.named("cbtg")
    Invitations(store).make("aninvitationxxx1", game, (InvitedSeat(visitor=ME), InvitedSeat()), 60)
    together = replace(stored("twopeoplexxxxxx1", "", MIDDLE[0], "people"), clock=60.0)
    write(store, replace(together, sitters=(Sitter(visitor=ME), Sitter(visitor=OTHER))), MIDDLE[1])
    lesson = stored("alessonxxxxxxxx1", "BOT0", ["1c 3e 12b / 3o 2c 5e"] * 3, "lesson")
    pupil = (Sitter("BOT5", ME), Sitter("BOT0"))
    store.add(replace(lesson, rules="trucogame", sitters=pupil, deals=lesson.deals[:1]))
    whole = store.load("awholematchxxxx1")
    assert whole is not None
    live = LiveTable(whole, store)
    HandArchive(store, cases).keep(finished_hands(live, range(len(live.table.hands)), people))


class SameDeals(Dealer):
    """Deals the same hands of a game each time."""

    def __init__(self, name: str) -> None:
        self.name, self.dealt = name, 0

    def deal(self, game: Game, draw: Draw | None = None, hand: int = 0) -> SealedDeal:
        """The next of these hands."""
        self.dealt += 1
        return SealedDeal("5a17" * 8, str(game.deal(Stream("pictures", self.name, self.dealt))))


def sat_down(store: Store, name: str, game: Game, others: tuple[str, ...], stand_in: str, steps: int) -> None:
    """A match of another game; a stand-in does what the visitor does, so many times."""
    dealer = SameDeals(name)
    sitters = (Sitter(visitor=ME), *(Sitter(agent=agent) for agent in others))
    table = StoredMatch(name, game.rules_name, game.goal, 2, 7, "match", sitters, deals=(dealer.deal(game),))
    table = replace(table, actions=((),), game=game.name)
    store.add(table)
    agents = AgentCache(cases_named())
    live = LiveTable(table, store, dealer=dealer)
    while steps and (seat := live.to_act) is not None:
        agent = live.stored.sitters[seat].agent
        live.act(
            seat,
            agents.decide(agent or stand_in, live, len(live.positions) - 1, seat).action,
            live.last_number,
        )
        steps -= agent is None
    while (seat := live.to_act) is not None and (agent := live.stored.sitters[seat].agent) is not None:
        live.act(seat, agents.decide(agent, live, len(live.positions) - 1, seat).action, live.last_number)


def fill_other_games(store: Store) -> None:
    """Write the tables of Euchre and hold'em."""
    euchre = find_game("euchre", "classic")
    people = ("NPS", "UF.5@tricks", "ratliff@tricks")
    sat_down(store, "euchretablexxxx1", euchre, people, "HIGH!@tricks", 3)
    sat_down(store, "euchrehandsxxxx1", euchre, people, "HIGH!@tricks", 12)
    six = ("casey-learns", "rulebot", "simplebot", "always-raise", "always-call")
    sat_down(store, "holdemtablexxxx1", find_game("holdem", "limit-6"), six, "always-call", 3)
    four = ("casey-learns", "rulebot", "simplebot")
    sat_down(store, "holdemhandsxxxx1", find_game("holdem", "limit-4"), four, "always-call", 30)


def fill(file: Path) -> None:
    """Write the matches of the pictures."""
    store = Store(file)
    write(store, stored("middleofthehand1", "balanced", MIDDLE[0]), MIDDLE[1])
    guided = stored("guidedmatchxxxx1", "first-timer", ["7e 3c 6o / 2o 12b 5c"], "guided")
    write(store, replace(guided, target=12), [["3c", "2o"]])
    write(store, stored("openpracticexxx1", "NPCS", ["7e 3c 6o / 2o 12b 5c"], "practice"), [["3c"]])
    deals, hands, winner = played("NPCS", 7)
    write(store, stored("awholematchxxxx1", "NPCS", deals), hands, End(winner, "played"))
    deals, hands, winner = played("PVCNPS", 11, STUDY.rules)
    study = stored("astudymatchxxxx1", "PVCNPS", deals, rules=STUDY.rules)
    write(store, study, hands, End(winner, "played"))
    StudyMatches(store).add(study.id)
    for number, opponent in enumerate(("first-timer", "sunday-player", "regular", "balanced", "regular")):
        deals, hands, winner = played("novice", number)
        name = f"earliermatch000{number}"
        write(store, stored(name, opponent, deals), hands, End(winner, "played"))
    fill_for_more(store, file.parent / CASES)
    fill_other_games(store)
    store.close()


@contextmanager
def serving(file: Path) -> Iterator[str]:
    """The table at an address of this machine; gives the token by which its owner is known."""
    key = new_key(file) or ""
    settings = Settings(file, limits=Limits(per_second=1000, burst=10_000))
    app = create_app(settings, cases_named())
    server = TableServer(app, "127.0.0.1", PORT)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    registry: TableRegistry = app.state.registry
    registry.agents.agent("truco", "NPCS")
    if not ONLY or {"laboratory", "jobs"} & set(ONLY):
        run_jobs(registry)
    yield registry.admin_key.let_in(key, "127.0.0.1")
    server.should_exit = True
    thread.join()


def run_jobs(registry: TableRegistry) -> None:
    """A job that is done, and one that runs while the pictures are taken."""
    work = JobConfig(JobSide(extra="PV", intra="NP"), JobSide(intra="NP", clusters=False), 4)
    job = registry.jobs.start(work)
    while (found := registry.jobs.find(job.id)) and found.state == "running":
        time.sleep(0.2)
    registry.jobs.start(replace(work, matches=2000))


def taught(page: Page) -> None:
    """Show the pupil what it asks for, until a case is kept; then wait for its next question."""
    for _ in range(120):
        page.wait_for_selector("#propose:visible, #next:visible, #rematch:visible")
        if page.locator("#rematch:visible").count():
            return
        if page.locator("#next:visible").count():
            page.click("#next")
        elif page.locator(".lesson-case").count():
            return
        else:
            page.click("#propose")
        page.wait_for_timeout(150)


def explained(page: Page) -> None:
    """Step to a move of the opponent that has cases to show."""
    page.wait_for_selector("#slider:not([max='0'])")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(600)
        if page.locator("#why .cases").count():
            break
    page.evaluate("scrollTo(0, 0)")


def reviewed(page: Page) -> None:
    """Wait for the board of a review."""
    page.wait_for_selector("#board .play-card")


def hinted(page: Page) -> None:
    """Ask for a hint in open practice."""
    page.wait_for_selector("#hint:not([disabled])")
    page.click("#hint")
    page.wait_for_selector("#advice .sentence")


def advised(page: Page) -> None:
    """Ask what a strong player would do in a guided match."""
    page.wait_for_selector("#guide-ask:not([disabled])")
    page.click("#guide-ask")
    page.wait_for_selector("#guide-answer p")


def scroll_to_reason(page: Page) -> None:
    """Scroll to the reason of a step."""
    page.evaluate("document.querySelector('nav.player').scrollIntoView()")


def reasons_opened(page: Page) -> None:
    """Step to a decision that Casey took by a generalised case, and open all that it shows."""
    hands = page.url
    for hand in range(1, 9):
        page.goto(f"{hands}/{hand}")
        links = page.locator(".steps a", has_text="Casey:").all()
        for address in [link.get_attribute("href") or "" for link in links]:
            page.goto(address)
            if page.locator("#why", has_text="brought more").count():
                page.evaluate(
                    "document.querySelectorAll('#why details').forEach((one) => { one.open = true })"
                )
                scroll_to_reason(page)
                return


SHOTS = (
    Shot("home", "/", by_stranger=True),
    Shot("euchre-people", "/euchre", by_stranger=True),
    Shot("table", "/table/middleofthehand1", lambda page: page.locator(".call").first.focus()),
    Shot("guide", "/table/guidedmatchxxxx1", advised),
    Shot("practice", "/table/openpracticexxx1", hinted),
    Shot("end", "/table/awholematchxxxx1", lambda page: page.wait_for_timeout(400)),
    Shot("replay", "/replay/awholematchxxxx1/0", explained),
    Shot("review", "/review/awholematchxxxx1", reviewed),
    Shot("puzzle", f"/puzzles/{next(iter(puzzles()))}"),
    Shot("rating", "/rating"),
    Shot("share", "/share/awholematchxxxx1/3"),
    Shot("euchre", "/table/euchretablexxxx1"),
    Shot("euchre-why", "/table/euchrehandsxxxx1/hands/1?step=3", scroll_to_reason),
    Shot("holdem", "/table/holdemtablexxxx1"),
    Shot("holdem-why", "/table/holdemhandsxxxx1/hands", reasons_opened),
    Shot("finished-hands", "/table/holdemhandsxxxx1/hands"),
    Shot("invitation", "/join/aninvitationxxx1"),
    Shot("people", "/table/twopeoplexxxxxx1"),
    Shot("school", "/table/alessonxxxxxxxx1", taught),
    Shot("teach", "/teach"),
    Shot("opinion", "/opinion/astudymatchxxxx1"),
    Shot("results", "/results"),
    Shot("hands", "/me/hands"),
    Shot("laboratory", "/laboratory"),
    Shot("jobs", "/laboratory", lambda page: page.locator("#jobs").scroll_into_view_if_needed()),
    Shot("cases", "/laboratory/cases/baseline?scenario=truco-1-first"),
    Shot("rules", "/rules/cbtg"),
    Shot("lesson", "/lesson"),
    Shot("glossary", "/glossary"),
    Shot("statistics", "/me"),
    Shot("interface", "/api"),
    Shot("not-found", "/nowhere"),
)


def take(
    browser: Browser, shot: Shot, viewport: dict[str, int], files: dict[Scheme, Path], owner: str
) -> None:
    """Take two pictures of a page: one for each colour scheme."""
    url = f"http://127.0.0.1:{PORT}"
    context = browser.new_context(viewport=viewport, locale="en-US", base_url=url)  # type: ignore[arg-type]
    tokens = {} if shot.by_stranger else {COOKIE: TOKEN, OWNER_COOKIE: owner}
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in tokens.items()])
    context.add_init_script("localStorage.setItem('speed', 'instant')")
    page = context.new_page()
    page.goto(url + shot.path)
    page.wait_for_timeout(400)
    shot.prepare(page)
    for scheme, file in files.items():
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(300)
        page.screenshot(path=file)
    context.close()


def coloured(picture: Image.Image) -> Image.Image:
    """Keep 256 colours: half for what there is most of, half for what is rare, such as a suit on a card."""
    palette = Image.new("P", (1, 1))
    halves = (
        picture.quantize(128, method) for method in (Image.Quantize.MEDIANCUT, Image.Quantize.MAXCOVERAGE)
    )
    palette.putpalette([value for half in halves for value in (half.getpalette() or [])[: 3 * 128]])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def sheet(parts: list[Path], target: Path) -> None:
    """Put the four pictures of a page onto one sheet: desk and phone, by day above, by night below."""
    pictures = [Image.open(part).convert("RGB") for part in parts]
    gap, desk, phone = 12, pictures[0], pictures[2]
    size = (desk.width + gap + phone.width, 2 * desk.height + gap)
    whole = Image.new("RGB", size, "#8a8175")
    for row in (0, 1):
        whole.paste(pictures[row], (0, row * (desk.height + gap)))
        whole.paste(pictures[2 + row], (desk.width + gap, row * (desk.height + gap)))
    small = whole.resize((int(size[0] * SHRINK), int(size[1] * SHRINK)), Image.Resampling.LANCZOS)
    coloured(small).save(target, optimize=True)


def prepare_cases(file: Path) -> None:
    """Copy the user's case bases, so that pictures change nothing in them."""
    with open_store() as store:
        library_of(store).open("baseline")
        library_of(store).open("casey", "holdem")
    shutil.copy(home() / CASES, file)


def main(folder: Path) -> None:
    """Take all pictures."""
    work = Path(tempfile.mkdtemp())
    prepare_cases(work / CASES)
    fill(work / "table.sqlite")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with serving(work / "table.sqlite") as owner, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        for shot in SHOTS if not ONLY else [one for one in SHOTS if one.name in ONLY]:
            parts: list[Path] = []
            for viewport, size in ((DESK, "desk"), (PHONE, "phone")):
                files = {scheme: work / f"{shot.name}-{size}-{scheme}.png" for scheme in SCHEMES}
                take(browser, shot, viewport, files, owner)
                parts += files.values()
            sheet(parts, folder / f"web-{shot.name}.png")
        browser.close()
    if len(sys.argv) > 2:
        shutil.copytree(work, sys.argv[2], dirs_exist_ok=True)
    shutil.rmtree(work)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
