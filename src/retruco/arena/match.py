"""A match between agents, from the first deal to the result."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from retruco.agents.core import Agent, agent_stream, ask_agent
from retruco.arena.table import FinishedHand, Table
from retruco.cbr.case import Decision
from retruco.games.core import Game, IllegalAction, Observation, Seat, Team
from retruco.streams import Stream

Fault: TypeAlias = Literal["illegal", "failed", "late"]
"""Why a match was forfeited: an illegal action, an agent that broke down, or one that took too long."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A match lost by breaking the rules, with the hand as it stood."""

    seat: Seat
    fault: Fault
    why: str
    hand: dict[str, object] = field(default_factory=dict)
    """The unfinished hand, as a record."""

    @property
    def illegal(self) -> bool:
        """Whether it was for an illegal action."""
        return self.fault == "illegal"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match went."""

    winner: Team | None
    hands: tuple[FinishedHand, ...]
    forfeit: Forfeit | None = None

    def gains(self, team: Team) -> int:
        """What a team won in all hands together, towards the match."""
        return sum(hand.gains[team] for hand in self.hands)


class Condemned(Exception):
    """A seat has lost the match by the house's rules, before its action is carried out."""

    def __init__(self, fault: Fault, why: str) -> None:
        super().__init__(why)
        self.fault: Fault = fault


class Onlooker:
    """Somebody who looks on while a match is played; this one does nothing about it.

    Either method may raise `Condemned`: the seat then forfeits the match.
    """

    def asking(self, table: Table, seat: Seat) -> None:
        """A seat is about to be asked."""

    def note_decision(self, table: Table, seat: Seat, decision: Decision) -> None:
        """A seat has answered; its action has not been carried out yet."""


NOBODY = Onlooker()


def play_match(
    game: Game,
    agents: Sequence[Agent],
    deals: Callable[[int], Any],
    first: Seat,
    seed: int,
    onlooker: Onlooker = NOBODY,
    most_hands: int | None = None,
) -> MatchResult:
    """Let agents, one a seat, play a match over these deals, or only its first hands."""
    table = Table(game, deals, first)
    while (seat := table.to_act) is not None and len(table.hands) != most_hands:
        try:
            onlooker.asking(table, seat)
            decision = ask(agents[seat], table, seat, seed)
            onlooker.note_decision(table, seat, decision)
            table.act(seat, decision.action)
        except IllegalAction as error:
            return _forfeited(table, seat, "illegal", str(error))
        except Condemned as error:
            return _forfeited(table, seat, error.fault, str(error))
        except (Exception, SystemExit):  # noqa: BLE001  whatever an agent raises costs it the match, and is kept
            return _forfeited(table, seat, "failed", traceback.format_exc())
    return MatchResult(table.winner, tuple(table.hands))


def ask(
    agent: Agent,
    table: Table,
    seat: Seat,
    seed: int,
    chance: Stream | None = None,
    seen: Observation | None = None,
) -> Decision:
    """Ask an agent for its decision; its chance is its own unless another is given, as is what it sees."""
    if chance is None:
        chance = agent_stream(seed, seat, table.match.hand, table.decisions[seat])
    return ask_agent(agent, table.observe(seat) if seen is None else seen, chance)


def _forfeited(table: Table, seat: Seat, fault: Fault, why: str) -> MatchResult:
    """Give the match to the others; among several, nobody has won it."""
    forfeit = Forfeit(seat, fault, why, table.state.record())
    return MatchResult(winner_without(table.game, seat), tuple(table.hands), forfeit)


def winner_without(game: Game, seat: Seat) -> Team | None:
    """Who wins when a seat gives the match up: the other team; nobody where there are several.

    >>> from retruco.games.registry import find_game
    >>> winner_without(find_game("euchre"), 2), winner_without(find_game("kuhn", "three-seats"), 0)
    (1, None)
    """
    others = {team for team in game.teams if team != game.teams[seat]}
    return others.pop() if len(others) == 1 else None
