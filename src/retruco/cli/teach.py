"""Teaching in the terminal: the bot plays, the person beside it says what to do when it is asked."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.rule import Rule

from retruco.cli.board import WIDTH, draw, menu, understood
from retruco.cli.cases import opened_library
from retruco.cli.interrupts import Interrupted
from retruco.cli.learn import Wanted, begin, check_same, reopened, told
from retruco.cli.play import HELP, Leave
from retruco.games.core import Action
from retruco.games.truco import TrucoObservation
from retruco.learning.learners import PLANS
from retruco.learning.tutor import PERSON
from retruco.storage import runs
from retruco.vocab.truco import Question

ASKED = {
    "flor": "about the flor",
    "envido": "about the envido",
    "truco": "about the truco",
    "card": "which card to play",
}


class Person:
    """A tutor at the terminal, who sees what the bot's seat sees and nothing else."""

    def __init__(self, console: Console, other: str) -> None:
        self._console, self._other = console, other

    def show(self, question: Question, seen: TrucoObservation, proposed: Action) -> Action:
        """Ask until an answer is legal; Enter confirms what the bot would do."""
        self._console.clear()
        self._console.print(draw(seen, self._other))
        about = ASKED[question.scenario.partition("-")[0]]
        self._console.print(Rule(f"your bot does not know {about}", style="yellow"))
        self._console.print(menu(seen))
        self._console.print(f"Enter: what it would do, [bold]{proposed}[/]")
        while True:
            text = self._console.input("[bold]>[/] ").strip()
            if text in ("x", "exit", "quit"):
                raise Leave
            action = understood(text, seen) if text else proposed
            if action is not None:
                return action
            if text == "?":
                self._console.print(HELP)
            else:
                self._console.print(f"{text!r} is not possible here. You may: {' '.join(seen.legal)}")


def teach_in_terminal(
    into: str,
    against: str | None,
    source: str | None,
    first: int | None,
    matches: int,
    seed: int | None,
    resume: bool,
) -> int:
    """Sit through some matches and return the exit code."""
    wanted = Wanted(
        into,
        "BOT5",
        matches,
        seed=seed,
        source=source,
        against=against,
        first=first,
        tutor=PERSON,
        resume=resume,
    )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stderr.write(
            "retruco: teach needs a terminal to sit at; `retruco learn --strategy BOT5` has a scripted tutor\n"
        )
        return 2
    console = Console(width=min(WIDTH, Console().width), highlight=False)
    teach(console, wanted)
    return 0


def teach(console: Console, wanted: Wanted) -> None:
    """Let a person teach; hands that are over are kept, whenever the person leaves."""
    assert wanted.matches is not None
    with opened_library() as library:
        if wanted.resume:
            check_same(wanted, dict(runs.progress(library.store, wanted.into).settings))
        else:
            begin(library, wanted)
        person = Person(console, wanted.against or PLANS["BOT5"].against or "")
        learner = reopened(library, wanted.into, person)
        try:
            learner.run(learner.standing.match + wanted.matches)
        except (Leave, EOFError):
            learner.hand_in()
            console.print("\nYou leave your bot. Até logo!")
        except KeyboardInterrupt:
            learner.hand_in()
            raise Interrupted(f"{told(learner, wanted.into)}; go on with --resume") from None
        console.print(told(learner, wanted.into))
