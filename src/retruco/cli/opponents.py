"""`retruco study opponents`: how well bluffs are told, or what a reader thinks of a recorded player."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from retruco.agents.registry import find_agent
from retruco.agents.truco.bluff_cases import shipped_calls
from retruco.agents.truco.opponent_model import OpponentModel, Reading, shipped_styles
from retruco.agents.truco.reader import lean, likeliest, profile_of
from retruco.cli.formatting import plain_table
from retruco.cli.json_lines import for_each_hand
from retruco.cli.study import read_answers
from retruco.games.core import BadRecord, State
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.state import TrucoState
from retruco.learning.bluff_study import WAYS, Detection, calls_of_agent, calls_of_people, detect
from retruco.learning.opponents import people_replies
from retruco.storage.store import FILE as CASES_FILE
from retruco.storage.store import home, open_store
from retruco.vocab.truco.partial import PartialHand, is_partial

FOLDS: Final = 5
SEED: Final = 77


@dataclass(frozen=True, slots=True)
class BluffStudy:
    """How well the calls of some caller were told."""

    caller: str
    ways: dict[str, Detection]

    def as_json(self) -> dict[str, Any]:
        """The study as plain data."""
        return {"caller": self.caller, "ways": {way: found._asdict() for way, found in self.ways.items()}}


def run_studies(agent: str, cases: str | None, pairs: int, out: str | None, as_json: bool) -> int:
    """Measure how well bluffs are told."""
    if out is not None:
        raise ValueError("--out writes a profile: name a file of hands or --person to make it from")
    studies = [study_agent(agent, pairs), *([study_people(cases)] if cases else [])]
    if as_json:
        print(json.dumps([study.as_json() for study in studies]))
    else:
        print_studies(studies)
    return 0


# Bluffs


def study_agent(name: str, pairs: int) -> BluffStudy:
    """How well the calls of an agent are told by who plays the solution against it."""
    if pairs < 2:
        raise ValueError(f"--pairs must be at least 2, not {pairs}")
    model = OpponentModel(shipped_styles())
    observer, caller = find_agent("solver", "truco"), find_agent(name, "truco")
    calls = calls_of_agent(model, shipped_calls(), observer, caller, pairs, SEED)
    return BluffStudy(name, {way: detect(calls, way) for way in WAYS})


def study_people(cases: str) -> BluffStudy:
    """How well the calls of people are told, each match by the people of others."""
    answers = read_answers(cases)
    with open_store() as store:
        records = [(number, hand.record) for number, hand in store.hands(cases)]
    hands = {number: PartialHand.of(record) for number, record in records if is_partial(record)}
    calls = calls_of_people(answers, list(people_replies(answers)), hands, FOLDS)
    return BluffStudy(f"people ({cases})", {way: detect(calls, way) for way in WAYS})


def print_studies(studies: Sequence[BluffStudy]) -> None:
    """Print a table for every caller."""
    console = Console(width=100, highlight=False)
    for study in studies:
        first = next(iter(study.ways.values()))
        console.print(f"calls of {study.caller}: {first.calls:,}, of which {first.bluffs:,} are bluffs")
        table = plain_table("judged by", "area under the curve", "95 % interval", "Brier score")
        for way, found in study.ways.items():
            low, high = found.interval
            table.add_row(way, f"{found.area:.3f}", f"{low:.3f} to {high:.3f}", f"{found.brier:.3f}")
        console.print(table)


# A recorded opponent


def read_opponent(file: str, seat: int, out: str | None, as_json: bool) -> int:
    """Read the other seat in the hands of a match, hand by hand; write a profile of it if asked to."""
    if seat not in (0, 1):
        raise ValueError(f"--seat must be 0 or 1, not {seat}")
    check_new(out)
    history = list[TrucoObservation]()

    def note(state: State) -> None:
        if not isinstance(state, TrucoState):
            raise BadRecord(f"a hand of {state.record()['game']}: opponents are read in truco")
        if state.outcome is None:
            raise BadRecord("the hand is not over")
        history.append(state.observe(1 - seat))

    if code := for_each_hand(file, False, note):
        return code
    rows = read_all(history, out)
    if as_json:
        print(json.dumps({"seat": seat, "hands": [asdict(row) for row in rows]}))
    else:
        print_readings(f"seat {seat}", rows)
    return 0


def read_person(name: str, table: str | None, out: str | None, as_json: bool) -> int:
    """Read a person in the hands of the web table that everybody in them agreed to have kept."""
    from retruco.web.account.person_hands import hands_of_person  # only this needs the web table

    check_new(out)
    file = Path(table) if table else home() / "table.sqlite"
    hands = hands_of_person(file, home() / CASES_FILE, name)
    if not hands:
        raise ValueError(f"no hand of {name} is kept with the agreement of everybody who sat there")
    rows = read_all([hand.end.observe(1 - hand.seat) for hand in hands], out)
    matches = len({hand.match for hand in hands})
    if as_json:
        print(json.dumps({"person": name, "matches": matches, "hands": [asdict(row) for row in rows]}))
    else:
        print_readings(f"{name} in {matches} matches", rows)
    return 0


def check_new(out: str | None) -> None:
    """Refuse to write over a file."""
    if out is not None and Path(out).exists():
        raise ValueError(f"{out} is there already: name another file, or remove it")


def read_all(history: Sequence[TrucoObservation], out: str | None) -> list[ReadingRow]:
    """What is thought of the other seat after every hand; the last becomes a profile if a file is named for it."""
    styles = shipped_styles()
    model = OpponentModel(styles)
    readings = [model.read(tuple(history[:count])) for count in range(len(history) + 1)]
    if out is not None:
        Path(out).write_text(json.dumps(profile_of(styles, readings[-1]), indent=1) + "\n")
    return [describe(model, reading) for reading in readings]


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """What a reader thinks after some hands."""

    hands: int
    styles: dict[str, Any]
    calls_shown: int
    bluffs_shown: int
    responds_to: str | None


def describe(model: OpponentModel, reading: Reading) -> ReadingRow:
    """A reading as plain data."""
    leaning = lean(model.styles, reading.belief)
    return ReadingRow(
        reading.hands,
        likeliest(model.styles, reading),
        reading.calls_shown,
        reading.bluffs_shown,
        model.styles.responses[leaning.response] if leaning else None,
    )


def print_readings(who: str, rows: Sequence[ReadingRow]) -> None:
    """Print what a reader thinks of somebody after every hand."""
    console = Console(width=100, highlight=False)
    console.print(f"{who}, as `reader` sees it after every hand")
    table = plain_table("hands", "most like", "bluffs shown", "reader plays")
    for row in rows:
        styles = ", ".join(f"{name} {share:.0%}" for name, share in row.styles.items())
        plays = f"the response to {row.responds_to}" if row.responds_to else "the solution"
        table.add_row(str(row.hands), styles, f"{row.bluffs_shown} of {row.calls_shown}", plays)
    console.print(table)
