"""Bots from elsewhere: by the docs' own twenty lines, by the reference client, and against the rules."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, RealServer, registry_of, some_cases
from visitors import Json, Visitor

from retruco.cli.bot import RequestRefused, run_bot
from retruco.cli.commands.live_tables import BotOptions
from retruco.web.core.app import create_app
from retruco.web.core.settings import Limits, Settings
from retruco.web.core.store import End
from retruco.web.tables.live_table import LiveTable
from waiting import wait_until

server = serving.server
client = serving.client

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"


def code(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


class RemoteBot:
    """A bot without a program: requests by hand."""

    def __init__(self, client: httpx2.Client, **more: object) -> None:
        self.http, self.token = client, ""
        self.token = self.ask("POST", "", {"name": "by hand", **more}).json()["token"]

    def ask(self, method: str, path: str, body: object = None) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        self.http.cookies.clear()
        return self.http.request(method, f"/api/bots{path}", headers=headers, json=body)

    def open(self, **wish: object) -> str:
        answer = self.ask("POST", "/matches", {"opponent": "random", "target": 4, **wish})
        assert answer.status_code == 201, answer.text
        match: str = answer.json()["match"]
        return match

    def turn(self, match: str, wait: float = 5) -> Json:
        found: Json = self.ask("GET", f"/matches/{match}/turn?wait={wait}").json()
        return found

    def act(self, match: str, number: int, action: str) -> httpx2.Response:
        return self.ask("POST", f"/matches/{match}/act", {"number": number, "action": action})


@pytest.fixture
def bot(client: TestClient) -> RemoteBot:
    return RemoteBot(client)


def run_as_told(command: list[str], server: RealServer) -> None:
    done = subprocess.run(
        [*command, server.address], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr == ""
    assert done.stdout in ("won\n", "lost\n")


def test_the_twenty_lines_of_python_play_a_match(server: RealServer, tmp_path: Path) -> None:
    lines = code("python")
    assert len(lines.splitlines()) <= 20
    (tmp_path / "bot.py").write_text(lines)
    run_as_told([sys.executable, str(tmp_path / "bot.py")], server)


@pytest.mark.slow
def test_the_twenty_lines_of_javascript_play_a_match(server: RealServer, node: str, tmp_path: Path) -> None:
    lines = code("js")
    assert len(lines.splitlines()) <= 22
    (tmp_path / "bot.mjs").write_text(lines)
    run_as_told([node, str(tmp_path / "bot.mjs")], server)


def test_the_reference_client_plays_an_agent_of_ours(
    server: RealServer, capsys: pytest.CaptureFixture[str]
) -> None:
    options = BotOptions(
        server=server.address,
        agent="NPCS",
        matches=2,
        opponent="novice",
        rules="argentino",
        target=6,
        seed=7,
        as_json=True,
    )
    run_bot(options, lambda game: some_cases())
    found = json.loads(capsys.readouterr().out)
    assert [one["ending"] for one in found["matches"]] == ["played", "played"]
    live = server.app.state.registry.find(found["matches"][0]["match"])
    assert (live.stored.rules, live.stored.target, live.stored.kind) == ("argentino", 6, "bots")


def test_two_bots_find_each_other(server: RealServer, capsys: pytest.CaptureFixture[str]) -> None:
    def run(agent: str) -> None:
        options = BotOptions(
            server=server.address, agent=agent, opponent="bot", target=5, name=agent, seed=1, as_json=True
        )
        run_bot(options, lambda game: some_cases())

    threads = [threading.Thread(target=run, args=(agent,)) for agent in ("cautious", "balanced")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found[0]["matches"][0]["match"] == found[1]["matches"][0]["match"]
    assert found[0]["won"] + found[1]["won"] == 1


def test_a_bot_that_is_told_no_says_so(server: RealServer) -> None:
    with pytest.raises(RequestRefused, match="Nobody here is called nobody"):
        run_bot(
            BotOptions(server=server.address, agent="random", opponent="nobody"), lambda game: some_cases()
        )
    with pytest.raises(ValueError, match="no address of a table"):
        run_bot(BotOptions(server="localhost", agent="random", opponent="easy"), lambda game: some_cases())


# Against the rules


def test_illegal_answers_are_counted_and_the_third_loses(bot: RemoteBot) -> None:
    match = bot.open(target=30)
    turn = bot.turn(match)
    assert turn["your_turn"]
    for count in (1, 2, 3):
        answer = bot.act(match, turn["number"], "vale9")
        assert answer.status_code == 400
        assert f"{count} of 3" in answer.json()["message"] or f"{count} de 3" in answer.json()["message"]
    after = bot.turn(match)
    assert after["state"] == "over"
    assert after["end"] == {"winner": 1 - after["seat"], "ending": "illegal"}
    assert bot.act(match, turn["number"], turn["seen"]["legal"][0]).status_code == 409


def test_an_answer_sent_twice_acts_once_and_is_counted(bot: RemoteBot) -> None:
    match = bot.open(target=30)
    turn = bot.turn(match)
    legal = turn["seen"]["legal"]
    quiet = "nao-quero" if "nao-quero" in legal else legal[0]  # to accept a falta could end the match
    assert bot.act(match, turn["number"], quiet).status_code == 200
    assert bot.act(match, turn["number"], quiet).status_code == 409
    assert bot.act(match, 9999, "truco").status_code == 409
    told = bot.turn(match)
    assert told["errors"] == 2
    assert told["state"] == "playing"


def hasty(tmp_path: Path, **limits: float) -> TestClient:
    some = {
        **{
            name: getattr(GENEROUS, name)
            for name in ("per_second", "burst", "matches_per_minute", "refusal_seconds")
        },
        **limits,
    }
    settings = Settings(tmp_path / "t.sqlite", limits=Limits(**some))
    return TestClient(create_app(settings), base_url="http://localhost")


def test_a_late_answer_loses_the_match(tmp_path: Path) -> None:
    with hasty(tmp_path, bot_seconds=600) as client:
        bot = RemoteBot(client)
        match = bot.open()
        turn = bot.turn(match)
        live = serving.registry_of(client).find(match)
        assert live is not None
        live.since -= 601
        answer = bot.act(match, turn["number"], turn["seen"]["legal"][0])
        assert answer.status_code == 409
        assert bot.turn(match)["end"] == {"winner": 1 - turn["seat"], "ending": "late"}


@pytest.mark.slow
def test_a_bot_that_never_answers_loses_by_the_clock(tmp_path: Path) -> None:
    with hasty(tmp_path, bot_seconds=0.05) as client:
        bot = RemoteBot(client)
        match = bot.open()
        number = bot.turn(match)["number"]
        told = bot.ask("GET", f"/matches/{match}/turn?after={number}&wait=20").json()
        assert told["end"]["ending"] == "late"


@pytest.mark.slow
def test_a_bot_that_never_answers_loses_though_its_match_has_left_the_memory(tmp_path: Path) -> None:
    with hasty(tmp_path, bot_seconds=0.05, live_matches=1) as client:
        bot, person = RemoteBot(client), Visitor(client)
        match = bot.open()
        bot.turn(match)
        person.open()  # takes the only place in memory
        registry = registry_of(client)
        assert registry.find_in_memory(match) is None

        def end() -> End | None:
            found = registry.store.load(match)
            return found.end if found is not None else None

        assert wait_until(end, "the match does not end").ending == "late"


def test_a_match_that_comes_back_into_memory_has_no_more_time_than_before(tmp_path: Path) -> None:
    with hasty(tmp_path, bot_seconds=1000, live_matches=1) as client:
        bot, person = RemoteBot(client), Visitor(client)
        match = bot.open()
        bot.turn(match)
        before = registry_of(client).find(match)
        assert before is not None
        person.open()
        again = registry_of(client).find(match)
        assert again is not None
        assert again is not before
        assert abs(again.since - before.since) < 0.001


def test_a_bot_token_is_no_cookie_and_a_cookie_no_bot_token(client: TestClient, bot: RemoteBot) -> None:
    match = bot.open(target=30)
    bot.turn(match)
    impostor = Visitor(client)
    impostor.cookies["retruco_seat"] = bot.token
    assert impostor.get(f"/api/matches/{match}").status_code == 403
    assert impostor.get(f"/table/{match}").status_code == 403
    assert impostor.get("/").status_code == 200
    assert impostor.cookies["retruco_seat"] != bot.token
    person = Visitor(client)
    mine = person.open()
    bot.token = person.cookies["retruco_seat"]
    assert bot.ask("GET", f"/matches/{mine}/turn").status_code == 401
    assert bot.ask("POST", "/matches", {}).status_code == 401


def test_without_a_token_of_ours_there_is_no_seat(client: TestClient, bot: RemoteBot) -> None:
    match = bot.open()
    good = bot.token
    for token in ("", "x" * 43, good[:-1], good + "x"):
        bot.token = token
        assert bot.ask("GET", f"/matches/{match}/turn").status_code == 401
        assert bot.ask("POST", "/matches", {}).status_code == 401


def test_nobody_acts_or_looks_for_another_bot(client: TestClient, bot: RemoteBot) -> None:
    match = bot.open(target=30)
    number = bot.turn(match)["number"]
    other, person = RemoteBot(client), Visitor(client)
    for method, path, body in (
        ("GET", "turn", None),
        ("GET", "hands", None),
        ("POST", "act", {"number": number, "action": "truco"}),
        ("POST", "resign", {"number": number}),
    ):
        assert other.ask(method, f"/matches/{match}/{path}", body).status_code == 403
    assert person.get(f"/api/matches/{match}").status_code == 403
    assert person.act(match, number, "truco").status_code == 403
    assert bot.turn(match)["number"] == number
    mine = person.open()
    assert bot.ask("GET", f"/matches/{mine}/turn").status_code == 403


def test_a_bot_may_give_up_and_is_told_how_it_ended(bot: RemoteBot) -> None:
    match = bot.open(target=30)
    told = bot.turn(match)
    answer = bot.ask("POST", f"/matches/{match}/resign", {"number": told["number"]})
    assert answer.json()["end"]["ending"] == "resigned"


def test_a_waiting_bot_is_told_that_it_waits(bot: RemoteBot, client: TestClient) -> None:
    match = bot.open(opponent="bot", target=41)
    assert bot.turn(match, wait=0)["state"] == "waiting"
    assert RemoteBot(client).ask("GET", f"/matches/{match}/turn").status_code == 404
    other = RemoteBot(client)
    assert other.open(opponent="bot", target=41) == match
    assert {bot.turn(match, wait=0)["seat"], other.turn(match, wait=0)["seat"]} == {0, 1}


def test_a_match_that_begins_while_a_waiting_bot_asks_is_found(
    bot: RemoteBot, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, registry = RemoteBot(client), registry_of(client)
    match = bot.open(opponent="bot")
    find = registry.find

    def find_just_too_early(name: str) -> LiveTable | None:
        found = find(name)
        if found is None:
            monkeypatch.setattr(registry, "find", find)
            assert other.open(opponent="bot") == match
        return found

    monkeypatch.setattr(registry, "find", find_just_too_early)
    assert bot.turn(match, wait=0)["state"] == "waiting"
    assert bot.turn(match)["state"] == "playing"


def test_a_bot_that_asks_too_often_must_wait(tmp_path: Path) -> None:
    with hasty(tmp_path, bot_burst=3, bot_per_second=0.001) as client:
        bot = RemoteBot(client)
        codes = [bot.ask("POST", "/matches", {"opponent": "random"}).status_code for _ in range(4)]
        assert codes == [201, 201, 201, 429]
        assert Visitor(client).get("/api/opponents").status_code == 200


def test_nobody_makes_bots_without_end(tmp_path: Path) -> None:
    with hasty(tmp_path, bots_per_minute=2) as client:
        codes = [client.post("/api/bots", json={"name": "x"}).status_code for _ in range(3)]
        assert codes == [201, 201, 429]


@pytest.mark.parametrize("name", ["", "  \n ", "x" * 41])
def test_a_bot_needs_a_name_that_can_be_shown(client: TestClient, name: str) -> None:
    assert client.post("/api/bots", json={"name": name}).status_code == 422


@pytest.fixture
def line(server: RealServer) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.address, timeout=30) as found:
        yield found


def test_a_question_for_the_turn_is_answered_as_soon_as_the_house_has_moved(
    server: RealServer, line: httpx2.Client
) -> None:
    bot = RemoteBot(line)
    match = bot.open(target=30)
    for _ in range(6):
        turn = bot.turn(match, wait=25)
        assert turn["your_turn"] or turn["state"] == "over"
        if turn["your_turn"]:
            bot.act(match, turn["number"], turn["seen"]["legal"][0])
