"""The learning loop: match after match, every hand judged, what is worth it retained at once.

    loop = LearningLoop(plan, game, cases, sink, number=base.next_number)
    loop.run(matches=300)

All games learn through it; what differs between them is their training (`retruco.learning.training`).
All chance is keyed by (seed, match), and an agent keeps no memory but the base; so the same plan on
the same base gives the same base, in one go or in many.
"""

from __future__ import annotations

import gc
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from retruco.cbr.case import Verdict
from retruco.cbr.casebase import CaseBase, Retrieval
from retruco.cbr.modes import Top
from retruco.cbr.retain import Episode, Judge, SizeLimit, TriedAnswers, find_strategy
from retruco.games.core import Game, Seat, State
from retruco.learning.checkpoints import WHOLE, Checkpoint, Draft, Retained, Sink, Standing
from retruco.learning.learners import EVERYTHING, Plan
from retruco.learning.reclustering import Groups
from retruco.learning.registry import find_training
from retruco.learning.training import Experience, Notes

After = Callable[[Standing], None]

NEW_OBJECTS: Final = 50_000
"""After how many new objects garbage is looked for."""

COUNTED: Final = 10
"""How many of the cases above a threshold count as used: the nearest, as many as the bots go by."""


@cache
def nearest_above(threshold: float, grouped: bool) -> Top:
    """The mode that finds the nearest few above a threshold."""
    return Top(COUNTED, threshold, grouped)


@contextmanager
def rare_collection() -> Iterator[None]:
    """Look for garbage in cycles more rarely: a hand makes thousands of objects, and hardly a cycle among them."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], NEW_OBJECTS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def silent(standing: Standing) -> None:
    """Tell nobody."""


def keep_everything(episode: Episode, cases: CaseBase) -> Verdict:
    """Retain every hand in which something was asked."""
    return Verdict(True, EVERYTHING)


@dataclass(frozen=True, slots=True)
class LearntHand:
    """A finished hand of training, and what was retained of it."""

    number: int
    end: State
    notes: Mapping[Seat, Any]
    """What was noted of every learner."""
    retained: tuple[Experience, ...]


class LearningLoop:
    """Somebody who learns: plays by a plan, retains by its strategy, hands in a checkpoint a match."""

    def __init__(
        self,
        plan: Plan,
        game: Game,
        cases: CaseBase,
        sink: Sink,
        number: int,
        frozen: CaseBase | None = None,
        standing: Standing | None = None,
        groups: Groups | None = None,
        tutor: Any = None,
        uses: Mapping[int, int] | None = None,
    ) -> None:
        self.plan, self.game, self.cases, self.sink = plan, game, cases, sink
        self.training = find_training(game.name)(plan, game, cases, frozen, tutor)
        self.frozen = frozen
        """The starting base, which does not grow."""
        self.standing = standing or Standing()
        self.groups = groups if groups is not None else Groups(cases, {})
        self.uses = Counter(uses or {})
        """How often each entry was used, before this run too."""
        self._judge: Judge = keep_everything if plan.strategy == EVERYTHING else find_strategy(plan.strategy)
        if plan.bluffs:
            self._judge = TriedAnswers(self._judge)
        if plan.limit is not None:
            self._judge = SizeLimit(self._judge, plan.limit, plan.forget, self.uses)
        self.watching = self.training.uses_clusters
        self._draft = Draft(number)

    @property
    def next_number(self) -> int:
        """The number of the next entry."""
        return self._draft.next

    # Matches

    def run(self, matches: int | None = None, until: int | None = None, after: After = silent) -> Standing:
        """Play until so many matches have been played in all, or the base has so many entries."""
        while not self._enough(matches, until):
            self.play_match()
            after(self.standing)
        return self.standing

    def _enough(self, matches: int | None, until: int | None) -> bool:
        if matches is None and until is None:
            raise ValueError("learning needs an end: a number of matches, or of cases")
        played = matches is not None and self.standing.match >= matches
        return played or (until is not None and sum(self.standing.cases.values()) >= until)

    def hands(self, count: int) -> Iterator[LearntHand]:
        """Play so many hands, match after match; the last match is left where the hands end."""
        return itertools.islice(
            itertools.chain.from_iterable(map(self._match, itertools.repeat(None))), count
        )

    def play_match(self) -> None:
        """Play one match and hand in its checkpoint."""
        for _ in self._match():
            pass

    def _match(self, _: None = None) -> Iterator[LearntHand]:
        seating = self.training.seating(self.standing.match)
        match = self.training.match(seating)
        with rare_collection():
            for end, notes in match.hands(self._count_uses):
                yield self._learn(end, notes)
        teams = {self.game.teams[seat] for seat in seating.learners}
        self.standing.won += match.winner in teams
        self.hand_in()

    def hand_in(self) -> None:
        """Look at the clusters, and hand in the checkpoint of the match."""
        draft, standing = self._draft, self.standing
        reviews = list(self.groups.review()) if self.watching else []
        number, standing.match = standing.match, standing.match + 1
        where = {"match": standing.match, "cases": sum(standing.cases.values())}
        checkpoint = Checkpoint(
            number,
            draft.first,
            draft.retained,
            draft.removed,
            draft.uses,
            standing.as_json(),
            self.groups.watches,
            self.groups.groups,
            [{**where, **review.as_json()} for review in reviews],
        )
        self.sink.commit(checkpoint)
        self._draft = Draft(draft.next)

    # Hands

    def _learn(self, end: State, notes: Mapping[Seat, Notes]) -> LearntHand:
        """Judge a finished hand, experience by experience, and retain what is worth it."""
        number = self.standing.hands
        self.standing.hands += 1
        retained = []
        for seat, noted in notes.items():
            self.standing.shown += sum(noted.shown.values())
            for experience in self.training.experiences(end, noted, seat):
                verdict = self._judge(experience.episode, self.cases)
                if verdict.keep:
                    self._retain(experience, verdict)
                    retained.append(experience)
        return LearntHand(number, end, notes, tuple(retained))

    def _retain(self, experience: Experience, verdict: Verdict) -> None:
        draft, standing = self._draft, self.standing
        rows = experience.numbered(draft.next)
        record = experience.record() if self.sink.wants_records else {}
        draft.retained.append(Retained(record, experience.seat, self.plan.origin))
        draft.removed.extend(verdict.replaces)
        if verdict.replaces:
            self._replace(verdict.replaces)
        self.cases.add(rows)
        standing.kept += 1
        stage = experience.stage or WHOLE
        standing.cases[stage] = standing.cases.get(stage, 0) + 1

    def _replace(self, episodes: Sequence[int]) -> None:
        """Take entries out of the base, and out of the counts of their stages."""
        standing = self.standing
        for episode in episodes:
            stage = self.training.stage_of(self.cases.scenario_of(episode)) or WHOLE
            standing.cases[stage] = standing.cases.get(stage, 0) - 1
        self.cases.remove(*episodes)
        standing.replaced += len(episodes)

    def _count_uses(self, evidence: object) -> None:
        """Count the nearest of the cases that the deciding question of a learner's turn was answered by."""
        if isinstance(evidence, Retrieval):
            episodes = self._nearest(evidence).episodes
            self._draft.uses.update(episodes)
            self.uses.update(episodes)

    def _nearest(self, found: Retrieval) -> Retrieval:
        """Narrow a retrieval to its nearest few, for all above a threshold may be half the base."""
        if isinstance(found.mode, Top):
            return found
        return self.cases.retrieve(found.problem, nearest_above(found.threshold, found.mode.grouped))
