"""The agent cache of the games other than Truco: agents by name, each made once and shared by all tables.

An agent that remembers may have to learn its first hands before it can play, once on a machine. That
happens in the background: whoever asks meanwhile is told that it is on its way.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future
from threading import Lock, Thread

from retruco.agents.core import Agent, CasesFor, no_cases
from retruco.agents.registry import find_agent

log = logging.getLogger("retruco.web")


class NoCases(ValueError):
    """An agent that needs remembered hands, where there are none."""


class AgentCache:
    """The agents of the tables beside Truco."""

    def __init__(self, cases_for: CasesFor = no_cases) -> None:
        self._cases_for = cases_for
        self._made: dict[tuple[str, str], Future[Agent]] = {}
        self._lock, self._opening = Lock(), Lock()

    def agent(self, game: str, name: str) -> Agent | None:
        """Give an agent, or nobody while it is still learning; `NoCases` if it cannot play here."""
        with self._lock:
            made = self._made.get((game, name)) or self._call(game, name)
            if not made.done():
                return None
            if made.exception() is not None:
                del self._made[game, name]  # whoever asks again lets it try again
                raise NoCases(name)
        return made.result()

    def expect(self, game: str, name: str) -> None:
        """Let somebody begin to learn who will be asked for soon."""
        with self._lock:
            if (game, name) not in self._made:
                self._call(game, name)

    def _call(self, game: str, name: str) -> Future[Agent]:
        """Make an agent now if it needs no cases, else in the background."""
        made: Future[Agent] = Future()
        self._made[game, name] = made
        try:
            made.set_result(find_agent(name, game, no_cases))
        except ValueError:  # it asked for its cases
            Thread(target=self._teach, args=(game, name, made), name="learning", daemon=True).start()
        return made

    def _teach(self, game: str, name: str, made: Future[Agent]) -> None:
        with self._opening:  # those who share a base wait for who opens it first
            try:
                made.set_result(find_agent(name, game, self._cases_for))
            except Exception as error:  # noqa: BLE001  whatever it is, whoever asks is told
                log.warning("the cases of %s could not be opened: %s", name, error)
                made.set_exception(error)
