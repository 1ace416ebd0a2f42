"""What the experiments of this package have in common: what they say of themselves, and the frame of the report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from retruco.arena.page import Page, Part
from retruco.experiments.report_sections import how_made, lead_of
from retruco.experiments.study import TRUCO, Found, Results, Stage, Study
from retruco.games.core import Game


class PublishedExperiment(ABC):
    """A published experiment; a subclass says what is played, how it is summed up and reported."""

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    game: ClassVar[Game] = TRUCO
    needs_cases: ClassVar[bool] = True
    stages: ClassVar[Sequence[Stage]]

    @abstractmethod
    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """Sum up what was found."""

    @abstractmethod
    def about(self, results: Results) -> str:
        """Say in a sentence what was played and why."""

    @abstractmethod
    def parts(self, results: Results) -> list[Part]:
        """Report the results, beside what was published."""

    @abstractmethod
    def settings(self, results: Results) -> Mapping[str, str]:
        """What else one has to know to make it again."""

    def page(self, results: Results, manifest: Results) -> Page:
        """The report."""
        parts = [*self.parts(results), *how_made(self, results, manifest, self.settings(results))]
        return Page(self.title, lead_of(results, f"{self.paper}: {self.about(results)}"), parts)
