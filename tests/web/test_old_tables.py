"""Files of the release before: tables left between two hands, their addresses and invitations go on."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from serving import GENEROUS, cases_of, registry_of, table_at
from visitors import Guest, last_hand, moves, play_together

from retruco.games.core import Game
from retruco.games.euchre import Euchre
from retruco.games.holdem import Holdem
from retruco.games.truco import Truco
from retruco.web.core import identity
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.core.store import ONE_TABLE, STEPS
from retruco.web.tables.fairness import HONEST

TOKEN = "t" * 43
"""The cookie of whoever played at the tables of before."""
ME = identity.Visitor(TOKEN).id
MATCHES = {"holdem": "h" * 16, "euchre": "e" * 16}
INVITATION = "i" * 16


def add_finished_hand(base: sqlite3.Connection, match: str, game: Game, agents: tuple[str, ...]) -> None:
    """Write down a table whose first hand is over, and whose second was never asked for."""
    columns = "id, rules, target, first, seed, kind, started, game"
    line = (match, game.rules_name, game.goal, 0, 1, "sitting", time.time(), game.name)
    base.execute(f"INSERT INTO match ({columns}) VALUES (?,?,?,?,?,?,?,?)", line)
    base.execute("INSERT INTO seat VALUES (?,0,NULL,?)", (match, ME))
    base.executemany(
        "INSERT INTO seat VALUES (?,?,?,NULL)", [(match, seat, name) for seat, name in enumerate(agents, 1)]
    )
    deal = HONEST.deal(game)
    base.execute("INSERT INTO hand VALUES (?,0,?,?)", (match, deal.salt, deal.text))
    state = game.start(game.read_deal(deal.text), game.opening(0))
    while state.outcome is None:
        action = state.legal[0]
        base.execute("INSERT INTO action VALUES (?,0,?,?)", (match, len(state.actions), action))
        state = state.play(action)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of the release before, with two tables and an invitation."""
    file, before = tmp_path / "table.sqlite", STEPS.index(ONE_TABLE)
    with closing(sqlite3.connect(file)) as base:
        base.executescript("".join(STEPS[:before]) + f"PRAGMA user_version = {before};")
        base.execute("INSERT INTO secret VALUES (?)", (b"k" * 32,))
        add_finished_hand(base, MATCHES["holdem"], Holdem.named("limit-3", 200), ("always-call", "random"))
        add_finished_hand(base, MATCHES["euchre"], Euchre.named("stick"), ("random",) * 3)
        game = Truco.named("cbtg", 4)
        line = (INVITATION, ME, game.rules_name, game.goal, None, None, time.time(), "", "")
        base.execute("INSERT INTO invitation VALUES (?,?,?,?,?,?,?,?,?)", line)
        base.commit()
    return file


@pytest.fixture
def client(file: Path) -> Iterator[TestClient]:
    with TestClient(
        create_app(Settings(file, limits=GENEROUS), cases_of), base_url="http://localhost"
    ) as found:
        yield found


@pytest.fixture
def guest(client: TestClient) -> Guest:
    """Whoever played before, with the same cookie."""
    found = Guest(client)
    found.cookies[identity.COOKIE] = TOKEN
    found.form_key = identity.form_key(registry_of(client).form_secret, identity.Visitor(TOKEN))
    return found


@pytest.mark.parametrize("game", MATCHES)
def test_a_table_left_between_two_hands_goes_on(client: TestClient, guest: Guest, game: str) -> None:
    where = f"/table/{MATCHES[game]}"
    assert guest.get(f"/{game}/{MATCHES[game]}").headers["location"] == where
    page = guest.page(where)
    assert last_hand(page) == 1
    assert moves(page)
    live = table_at(client, where)
    stored = registry_of(client).store.load(live.id)
    assert stored is not None
    assert (stored.kind, len(stored.deals)) == ("match", 2), "the deal is stored before it is shown"
    assert last_hand(guest.play_hand(where)) >= 2
    assert guest.get(f"{where}/hands/1?step=1").status_code == 200


def test_the_deal_is_the_same_after_another_start(file: Path) -> None:
    deals = []
    for _ in range(2):
        with TestClient(create_app(Settings(file), cases_of), base_url="http://localhost") as client:
            live = registry_of(client).find(MATCHES["holdem"])
            assert live is not None
            deals.append(live.deals)
    assert deals[0] == deals[1]
    assert len(deals[0]) == 2


def test_tables_of_before_are_listed_and_counted(client: TestClient, guest: Guest) -> None:
    mine = guest.get("/api/me").json()
    assert {line["match"] for line in mine["matches"]} == set(MATCHES.values())
    assert registry_of(client).store.open_matches(ME) == 2
    assert "limit-3" not in guest.page("/me"), "variants have names"


def test_an_invitation_of_before_is_accepted(client: TestClient, guest: Guest) -> None:
    other = Guest(client)
    assert INVITATION in guest.page(f"/join/{INVITATION}")
    assert other.post(f"/api/invitations/{INVITATION}/accept").json()["begun"] is True
    end = play_together((guest, other), INVITATION)["end"]
    assert end["ending"] == "played"
