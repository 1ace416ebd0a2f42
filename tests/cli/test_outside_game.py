"""A game in a package of its own, found through an entry point: nothing in Retruco names it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from packages import environment_with
from retruco.games import kuhn

VOCAB = """
from retruco.cbr.case import Problem, Row
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal
from retruco.games.records import replay

TURN = Scenario("turn", (equal("card", ("J", "Q", "K")), equal("facing", ("no", "yes"))), (), ("put", "leave"))
VOCABULARY = Vocabulary("leduc", 1, (TURN,))


class Question:
    adapted = {}

    def __init__(self, seen):
        facing = "call" in seen.legal
        self.problem = TURN.problem({"card": seen.card, "facing": "yes" if facing else "no"})
        self.answers = {"put": "call", "leave": "fold"} if facing else {"put": "bet", "leave": "check"}


def turn(seen, answer):
    question = Question(seen)
    return question.answers[answer(question)]


def fallback(question):
    return "leave"


def rows(record, seat, episode):
    end = replay(record)
    state, found = type(end)(end.cards, end.first), []
    for action in end.actions:
        if state.to_act == seat:
            question = Question(state.observe(seat))
            answer = next(name for name, does in question.answers.items() if does == action)
            found.append(Row(question.problem, answer, end.outcome.points[seat], (), episode, len(found)))
        state = state.play(action)
    return found
"""

AGENTS = """
from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Entry
from retruco.cbr.reuse import Conventional, Points

NPS = Policy("NPS", "leduc", model=Conventional(Points()))
ROSTER = (
    Entry("NPS", "leduc", "Takes what brought the most.", lambda cases: CaseBasedAgent(NPS, cases("leduc"))),
)
"""


@pytest.fixture
def outside(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine on which the package is installed."""
    package, installed = tmp_path / "cardgame", tmp_path / "cardgame-1.0.dist-info"
    package.mkdir()
    installed.mkdir()
    game = Path(kuhn.__file__).read_text().replace('"kuhn"', '"leduc"')
    (package / "__init__.py").write_text(game)
    (package / "vocab.py").write_text(VOCAB)
    (package / "agents.py").write_text(AGENTS)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: cardgame\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[retruco.games]\nleduc = cardgame\n")
    return environment_with(tmp_path, tmp_path)


def retruco(environment: dict[str, str], *words: str, given: str = "") -> str:
    command = [sys.executable, "-m", "retruco", *words]
    done = subprocess.run(
        command, env=environment, input=given, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_of_another_package_is_listed_learnt_stored_played_and_decided(
    outside: dict[str, str],
) -> None:
    assert "NPS" in retruco(outside, "agents", "--game", "leduc")
    learnt = retruco(
        outside, "learn", "--game", "leduc", "--strategy", "NPS", "--against", "random",
        "--into", "mine", "--matches", "30",
    )  # fmt: skip
    assert "after 30 matches, 360 hands" in learnt
    facts = json.loads(retruco(outside, "cases", "info", "mine", "--json"))
    assert facts["game"] == "leduc"
    assert facts["rows"]["turn"] > 300
    options = ("--game", "leduc", "--cases", "mine", "--workers", "1", "--json")
    duel = json.loads(retruco(outside, "duel", "NPS", "random", "--matches", "40", *options))
    assert duel["win_rate"] > 0.5
    hand = {"game": "leduc", "cards": ["K", "J"], "first": 1, "actions": ["bet"]}
    asked = ("decide", "-", "--agent", "NPS", "--game", "leduc", "--cases", "mine")
    decision = json.loads(retruco(outside, *asked, given=json.dumps(hand) + "\n"))
    assert decision["action"] == "call"
    assert decision["query"] == {"card": "K", "facing": "yes"}
    assert decision["similar"]
