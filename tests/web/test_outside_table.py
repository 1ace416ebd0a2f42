"""A game in a package of its own gets a seat at the web table by its view alone: pages, JSON, bots, people, consent."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from serving import free_port
from visitors import Guest, Visitor, board_on, play_together, sit_together, summary_on

from packages import Shell, install_card_game
from waiting import wait_until

SERVE = """
import sys
from pathlib import Path
from retruco.agents.core import no_cases
from retruco.learning.case_bases import cases_named
from retruco.web.core.app import create_app
from retruco.web.core.server import TableServer
from retruco.web.core.settings import Settings
from serving import GENEROUS

app = create_app(
    Settings(Path(sys.argv[1]), limits=GENEROUS),
    lambda game, *_: cases_named("mine")(game) if game == "leduc" else no_cases(game),
)
TableServer(app, "127.0.0.1", int(sys.argv[2])).run()
"""
"""A server that knows one case base."""

pytestmark = pytest.mark.loopback


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install_card_game(tmp_path_factory.mktemp("outside"))


@pytest.fixture(scope="module")
def shell(environment: dict[str, str]) -> Iterator[Shell]:
    """A shell on that machine, where the game's agent has learnt a little."""
    shell = Shell(environment)
    learn = ("learn", "--game", "leduc", "--strategy", "NPS", "--against", "random")
    shell.run(*learn, "--into", "mine", "--matches", "10")
    yield shell
    shell.close()


@pytest.fixture(scope="module")
def client(environment: dict[str, str], shell: Shell) -> Iterator[httpx2.Client]:
    """A server on that machine."""
    port, store = free_port(), Path(environment["RETRUCO_HOME"]) / "table.sqlite"
    command = [sys.executable, "-c", SERVE, str(store), str(port)]
    with (
        subprocess.Popen(command, env=environment) as process,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as found,
    ):
        try:
            wait_until(lambda: is_up(found, process), "the server answers")
            yield found
        finally:
            process.terminate()


def is_up(client: httpx2.Client, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "the server did not start"
    try:
        return client.get("/api/games").is_success
    except httpx2.TransportError:
        return False


def test_the_game_is_on_the_home_page_and_has_a_page_of_its_own(client: httpx2.Client) -> None:
    guest = Guest(client)
    assert "One card each." in guest.page("/")
    for language in ("en", "es", "pt"):
        page = guest.page(f"/leduc?lang={language}")
        assert "<h1>Little poker</h1>" in page
        assert "Takes what brought the most." in page
    assert "leduc" in [game["game"] for game in guest.get("/api/games").json()["games"]]


def test_a_hand_is_played_and_explained_on_its_pages(client: httpx2.Client) -> None:
    guest = Guest(client)
    where = guest.sit_down("leduc", seat1="NPS")
    page = guest.play_hand(where)
    assert "Bet?" in board_on(page)
    assert len(re.findall(r"card [JQK]", board_on(page))) == 1, "the other's card lies face down"
    assert "takes the pot." in summary_on(page)
    assert 'class="sentence"' in summary_on(page)
    steps = int(re.findall(r"\?step=(\d+)", guest.page(f"{where}/hands/1"))[-1])
    told = [guest.page(f"{where}/hands/1?step={step}") for step in range(steps + 1)]
    assert any("NPS: " in page.partition('id="why"')[2] for page in told)
    assert "takes the pot." in told[-1]


def test_a_match_is_played_by_json_and_looked_back_at(client: httpx2.Client) -> None:
    visitor = Visitor(client)
    match = visitor.finished(game="leduc", opponent="NPS", target=6)
    replay = visitor.get(f"/api/matches/{match}/replay").json()
    number = next(frame["number"] for frame in replay["frames"] if frame["says"].startswith("NPS: "))
    why = visitor.get(f"/api/matches/{match}/why/{number}").json()
    assert (why["agent"], bool(why["sentence"])) == ("NPS", True)
    assert len(visitor.get(f"/api/matches/{match}/export").json()["hands"]) == 6
    assert visitor.get("/api/me").json()["played"] == 1


def test_two_people_play_it_by_a_link(client: httpx2.Client) -> None:
    people, match = sit_together(client, "leduc", "person", target=4)
    assert play_together(people, match)["end"]["ending"] == "played"


def test_a_bot_plays_it_with_the_reference_client(client: httpx2.Client, shell: Shell) -> None:
    words = ("bot", "--server", str(client.base_url), "--game", "leduc", "--agent", "random")
    printed = json.loads(shell.run(*words, "--opponent", "NPS", "--target", "6", "--json"))
    (match,) = printed["matches"]
    assert match["ending"] == "played"


def test_its_hands_are_kept_by_consent_in_a_base_of_their_own(client: httpx2.Client, shell: Shell) -> None:
    visitor = Visitor(client)
    visitor.post("/api/me/consent", {"agrees": True})
    visitor.finished(game="leduc", opponent="random", target=6)
    wait_until(lambda: len(visitor.get("/api/me/hands").json()["hands"]) == 6, "the hands are kept")
    facts = json.loads(shell.run("cases", "info", "people-leduc-two-seats", "--json"))
    assert (facts["game"], facts["hands"]) == ("leduc", 6)
    assert facts["rows"]["turn"] > 0
    visitor.post("/api/me/forget")
    assert json.loads(shell.run("cases", "info", "people-leduc-two-seats", "--json"))["hands"] == 0
