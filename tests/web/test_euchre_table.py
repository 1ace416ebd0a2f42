"""Euchre at the web table: what its pages explain."""

import re
from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import registry_of
from visitors import Guest, summary_on

import retruco.web
from retruco.agents.euchre.cardplay import PLAYS
from retruco.games.euchre import Euchre, EuchreDeal, EuchreObservation, EuchreState
from retruco.vocab.euchre.scenarios import VOCABULARY
from retruco.web.core.store import Sitter
from retruco.web.views.euchre import EuchreView

client = serving.stacked_client
TEXTS = EuchreView.texts("en")
ME = 0


def test_everybody_shows_what_it_decides_by(client: TestClient) -> None:
    guest = Guest(client)
    wish = {"seat1": "NPS", "seat2": "UF@tricks", "seat3": "montecarlo", "rules": "seelbinder2012"}
    told = summary_on(guest.play_hand(guest.sit_down("euchre", **wish)))
    assert "Its chance chart before this card" in told, "UF shows its chart"
    assert "similar cases)" in told, "NPS shows its cases"
    assert re.search(r"<p class=\"sentence\">In \d+ of \d+ similar hands the player ", told), (
        "plain words first"
    )
    assert re.search(r'<span class="tiny-card filled">', told), "a picture of a similar hand"
    assert "ways the hidden cards could lie" in told
    folded = told.partition('<details class="researchers">')[2]
    assert "Its chance chart before this card" in folded, "measures are folded away"
    assert "Points of each card in the imagined deals" in told


def view_with(
    client: TestClient, hands: tuple[str, ...], upcard: str, dealer: int, *actions: str
) -> EuchreView:
    """What the person sees of a table with these cards, played up to some point."""
    sitters = (Sitter(visitor="somebody"), *(Sitter(agent="random"),) * 3)
    live = registry_of(client).open(Euchre.named("seelbinder2012"), sitters)
    deal = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), upcard)
    state = Euchre.named("seelbinder2012").start(deal, live.game.opening(dealer))
    for action in actions:
        state = state.play(action)
    live.table.state = state
    return EuchreView(live, ME, TEXTS, lambda: ("You", "a", "b", "c"), lambda place: None)


HANDS = ("Jd 9d Kc As 9s", "Ah Tc Qc Ac 9c", "Th Ts Qs Ks Js", "9h Jc Ad Kd Qd")


def test_the_left_bower_is_explained(client: TestClient) -> None:
    """Seat 3 leads hearts, which are trumps: the jack of diamonds must follow."""
    view = view_with(client, HANDS, "Qh", 2, "order", "discard:Js", "9h")
    state = view.live.table.state
    assert state.to_act == ME
    assert isinstance(state, EuchreState)
    cards = {one["card"]: one for one in view.felt(state)["hand"]}
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
    before = ("pass",) * 3 if not actions else ()
    view = view_with(client, HANDS, "Qh", 0, *before, *actions)
    seen = view.live.table.state.observe(ME)
    assert isinstance(seen, EuchreObservation)
    asked = view.turn(seen)
    assert asked["asks"] == asks
    assert [word for _, word in asked["words"]][: len(words)] == words


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
        assert texts.has(f"why.by_script.euchre.{reason}"), reason
    for scenario in VOCABULARY.scenarios:
        assert texts.has(f"euchre.question.{scenario.name}")
        for answer in scenario.actions:
            assert texts.has(f"euchre.answer.{answer}")
            assert texts.has(f"why.past.{answer}")
    assert PLAYS
