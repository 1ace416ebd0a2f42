"""What every game is: deals, states that do not change, what a seat sees, how a match goes on.

The way through a hand:

    game.deal(stream) -> Deal        all chance of the hand, drawn up front
    game.start(deal, match) -> State
    state.observe(seat) -> Observation
    state.play(action) -> State      until state.outcome is there
    game.after(match, state) -> Match

Seats are numbered from 0 in the order of play; `game.teams[seat]` says who plays together.
An action is its notation: a string such as `"envido"`, `"7e"` or `"bet"`.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self, TypeAlias, runtime_checkable

from retruco.aliases import moved
from retruco.cards import Card
from retruco.streams import Stream

Seat: TypeAlias = int
Team: TypeAlias = int
Action: TypeAlias = str


TEXTS: Final = frozenset({str, Card})
"""The types of an action: exactly these, for an object of another subclass of `str` may lie about what it equals."""


class IllegalAction(ValueError):
    """An action that the rules do not allow here, or that is no plain text; it says which ones they allow."""

    def __init__(self, action: object, legal: Sequence[Action], where: str = "") -> None:
        self.action = action
        self.legal = tuple(legal)
        allowed = "legal here: " + " ".join(legal) if legal else "the hand is over"
        kind = "" if type(action) in TEXTS else f" of type {type(action).__name__}, not str"
        super().__init__(f"illegal action {short_repr(action)}{kind}{where}; {allowed}")


class BadRecord(ValueError):
    """A recorded hand that cannot be read; it says which value is wrong and what would do."""


if not TYPE_CHECKING:  # else every name would be found here
    __getattr__ = moved(__name__, shown="retruco.games.core:short_repr")


def short_repr(value: object) -> str:
    """Print a value from outside for an error message, cut when it is long.

    >>> short_repr("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
    """
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a hand ended."""

    reason: str
    """Why it is over, in one word of the game's own, such as `rounds` or `fold`."""
    winner: Team | None
    """The team that won the hand, if one did."""
    points: tuple[int, ...]
    """What each team gained (or lost) in this hand."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a match stands between two hands."""

    scores: tuple[int, ...]
    """Points of each team."""
    first: Seat
    """Who has the lead (in Truco the mão) or the deal of the next hand."""
    hand: int = 0
    """How many hands have been played."""


@runtime_checkable
class Observation(Protocol):
    """What one seat may know: the only thing an agent ever gets."""

    @property
    def seat(self) -> Seat: ...
    @property
    def to_act(self) -> Seat | None: ...
    @property
    def legal(self) -> tuple[Action, ...]: ...
    @property
    def history(self) -> tuple[Self, ...]: ...


class State(Protocol):
    """A hand in progress. It does not change: `play` returns the next one."""

    @property
    def to_act(self) -> Seat | None: ...
    @property
    def legal(self) -> tuple[Action, ...]: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def actions(self) -> tuple[Action, ...]: ...
    def play(self, action: Action) -> Self: ...
    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> Observation: ...
    def record(self) -> dict[str, object]: ...
    def summary(self) -> dict[str, object]: ...


class Game(ABC):
    """The rules of one game as played at one table: a frozen record of its options."""

    name: ClassVar[str]
    version: ClassVar[int]
    """Raised when, and only when, the behaviour of the game changes; stored in every record."""

    usual_agent: ClassVar[str] = "random"
    """Who decides when no agent is named."""
    usual_base: ClassVar[str | None] = None
    """The case base that agents remember when none is named."""
    contest_rules: ClassVar[str | None] = None
    """The preset by which agents meet when none is named; without one, the first."""

    behaviour_ratios: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """What a table of behaviour shows: a count of `behaviour` over what it is a share of."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "rates" in vars(cls):  # the name until release 0.2
            warnings.warn(f"{cls.__name__}.rates is now behaviour_ratios", DeprecationWarning, stacklevel=2)
            cls.behaviour_ratios = vars(cls)["rates"]

    def __repr__(self) -> str:
        return f"{type(self).__name__}.named({self.rules_name!r}, target={self.goal})"

    @classmethod
    @abstractmethod
    def presets(cls) -> tuple[str, ...]:
        """Name the sets of rules this game is played by; the first is the usual one."""

    @classmethod
    def preset_table(cls) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """The presets as a table for people: a heading, which may be empty, and one row each."""
        return (), [(rules,) for rules in cls.presets()]

    @classmethod
    @abstractmethod
    def named(cls, rules: str | None = None, target: int | None = None) -> Game:
        """Set a table by a preset's name and, if wanted, to another target than its own."""

    @property
    @abstractmethod
    def rules_name(self) -> str:
        """The preset played at this table."""

    @property
    @abstractmethod
    def goal(self) -> int:
        """What a match is played to: points in Truco, hands in Kuhn poker."""

    @property
    @abstractmethod
    def most_points(self) -> int:
        """The most that one hand can gain towards a match."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many sit at the table."""

    @property
    def result_unit(self) -> tuple[str, float]:
        """The unit of results per hand, and how many of it a point is."""
        return "points", 1.0

    @property
    def teams(self) -> tuple[Team, ...]:
        """The team of every seat; where nobody has a partner, each seat is its own."""
        return tuple(range(self.seats))

    @abstractmethod
    def deal(self, chance: Stream) -> Any:
        """Draw all that chance decides in one hand."""

    def read_deal(self, text: str) -> Any:
        """Read a deal back from how it prints, as a live table does after a restart; `BadRecord` on a wrong one."""
        raise NotImplementedError(
            f"{type(self).__name__} needs read_deal(text), the opposite of str(deal): live tables store deals as text"
        )

    def all_deals(self) -> Iterable[tuple[Any, float]]:
        """Every deal there is and its probability, for games small enough to be solved exactly."""
        raise ValueError(f"the deals of {self.name} are too many to list")

    def information_key(self, observation: Any) -> str:
        """All that a seat to act knows about this hand, as text; what two deals share has one key."""
        raise ValueError(f"{self.name} has no information keys")

    @abstractmethod
    def start(self, deal: Any, match: Match) -> State:
        """Begin a hand of this match."""

    def opening(self, first: Seat = 0) -> Match:
        """Open a match: nobody has points yet."""
        return Match((0,) * len(set(self.teams)), first)

    def after(self, match: Match, state: State) -> Match:
        """Enter a finished hand on the board; the lead passes to the next seat."""
        assert state.outcome is not None
        scores = tuple(old + new for old, new in zip(match.scores, state.outcome.points, strict=True))
        return Match(scores, (match.first + 1) % self.seats, match.hand + 1)

    @abstractmethod
    def is_over(self, match: Match) -> bool:
        """Tell whether the match is decided."""

    def winner(self, match: Match) -> Team | None:
        """Name the team that won the finished match; a shared best score is a draw."""
        best = max(match.scores)
        leaders = [team for team, score in enumerate(match.scores) if score == best]
        return leaders[0] if len(leaders) == 1 else None

    def gains(self, match: Match, state: State) -> tuple[int, ...]:
        """Count what the hand was worth to each team towards the match."""
        assert state.outcome is not None
        return state.outcome.points

    def behaviour(self, end: Any, seat: Seat) -> Counter[str]:
        """Count what a seat did in a finished hand, in the game's own words; see `behaviour_ratios`."""
        return Counter()

    def write_observation(self, observation: Any) -> dict[str, Any]:
        """Write what a seat sees as JSON, without the earlier hands; see `retruco.games.observations`."""
        from retruco.games.observations import write_fields

        return write_fields(self, observation)

    @classmethod
    def read_observation(cls, plain: object, history: tuple[Any, ...] = ()) -> Observation:
        """Read what a seat sees from JSON; raise `BadRecord` on anything else."""
        from retruco.games.observations import read_fields

        return read_fields(cls, plain, history)

    @classmethod
    @abstractmethod
    def read(cls, record: Mapping[str, object]) -> State:
        """Replay a recorded hand; raise `BadRecord` or `IllegalAction` on a wrong one."""


@dataclass(frozen=True, slots=True, repr=False)
class PointsGame(Game):
    """A game of several sets of rules whose match ends when a team reaches a number of points."""

    rules: Any
    target: int
    find_rules: ClassVar[Callable[[str], Any]]
    """Finds a preset by its name; it has a name and a target."""

    @classmethod
    def named(cls, rules: str | None = None, target: int | None = None) -> Self:
        """Choose a preset by name and, if wanted, another target than its own."""
        found = cls.find_rules(rules or cls.presets()[0])
        if target is not None and target < 1:
            raise ValueError(f"the target must be at least 1, not {target}")
        return cls(found, found.target if target is None else target)

    @property
    def rules_name(self) -> str:
        """The name of the preset."""
        return str(self.rules.name)

    @property
    def goal(self) -> int:
        """The target."""
        return self.target

    def is_over(self, match: Match) -> bool:
        """Tell whether a team has reached the target."""
        return max(match.scores) >= self.target
