"""Objects show themselves in notebooks."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.chance import RandomAgent
from retruco.agents.kuhn.policies import NPS
from retruco.arena.duel import play_duel
from retruco.arena.running import play_plan
from retruco.arena.tournament import TournamentPlan, results
from retruco.cbr.case import Decision, Row
from retruco.cbr.casebase import CaseBase
from retruco.games.kuhn import Kuhn, KuhnState
from retruco.games.registry import find_game
from retruco.streams import Stream
from retruco.vocab.kuhn import VOCABULARY


def text_of(html: str) -> str:
    """The text of some HTML, whose tags must be balanced."""
    open_tags: list[str] = []
    texts: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag != "br":
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

        def handle_data(self, data: str) -> None:
            texts.append(data)

    Reader().feed(html)
    assert open_tags == []
    return " ".join(texts)


def test_a_hand_of_truco_is_shown_as_cards() -> None:
    game = find_game("truco", "cbtg")
    state = game.start(game.read_deal("1e 7c 4b / 3o 2c 5e"), game.opening())
    html = state.play("7c").observe(0)._repr_html_()  # type: ignore[attr-defined]  # of the game's own class
    assert text_of(html).startswith("1 espadas 7 copas 4 bastos score 0 to 0, mao table: own:7c")
    assert len(re.findall("opacity", html)) == 1


@pytest.fixture
def base() -> CaseBase:
    found = CaseBase(VOCABULARY)
    scenario = VOCABULARY.scenarios[0]
    values = {feature.name: feature.values[0] for feature in scenario.visible}
    problem = scenario.problem(values)
    found.add(
        Row(problem, scenario.actions[0], 1, (0,) * len(scenario.hindsight), episode, 0)
        for episode in range(12)
    )
    return found


def test_a_case_base_and_a_retrieval_are_shown_as_tables(base: CaseBase) -> None:
    scenario = VOCABULARY.scenarios[0]
    assert f"{scenario.name} 12 card, seats, checks" in text_of(base._repr_html_())
    problem = scenario.problem({feature.name: feature.values[0] for feature in scenario.visible})
    shown = text_of(base.retrieve(problem)._repr_html_())
    assert "12 cases, the most similar ones:" in shown
    assert shown.count("100.0%") == 10


def test_a_decision_is_shown_with_its_cases(base: CaseBase) -> None:
    seen = KuhnState(("J", "K")).observe(0)
    decision = CaseBasedAgent(NPS, base).decide(seen, Stream("test"))
    shown = text_of(decision._repr_html_())
    assert shown.startswith(decision.action)
    assert "case similarity action points" in shown
    assert text_of(Decision("<b>", "drawn", {"among": 2})._repr_html_()) == "<b>: drawn among 2"


def test_a_duel_and_a_tournament_are_shown_as_tables() -> None:
    game = Kuhn(hands=2)
    duel = play_duel(game, (RandomAgent(), RandomAgent()), ("one", "two"), 2, seed=1)
    assert text_of(duel._repr_html_()).startswith(
        "agent against pairs matches won points a hand one two 2 50.0%"
    )
    plan = TournamentPlan(game, ("random", "other"), pairs=2, seed=1)
    scores = play_plan(plan, {"random": RandomAgent(), "other": RandomAgent()}, workers=1)
    shown = results(plan, scores)
    assert text_of(shown._repr_html_()).startswith("agent matches won points a hand Elo")
    assert all(name in text_of(shown._repr_html_()) for name in plan.names)
