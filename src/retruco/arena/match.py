"""A match between agents, from the first deal to the result."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from retruco.agents.core import Agent, as_decision
from retruco.arena.table import FinishedHand, Table
from retruco.cbr.case import Decision
from retruco.games.core import Game, IllegalAction, Seat, Team
from retruco.streams import Stream


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A match lost by breaking the rules: an illegal action, or an agent that failed."""

    seat: Seat
    illegal: bool
    why: str


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match went."""

    winner: Team | None
    hands: tuple[FinishedHand, ...]
    forfeit: Forfeit | None = None

    def gains(self, team: Team) -> int:
        """What a team won in all hands together, towards the match."""
        return sum(hand.gains[team] for hand in self.hands)


def play_match(
    game: Game, agents: Sequence[Agent], deals: Callable[[int], Any], first: Seat, seed: int
) -> MatchResult:
    """Let agents, one a seat, play a match over these deals."""
    table = Table(game, deals, first)
    while (seat := table.to_act) is not None:
        try:
            table.act(seat, ask(agents[seat], table, seat, seed).action)
        except IllegalAction as error:
            return _forfeited(table, Forfeit(seat, True, str(error)))
        except Exception:  # noqa: BLE001  whatever an agent raises costs it the match, and is kept
            return _forfeited(table, Forfeit(seat, False, traceback.format_exc()))
    return MatchResult(table.winner, tuple(table.hands))


def ask(agent: Agent, table: Table, seat: Seat, seed: int) -> Decision:
    """Ask an agent for its decision; its chance is keyed by match, seat, hand and decision."""
    chance = Stream("agent", seed, seat, table.match.hand, table.decisions[seat])
    return as_decision(agent.decide(table.observe(seat), chance))


def _forfeited(table: Table, forfeit: Forfeit) -> MatchResult:
    """Give the match to the others; among several, nobody has won it."""
    others = {team for seat, team in enumerate(table.game.teams) if team != table.game.teams[forfeit.seat]}
    winner = others.pop() if len(others) == 1 else None
    return MatchResult(winner, tuple(table.hands), forfeit)
