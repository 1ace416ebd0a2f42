"""Kuhn poker at the web table: its pages, its frames, and why its agents did what they did."""

import re

import pytest
import serving
from fastapi.testclient import TestClient
from serving import kuhn_cases, registry_of, table_at
from test_bots import RemoteBot
from visitors import Guest, Json, Visitor, board_on, mover_of, moves, sit_together, summary_on

from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent, roster
from retruco.games.kuhn import Kuhn, KuhnState
from retruco.streams import Stream
from retruco.web.core.i18n import LANGUAGES
from retruco.web.core.store import Sitter
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.table_view import Step
from retruco.web.views.kuhn import KuhnView

client = serving.stacked_client


def view_of(client: TestClient, seats: int = 2, language: str = "en") -> KuhnView:
    """What the person sees of a table with agents."""
    sitters = (Sitter(visitor="somebody"), *(Sitter(agent="NPS"),) * (seats - 1))
    live = registry_of(client).open(Kuhn(seats), sitters)
    names = ("You", *("NPS",) * (seats - 1))
    return KuhnView(live, 0, KuhnView.texts(language), lambda: names, lambda place: None)


def test_a_hand_is_played_explained_and_looked_at_again(client: TestClient) -> None:
    guest = Guest(client)
    page = guest.page("/kuhn")
    assert "Kuhn poker" in page
    assert all(name in page for name in roster("kuhn"))
    where = guest.sit_down("kuhn", seat1="NPS")
    page = guest.page(where)
    assert set(moves(page)) <= {"check", "bet", "call", "fold"}
    assert len(set(re.findall("#card-([TJQK]s)", board_on(page)))) == 1, "one's own card"
    page = guest.play_hand(where, lambda may: "call" if "call" in may else "bet" if "bet" in may else may[0])
    assert "takes the pot" in summary_on(page) or "take the pot" in summary_on(page)
    assert "Of " in summary_on(page), "it goes by what it remembers"
    assert "The most similar of" in summary_on(page)
    steps = int(re.findall(r"\?step=(\d+)", guest.page(f"{where}/hands/1"))[-1])
    told = [
        guest.page(f"{where}/hands/1?step={step}").partition('id="why"')[2] for step in range(1, steps + 1)
    ]
    assert any('class="sentence"' in why for why in told)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_match_by_json_ends_with_everybody_s_chips(client: TestClient, seats: int) -> None:
    visitor = Visitor(client)
    match = visitor.open(game="kuhn", opponent=",".join(["random"] * (seats - 1)), target=6)
    frame = visitor.play_out(match)
    live = table_at(client, match)
    assert (live.game.seats, len(live.table.hands)) == (seats, 6)
    assert frame["end"]["winner"] == live.table.winner
    assert sum(live.table.match.scores) == 0
    replay = visitor.get(f"/api/matches/{match}/replay").json()["frames"]
    assert [shown["number"] for shown in replay] == list(range(len(live.positions)))


def test_a_frame_shows_no_card_of_another_before_the_showdown(client: TestClient) -> None:
    people, match = sit_together(client, "kuhn", "person", target=8)
    live, showdowns = table_at(client, match), 0
    while True:
        mover, frame = mover_of(people, match)
        if frame["end"]:
            break
        assert mover.act(match, frame["number"], frame["legal"][0]).status_code == 200
        for visitor in people:
            for shown in visitor.look(match, frame["number"]):
                showdowns += len(check_cards(live, shown)) > 1
    assert showdowns > 0


def check_cards(live: LiveTable, frame: Json) -> set[str]:
    """See that a frame shows one's own card and those of a showdown; give all of them."""
    state = live.positions[frame["number"]].state
    assert isinstance(state, KuhnState)
    shown = {card[0] for card in re.findall("#card-([TJQK]s)", frame["html"])}
    seen = state.observe(frame["seat"])
    assert shown == {seen.card, *(card for card in seen.shown if card)}
    return shown


def test_a_bot_waits_for_another_and_both_play(client: TestClient) -> None:
    bots = [RemoteBot(client), RemoteBot(client)]
    match, other = (bot.open(game="kuhn", opponent="bot", target=4) for bot in bots)
    assert match == other
    told = bots[0].turn(match, wait=0)
    while told["state"] != "over":
        for bot in bots:
            told = bot.turn(match, wait=0)
            if told["your_turn"]:
                assert bot.act(match, told["number"], told["seen"]["legal"][0]).status_code == 200
    assert told["end"]["ending"] == "played"


def test_a_showdown_shows_the_cards_of_who_is_still_in(client: TestClient) -> None:
    view = view_of(client, seats=3)
    state = KuhnState(("Q", "K", "J"))
    for action in ("bet", "call", "fold"):
        state = state.play(action)
    me, other, folded = view.felt(state)["seats"]
    assert [seat["cards"][0]["shown"] for seat in (me, other)] == ["Queen", "King"]
    assert folded["cards"] == []
    assert other["won"]
    assert view.result(state) == "NPS (1) has the best card and takes the pot of 5. You: -2."
    assert view.felt(state, is_open=True)["seats"][2]["cards"][0]["shown"] == "Jack"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", roster("kuhn"))
def test_every_reason_is_told_in_words(client: TestClient, name: str, language: str) -> None:
    view, agent = view_of(client, language=language), find_agent(name, "kuhn", lambda game: kuhn_cases())
    for number in range(12):
        chance = Stream("reasons", number)
        game = Kuhn(2)
        state = game.start(game.deal(chance), game.opening(number % 2))
        while state.outcome is None:
            assert state.to_act is not None
            seen = state.observe(state.to_act)
            decision = ask_agent(agent, seen, chance)
            sentence, sheets = view.reason(Step(seen.seat, decision.action, state, seen, decision))
            assert not re.search(r"kuhn\.|why\.|\{", f"{sentence} {sheets}")
            assert all(len(row) == len(sheet.head) for sheet in sheets for row in sheet.rows)
            state = state.play(decision.action)
