"""The agent `reader` in the list of agents; what it reads with is loaded when it plays."""

from __future__ import annotations

from typing import Final

from retruco.agents.core import Agent, CasesFor, Entry

RULES: Final = "trucogame"
"""The rules that the responses were learnt for."""


def make_reader(cases_for: CasesFor) -> Agent:
    """Make a reader that knows nothing of its opponent."""
    from retruco.agents.truco.reader import Reader  # numpy, which lists of agents do without

    return Reader()


ROSTER = (
    Entry(
        "reader",
        "truco",
        "Plays a solution, reads how its opponent plays, and turns to what wins from that.",
        make_reader,
        rules=(RULES,),
    ),
)
