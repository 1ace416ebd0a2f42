"""What people think of an agent they played against: four questions from 1 to 5, and how long they have played.

The questions are those of Paulus (2020, section 5.2.4). Only whole matches of the study's set-up count,
and every answer belongs to one of them; the figures of 2020 stand in `PUBLISHED`, as its text tells them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from retruco.web.core.store import Store, StoredMatch
from retruco.web.lab.study import PLAYED, STUDY
from retruco.web.tables.live_table import LiveTable

Json = dict[str, Any]
QUESTIONS: Final = ("competence", "coherence", "predictability", "fun")
"""5 is the best: strong, coherent, hard to predict, fun."""
LEAST, MOST = 1, 5

PUBLISHED: Final[Mapping[str, Mapping[str, tuple[int, int, int | None] | None]]] = {
    "PVCNPS": {
        "competence": (12, 1, 0),
        "coherence": (12, 1, 0),
        "predictability": None,
        "fun": (11, 2, 0),
    },
    "NPS": {
        "competence": (9, 2, 1),
        "coherence": (12, 1, 0),
        "predictability": (9, 4, 0),
        "fun": (9, 1, None),
    },
    "PVCS": {"competence": (5, 4, 3), "coherence": (10, 2, 1), "predictability": (6, 5, 2), "fun": (9, 3, 1)},
    "PVS": {
        "competence": (7, 1, 5),
        "coherence": (9, 4, 0),
        "predictability": (4, 4, 5),
        "fun": (9, 3, None),
    },
}
"""Figures 18 to 21: how many of 13 called an agent good, fair or poor. The text gives no numbers for the predictability of
PVCNPS, none for the poor where `None` stands, and none of figure 17, how long the people had played."""
PUBLISHED_MATCHES: Final = 13
PUBLISHED_WINS: Final = {"PVCNPS": 7, "NPS": 6, "PVCS": 1, "PVS": 5}
"""Table 17: matches that the agent won."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What somebody answered after a match."""

    competence: int
    coherence: int
    predictability: int
    fun: int
    years: int | None = None
    """For how many years they have played."""

    def mark(self, question: str) -> int:
        """The answer to one of the questions."""
        found: int = getattr(self, question)
        return found


class Opinions:
    """All answers; one a match and person."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def give(self, match: str, visitor: str, opinion: Opinion) -> None:
        """Write an answer down, in the place of an earlier one."""
        marks = [opinion.mark(one) for one in QUESTIONS]
        line = (match, visitor, *marks, opinion.years, time.time())
        query = "INSERT OR REPLACE INTO opinion VALUES (?,?,?,?,?,?,?,?)"
        self._store.change(lambda base: base.execute(query, line))

    def of(self, match: str, visitor: str) -> Opinion | None:
        """What somebody has answered after a match."""
        columns = ", ".join(QUESTIONS)
        query = f"SELECT {columns}, years FROM opinion WHERE match = ? AND visitor = ?"  # noqa: S608  our own columns
        rows = self._store.rows(query, match, visitor)
        return Opinion(*rows[0]) if rows else None

    def by_agent(self) -> dict[str, list[Opinion]]:
        """All answers about matches of the study that `measure` has seen, by the agent they are about."""
        columns = ", ".join(f"opinion.{one}" for one in QUESTIONS)
        query = (
            f"SELECT study_match.agent, {columns}, years FROM opinion JOIN study_match USING (match) "  # noqa: S608  as above
            "JOIN study_seating USING (match) WHERE study = ? ORDER BY opinion.at"
        )
        found: dict[str, list[Opinion]] = {}
        for agent, *answers in self._store.rows(query, STUDY.name):
            found.setdefault(agent, []).append(Opinion(*answers))
        return found


def group_marks(marks: Sequence[int]) -> tuple[int, int, int]:
    """Count marks as the text of 2020 does: good (4 and 5), fair (3), poor (1 and 2).

    >>> group_marks([5, 4, 3, 1])
    (2, 1, 1)
    """
    return sum(one > 3 for one in marks), sum(one == 3 for one in marks), sum(one < 3 for one in marks)


def years_in(opinions: Sequence[Opinion]) -> dict[str, int]:
    """How long those who answered have played, in steps.

    >>> years_in([Opinion(5, 5, 5, 5, 0), Opinion(4, 4, 4, 4, 12), Opinion(4, 4, 4, 4)])
    {'0-1': 1, '2-5': 0, '6-10': 0, '11+': 1}
    """
    steps = {"0-1": range(2), "2-5": range(2, 6), "6-10": range(6, 11), "11+": range(11, 200)}
    known = [one.years for one in opinions if one.years is not None]
    return {name: sum(years in step for years in known) for name, step in steps.items()}


class Results:
    """The summary of the study, computed when something has changed and kept until then."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, Lock()
        self._is_current = False
        self._known: list[Json] = []

    def current(self) -> list[Json]:
        """Give the summary; whoever asks first after a change computes it for everybody."""
        with self._lock:
            if not self._is_current:
                self._is_current = True  # first: what changes from here on is computed the next time
                self._known = summary(self._store)
            return self._known

    def note_change(self) -> None:
        """A match of the study has ended, somebody has answered, or somebody was forgotten."""
        self._is_current = False


