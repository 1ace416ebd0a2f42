"""What an agent may answer, and what it may not do while it is asked."""

from __future__ import annotations

import ctypes
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import pytest

from retruco.agents.core import Forked, as_decision, ask_agent
from retruco.arena.acpc import play_at
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.arena.table import Table
from retruco.cards import Card
from retruco.cbr.case import Decision
from retruco.games.core import IllegalAction
from retruco.games.holdem import Holdem
from retruco.games.truco import Truco
from retruco.learning.tutor import ScriptedTutor
from retruco.streams import Stream
from retruco.vocab.truco import questions

GAME = Truco.named("cbtg")
# Newer Pythons warn of a fork beside threads, such as those of the test runner.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


class Pretender(str):
    """Says that it equals whatever it is compared with."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Changing(Decision):
    """A decision with another action at every look."""

    looks = 0

    def __getattribute__(self, name: str) -> Any:
        if name != "action":
            return super().__getattribute__(name)
        Changing.looks += 1
        return "truco" if Changing.looks == 1 else Pretender("1e")


class Says:
    """Answers what it was told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def decide(self, observation: Any, chance: Stream) -> Any:
        return self.answer() if callable(self.answer) else self.answer


def table() -> Table:
    return Table(GAME, deals_from(GAME, 1, 1), 0)


def asked(answer: Any) -> Decision:
    return ask_agent(Says(answer), table().observe(0), Stream())


def test_a_card_and_its_text_are_both_actions() -> None:
    card = table().observe(0).legal[0]
    assert type(card) is Card
    assert asked(card).action == asked(str(card)).action == card


@pytest.mark.parametrize("answer", [Pretender("1e"), Decision(Pretender("1e")), None, 7, b"truco"])
def test_an_answer_that_is_no_plain_text_is_refused_with_its_type(answer: Any) -> None:
    said = getattr(answer, "action", answer)
    with pytest.raises(IllegalAction, match=f"of type {type(said).__name__}, not str.*; legal here: "):
        asked(answer)


def test_a_table_takes_no_pretender_whoever_brings_it() -> None:
    with pytest.raises(IllegalAction, match="of type Pretender, not str"):
        table().act(0, Pretender("1e"))


def test_the_match_is_lost_with_the_type_as_the_reason() -> None:
    match = play_match(GAME, (Says(Pretender("1e")), Says("baralho")), deals_from(GAME, 1, 1), 0, 1)
    assert match.winner == 1
    assert match.forfeit is not None
    assert match.forfeit.illegal
    assert "of type Pretender" in match.forfeit.why


def test_a_decision_is_read_once() -> None:
    Changing.looks = 0
    decision = asked(Changing("envido"))
    assert [decision.action, decision.action] == ["truco", "truco"]
    assert type(decision) is Decision
    assert Changing.looks == 1


def test_a_tutor_cannot_pretend_either() -> None:
    seen = table().observe(0)
    question = next(iter(questions(seen)))  # type: ignore[arg-type]  # an observation of Truco
    with pytest.raises(IllegalAction, match="Pretender"):
        ScriptedTutor(Says(Pretender("1e"))).show(question, seen, "truco")  # type: ignore[arg-type]  # the same


def test_a_dealer_far_away_is_sent_no_pretender() -> None:
    sent: list[str] = []

    class Dealer:
        lines = iter(["MATCHSTATE:1:0::|TdAs"])
        tell = staticmethod(sent.append)

        def hear(self) -> str | None:
            return next(self.lines, None)

    game = Holdem.named("acpc-2")
    with pytest.raises(IllegalAction, match="Pretender"):
        play_at(Dealer(), game, Says(Pretender("call")), "x", 1, print)  # type: ignore[arg-type]  # a line
    assert sent == ["VERSION:2.0.0"]


def test_a_card_does_not_change() -> None:
    card = Card("4e")
    with pytest.raises(AttributeError, match="rank of 4e is fixed"):
        card.rank = 7
    again = pickle.loads(pickle.dumps(card))
    assert (type(again), again, again.rank, again.suit) == (Card, "4e", 4, "e")


def test_an_agent_that_forks_is_noticed_and_its_child_ends_at_once() -> None:
    children: list[int] = []

    def fork() -> str:
        children.append(os.fork())
        if not children[-1]:
            os._exit(0)  # never reached: the child has ended
        return "truco"

    with pytest.raises(Forked):
        asked(fork)
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 1
    assert asked("truco").action == "truco"


def test_the_child_of_a_fork_behind_pythons_back_does_not_play_on() -> None:
    children: list[int] = []

    def fork() -> str:
        children.append(ctypes.CDLL(None).fork())
        return "truco"

    assert asked(fork).action == "truco"
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 1


def test_a_fork_by_somebody_else_is_not_the_agents() -> None:
    def fork() -> None:
        child = os.fork()
        if not child:
            os._exit(0)
        statuses.append(os.waitpid(child, 0)[1])

    statuses: list[int] = []

    def wait_for_another() -> str:
        thread = threading.Thread(target=fork)
        thread.start()
        thread.join()
        return "truco"

    assert asked(wait_for_another).action == "truco"
    assert statuses == [0]


def test_an_agent_may_start_a_program() -> None:
    def run() -> str:
        done = subprocess.run(
            [sys.executable, "-c", "print('truco')"], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert asked(run).action == "truco"


def test_a_bare_action_is_a_decision_without_a_reason() -> None:
    assert as_decision("truco") == Decision("truco")
