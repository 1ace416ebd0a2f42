"""People against agents: the study of the web table, and simulated people who play it from start to end.

Matches count that the study opened and that were played to the last card; see `retruco.web.lab.study`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from retruco.arena.page import Cell, Heading, Part, Table, Text
from retruco.experiments.people_report import SAID, people_parts
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.simulated_people import SimulatedPeople
from retruco.experiments.study import Found, Results, Stage, Study, Work
from retruco.storage.store import home
from retruco.web.core.store import Store
from retruco.web.lab.questionnaire import summary
from retruco.web.lab.study import STUDY, StudyMatches

SIMULATED: Final = "simulated people"


def table_file(file: Path | None = None) -> Path:
    """The file with the matches of the web table; the usual one if none is named."""
    return file or home() / "table.sqlite"


def people_against(agents: Sequence[str], file: Path | None = None) -> list[dict[str, Any]]:
    """Sum up, agent by agent, the matches that people played against some agents, and their answers."""
    if not table_file(file).exists():
        return []
    store = Store(table_file(file))
    try:
        found = {row["agent"]: row for row in summary(store)}
    finally:
        store.close()
    return [found[name] for name in agents if name in found]


def setup_of(file: Path | None = None) -> dict[str, Any] | None:
    """The set-up that the study of a web table was begun with, if it has begun."""
    if not table_file(file).exists():
        return None
    store = Store(table_file(file))
    try:
        return StudyMatches(store).setup()
    finally:
        store.close()


def works(study: Study, found: Found) -> Sequence[Work]:
    """The simulated people."""
    people = study.size(SAID["matches"], 1) if study.simulated is None else study.simulated
    return [SimulatedPeople(study, people)]


class People(PublishedExperiment):
    """The experiment."""

    name = "people"
    title = "People against agents"
    paper = "Paulus (2020), section 5.2.4"
    stages = (Stage("simulated people", works, 90, 10),)

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """What people won and said, and apart from it what the simulated people did."""
        return {
            "people": people_against(STUDY.agents, study.table),
            "setup": setup_of(study.table),
            "simulated": found[SIMULATED],
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return "whole matches against four agents, in turn, and four questions after each."

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        simulated = results["simulated"]
        return [
            Heading("The study"),
            Text(
                "retruco serve sets the table, /study explains the study, assigns the opponents and opens the matches. "
                "A match counts if the study opened it and it was played to the last card."
            ),
            _setups(results["setup"], simulated and simulated["setup"]),
            Heading("People"),
            Text(_people_here(results["people"])),
            *people_parts(results["people"]),
            *(_simulated_parts(simulated) if simulated else []),
        ]

    def settings(self, results: Results) -> dict[str, str]:
        """Who the simulated people are."""
        return {
            SIMULATED: "draw their actions by the weights of human_choice.json, which are fitted to hands that people "
            "played; sharpness 0.6 to 3.5 in turn"
        }


def _setups(people: Results | None, simulated: Results | None) -> Table:
    """The set-up published, that of people here, and that of the simulated people."""
    published = {
        "agents": list(STUDY.agents),
        "base": "27,515 learned cases",
        "rules": "Truco with flor",
        "target": "24",
    }
    rows: list[list[Cell | str]] = []
    for part, said in published.items():
        cells = [said, *(setup[part] if setup else "not begun" for setup in (people, simulated))]
        rows.append([part, *(", ".join(cell) if isinstance(cell, list) else str(cell) for cell in cells)])
    return Table(["", "published", "people here", f"{SIMULATED} here"], rows)


def _people_here(rows: Sequence[Results]) -> str:
    matches = sum(row["matches"] for row in rows)
    here = (
        f"Here: {matches} whole matches." if matches else "Here nobody has played a match of the study yet."
    )
    return (
        f"Published: {SAID['people']} people, {SAID['matches']} matches against each of four agents. {here}"
    )


def _simulated_parts(simulated: Results) -> list[Part]:
    whole = sum(row["matches"] for row in simulated["agents"])
    return [
        Heading("SIMULATED people"),
        Text(
            f"No person played these matches. In the place of {simulated['people']} people a program chose that is fitted "
            f"to hands of people. It played {whole} whole matches at tables of the web and answered after each; "
            f"matches given up, which do not count: {simulated['given up']}. The marks for competence follow the result "
            "and the other marks are drawn, so the answers show that the study counts them, and nothing else."
        ),
        *people_parts(simulated["agents"], SIMULATED),
    ]


EXPERIMENT = People()
