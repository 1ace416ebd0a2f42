"""Paulus (2020): twenty policies, learning by imitation, what it is worth, the ten best, people."""

from __future__ import annotations

from typing import Any

from retruco.arena.page import Part
from retruco.experiments.paulus2020_report import report_parts
from retruco.experiments.paulus2020_results import sum_up
from retruco.experiments.paulus2020_works import AS_TEXT, LATER, SAID, first_works, later_works
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.study import Found, Results, Stage, Study


class Paulus2020(PublishedExperiment):
    """The experiment."""

    name = "paulus2020"
    title = "Twenty policies, and learning by imitation"
    paper = SAID["paper"]
    stages = (
        Stage("stage 1 and learning", first_works, 330, 20),
        Stage("stages 2 and 3", later_works, 200, 15),
    )

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """All stages, what the dissertation says, and the clusters of the learned base."""
        return sum_up(study, found)

    def about(self, results: Results) -> str:
        """What was played."""
        return (
            "stage 1, twenty policies all against all; learning by self-play; stage 2, each policy before "
            "and after it; stage 3, the ten best; stage 4, people."
        )

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        return report_parts(results)

    def settings(self, results: Results) -> dict[str, str]:
        """Who learns, and how the paper is read literally."""
        return {
            "learning": "the published ten play each other on the growing base, whoever went on in ours, "
            "so that stages 2 and 3 can be held against the published figures",
            "raw": "no support, no prior, no revision; on the base that the default policies have learnt",
            AS_TEXT: f"{LATER}; on the base that policies so read have learnt",
        }


EXPERIMENT = Paulus2020()
