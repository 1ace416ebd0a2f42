"""The agent cache: the agents of all games by name, each made once and shared by all tables.

Agents keep no memory of a match, so one object serves every table. An agent that remembers needs its
game's case base; while that is being prepared, the cache tells how long it takes.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent, CasesFor, ask_agent, no_cases
from retruco.agents.registry import find_agent
from retruco.cbr.case import Decision
from retruco.games.core import Seat
from retruco.streams import Stream
from retruco.web.core.refusals import Refused
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.preparation import Preparation
from retruco.web.tables.table_view import view_class

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

log = logging.getLogger("retruco.web")

MEMO: Final = 1000
"""How many answers each agent that remembers holds in memory; a server lasts longer than an experiment."""


@cache
def needs_cases(game: str, name: str) -> bool:
    """Whether an agent remembers, and cannot play without a case base."""
    try:
        find_agent(name, game, no_cases)
    except ValueError:
        return True
    return False


class AgentCache:
    """The agents of this server."""

    def __init__(self, cases_for: CasesFor = no_cases, preparation: Preparation | None = None) -> None:
        self.cases_for = cases_for
        self.preparation = preparation or Preparation()
        self._made: dict[tuple[str, str], Agent] = {}
        self._opening = Lock()

    def find_name(self, game: str, opponent: str) -> str:
        """Find an opponent by level or by name, and make sure that it can play."""
        view = view_class(game)
        name = view.levels.get(opponent) or view.old_levels.get(opponent, opponent)
        if name not in view.agents():
            raise Refused(400, "error.unknown_agent", name=opponent[:40])
        if self.seconds_until_ready(game, name) is None:
            try:
                self.agent(game, name)
            except ValueError:
                raise Refused(400, "error.no_cases") from None
        return name

    def seconds_until_ready(self, game: str, name: str) -> float | None:
        """How long an agent has to be waited for because its cases are being made; none if it can play."""
        left = self.preparation.seconds_left(game)
        return None if left is None or (game, name) in self._made or not needs_cases(game, name) else left

    def agent(self, game: str, name: str) -> Agent:
        """Make an agent, or take the one that was made before."""
        made = self._made
        if (game, name) not in made:
            agent = find_agent(name, game, self._cases)
            made[game, name] = replace(agent, memo=MEMO) if isinstance(agent, CaseBasedAgent) else agent
        return made[game, name]

    def dismiss(self) -> None:
        """Let every agent be made anew, with the cases there are then."""
        self._made = {}

    def _cases(self, game: str, version: int | None = None) -> CaseBase:
        """Open the case base once; only those who remember wait for it."""
        with self._opening:
            return self.cases_for(game) if version is None else self.cases_for(game, version)

    def decide(self, name: str, live: LiveTable, place: int, seat: Seat) -> Decision:
        """Ask an agent what it would do in a position of a match."""
        seen, chance = live.observe(place, seat), live.chance(place, seat)
        return ask_agent(self.agent(live.game.name, name), seen, chance)

    def decision_made(self, live: LiveTable, place: int) -> Decision | None:
        """The decision by which an agent acted in a position; asked for again if it is not in memory.

        There is none where a person acted, or where the agent has other cases by now and would do something else.
        """
        moved = live.positions[place + 1].moved
        name = None if moved is None else live.stored.sitters[moved.seat].agent
        if moved is None or name is None:
            return None
        decision = live.decision_at(place)
        if decision is None:
            try:
                decision = self.decide(name, live, place, moved.seat)
            except ValueError:  # it cannot play without its cases
                return None
            live.remember(place, decision)
        return decision if decision.action == moved.action else None

    def clear_caches(self) -> None:
        """Free what agents have worked out for hands that do not come again."""
        for agent in list(self._made.values()):
            if isinstance(agent, CaseBasedAgent):
                agent.clear_cache()

    def warm(self, game: str) -> Thread:
        """Let everybody at a level of a game decide once, in the background."""
        thread = Thread(target=self._warm, args=(game,), name="warming", daemon=True)
        thread.start()
        return thread

    def _warm(self, game: str) -> None:
        self.preparation.wait()
        view = view_class(game)
        table = view.set_table(view.rules[0])
        hand = table.start(table.deal(Stream("warm")), table.opening())
        for name in view.levels.values():
            try:
                ask_agent(self.agent(game, name), hand.observe(0), Stream("warm", name))
            except ValueError as error:
                log.warning("agents that remember cannot play: %s", error)
                return
        view.prepare_review(hand)
