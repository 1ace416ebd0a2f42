"""How a game is trained: who sits where, what is noted while a hand is played, what it leaves to retain.

`GameTraining` trains any game that has a vocabulary. A game that wants it otherwise hands in a
subclass, see `retruco.learning.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.match import ask
from retruco.arena.table import Table
from retruco.cbr.case import Decision, QuestionRecord, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.retain import Episode
from retruco.cbr.reuse import TwoStep
from retruco.games.core import Game, Seat, State, Team
from retruco.learning.learners import Plan
from retruco.streams import Stream, key_number
from retruco.vocab.registry import Question, find_vocabulary


class Seating(NamedTuple):
    """One match of training."""

    agents: Sequence[Agent]
    """By seat."""
    learners: Sequence[Seat]
    """Whose hands are judged."""
    deals: Callable[[int], Any]
    first: Seat
    seed: int
    """Names the chance of the agents."""
    chance: Stream | None = None
    """The chance of all agents together, where it is not named by seat, hand and decision."""
    hands: int | None = None
    """How many hands are played; without a number, the whole match."""


class Notes:
    """What is noted of a seat while a hand is played; the record of the hand may be enough."""

    shown: Mapping[str, int] = {}
    """How many answers a tutor gave, by stage."""

    def turn(self, seen: Any, decision: Decision) -> None:
        """Note a turn."""


CountUses: TypeAlias = Callable[[object], None]
"""Takes the evidence by which the last question of a learner's turn was answered."""
TrainedHand: TypeAlias = tuple[State, Mapping[Seat, Notes]]
"""A finished hand, and what was noted of every learner."""


class TrainingMatch(Protocol):
    """A match of training, played hand by hand."""

    winner: Team | None
    """The team that has won, once the match is over."""

    def hands(self, count_uses: CountUses) -> Iterator[TrainedHand]:
        """Play; what a hand teaches is learnt before the next one is played."""


class TableMatch:
    """A match of training at a readable table."""

    def __init__(self, game: Game, seating: Seating, notes: Callable[[], Notes]) -> None:
        self.game, self.seating, self.new_notes = game, seating, notes
        self.winner: Team | None = None

    def hands(self, count_uses: CountUses) -> Iterator[TrainedHand]:
        """Ask every agent in its turn."""
        seating, table = self.seating, Table(self.game, self.seating.deals, self.seating.first)
        notes = {seat: self.new_notes() for seat in seating.learners}
        while (seat := table.to_act) is not None and len(table.hands) != seating.hands:
            seen, played = table.observe(seat), len(table.hands)
            decision = ask(seating.agents[seat], table, seat, seating.seed, seating.chance, seen)
            if seat in notes:
                notes[seat].turn(seen, decision)
                count_uses(decision.asked[-1].evidence if decision.asked else None)
            table.act(seat, decision.action)
            if len(table.hands) > played:
                yield table.hands[-1].state, notes
                notes = {seat: self.new_notes() for seat in seating.learners}
        self.winner = table.winner


@dataclass(frozen=True, slots=True)
class Experience:
    """A finished hand or one stage of it, as one seat went through it: what is judged and perhaps retained."""

    seat: Seat
    rows: tuple[Row, ...]
    record: Callable[[], Mapping[str, object]]
    """Writes the hand down as it is stored."""
    stage: str | None = None
    shown: int = 0
    """How many of the answers a tutor gave."""
    tried: int = 0
    """How many of the answers were tried on purpose."""

    @property
    def episode(self) -> Episode:
        """What a retention strategy judges."""
        problems, answers = zip(*((row.problem, row.action) for row in self.rows), strict=True)
        return Episode(problems, self.rows[-1].credit, self.shown, answers, self.tried)

    def numbered(self, number: int) -> list[Row]:
        """Give the rows of an entry with this number."""
        return [
            Row(row.problem, row.action, row.credit, row.hindsight, number, row.question) for row in self.rows
        ]


@dataclass(frozen=True)
class Exploring:
    """Plays by cases, and now and then gives another answer than they would."""

    player: CaseBasedAgent
    tries: float

    def decide(self, seen: Any, chance: Stream) -> Decision:
        """Take a turn; the decision names the questions that had more than one answer."""
        policy = self.player.policy
        forced = policy.forced(seen, chance)
        if forced is not None:
            return forced
        asked: list[QuestionRecord] = []

        def answer(question: Question) -> str:
            if len(question.answers) == 1:
                return next(iter(question.answers))
            tries = chance.chance(self.tries)
            chosen = self.explore(question, chance) if tries else self.player.answer(question, chance).answer
            asked.append(QuestionRecord(question.problem, chosen))
            return chosen

        return Decision(policy.turn(seen, answer), asked=tuple(asked))

    def explore(self, question: Any, chance: Stream) -> str:
        """Draw an answer."""
        answers: list[str] = list(question.answers)
        return chance.choice(answers)


