"""Euchre at the web table: played to the end, explained, and closed to everybody else."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import retruco.web
from retruco.agents.euchre.cardplay import PLAYS
from retruco.games.euchre import DECK, Euchre, EuchreDeal
from retruco.vocab.euchre.scenarios import EUCHRE
from retruco.web.app import create_app
from retruco.web.euchre_room import ME, EuchreRoom, WebGame
from retruco.web.euchre_view import View, euchre_texts
from retruco.web.french import FILE, sprite
from retruco.web.i18n import LANGUAGES
from retruco.web.refusals import Refused
from retruco.web.settings import Settings


@pytest.fixture(name="client")
def fixture_client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(
        create_app(Settings(store=tmp_path / "matches.db")), base_url="http://localhost"
    ) as client:
        yield client


def key_of(page: str) -> str:
    found = re.search(r'name="form_key" value="([^"]+)"', page)
    assert found
    return found[1]


def opened(client: TestClient, **wish: str) -> str:
    page = client.get("/euchre?lang=en")
    assert page.status_code == 200
    fields = {
        "partner": "UF@tricks",
        "left": "NPS",
        "right": "ratliff@tricks",
        "rules": "seelbinder2012",
        **wish,
    }
    answer = client.post("/euchre", data={"form_key": key_of(page.text), **fields}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_two_hands_are_played_by_clicking(client: TestClient) -> None:
    where = opened(client)
    for _ in range(30):
        page = client.get(where).text
        if "Who did what, and why" in page:
            break
        action = re.search(r'name="action" value="([^"]+)"', page)
        assert action, page
        move = re.search(r'name="move" value="(\d+)"', page)
        assert move
        sent = {"form_key": key_of(page), "move": move[1], "action": action[1]}
        assert client.post(where, data=sent, follow_redirects=False).status_code == 303
    assert "Who did what, and why" in page
    assert "chance chart" in page, "UF shows its chart"
    assert "similar cases" in page, "NPS shows its cases"


def test_moves_are_checked(client: TestClient) -> None:
    where = opened(client)
    page = client.get(where).text
    key = key_of(page)
    assert client.post(where, data={"form_key": key, "move": "99", "action": "pass"}).status_code == 409
    assert client.post(where, data={"form_key": key, "move": "0", "action": "As Kh"}).status_code == 400
    assert client.post(where, data={"form_key": key, "move": "x", "action": "pass"}).status_code == 422
    assert client.post(where, data={"form_key": "no", "move": "0", "action": "pass"}).status_code == 403
    assert client.get("/euchre/aaaaaaaaaaaaaaaa").status_code == 404
    bad = {"form_key": key, "partner": "nobody"}
    assert client.post("/euchre", data=bad).status_code == 400
    bad = {"form_key": key, "partner": "NPS", "left": "NPS", "rules": "british"}
    assert client.post("/euchre", data=bad).status_code == 400


def test_a_table_is_for_who_sits_at_it() -> None:
    room = EuchreRoom()
    game = room.open("somebody", "random", "random", "random", "classic")
    with pytest.raises(Refused, match=r"error\.forbidden"):
        room.find(game.id, "somebody else")


def game_with(hands: tuple[str, ...], upcard: str, *actions: str) -> WebGame:
    """A table with these cards, played up to some point."""
    room = EuchreRoom()
    game = room.open("me", "random", "random", "random", "seelbinder2012")
    deal = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), upcard)
    state = Euchre.named("seelbinder2012").start(deal, game.table.game.opening(2))
    for action in actions:
        state = state.play(action)
    game.table.state = state
    return game


HANDS = ("Jd 9d Kc As 9s", "Ah Tc Qc Ac 9c", "Th Ts Qs Ks Js", "9h Jc Ad Kd Qd")


def test_the_left_bower_is_explained() -> None:
    """Seat 3 leads hearts, which are trumps: the jack of diamonds must follow."""
    game = game_with(HANDS, "Qh", "order", "discard:Js", "9h")
    assert game.table.to_act == ME
    view = View(game, euchre_texts("en"))
    cards = {one["card"]: one for one in view.data()["hand"]}
    assert cards["Jd"]["action"] == "Jd"
    assert cards["9d"]["action"] is None
    assert "Hearts ♥ were led and you can follow: J♦." in cards["9d"]["why_not"]
    assert "J♦ is the left bower: it is a trump" in cards["9d"]["why_not"]


def test_nothing_hidden_is_on_the_page(client: TestClient) -> None:
    """While a hand is played the page shows no card of the others but those on the table."""
    where = opened(client)
    page = client.get(where).text
    name = where.rpartition("/")[2]
    game = client.app.state.euchre._games[name]  # type: ignore[attr-defined]
    state = game.table.state
    seen = {
        *state.held(ME),
        *state.table,
        state.deal.upcard,
        *(card for t in state.tricks for card in t.cards),
    }
    for card in set(DECK) - seen:
        assert f"#card-{card}" not in page


# Words and pictures.

FOLDER = Path(retruco.web.__file__).parent / "texts" / "euchre"
TEXTS = {
    language: json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8")) for language in LANGUAGES
}


def keys(node: object, path: str = "") -> list[str]:
    if isinstance(node, dict):
        return [key for name, value in node.items() for key in keys(value, f"{path}.{name}")]
    places = sorted(re.findall(r"{(\w+)}", str(node)))
    return [f"{path} {places}"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_sentences_in_every_language(language: str) -> None:
    assert keys(TEXTS[language]) == keys(TEXTS["en"])


def test_every_reason_question_and_answer_has_words() -> None:
    texts = euchre_texts("en")
    sources = Path(retruco.web.__file__).parent.parent / "agents" / "euchre"
    reasons = {
        reason
        for file in sources.glob("*.py")
        for reason in re.findall(r'"euchre\.([\w-]+)"', file.read_text())
    }
    assert len(reasons) > 15
    for reason in reasons - {"ismcts"}:
        assert texts.has(f"euchre.why.{reason}"), reason
    for scenario in EUCHRE.scenarios:
        assert texts.has(f"euchre.question.{scenario.name}")
        for answer in scenario.actions:
            assert texts.has(f"euchre.answer.{answer}")
    assert PLAYS


def test_the_cards_are_drawn_from_the_source() -> None:
    assert FILE.read_text(encoding="utf-8") == sprite()
    assert all(f'id="card-{card}"' in sprite() for card in (*DECK, "back"))
