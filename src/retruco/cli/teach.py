"""Teaching in the terminal: the bot plays, the person beside it says what to do when it is asked."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.rule import Rule

from retruco.cli.cases import open_library
from retruco.cli.commands.learning import LearnOptions, TeachOptions
from retruco.cli.interrupts import Interrupted
from retruco.cli.learn import begin_run, check_same, describe_learner, open_learner
from retruco.cli.play import HELP, Leave
from retruco.cli.terminal_table import WIDTH, draw, menu, parse_action
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


class TerminalTutor:
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
            action = parse_action(text, seen) if text else proposed
            if action is not None:
                return action
            if text == "?":
                self._console.print(HELP)
            else:
                self._console.print(f"{text!r} is not possible here. You may: {' '.join(seen.legal)}")


def teach_in_terminal(options: TeachOptions) -> int:
    """Teach through some matches and return the exit code."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stderr.write(
            "retruco: teach needs a terminal to sit at; `retruco learn --strategy BOT5` has a scripted tutor\n"
        )
        return 2
    console = Console(width=min(WIDTH, Console().width), highlight=False)
    learn_options = LearnOptions(
        into=options.into,
        strategy="BOT5",
        matches=options.matches,
        seed=options.seed,
        source=options.source,
        against=options.against,
        first=options.first,
        tutor=PERSON,
        resume=options.resume,
    )
    teach(console, learn_options)
    return 0


def teach(console: Console, options: LearnOptions) -> None:
    """Let a person teach; hands that are over are kept, whenever the person leaves."""
    assert options.matches is not None
    with open_library() as library:
        if options.resume:
            check_same(options, dict(runs.progress(library.store, options.into).settings))
        else:
            begin_run(library, options)
        person = TerminalTutor(console, options.against or PLANS["BOT5"].against or "")
        learner = open_learner(library, options.into, person)
        try:
            learner.run(learner.standing.match + options.matches)
        except (Leave, EOFError):
            learner.hand_in()
            console.print("\nYou leave your bot. Até logo!")
        except KeyboardInterrupt:
            learner.hand_in()
            raise Interrupted(f"{describe_learner(learner, options.into)}; go on with --resume") from None
        console.print(describe_learner(learner, options.into))
