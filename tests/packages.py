"""Packages outside the source tree, as a user has them installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import retruco
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


VIEWS = """
from retruco.web.tables.table_view import TableView


class LeducView(TableView):
    game, sizes, rules, usual = "leduc", (2,), ("two-seats",), ("NPS",)

    def felt(self, state, is_open=False):
        seats = [self.draw_seat(state, seat, is_open) for seat in range(state.seats)]
        return {"seats": seats, "middle": [self.t("leduc.pot", chips=sum(state.paid()))]}

    def draw_seat(self, state, seat, is_open):
        seen = state.observe(self.seat)
        card = state.cards[seat] if is_open or seat == self.seat else seen.shown[seat]
        return {
            "name": self.name(seat),
            "me": seat == self.seat,
            "to_act": state.to_act == seat,
            "won": bool(state.outcome and state.outcome.winner == seat),
            "cards": [{"card": None, "shown": f"card {card}"}] if card else [],
            "backs": 0 if card else 1,
            "notes": [],
        }

    def turn(self, seen):
        return {"asks": self.t("leduc.ask"), "words": [(action, action.capitalize()) for action in seen.legal]}

    def describe_action(self, done):
        return f"{self.name(done.seat)}: {done.action}"

    def result(self, state):
        return self.t("leduc.result", name=self.name(state.outcome.winner))
"""

TEXTS = {
    "leduc": {"title": "Little poker", "about": "One card each.", "ask": "Bet?", "pot": "{chips} chips",
              "result": "{name} takes the pot."},
}  # fmt: skip
"""What the view says, in English alone."""


def install_card_game(folder: Path) -> dict[str, str]:
    """Install a game `leduc`, with cases, agents and a table view; give the environment of that machine."""
    package, installed = folder / "cardgame", folder / "cardgame-1.0.dist-info"
    (package / "texts" / "leduc").mkdir(parents=True)
    installed.mkdir()
    game = Path(kuhn.__file__).read_text().replace('"kuhn"', '"leduc"')
    for name, text in {"__init__": game, "vocab": VOCAB, "agents": AGENTS, "views": VIEWS}.items():
        (package / f"{name}.py").write_text(text)
    (package / "texts" / "leduc" / "en.json").write_text(json.dumps(TEXTS))
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: cardgame\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[retruco.games]\nleduc = cardgame\n")
    tests = Path(__file__).parent
    return environment_with(folder, folder, tests, tests / "web")


def environment_with(folder: Path, *paths: Path) -> dict[str, str]:
    """The environment in which Python finds the packages in some folders, with a data folder of its own."""
    source = Path(retruco.__file__).parent.parent
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(map(str, (*paths, source))),
        "RETRUCO_HOME": str(folder / "home"),
    }


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

    def close(self) -> None:
        """End the process."""
        self.process.communicate(timeout=120)
