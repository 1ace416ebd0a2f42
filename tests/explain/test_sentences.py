"""Why, in three languages: every reason has its sentence, and the terminal says what the web says."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import retruco.agents
from retruco.agents.holdem.policies import NOTHING_PAYS, PAYS, STEALS
from retruco.agents.registry import find_agent
from retruco.agents.truco.guessing import LOT
from retruco.agents.truco.policies import CRITERIA
from retruco.agents.truco.sound_play import SOUND_RULES
from retruco.agents.truco.styles import REASONS
from retruco.arena.duel import deals_from
from retruco.arena.match import ask
from retruco.arena.table import Table
from retruco.cbr.case import Decision, Problem, QuestionRecord, Revision
from retruco.cbr.casebase import CaseBase
from retruco.cli import decide
from retruco.cli.terminal_table import draw, say_why_not
from retruco.explain import LANGUAGES, Explainer, sentences, why_not
from retruco.games.core import Game
from retruco.games.registry import find_game, game_names
from retruco.games.truco import TrucoObservation
from retruco.games.truco.notation import read
from retruco.vocab.holdem.revision import PotOdds
from retruco.vocab.registry import find_vocabulary
from retruco.vocab.truco.revision import ALL_RULES
from retruco.web.core.i18n import texts

HAND = {
    "game": "truco",
    "rules": "cbtg",
    "target": 24,
    "scores": [0, 0],
    "mao": 0,
    "hands": [["1e", "7c", "4b"], ["3o", "2c", "5e"]],
}

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w*)\}", text))


@in_every_language
def test_every_language_says_the_same(language: str) -> None:
    here, english = sentences(language).known, sentences("en").known
    assert list(here) == list(english)
    assert {key: places(text) for key, text in here.items()} == {
        key: places(text) for key, text in english.items()
    }
    assert all(text == text.strip() != "" for text in here.values())
    same = [key for key, text in english.items() if language != "en" and here[key] == text and len(text) > 40]
    assert not same, "not translated"


def reasons(game: str, prefix: str) -> set[str]:
    """The reasons that stand in the files of a game's agents."""
    files = (Path(retruco.agents.__file__).parent / game).glob("*.py")
    return {reason for file in files for reason in re.findall(rf'"({prefix}\.[a-z-]+)"', file.read_text())}


@in_every_language
def test_every_reason_rule_and_criterion_has_its_sentence(language: str) -> None:
    known = sentences(language)
    given = {*REASONS, *reasons("euchre", "euchre"), *reasons("holdem", "hold")}
    assert len(given) > 50
    assert {key.removeprefix("why.by_script.") for key in known.under("why.by_script.")} == {
        *given,
        "drawn",
        "people.do",
        "always",
        "solved",
        "solver.match",
        "solver.unknown",
        "response.learnt",
        "response.unknown",
        "reader.leans",
    }
    for rule in (PotOdds.name, *(rule.name for rule in (*ALL_RULES, *SOUND_RULES))):
        assert known.has(f"why.rule.{rule}.because")
    for criterion in (*CRITERIA, "lost-least", "shown", LOT, PAYS, STEALS, NOTHING_PAYS):
        assert known.has(f"why.criterion.{criterion}.because")


def decisions(game: Game, names: list[str]) -> Iterator[Decision]:
    """What some agents decide in a match, with a base that is empty."""
    words = find_vocabulary(game.name)
    assert words is not None
    base = CaseBase(words.VOCABULARY)
    agents = [find_agent(name, game.name, lambda *_: base) for name in names]
    table = Table(game, deals_from(game, 3, 1))
    for _ in range(60):
        if (seat := table.to_act) is None:
            return
        decision = ask(agents[seat % len(agents)], table, seat, 1)
        yield decision
        table.act(seat, decision.action)


SOME = {
    "truco": ["MJS", "balanced"],
    "holdem": ["casey", "rulebot"],
    "euchre": ["NPS", "UF.5@tricks", "montecarlo", "MDP@tricks"],
    "kuhn": ["NPS", "random"],
}


@pytest.mark.parametrize("name", SOME)
def test_the_terminal_says_what_the_web_says(name: str) -> None:
    found = list(decisions(find_game(name), SOME[name]))
    assert len(found) > 1
    for decision in found:
        assert decide.why(decision) == Explainer(texts("en")).explain(decision)
        for language in LANGUAGES:
            said = Explainer(sentences(language)).explain(decision)
            assert said.endswith(".")
            assert said[0] == said[0].upper()
            assert "why." not in said
            assert not places(said)


def test_every_game_with_a_vocabulary_is_explained() -> None:
    assert set(SOME) == {name for name in game_names() if find_vocabulary(name) is not None}


def test_a_reason_of_an_agent_of_ones_own_is_shown_as_it_was_given() -> None:
    why = Explainer(sentences("en")).explain
    assert why(Decision("truco", "my thumb itches", {"best_card": "1e"})) == "My thumb itches (best card 1e)."
    assert why(Decision("truco")) == "It did not say why."
    assert why(Decision("9h", "euchre.imagined", {"deals": 20, "points": {"9h": 0.5, "Jd": -1.0}})) == (
        "The best card of 20 imagined deals (points 9h +0.50, Jd -1.00)."
    )


def test_a_rule_of_a_vocabulary_of_ones_own_is_named() -> None:
    asked = QuestionRecord(Problem("flor", ()), "fold")
    decision = Decision("fold", asked=(asked,), revised_by=(Revision("never-bet", "bet", "fold"),))
    assert Explainer(sentences("en")).explain(decision) == (
        "There was nothing to choose: only fold is possible, but the rule never-bet says fold."
    )


def test_the_terminal_says_why_a_call_is_not_possible() -> None:
    seen = read({**HAND, "actions": ["truco"]}).observe(1)
    assert isinstance(seen, TrucoObservation)
    assert why_not(seen, "flor") == "no-flor-in-hand"
    assert say_why_not("fl", seen) == "flor: You have no flor: that takes three cards of one suit."
    assert say_why_not("vale4", seen) == "vale4: One step at a time: truco, retruco, vale cuatro."
    assert say_why_not("retruco", seen) is None
    assert say_why_not("hello", seen) is None


def test_the_terminal_table_tells_ones_own_points() -> None:
    console = Console(width=100, record=True, file=StringIO())
    for hand, points in ((["1e", "7c", "4b"], "your envido 7"), (["7c", "6c", "2c"], "your flor 35")):
        state = read({**HAND, "hands": [hand, ["3o", "2e", "5e"]], "actions": []})
        seen = state.observe(0)
        assert isinstance(seen, TrucoObservation)
        console.print(draw(seen, "novice"))
        assert points in console.export_text()
