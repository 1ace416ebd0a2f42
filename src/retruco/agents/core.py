"""What an agent is: a function of what it sees and of a stream of chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from retruco.cbr.case import Decision
from retruco.games.core import Action, Seat
from retruco.streams import Stream

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

ANY_GAME = "*"


class Agent(Protocol):
    """Anybody who can decide.

    An agent keeps no memory of its own: the observation holds all that its seat has seen in this
    match, and all its chance comes from the stream. So the same question gets the same answer,
    in another process, after a restart, or when somebody only asks what it would have played.
    """

    def decide(self, observation: Any, chance: Stream) -> Decision | Action:
        """Choose one of `observation.legal`, with the reason or without."""


CasesFor: TypeAlias = "Callable[[str], CaseBase]"
"""Opens the case base to play a game with; agents do not know where cases are kept."""


def no_cases(game: str) -> CaseBase:
    """Refuse: nobody has said which cases to remember."""
    raise ValueError(f"this agent remembers {game} hands and needs a case base")


def alone(kind: type[Agent]) -> Callable[[CasesFor], Agent]:
    """Make an agent that needs no cases."""
    return lambda cases_for: kind()


@dataclass(frozen=True, slots=True)
class Entry:
    """A line in the list of agents."""

    name: str
    game: str
    """The game it plays, or `*` for any."""
    style: str
    """One sentence on how it plays."""
    make: Callable[[CasesFor], Agent]
    """Makes the agent; one that remembers asks for the cases of its game."""
    rules: tuple[str, ...] = ()
    """The variants it plays by; none named: all of its game."""


def agent_stream(seed: int, seat: Seat, hand: int, decisions: int) -> Stream:
    """The chance of a decision, named by the match's seed, the seat, the hand, and the seat's decisions so far."""
    return Stream("agent", seed, seat, hand, decisions)


def as_decision(answer: Decision | Action) -> Decision:
    """Read an agent's answer; a bare action is a decision without a reason."""
    return answer if isinstance(answer, Decision) else Decision(answer)
