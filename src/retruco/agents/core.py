"""What an agent is: a function of what it sees and of a stream of chance."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import get_ident
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from retruco.cbr.case import Decision
from retruco.games.core import TEXTS, Action, IllegalAction, Seat
from retruco.streams import Stream, begin_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


REVISED = "revised: "
"""What the count of a revision rule's firings starts with."""


class AskedMany(NamedTuple):
    """Questions that were answered at once."""

    situations: NDArray[np.int64]
    """By question: the place of its situation."""
    queries: Any
    """What was asked, as `retruco.cbr.queries.Queries`."""
    answers: NDArray[np.int64]
    """By question: the answer, as its place among the actions of the scenario."""


class Decisions(NamedTuple):
    """What an agent does in many situations at once, and what is counted of it beside the decisions."""

    actions: NDArray[np.int32]
    """By situation: the number of the action, as the stepper of the game has it."""
    names: tuple[str, ...] = ()
    counts: NDArray[np.int32] | None = None
    """By situation and name: how often it counts."""
    asked: Sequence[AskedMany] = ()
    """What was asked of cases, in order."""


class BatchAgent(Agent, Protocol):
    """An agent that decides many situations of a game at once, as it decides one of them."""

    def decide_many(self, game: Any, situations: NDArray[np.int32], streams: NDArray[np.uint64]) -> Decisions:
        """Choose an action in every situation; each has the state of a stream of its own for chance."""


CasesFor: TypeAlias = "Callable[..., CaseBase]"
"""Opens the case base to play a game with; agents do not know where cases are kept.

It takes the name of the game and, from agents of a later vocabulary, its version.
"""


def no_cases(game: str, version: int | None = None) -> CaseBase:
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
    make_reading: Callable[[str, CasesFor], Agent] | None = None
    """Makes the agent as another reading of its document, named by what stands after `@`."""


# Asking an agent


class Forked(RuntimeError):
    """An agent forked its process while it decided."""


def ask_agent(agent: Agent, observation: Any, chance: Stream) -> Decision:
    """Ask an agent for its decision; every command that asks an agent asks it here.

    The action is plain text: a `str` or one of the cards, and nothing that pretends to be. An agent
    that forks is refused, and its child process ends here, so that nobody plays on twice.
    """
    before = len(_forks)
    try:
        answer = agent.decide(observation, chance)
    finally:
        if os.getpid() != _process:  # a child that was made without Python's knowledge
            os._exit(1)
    if len(_forks) != before and get_ident() in _forks[before:]:
        raise Forked("the agent forked its process; it may start programs with subprocess, but not fork")
    decision = as_decision(answer)
    if type(decision.action) not in TEXTS:
        raise IllegalAction(decision.action, observation.legal)
    return decision


def agent_stream(seed: int, seat: Seat, hand: int, decisions: int) -> Stream:
    """The chance of a decision, named by the match's seed, the seat, the hand, and the seat's decisions so far."""
    return Stream("agent", seed, seat, hand, decisions)


def agent_key(seed: int) -> int:
    """The number of the key of a match's decisions, to which compiled code adds the rest; see `agent_stream`."""
    return begin_key(5, "agent", seed)


def as_decision(answer: Decision | Action) -> Decision:
    """Read an agent's answer; a bare action is a decision without a reason.

    The fields of an agent's own kind of `Decision` are read once, for they may change.
    """
    if type(answer) is Decision:
        return answer
    if not isinstance(answer, Decision):
        return Decision(answer)
    return Decision(answer.action, answer.reason, answer.values, answer.asked, answer.revised_by)


_process = os.getpid()
_forks: list[int] = []
"""The thread of every fork that an agent made while it decided."""


def _is_deciding() -> bool:
    """Whether an agent is being asked in this thread; looked up only when somebody forks."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code is ask_agent.__code__:
            return True
    return False


def _before_fork() -> None:
    if _is_deciding():
        _forks.append(get_ident())


def _in_child() -> None:
    global _process
    if _is_deciding():
        os._exit(1)
    _process = os.getpid()


os.register_at_fork(before=_before_fork, after_in_child=_in_child)
