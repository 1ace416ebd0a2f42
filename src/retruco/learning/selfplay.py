"""The learning loop: match after match, every hand judged, what is worth it kept at once.

    learner = SelfPlay(plan, game, cases, sink, number=base.next_number)
    learner.run(matches=300)

All chance is keyed by (seed, match), and an agent keeps no memory but the base; so the same plan
on the same base gives the same base, in one go or in many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.agents.remembering import Remembering
from retruco.arena.match import ask
from retruco.arena.table import Table
from retruco.cbr.case import Decision, Verdict
from retruco.cbr.casebase import CaseBase, Retrieval
from retruco.cbr.modes import Top
from retruco.cbr.retain import find_strategy
from retruco.cbr.reuse import TwoStep
from retruco.games.core import Seat, State
from retruco.games.truco import Truco, TrucoObservation, TrucoState
from retruco.learning.dealing import check_rare, guided_deals
from retruco.learning.learners import Plan
from retruco.learning.looks import Groups
from retruco.learning.pages import WHOLE, Draft, Kept, Page, Sink, Standing
from retruco.learning.stages import Notes, Part, parts_of
from retruco.learning.tutor import Pupil, Tutor
from retruco.streams import Stream, key_number
from retruco.vocab.truco.rows import for_stage

After = Callable[[Standing], None]

COUNTED: Final = 10
"""How many of the cases above a threshold count as used: the nearest, as many as the bots go by."""


def silent(standing: Standing) -> None:
    """Tell nobody."""


class SelfPlay:
    """Somebody who learns: plays by a plan, keeps by its strategy, writes a page a match."""

    def __init__(
        self,
        plan: Plan,
        game: Truco,
        cases: CaseBase,
        sink: Sink,
        number: int,
        frozen: CaseBase | None = None,
        standing: Standing | None = None,
        groups: Groups | None = None,
        tutor: Tutor | None = None,
    ) -> None:
        check_rare(plan.rare)
        self.plan, self.game, self.cases, self.sink = plan, game, cases, sink
        self.frozen = frozen
        """The starting base, which does not grow."""
        self.standing = standing or Standing()
        self.groups = groups if groups is not None else Groups(cases, {})
        self._strategy = find_strategy(plan.strategy)
        self._players = {name: _player(name, cases, tutor) for name in plan.policies}
        self._opponent = _opponent(plan, cases if frozen is None else frozen)
        self.watching = any(map(_uses_clusters, self._players.values()))
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

    def play_match(self) -> None:
        """Play one match and hand in its page."""
        plan, match = self.plan, self.standing.match
        draw = Stream("learn", "seats", plan.seed, match)
        keeper, first = draw.below(2), draw.below(2)
        player = self._players[draw.choice(plan.policies)]
        other = self._opponent or self._players[draw.choice(plan.policies)]
        agents = (player, other) if keeper == 0 else (other, player)
        deals = guided_deals(self.game, plan.seed, match, plan.rare, plan.every)
        table = Table(self.game, deals, first)
        self._play(table, agents, keeper, key_number("learn", "match", plan.seed, match))
        self.standing.won += table.winner == keeper
        self.hand_in()

    def _play(self, table: Table, agents: tuple[Agent, Agent], keeper: Seat, seed: int) -> None:
        notes = Notes()
        while (seat := table.to_act) is not None:
            seen, played = table.observe(seat), len(table.hands)
            decision = ask(agents[seat], table, seat, seed)
            if seat == keeper:
                assert isinstance(seen, TrucoObservation)
                notes.turn(seen, decision)
                self._used(decision)
            table.act(seat, decision.action)
            if len(table.hands) > played:
                self._judge(table.hands[-1].state, notes, keeper)
                notes = Notes()

    def hand_in(self) -> None:
        """Look at the clusters, and hand in the page of the match."""
        draft, standing = self._draft, self.standing
        looks = list(self.groups.look()) if self.watching else []
        number, standing.match = standing.match, standing.match + 1
        where = {"match": standing.match, "cases": sum(standing.cases.values())}
        page = Page(
            number,
            draft.first,
            draft.kept,
            draft.removed,
            draft.uses,
            standing.as_json(),
            self.groups.watches,
            self.groups.groups,
            [{**where, **look.as_json()} for look in looks],
        )
        self.sink.commit(page)
        self._draft = Draft(draft.next)

    # Hands

    def _judge(self, end: State, notes: Notes, keeper: Seat) -> None:
        """Judge a finished hand part by part, and keep what is worth it."""
        assert isinstance(end, TrucoState)
        self.standing.hands += 1
        self.standing.shown += notes.shown.total()
        for part in parts_of(end, notes, keeper, self.plan.staged):
            verdict = self._strategy(part.episode, self.cases)
            if verdict.keep:
                self._keep(end, part, verdict, keeper)

    def _keep(self, end: TrucoState, part: Part, verdict: Verdict, keeper: Seat) -> None:
        draft, standing = self._draft, self.standing
        record = end.record()
        if part.stage is not None:
            record = for_stage(record, keeper, part.stage)
        rows = part.numbered(draft.next)
        draft.kept.append(Kept(record, keeper, self.plan.origin))
        draft.removed.extend(verdict.replaces)
        if verdict.replaces:
            self.cases.remove(*verdict.replaces)
        self.cases.add(rows)
        standing.kept += 1
        standing.replaced += len(verdict.replaces)
        stage = part.stage or WHOLE
        standing.cases[stage] = standing.cases.get(stage, 0) + 1 - len(verdict.replaces)

    def _used(self, decision: Decision) -> None:
        """Count the nearest of the cases that the deciding question was answered by."""
        evidence = decision.asked[-1].evidence if decision.asked else None
        if isinstance(evidence, Retrieval):
            self._draft.uses.update(self._nearest(evidence).episodes)

    def _nearest(self, found: Retrieval) -> Retrieval:
        """Narrow a retrieval to its nearest few, for all above a threshold may be half the base."""
        if isinstance(found.mode, Top):
            return found
        return self.cases.retrieve(found.problem, Top(COUNTED, found.threshold, found.mode.grouped))


def _player(name: str, cases: CaseBase, tutor: Tutor | None) -> Agent:
    """Seat a player with the growing base; one with a tutor asks it what it does not know."""
    agent = find_agent(name, "truco", lambda game: cases)
    if tutor is None:
        return agent
    if not isinstance(agent, Remembering):
        raise ValueError(f"{name} does not remember, so it cannot be taught: name a policy")
    return Pupil(agent.policy, cases, tutor=tutor)


def _opponent(plan: Plan, frozen: CaseBase) -> Agent | None:
    return find_agent(plan.against, "truco", lambda game: frozen) if plan.against else None


def _uses_clusters(agent: Agent) -> bool:
    return isinstance(agent, Remembering) and isinstance(agent.policy.model, TwoStep)
