"""How a learner begins: with a copy of some hands, whole or stage by stage.

A learner in memory, for experiments, begins with the very numbers that a stored one has: an entry
of a stage is numbered after all entries of the stages before.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retruco.agents.registry import find_agent
from retruco.cbr.casebase import CaseBase
from retruco.games.truco import Truco
from retruco.games.truco.state import STAGES
from retruco.learning.checkpoints import WHOLE, Memory, Sink, Standing
from retruco.learning.learners import Plan
from retruco.learning.loop import LearningLoop
from retruco.learning.reclustering import Elbow, Groups
from retruco.learning.tutor import PERSON, DrawnTutors, ScriptedTutor, Tutor
from retruco.vocab.truco.questions import stage_of


def first_cases(cases: CaseBase, first: int | None) -> CaseBase:
    """Copy the rows of the first so many hands, without clusters."""
    return _copied(cases, first, staged=False)


def frozen_cases(cases: CaseBase, first: int | None) -> CaseBase:
    """Copy the rows of the first so many hands, with clusters: those of the whole, or their own."""
    copy = first_cases(cases, first)
    if len(copy) < len(cases):
        clusters_of(copy)
        return copy
    for scenario in cases.vocabulary.scenarios:
        copy.cluster(scenario.name, cases.clustering(scenario.name))
    return copy


def clusters_of(cases: CaseBase) -> Mapping[str, Elbow]:
    """Cluster every scenario that has rows and no clusters yet."""
    groups = Groups(cases, {})
    list(groups.review())
    return groups.groups


def staged_cases(cases: CaseBase, first: int) -> CaseBase:
    """Copy the rows of the first so many hands, every stage under numbers of its own."""
    return _copied(cases, first, staged=True)


def _copied(cases: CaseBase, first: int | None, staged: bool) -> CaseBase:
    copy = CaseBase(cases.vocabulary, cases.measure)
    for scenario in cases.vocabulary.scenarios:
        rows = cases.columns(scenario.name)
        if first is not None:
            rows = rows.part(np.flatnonzero(rows.episodes <= first))
        if len(rows.actions):
            later = STAGES.index(stage_of(scenario.name)) * first if staged and first else 0
            copy.add_columns(scenario.name, *rows._replace(episodes=rows.episodes + np.int32(later)))
    return copy


def scripted_tutor(plan: Plan) -> Tutor | None:
    """Call the tutor that a plan names, if it is an agent; of several, one is drawn for every match."""
    if plan.tutor is None or plan.tutor == PERSON:
        return None
    tutors = [ScriptedTutor(find_agent(name, "truco"), plan.seed) for name in plan.tutor.split(",")]
    return tutors[0] if len(tutors) == 1 else DrawnTutors(tutors, plan.seed)


def in_memory(
    plan: Plan,
    game: Truco,
    cases: CaseBase,
    hands: int,
    elbows: Mapping[str, Elbow] | None = None,
    sink: Sink | None = None,
) -> LearningLoop:
    """Seat a learner that begins with a base of so many hands and leaves it as it is."""
    first = min(plan.first or hands, hands)
    if plan.staged:
        live, standing = staged_cases(cases, first), Standing(cases=dict.fromkeys(STAGES, first))
    else:
        live, standing = first_cases(cases, first), Standing(cases={WHOLE: first})
    elbows = elbows or {}
    for name, elbow in elbows.items():
        live.cluster(name, elbow.clustering)
    return LearningLoop(
        plan,
        game,
        live,
        Memory() if sink is None else sink,
        number=1 + sum(standing.cases.values()),
        frozen=frozen_cases(cases, first),
        standing=standing,
        groups=Groups.begin(live, elbows),
        tutor=scripted_tutor(plan),
    )
