"""A study with people: some agents, one case base, one set of rules, one target; opponents in turn, whole matches only.

A match belongs to a study if the study's page opened it. The set-up, case base included, is written down with the first
match; while the server has another case base, no match of the study can be opened. Stage 4 of Paulus (2020) is `STUDY`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from retruco.cbr.casebase import CaseBase
from retruco.web.core.store import Store, StoredMatch

PLAYED: Final = "played"
"""How a whole match ends: with the last card."""


@dataclass(frozen=True, slots=True)
class Study:
    """What the people of a study play: some agents, by one set of rules, to one target."""

    name: str
    agents: tuple[str, ...]
    rules: str
    target: int

    def agent_in(self, match: StoredMatch) -> tuple[str, int] | None:
        """The agent of the study that a person played to the end, and its seat; nothing after any other match."""
        if match.end is None or match.end.ending != PLAYED:
            return None
        return self.opponent_in(match)

    def opponent_in(self, match: StoredMatch) -> tuple[str, int] | None:
        """The agent of the study that sits in a match of its rules and target, and its seat."""
        if (match.game, match.kind, match.rules, match.target) != ("truco", "match", self.rules, self.target):
            return None
        for seat, sitter in enumerate(match.sitters):
            if sitter.agent in self.agents and not sitter.is_pupil and match.sitters[1 - seat].agent is None:
                return sitter.agent, seat
        return None

    def setup(self, base: str) -> dict[str, Any]:
        """Everything that stays the same from the first match to the last; `base` names the cases."""
        return {"agents": list(self.agents), "base": base, "rules": self.rules, "target": self.target}


STUDY: Final = Study("paulus2020-stage-4", ("PVCNPS", "NPS", "PVCS", "PVS"), "trucogame", 24)
"""Stage 4 of Paulus (2020): whole matches against the four agents."""


def base_digest(cases: CaseBase) -> str:
    """Name the rows of a case base: equal rows, equal names."""
    found = blake2b(cases.vocabulary.digest.encode(), digest_size=8)
    for scenario in cases.vocabulary.scenarios:
        for column in cases.columns(scenario.name):
            found.update(np.ascontiguousarray(column).tobytes())
    return found.hexdigest()


class OtherSetup(ValueError):
    """The study was begun with another set-up."""


@dataclass(frozen=True, slots=True)
class StudyMatch:
    """A match of a study, as its player sees it in a list."""

    match: str
    agent: str
    ending: str | None
    is_answered: bool

    @property
    def is_whole(self) -> bool:
        """Whether it was played to the last card."""
        return self.ending == PLAYED

    @property
    def counts(self) -> bool:
        """Whether it takes its agent's turn: it is whole, or goes on."""
        return self.is_whole or self.ending is None


class StudyMatches:
    """The matches of a study in a store, and whom somebody plays next."""

    def __init__(self, store: Store, study: Study = STUDY) -> None:
        self._store, self.study = store, study

    def setup(self) -> dict[str, Any] | None:
        """The set-up that the study was begun with, if it has begun."""
        rows = self._store.rows("SELECT setup FROM study WHERE name = ?", self.study.name)
        return json.loads(rows[0][0]) if rows else None

    def fix_setup(self, base: str) -> None:
        """Write the set-up down with the first match; refuse any other one afterwards."""
        wanted = self.study.setup(base)
        insert = "INSERT OR IGNORE INTO study VALUES (?, ?)"
        self._store.change(lambda store: store.execute(insert, (self.study.name, json.dumps(wanted))))
        found = self.setup()
        if found != wanted:
            raise OtherSetup(f"the study was begun with {found}, not with {wanted}")

    def add(self, match: str) -> None:
        """Make a match one of the study's."""
        insert = "INSERT INTO study_seating VALUES (?, ?)"
        self._store.change(lambda store: store.execute(insert, (match, self.study.name)))

    def has(self, match: str) -> bool:
        """Whether a match is one of the study's."""
        query = "SELECT 1 FROM study_seating WHERE match = ? AND study = ?"
        return bool(self._store.rows(query, match, self.study.name))

    def of_visitor(self, visitor: str) -> list[StudyMatch]:
        """List the matches of somebody, the oldest first."""
        query = (
            "SELECT match.id, agents.agent, match.ending, EXISTS (SELECT 1 FROM opinion WHERE opinion.match = match.id) "
            "FROM study_seating JOIN match ON match.id = study_seating.match "
            "JOIN seat AS people ON people.match = match.id AND people.visitor = ? "
            "JOIN seat AS agents ON agents.match = match.id AND agents.agent IS NOT NULL "
            "WHERE study = ? ORDER BY match.started"
        )
        rows = self._store.rows(query, visitor, self.study.name)
        return [StudyMatch(match, agent, ending, bool(answered)) for match, agent, ending, answered in rows]

    def going_on(self, visitor: str) -> StudyMatch | None:
        """The match that somebody has not finished yet."""
        return next((match for match in self.of_visitor(visitor) if match.ending is None), None)

    def next_opponent(self, visitor: str) -> str:
        """Whom somebody plays next: the agent they met least, of those the one that all people met least."""
        mine = [one.agent for one in self.of_visitor(visitor) if one.counts]
        everybody = self._agents_met()
        agents = self.study.agents
        return min(agents, key=lambda agent: (mine.count(agent), everybody.count(agent), agents.index(agent)))

    def _agents_met(self) -> Sequence[str]:
        query = (
            "SELECT agent FROM study_seating JOIN match ON match.id = study_seating.match "
            "JOIN seat ON seat.match = match.id "
            "WHERE study = ? AND agent IS NOT NULL AND (ending IS NULL OR ending = ?)"
        )
        return [agent for (agent,) in self._store.rows(query, self.study.name, PLAYED)]
