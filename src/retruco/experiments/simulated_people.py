"""Simulated people in a study: they play whole matches at a table of the web and answer the questions.

They decide by `HumanChoice`, which is fitted to hands that people played. Their answers are not fitted to anything: the
mark for competence follows the result, the other marks are drawn. So they show that the study works from start to end
and say nothing about what people think.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from retruco.agents.core import ask_agent
from retruco.agents.truco.human_choice import HumanChoice
from retruco.arena.blocks import Block, Played, Post, Task
from retruco.experiments.study import TRUCO, ReportProgress, Study
from retruco.games.core import Seat
from retruco.streams import Stream
from retruco.web.core.settings import Settings
from retruco.web.core.store import Sitter
from retruco.web.lab.questionnaire import LEAST, MOST, Opinion, difference_at, summary
from retruco.web.lab.study import STUDY, base_digest
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.fairness import Share
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.table_registry import TableRegistry

SHARPNESS: Final = (0.6, 1.0, 1.3, 2.0, 3.5)
"""How closely the simulated people keep to what most people do, in turn; 1 is as varied as people in all."""
GIVES_UP: Final = 5
"""Every so manieth person gives up its first match, which then does not count."""
POINTS_A_MARK: Final = 8
"""A margin of so many points changes the mark for competence by one."""
MOST_YEARS: Final = 30
PERSON, AGENT = 0, 1
"""The seats."""


@dataclass(frozen=True)
class SimulatedPeople:
    """Some simulated people, each of whom meets every agent of the study once."""

    study: Study
    people: int
    name: str = "simulated people"

    def blocks(self) -> list[Block]:
        """One piece, since all sit at the tables of one store."""
        return [Block(0, (), 0, self.people)] if self.people else []

    def weight(self, block: Block) -> float:
        """A match a person and agent."""
        return float(self.people * len(STUDY.agents))

    def play(self, task: Task, post: Post, tell: ReportProgress) -> list[Played]:
        """Let everybody play and answer, at tables that begin empty."""
        started = time.process_time()
        store = self.study.folder / "simulated-people.sqlite"
        for leftover in store.parent.glob(f"{store.name}*"):
            leftover.unlink()
        cases = self.study.base.cases
        registry = TableRegistry(Settings(store), AgentCache(lambda game, version=None: cases))
        try:
            registry.study_matches.fix_setup(base_digest(cases))
            given_up = 0
            for number in range(self.people):
                given_up += self._take_part(registry, number)
                tell((number + 1) / self.people)
            found = {
                "people": self.people,
                "given up": given_up,
                "setup": registry.study_matches.setup(),
                "agents": summary(registry.store),
            }
        finally:
            registry.close()
        return [Played([found], seconds=time.process_time() - started)]

    def found(self, played: Sequence[Sequence[Mapping[str, Any]]]) -> Mapping[str, Any] | None:
        """What all of them won and said; nothing if nobody played."""
        return played[0][0] if played else None

    def _take_part(self, registry: TableRegistry, number: int) -> int:
        """Let a person meet every agent; count the matches that it gives up."""
        visitor, given_up = f"simulated person {number + 1}", 0
        chance = Stream("simulated person", self.study.seed, number)
        person = HumanChoice(SHARPNESS[number % len(SHARPNESS)])
        years = chance.below(MOST_YEARS + 1)
        if number % GIVES_UP == GIVES_UP - 1:
            live = self._open(registry, visitor)
            live.give_up(PERSON, live.last_number)
            given_up = 1
        for _ in STUDY.agents:
            live = self._open(registry, visitor)
            play_out(registry, live, person, chance)
            opinion = answer(difference_at(live, AGENT), years, chance)
            registry.opinions.give(live.id, visitor, opinion)
        return given_up

    def _open(self, registry: TableRegistry, visitor: str) -> LiveTable:
        """Open the next match of somebody, with deals that the seed names."""
        matches = registry.study_matches
        sitters = (Sitter(visitor=visitor), Sitter(agent=matches.next_opponent(visitor)))
        place = len(matches.of_visitor(visitor))
        live = registry.open(TRUCO, sitters, shares=(Share(f"{self.study.seed} {visitor} {place}"),))
        matches.add(live.id)
        return live


def play_out(registry: TableRegistry, live: LiveTable, person: HumanChoice, chance: Stream) -> None:
    """Play a match to its last card."""
    while live.to_act is not None:
        seat: Seat = live.to_act
        place, name = len(live.positions) - 1, live.agent_to_act()
        if name is None:
            decision = ask_agent(person, live.observe(place, seat), chance)
        else:
            decision = registry.agents.decide(name, live, place, seat)
        live.act(seat, decision.action, live.last_number)


def answer(difference: int, years: int, chance: Stream) -> Opinion:
    """Answer after a match that the agent won by so many points, or lost.

    >>> answer(20, 3, Stream("example")).competence, answer(-20, 3, Stream("example")).competence
    (5, 1)
    """
    competence = min(MOST, max(LEAST, 3 + round(difference / POINTS_A_MARK)))
    coherence, predictability, fun = (LEAST + chance.below(MOST - LEAST + 1) for _ in range(3))
    return Opinion(competence, coherence, predictability, fun, years)
