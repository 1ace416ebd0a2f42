"""Several people and agents at one table of Euchre or hold'em: invitations per seat, clocks, rematches, secrets."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import serving
from fastapi.testclient import TestClient
from serving import registry_of, table_at
from test_invitations import hasty
from test_live_tables import FACES, cards_on, may_see
from visitors import Guest, Json, Visitor, mover_of, play_together, sit_together

from retruco.games.core import Game
from retruco.games.euchre import Euchre
from retruco.games.holdem import Holdem
from retruco.streams import Stream
from retruco.web.core import identity
from retruco.web.core.store import Sitter
from retruco.web.tables.live_table import LiveTable
from waiting import wait_until

client = serving.stacked_client


# Invitations


def test_a_seat_is_kept_for_each_person_and_the_match_begins_when_all_are_taken(client: TestClient) -> None:
    host, left, partner, late = (Guest(client) for _ in range(4))
    where = host.sit_down("euchre", seat1="person", seat2="person", seat3="random", name="Ana", clock="30")
    match = where.rpartition("/")[2]
    page = host.page(where)
    assert re.findall(rf"/join/{match}\?seat=(\d)", page) == ["1", "2"]
    assert host.post(f"/api/invitations/{match}/accept").status_code == 409
    assert 'value="2" selected' in partner.page(f"{where}?seat=2")
    sat = partner.send(where, seat="2", name="Berta")
    assert (sat.status_code, sat.headers["location"]) == (303, where), "it waits for the other"
    assert "Berta" in host.page(where)
    assert late.post(f"/api/invitations/{match}/accept", {"seat": 2}).status_code == 404, "it is taken"
    assert late.post(f"/api/invitations/{match}/accept", {"seat": 3}).status_code == 404, "an agent's"
    assert host.get(f"/api/invitations/{match}").json()["begun"] is False
    assert left.post(f"/api/invitations/{match}/accept").json()["begun"] is True
    assert late.post(f"/api/invitations/{match}/accept").status_code == 404
    stored = table_at(client, match).stored
    assert [sitter.agent for sitter in stored.sitters] == [None, None, None, "random"]
    assert stored.clock == 30
    seats = [visitor.look(match)[-1]["seat"] for visitor in (host, left, partner)]
    assert seats == [0, 1, 2]


@pytest.mark.parametrize(
    "wish",
    [
        {"game": "euchre", "opponent": "person,person"},
        {"game": "euchre", "opponent": "person,casey,person"},
        {"game": "euchre", "opponent": "random"},
        {"game": "holdem", "opponent": ",".join(["person"] * 10)},
        {"game": "chess"},
    ],
    ids=str,
)
def test_an_invitation_that_makes_no_sense_is_refused(client: TestClient, wish: Json) -> None:
    visitor = Visitor(client)
    assert visitor.post("/api/invitations", wish).status_code == 400
    assert visitor.get("/api/me").json()["matches"] == []


# Playing


@pytest.mark.slow
def test_two_people_and_two_agents_play_euchre_to_the_end_and_once_more(client: TestClient) -> None:
    (host, guest), match = sit_together(client, "euchre", "random,person,random", target=3)
    end = play_together((host, guest), match)["end"]
    assert end["ending"] == "played"
    assert host.last_frame(match)["end"] == guest.last_frame(match)["end"] == end
    won = int(end["winner"] == 0)
    for visitor in (host, guest):
        counted = visitor.get("/api/me").json()
        assert (counted["played"], counted["won"]) == (1, won), "they are one team"
        assert [line["game"] for line in counted["opponents"]] == ["euchre"]
    assert host.post(f"/api/matches/{match}/rematch").json()["waiting"] is True
    again = guest.post(f"/api/matches/{match}/rematch").json()
    assert again["waiting"] is False
    before, after = (table_at(client, name).stored for name in (match, again["match"]))
    assert (after.sitters, after.rules, after.target) == (before.sitters, before.rules, before.target)
    assert play_together((host, guest), again["match"])["end"]["ending"] == "played"


def test_opponents_at_euchre_win_and_lose(client: TestClient) -> None:
    people, match = sit_together(client, "euchre", "person,random,random", target=2)
    play_together(people, match)
    assert {visitor.get("/api/me").json()["won"] for visitor in people} == {0, 1}


@pytest.mark.slow
def test_three_people_and_an_agent_play_holdem(client: TestClient) -> None:
    people, match = sit_together(client, "holdem", "person,random,person", target=4)
    assert play_together(people, match, lambda frame: str(frame["legal"][-1]))["end"]["ending"] == "played"
    live = table_at(client, match)
    assert len(live.table.hands) == 4
    for seat, visitor in zip((0, 1, 3), people, strict=True):
        assert visitor.last_frame(match)["seat"] == seat
        gain = sum(hand.gains[seat] for hand in live.table.hands) / 2
        assert f"Result: {gain:+.1f} big blinds (hands: 4)" in visitor.get(f"/table/{match}/hands").text


def test_who_leaves_a_table_of_three_ends_it_and_nobody_wins(client: TestClient) -> None:
    people, match = sit_together(client, "holdem", "person,person", target=4)
    mover, frame = mover_of(people, match)
    leaves = next(visitor for visitor in people if visitor is not mover)
    assert leaves.post(f"/api/matches/{match}/resign", {"number": frame["number"]}).status_code == 200
    for visitor in people:
        assert visitor.last_frame(match)["end"] == {"winner": None, "ending": "left"}
        assert visitor.get("/api/me").json()["played"] == 0


def test_who_leaves_a_table_of_two_loses(client: TestClient) -> None:
    people, match = sit_together(client, "holdem", "person", target=4)
    mover, frame = mover_of(people, match)
    (other,) = [visitor for visitor in people if visitor is not mover]
    assert mover.post(f"/api/matches/{match}/resign", {"number": frame["number"]}).status_code == 200
    assert other.last_frame(match)["end"] == {"winner": 1 - frame["seat"], "ending": "left"}
    assert [visitor.get("/api/me").json()["won"] for visitor in (mover, other)] == [0, 1]


def test_nobody_acts_for_another_seat(client: TestClient) -> None:
    people, match = sit_together(client, "euchre", "person,random,person", target=3)
    mover, frame = mover_of(people, match)
    for visitor in people:
        if visitor is not mover:
            assert visitor.act(match, frame["number"], frame["legal"][0]).status_code == 409
    stranger = Visitor(client)
    assert stranger.act(match, frame["number"], frame["legal"][0]).status_code == 403
    assert stranger.get(f"/api/matches/{match}").status_code == 403
    assert stranger.get(f"/table/{match}/hands").status_code == 403


# Clocks


def test_the_match_of_whose_time_is_over_may_be_claimed(client: TestClient) -> None:
    people, match = sit_together(client, "euchre", "person,random,random", target=3, clock=30)
    mover, frame = mover_of(people, match)
    (waiting,) = [visitor for visitor in people if visitor is not mover]
    claim = f"/api/matches/{match}/claim"
    assert waiting.post(claim, {"number": frame["number"]}).status_code == 409
    table_at(client, match).since -= 31
    assert waiting.get(f"/api/matches/{match}/clock").json()["may_claim"] is True
    assert mover.post(claim, {"number": frame["number"]}).status_code == 409, "it is the mover's own time"
    assert waiting.post(claim, {"number": frame["number"]}).status_code == 200
    winner = table_at(client, match).game.teams[1 - frame["seat"]]
    assert waiting.last_frame(match)["end"] == {"winner": winner, "ending": "left"}
    assert [visitor.get("/api/me").json()["won"] for visitor in (mover, waiting)] == [0, 1]


def test_the_match_of_who_is_away_may_be_claimed(tmp_path: Path) -> None:
    with hasty(tmp_path, away=0.05) as client:
        people, match = sit_together(client, "holdem", "person,random,person", clock=None, target=3)
        mover, frame = mover_of(people, match)
        stays = next(visitor for visitor in people if visitor is not mover)
        wait_until(
            lambda: frame["seat"] in stays.get(f"/api/matches/{match}/clock").json()["away"],
            "the mover is away",
        )
        assert stays.get(f"/api/matches/{match}/clock").json()["may_claim"] is True
        assert stays.post(f"/api/matches/{match}/claim", {"number": frame["number"]}).status_code == 200
        assert stays.last_frame(match)["end"] == {"winner": None, "ending": "left"}


def test_an_agent_that_thinks_is_not_claimed_from(client: TestClient) -> None:
    host, guest = Visitor(client), Visitor(client)
    ids = [identity.Visitor(visitor.cookies[identity.COOKIE]).id for visitor in (host, guest)]
    sitters = (Sitter(agent="random"), *(Sitter(visitor=known_by) for known_by in ids))
    live = registry_of(client).open(Holdem.named("limit-3"), sitters, "people", clock=30)
    assert live.to_act == 0, "nobody has woken it"
    live.since -= 100
    assert host.get(f"/api/matches/{live.id}/clock").json()["may_claim"] is False


# Secrets


def check_frames(live: LiveTable, frames: Sequence[Json]) -> int:
    """See that frames of a match that goes on show a seat nothing it may not know; count the cards shown."""
    shown = 0
    for frame in frames:
        state = live.positions[frame["number"]].state
        cards = cards_on(frame["html"]) | cards_on(frame["says"]) | cards_on(frame["summary"] or "")
        assert cards <= may_see(state, frame["seat"]), frame
        assert frame["to_act"] == frame["seat"] or not frame["legal"]
        shown += len(cards)
    return shown


@pytest.mark.parametrize(
    ("game", "opponents"),
    [
        (Euchre.named("classic", 3), "person,person,random"),
        (Holdem.named("limit-4", 4), "person,random,person"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
@pytest.mark.slow
def test_no_frame_shows_a_seat_what_it_may_not_see(client: TestClient, game: Game, opponents: str) -> None:
    people, match = sit_together(client, game.name, opponents, target=game.goal)
    live, chance, after, cards = table_at(client, match), Stream("frames"), dict.fromkeys(people, -1), 0
    while True:
        mover, frame = mover_of(people, match)
        if frame["end"]:
            break
        for visitor in people:
            frames = visitor.look(match, after[visitor])
            cards += check_frames(live, frames)
            after[visitor] = frames[-1]["number"] if frames else after[visitor]
        assert mover.act(match, frame["number"], chance.choice(frame["legal"])).status_code == 200
    assert cards > 100


def stay_in(frame: Json) -> str:
    """Call or check, so that everybody acts in a hand."""
    return "call" if "call" in frame["legal"] else "check"


def test_agents_do_not_say_why_while_another_person_plays(client: TestClient) -> None:
    people, match = sit_together(client, "holdem", "person,random", target=3)
    live, host = table_at(client, match), people[0]
    while not live.table.hands:
        mover, frame = mover_of(people, match)
        mover.act(match, frame["number"], stay_in(frame))
    going_on = host.get(f"/table/{match}").text + host.get(f"/table/{match}/hands/1?step=1").text
    assert 'class="sentence"' not in going_on
    assert host.get(f"/api/matches/{match}/why/1").status_code == 403
    assert host.get(f"/table/{match}/records").status_code == 403
    play_together(people, match)
    steps = len(live.places_of(0))
    told = [host.get(f"/table/{match}/hands/1?step={step}").text for step in range(1, steps)]
    assert any('class="sentence"' in page for page in told)


# Watching


def test_agents_of_holdem_are_watched(client: TestClient) -> None:
    guest = Guest(client)
    answer = guest.send("/watch", game="holdem", first="rulebot", second="simplebot,random", target="3")
    assert answer.status_code == 303, answer.text
    where = str(answer.headers["location"])
    match = where.rpartition("/")[2]
    replay = guest.get(where)
    assert replay.headers["location"] == f"/replay/{match}/0?play=1"
    first = guest.get(str(replay.headers["location"]))
    assert first.headers["location"].startswith(f"/table/{match}/hands/1?step=0")
    live = table_at(client, match)
    assert [sitter.agent for sitter in live.stored.sitters] == ["rulebot", "simplebot", "random"]
    page = guest.page(f"/table/{match}/hands/1?step=0")
    state: Any = live.table.hands[0].state  # of hold'em
    assert set(FACES.findall(page)) == {card for hand in state.deal.hands for card in hand}
    assert 'class="sentence"' in guest.page(f"/table/{match}/hands/1?step=1")
    assert len(guest.get(f"/table/{match}/records").text.splitlines()) == 3
