"""Teaching at the web table: an agent plays, and asks the person beside it when it does not know.

The pupil is BOT5 of Moral (2020). It begins with the first 513 hands of the case base, stage by
stage, and remembers besides what this person has shown it. Everybody has a pupil of their own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from retruco.agents.core import CasesFor
from retruco.agents.truco.bots import policy_of
from retruco.cbr.case import Decision, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.retain import find_strategy
from retruco.games.core import Action, Seat
from retruco.games.truco import Acted, Truco, TrucoObservation, TrucoState
from retruco.learning.learners import FIRST_HANDS
from retruco.learning.starting import staged_cases
from retruco.learning.truco.stages import HandNotes, experiences_of
from retruco.learning.tutor import Pupil
from retruco.storage.store import open_store
from retruco.vocab.truco import Question, answer_of, questions, rows
from retruco.vocab.truco.one_sided import turns_of
from retruco.vocab.truco.questions import NONE, answers_given, stage_of
from retruco.vocab.truco.rows import for_stage
from retruco.web.account.hand_archive import TAUGHT, ArchivedHand, HandArchive, HandToArchive
from retruco.web.core.store import Sitter, Store
from retruco.web.tables.live_table import LiveTable, PupilQuestion

PUPIL, PARTNER, RULES = "BOT5", "BOT0", "trucogame"
"""Who is taught, against whom, and by which rules: those of the hands it begins with."""
SHOWN_FROM: Final = 1_000_000
"""What was shown is numbered from here, above all hands to begin with."""
MOST_PUPILS: Final = 16
"""How many pupils stay in memory; the others are made again from what they were shown."""


class DoesNotKnow(Exception):
    """The pupil asks; it would do what it proposes."""

    def __init__(self, question: Question, proposed: Action) -> None:
        super().__init__(question.scenario)
        self.question, self.proposed = question, proposed


@dataclass(frozen=True, slots=True)
class AbsentTutor:
    """A tutor who sits at a page somewhere, and cannot answer at once."""

    def show(self, question: Question, seen: TrucoObservation, proposed: Action) -> Action:
        """Let the question go out to the page."""
        raise DoesNotKnow(question, proposed)


def base_of(visitor: str) -> str:
    """The name of the case base with what somebody has taught."""
    return TAUGHT.format(visitor=visitor[:16])


class School:
    """The pupils of this server."""

    def __init__(self, store: Store, archive: HandArchive, cases_for: CasesFor, cases: Path) -> None:
        self._store, self._archive, self._cases_for, self._cases = store, archive, cases_for, cases
        self._pupils: OrderedDict[str, Pupil] = OrderedDict()
        self._lock = Lock()

    def sitters(self, visitor: str) -> tuple[Sitter, Sitter]:
        """A pupil with its teacher beside it, and whom it plays against."""
        return Sitter(PUPIL, visitor), Sitter(PARTNER)

    @property
    def game(self) -> Truco:
        """What is played at school."""
        return Truco.named(RULES)

    def pupil(self, visitor: str) -> Pupil:
        """Somebody's pupil, with all it was shown."""
        with self._lock:
            if visitor not in self._pupils:
                self._pupils[visitor] = Pupil(policy_of(PUPIL), self._case_base(visitor), tutor=AbsentTutor())
            self._pupils.move_to_end(visitor)
            while len(self._pupils) > MOST_PUPILS:
                self._pupils.popitem(last=False)
            return self._pupils[visitor]

    def dismiss(self, visitor: str) -> None:
        """Forget a pupil; it is made again from what is left of what it was shown."""
        with self._lock:
            self._pupils.pop(visitor, None)

    def _case_base(self, visitor: str) -> CaseBase:
        cases = staged_cases(self._cases_for("truco"), FIRST_HANDS)
        base = base_of(visitor)
        with open_store(self._cases) as store:
            with store.reading() as reader:
                is_there = reader.find(base) is not None
            for number, hand in store.hands(base) if is_there else ():
                cases.add(rows(hand.record, hand.seat, SHOWN_FROM + number))
        return cases

    # At the table

    def decide(self, live: LiveTable, place: int, seat: Seat) -> Decision | None:
        """Let the pupil decide; if it does not know, its question is put on the table instead."""
        visitor = live.stored.sitters[seat].visitor
        assert visitor is not None
        try:
            seen = live.observe(place, seat)
            assert isinstance(seen, TrucoObservation)
            return self.pupil(visitor).decide(seen, live.chance(place, seat))
        except DoesNotKnow as asks:
            live.asks = PupilQuestion(live.number(place), asks.question.scenario, asks.proposed)
            return None

    def hand_over(self, live: LiveTable, hand: int) -> list[ArchivedHand]:
        """Keep what was shown in a finished hand, stage by stage, and let the pupil remember it at once."""
        end = live.table.hands[hand].state
        assert isinstance(end, TrucoState)
        seat = next(place for place, one in enumerate(live.stored.sitters) if one.visitor is not None)
        visitor = live.stored.sitters[seat].visitor
        assert visitor is not None
        pupil, taught = self.pupil(visitor), find_strategy("taught")
        notes = self._notes(live, hand, end, seat)
        parts = [
            experience
            for experience in experiences_of(end, notes, seat, staged=True)
            if taught(experience.episode, pupil.cases).keep
        ]
        finished = [
            HandToArchive(
                base_of(visitor), RULES, visitor, live.id, hand, seat,
                for_stage(end.record(), seat, part.stage or ""), "taught", part.stage,
            )
            for part in parts
        ]  # fmt: skip
        kept = self._archive.keep(finished)
        numbers = {one.stage: one.number for one in kept}
        for part in parts:
            number = numbers.get(part.stage)
            if number is not None:
                pupil.cases.add(part.numbered(SHOWN_FROM + number))
        return kept

    def _notes(self, live: LiveTable, hand: int, end: TrucoState, seat: Seat) -> HandNotes:
        """What the pupil was asked in a hand, and of which stages it was shown something."""
        query = "SELECT number, scenario FROM shown WHERE match = ? AND hand = ?"
        shown = dict(self._store.rows(query, live.id, hand))
        mine = [number for number, one in enumerate(_actors(end)) if one == seat]
        notes = HandNotes()
        for number, (seen, action) in zip(mine, turns_of(end, seat), strict=True):
            notes.answered.extend(answers_given(seen, action))
            if number in shown:
                notes.shown.update(stages_shown(seen, action, shown[number]))
        return notes

    # On the page

    def lessons(self, live: LiveTable, visitor: str) -> list[tuple[ArchivedHand, list[Row]]]:
        """The cases that a match has brought, with their rows."""
        found = []
        for archived in self._archive.of_match(live.id, visitor):
            record = live.table.hands[archived.hand].state.record()
            found.append(
                (
                    archived,
                    rows(
                        for_stage(record, archived.seat, archived.stage or ""),
                        archived.seat,
                        archived.number or 0,
                    ),
                )
            )
        return found


def _actors(end: TrucoState) -> Iterator[Seat]:
    """Who acted, action by action."""
    return (event.seat for event in end.log if isinstance(event, Acted))


def stages_shown(seen: TrucoObservation, action: Action, scenario: str) -> Iterator[str]:
    """Name the stages of which a teacher showed something, who was asked about a scenario and did this.

    What the pupil was asked before and passed over it knew by itself.
    """
    asked = False
    for question in questions(seen):
        asked = asked or question.scenario == scenario
        answer = answer_of(question, action)
        if asked or answer != NONE:
            yield stage_of(question.scenario)
        if answer != NONE:
            return