def find_learner(name: str, game: str, cases: CaseBase) -> Agent:
    """Call an agent to the table that decides by a growing base; refuse one that would not see it grow."""
    agent = find_agent(name, game, lambda *_: cases)
    if isinstance(agent, CaseBasedAgent) and agent.cases is not cases:
        raise ValueError(
            f"{name} compares cases otherwise than the base it learns into, so it would not see what it learns"
        )
    return agent


class GameTraining:
    """Trains a game by its vocabulary alone.

    One learner, drawn from the policies of the plan, sits in a seat that is drawn for every match,
    among fixed opponents or among other policies of the plan. What a hand has taught is read from
    its record.
    """

    plays_by_start: ClassVar[bool] = False
    """Whether players go by the base that is learnt from, beside which a new one grows."""

    def __init__(
        self, plan: Plan, game: Game, cases: CaseBase, frozen: CaseBase | None = None, tutor: Any = None
    ) -> None:
        self.plan, self.game, self.cases = plan, game, cases
        self.check(plan)
        self.players = {name: self.player(name, tutor) for name in plan.policies}
        against = plan.against
        start = cases if frozen is None else frozen
        self.opponent = find_agent(against, game.name, lambda *_: start) if against else None

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Refuse a plan that asks for what this game does not have."""
        if plan.rare:
            raise ValueError(f"no situation of {plan.game} can be dealt for, not even {plan.rare[0]!r}")
        if plan.bluffs:
            raise ValueError(f"bluffs are taught in truco, not in {plan.game}: leave --bluffs out")
        if plan.tutor:
            raise ValueError(f"nobody teaches {plan.game}, not even {plan.tutor!r}")

    @classmethod
    def check_table(cls, plan: Plan, game: Game) -> None:
        """Refuse a plan that does not fit a table of these rules."""

    @property
    def uses_clusters(self) -> bool:
        """Whether somebody goes by clusters, which then have to keep up with the base."""
        return any(
            isinstance(agent, CaseBasedAgent) and isinstance(agent.policy.model, TwoStep)
            for agent in self.players.values()
        )

    def player(self, name: str, tutor: Any) -> Agent:
        """Make a player with the growing base; it explores if the plan says so."""
        agent = find_learner(name, self.game.name, self.cases)
        if not self.plan.tries:
            return agent
        if not isinstance(agent, CaseBasedAgent):
            raise ValueError(f"{name} does not decide by cases, so it learns nothing: name a policy")
        return Exploring(agent, self.plan.tries)

    # A match

    def seating(self, match: int) -> Seating:
        """Draw who plays a match, and in which seats."""
        plan = self.plan
        draw = Stream("learn", "seats", plan.seed, match)
        learner, first = draw.below(self.game.seats), draw.below(self.game.seats)
        player = self.players[draw.choice(plan.policies)]
        others = [
            self.opponent or self.players[draw.choice(plan.policies)] for _ in range(self.game.seats - 1)
        ]
        agents = [*others[:learner], player, *others[learner:]]
        seed = key_number("learn", "match", plan.seed, match)
        return Seating(agents, (learner,), self.deals(match), first, seed)

    def deals(self, match: int) -> Callable[[int], Any]:
        """The deals of a match by number."""
        return lambda number: self.game.deal(Stream("learn", "deal", self.plan.seed, match, number, 0))

    def match(self, seating: Seating) -> TrainingMatch:
        """Seat the agents of a match."""
        return TableMatch(self.game, seating, self.notes)

    # A hand

    def stage_of(self, scenario: str | None) -> str | None:
        """Name the stage that an entry with rows of a scenario is kept for; none if it is kept whole."""
        return None

    def notes(self) -> Notes:
        """Begin the notes of a hand."""
        return Notes()

    def experiences(self, end: Any, notes: Any, seat: Seat) -> Iterable[Experience]:
        """Give what a finished hand has taught a seat; nothing if it was asked nothing."""
        words = find_vocabulary(self.game.name)
        assert words is not None, f"{self.game.name} has no vocabulary"
        rows = tuple(words.rows(end.record(), seat, 0))
        return [Experience(seat, rows, end.record)] if rows else []
