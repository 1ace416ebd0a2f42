"""The terminal game: one person, one agent, one match."""

from __future__ import annotations

import secrets
import sys

from rich.console import Console

from retruco.agents.core import Agent
from retruco.agents.registry import check_table, find_agent
from retruco.agents.truco.levels import agent_at, level_of
from retruco.arena.duel import deals_from, first_seat
from retruco.arena.match import ask
from retruco.arena.table import Table
from retruco.cli.commands.live_tables import PlayOptions
from retruco.cli.progress import show_progress
from retruco.cli.terminal_table import WIDTH, draw, menu, parse_action, say_why_not
from retruco.explain import sentences
from retruco.games.core import Action, Seat
from retruco.games.truco import Truco, TrucoObservation
from retruco.learning.case_bases import cases_named
from retruco.streams import key_number

HELP = (
    "A card: its number (1, 2, 3) or its name (7e). From the second round on, d1 or down:7e lays it face down. "
    "A call: its key or its word (t or truco). The two numbers behind a call are what it is worth accepted / "
    "declined. `retruco rules show NAME` prints all the rules."
)


class Leave(Exception):
    """The person got up from the table."""


def play_in_terminal(options: PlayOptions) -> int:
    """Play a match against an agent and return the exit code."""
    game = Truco.named(options.rules, options.target)
    name = agent_at(options.agent)
    check_table(name, game)
    other = find_agent(name, game.name, cases_named(options.cases, show_progress))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stderr.write(
            "retruco: play needs a terminal to sit at; `retruco duel` lets agents play each other without one\n"
        )
        return 2
    console = Console(width=min(WIDTH, Console().width), highlight=False)
    try:
        seed = secrets.randbits(48) if options.seed is None else options.seed
        Session(console, game, other, introduce(console, name), seed).run()
    except (Leave, EOFError):
        console.print("\nYou leave the table. Até logo!")
    return 0


def introduce(console: Console, agent: str) -> str:
    """What an agent is called at the table; one that plays at a level is introduced."""
    level, say = level_of(agent), sentences("en")
    if level is None:
        return agent
    name = say(f"level.{level}.name")
    console.print(f"[bold]{name}[/] {say(f'level.{level}.about')}")
    console.input("[dim]Enter deals the first hand[/] ")
    return name


class Session:
    """A person and an agent at one table."""

    def __init__(self, console: Console, game: Truco, agent: Agent, name: str, seed: int) -> None:
        self.console, self.agent, self.name = console, agent, name
        self.seat: Seat = 0
        self.seed = key_number("match", seed, 0)
        self.table = Table(game, deals_from(game, seed, 0), first_seat(game, seed, 0))

    def seen(self) -> TrucoObservation:
        """What the person sees now."""
        seen = self.table.observe(self.seat)
        assert isinstance(seen, TrucoObservation)
        return seen

    def run(self) -> None:
        """Play until the match is over."""
        while (turn := self.table.to_act) is not None:
            hands_before = len(self.table.hands)
            mine = turn == self.seat
            action = self.ask_person() if mine else ask(self.agent, self.table, turn, self.seed).action
            self.table.act(turn, action)
            if len(self.table.hands) > hands_before:
                self.end_of_hand()
        self.end_of_match()

    def show(self, seen: TrucoObservation) -> None:
        """Draw the table on a clear screen."""
        self.console.clear()
        self.console.print(draw(seen, self.name))

    def ask_person(self) -> Action:
        """Ask until an answer is legal."""
        seen = self.seen()
        self.show(seen)
        self.console.print(menu(seen))
        while True:
            text = self.console.input("[bold]>[/] ").strip()
            if text in ("x", "exit", "quit"):
                raise Leave
            action = parse_action(text, seen)
            if action is not None:
                return action
            if text == "?":
                self.console.print(HELP)
            elif text:
                reason = say_why_not(text, seen) or f"{text!r} is not possible here."
                self.console.print(f"{reason} You may: {' '.join(seen.legal)}")

    def end_of_hand(self) -> None:
        """Show how the hand ended, and wait for the person."""
        last = self.table.hands[-1].state.observe(self.seat)
        assert isinstance(last, TrucoObservation)
        self.show(last)
        if not self.table.is_over:
            self.console.input("[dim]Enter deals the next hand[/] ")

    def end_of_match(self) -> None:
        """Tell who won."""
        mine, theirs = self.table.match.scores[self.seat], self.table.match.scores[1 - self.seat]
        verdict = "You win" if self.table.winner == self.seat else f"{self.name} wins"
        self.console.rule(f"{verdict}, {mine} to {theirs}")
