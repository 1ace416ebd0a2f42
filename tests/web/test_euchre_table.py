"""Euchre at the web table: what its pages explain."""

import re
from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from retruco.web.tables.euchre_view import EuchreHost, EuchreView
from serving import table_at
from visitors import Guest

import retruco.web
from retruco.agents.euchre.cardplay import PLAYS
from retruco.games.euchre import Euchre, EuchreDeal, EuchreState
from retruco.vocab.euchre.scenarios import VOCABULARY
from retruco.web.tables.live_table import ME, LiveTable

client = serving.stacked_client
TEXTS = EuchreHost().texts("en")


def test_everybody_shows_what_it_decides_by(client: TestClient) -> None:
    guest = Guest(client)
    wish = {"partner": "UF@tricks", "left": "NPS", "right": "montecarlo", "rules": "seelbinder2012"}
    page = guest.play_hand(guest.sit_down("euchre", **wish))
    assert "Its chance chart before this card" in page, "UF shows its chart"
    assert "similar cases)" in page, "NPS shows its cases"
    assert "Points of each card in the imagined deals" in page


def table_with(client: TestClient, hands: tuple[str, ...], upcard: str, *actions: str) -> LiveTable:
    """A table with these cards, played up to some point."""
    guest = Guest(client)
    where = guest.sit_down("euchre", partner="random", left="random", right="random", rules="seelbinder2012")
    live = table_at(client, where)
    deal = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), upcard)
    state = Euchre.named("seelbinder2012").start(deal, live.game.opening(2))
    for action in actions:
        state = state.play(action)
    live.table.state = state
    return live


HANDS = ("Jd 9d Kc As 9s", "Ah Tc Qc Ac 9c", "Th Ts Qs Ks Js", "9h Jc Ad Kd Qd")


def test_the_left_bower_is_explained(client: TestClient) -> None:
    """Seat 3 leads hearts, which are trumps: the jack of diamonds must follow."""
    live = table_with(client, HANDS, "Qh", "order", "discard:Js", "9h")
    assert live.to_act == ME
    assert isinstance(live.state, EuchreState)
    cards = {one["card"]: one for one in EuchreView(live, TEXTS).felt(live.state)["hand"]}
    assert cards["Jd"]["action"] == "Jd"
    assert cards["9d"]["action"] is None
    assert "Hearts ♥ were led and you can follow: J♦." in cards["9d"]["why_not"]
    assert "J♦ is the left bower: it is a trump" in cards["9d"]["why_not"]


@pytest.mark.parametrize(
    ("actions", "asks", "words"),
    [
        ((), "Shall Q♥ be trumps?", ["Pass", "Order it up"]),
        (("order",), "You take the upcard: put one card away", []),
    ],
)
def test_the_question_and_its_answers(
    client: TestClient, actions: tuple[str, ...], asks: str, words: list[str]
) -> None:
    state = Euchre.named("classic").start(
        EuchreDeal(tuple(tuple(hand.split()) for hand in HANDS), "Qh"), Euchre.named("classic").opening(0)
    )
    live = table_with(client, HANDS, "Qh")
    before = ("pass",) * 3 if not actions else ()
    for action in (*before, *actions):
        state = state.play(action)
    live.table.state = state
    told = EuchreView(live, TEXTS).turn()
    assert told["asks"] == asks
    assert [word for _, word in told["words"]][: len(words)] == words


def test_every_reason_question_and_answer_has_words() -> None:
    texts = TEXTS
    sources = Path(retruco.web.__file__).parent.parent / "agents" / "euchre"
    reasons = {
        reason
        for file in sources.glob("*.py")
        for reason in re.findall(r'"euchre\.([\w-]+)"', file.read_text())
    }
    assert len(reasons) > 15
    for reason in reasons - {"ismcts"}:
        assert texts.has(f"euchre.why.{reason}"), reason
    for scenario in VOCABULARY.scenarios:
        assert texts.has(f"euchre.question.{scenario.name}")
        for answer in scenario.actions:
            assert texts.has(f"euchre.answer.{answer}")
    assert PLAYS
