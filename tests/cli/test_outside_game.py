"""A game in a package of its own, found through an entry point: nothing in Retruco names it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
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
    return environment_with(tmp_path, tmp_path, Path(__file__).parent.parent)


COMMANDS = """
import json, sys
from shell import typed

for line in sys.stdin:
    words, given = json.loads(line)
    done = typed(*words, stdin=given.encode())
    print(json.dumps([done.returncode, done.stdout.decode(), done.stderr.decode()]), flush=True)
"""


class Shell:
    """A process of a machine on which the package is installed: it runs one command after another."""

    def __init__(self, environment: dict[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMANDS], env=environment, stdin=pipe, stdout=pipe, text=True
        )

    def run(self, *words: str, given: str = "") -> str:
        """Run a command; give what it printed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([words, given]) + "\n")
        self.process.stdin.flush()
        code, printed, complaint = json.loads(self.process.stdout.readline())
        assert code == 0, complaint
        return str(printed)


@pytest.fixture
def shell(outside: dict[str, str]) -> Iterator[Shell]:
    shell = Shell(outside)
    yield shell
    shell.process.communicate(timeout=60)


def test_a_game_of_another_package_is_listed_learnt_stored_played_and_decided(shell: Shell) -> None:
    assert "NPS" in shell.run("agents", "--game", "leduc")
    learn = ("learn", "--game", "leduc", "--strategy", "NPS", "--against", "random")
    learnt = shell.run(*learn, "--into", "mine", "--matches", "30")
    assert "after 30 matches, 360 hands" in learnt
    facts = json.loads(shell.run("cases", "info", "mine", "--json"))
    assert facts["game"] == "leduc"
    assert facts["rows"]["turn"] > 300
    options = ("--game", "leduc", "--cases", "mine", "--workers", "1", "--json")
    duel = json.loads(shell.run("duel", "NPS", "random", "--matches", "40", *options))
    assert duel["win_rate"] > 0.5
    hand = {"game": "leduc", "cards": ["K", "J"], "first": 1, "actions": ["bet"]}
    asked = ("decide", "-", "--agent", "NPS", "--game", "leduc", "--cases", "mine")
    decision = json.loads(shell.run(*asked, given=json.dumps(hand) + "\n"))
    assert decision["action"] == "call"
    assert decision["query"] == {"card": "K", "facing": "yes"}
    assert decision["similar"]
