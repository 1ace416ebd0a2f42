"""A question in its plainest form, for games in which every answer of a case can be given again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from retruco.cbr.case import Problem
from retruco.games.core import Action


class Question(NamedTuple):
    """What is seen, and the action that each answer stands for."""

    problem: Problem
    answers: Mapping[str, Action]

    @property
    def adapted(self) -> Mapping[str, str]:
        """No answer of a case has to be changed to fit."""
        return {}
