"""Who can be played against: agents by name, levels for those who do not know the names yet."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache, cached_property
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent, CasesFor, ask_agent, no_cases
from retruco.agents.registry import find_agent, roster
from retruco.agents.truco import chances
from retruco.agents.truco.policies import TWENTY
from retruco.cbr.case import Decision
from retruco.games.core import Seat
from retruco.games.truco import Truco, TrucoObservation
from retruco.streams import Stream
from retruco.web.core.refusals import Refused
from retruco.web.tables.live_match import LiveMatch
from retruco.web.tables.preparation import Preparation

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

log = logging.getLogger("retruco.web")

LEVELS: Final = {"easy": "novice", "medium": "cautious", "hard": "balanced", "memory": "NPCS"}
"""Who plays at each level, and who plays by memory.

Against `balanced`, over 120 matches by the rules of the CBTG, `novice` won 12 %, `cautious` 43 %, and
of those who remember the embedded hands `NPCS` most, 45 %.
"""

MEMO: Final = 1000
"""How many answers each of those who remember holds in memory; a server lasts longer than an experiment, and all twenty play here."""

SCRIPTED: Final = ("novice", "cautious", "balanced", "aggressive", "bluffer", "random")
"""Players by rule, the gentlest first."""


@cache
def needs_cases(name: str) -> bool:
    """Whether an agent of Truco remembers, and cannot play without a case base."""
    try:
        find_agent(name, "truco", no_cases)
    except ValueError:
        return True
    return False


class Players:
    """The agents of this server, each made once; agents keep no memory, so all matches share them."""

    def __init__(self, cases_for: CasesFor = no_cases, preparation: Preparation | None = None) -> None:
        self.cases_for = cases_for
        self.preparation = preparation or Preparation()
        self._made: dict[str, Agent] = {}
        self._opening = Lock()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everybody who can be played against: by rule first, then the twenty, then the rest."""
        known = roster("truco")
        first = [name for name in (*SCRIPTED, *TWENTY) if name in known]
        return (*first, *(name for name in known if name not in first))

    @cached_property
    def twenty(self) -> tuple[str, ...]:
        """The twenty policies, for those who ask what each of them would have played."""
        return tuple(name for name in TWENTY if name in roster("truco"))

    def _find_name(self, opponent: str) -> str | None:
        """Find an opponent by level or by name."""
        name = LEVELS.get(opponent, opponent)
        return name if name in roster("truco") else None

    def find_name(self, opponent: str) -> str:
        """Find an opponent and make sure that it can play."""
        name = self._find_name(opponent)
        if name is None:
            raise Refused(400, "error.unknown_agent", name=opponent)
        if self.seconds_until_ready(name) is None:
            try:
                self.agent(name)
            except ValueError:
                raise Refused(400, "error.no_cases") from None
        return name

    def seconds_until_ready(self, name: str) -> float | None:
        """How long an agent has to be waited for because its cases are being made; none if it can play."""
        left = self.preparation.seconds_left("truco")
        return None if left is None or name in self._made or not needs_cases(name) else left

    def agent(self, name: str) -> Agent:
        """Make an agent, or take the one that was made before."""
        made = self._made
        if name not in made:
            agent = find_agent(name, "truco", self._cases)
            made[name] = replace(agent, memo=MEMO) if isinstance(agent, CaseBasedAgent) else agent
        return made[name]

    def dismiss(self) -> None:
        """Let every agent be made anew, with the cases there are then."""
        self._made = {}

    def _cases(self, game: str) -> CaseBase:
        """Open the case base once; only those who remember wait for it."""
        with self._opening:
            return self.cases_for(game)

    def decide(self, name: str, seen: TrucoObservation, chance: Stream) -> Decision:
        """Ask an agent."""
        return ask_agent(self.agent(name), seen, chance)

    def decide_at(self, name: str, live: LiveMatch, place: int, seat: Seat) -> Decision:
        """Ask an agent what it would do in a position of a match."""
        return self.decide(name, live.observe(place, seat), live.chance(place, seat))

    def forget(self) -> None:
        """Free what agents have worked out for hands that do not come again."""
        chances.forget()
        for agent in list(self._made.values()):
            if isinstance(agent, CaseBasedAgent):
                agent.clear_cache()

    def warm(self) -> Thread:
        """Open the case base and let everybody at a level decide once, in the background."""
        thread = Thread(target=self._warm, name="warming", daemon=True)
        thread.start()
        return thread

    def _warm(self) -> None:
        self.preparation.wait()
        game = Truco.named("cbtg")
        hand = game.start(game.deal(Stream("warm")), game.opening())
        for name in LEVELS.values():
            try:
                self.decide(name, hand.observe(0), Stream("warm", name))
            except ValueError as error:
                log.warning("agents that remember cannot play: %s", error)
                return