def summary(store: Store) -> list[Json]:
    """What people won and lost in matches of the study, and what they said of the agents, agent by agent.

    `wins` are the agent's; a difference is of points, as the agent sees it.
    """
    measure(store)
    said = Opinions(store).by_agent()
    played: dict[str, list[int]] = {}
    query = "SELECT agent, difference FROM study_match JOIN study_seating USING (match) WHERE study = ? ORDER BY match"
    for agent, difference in store.rows(query, STUDY.name):
        played.setdefault(agent, []).append(difference)
    return [_agent_summary(name, played[name], said.get(name, [])) for name in sorted(played)]


def measure(store: Store) -> None:
    """Replay the matches of the study that have ended since the last time, each once, and write down by how much they were won."""
    query = (
        "SELECT id FROM match WHERE ending = ? AND id NOT IN (SELECT match FROM study_match) "
        "AND id IN (SELECT match FROM study_seating WHERE study = ?)"
    )
    for (name,) in store.rows(query, PLAYED, STUDY.name):
        match = store.load(name)
        found = None if match is None else STUDY.agent_in(match)
        if match is not None and found is not None:
            agent, seat = found
            _note_difference(store, name, agent, difference_in(match, store, seat))


def _note_difference(store: Store, match: str, agent: str, difference: int) -> None:
    """Write down by how much an agent won; not if the match was forgotten meanwhile."""
    insert = "INSERT OR IGNORE INTO study_match SELECT ?1, ?2, ?3 FROM match WHERE id = ?1"
    store.change(lambda base: base.execute(insert, (match, agent, difference)))


def difference_in(match: StoredMatch, store: Store, seat: int) -> int:
    """Replay a match; say by how many points a seat won it, or lost it."""
    return difference_at(LiveTable(match, store), seat)


def difference_at(live: LiveTable, seat: int) -> int:
    """By how many points a seat is ahead at a table."""
    return sum(hand.gains[seat] - hand.gains[1 - seat] for hand in live.table.hands)


def _agent_summary(name: str, differences: Sequence[int], opinions: Sequence[Opinion]) -> Json:
    won, lost = ([one for one in differences if one > 0], [one for one in differences if one < 0])
    return {
        "agent": name,
        "matches": len(differences),
        "wins": len(won),
        "mean_in_wins": sum(won) / len(won) if won else None,
        "mean_in_losses": sum(lost) / len(lost) if lost else None,
        "answers": len(opinions),
        "marks": {one: [opinion.mark(one) for opinion in opinions] for one in QUESTIONS},
        "groups": {one: group_marks([opinion.mark(one) for opinion in opinions]) for one in QUESTIONS},
        "years": years_in(opinions),
    }
