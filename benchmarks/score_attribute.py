"""Table IV of Moral (2020) if the score is compared, too, as table I lists it.

    python benchmarks/score_attribute.py --cases human                            # BOT1 and BOT2, 300 matches each
    python benchmarks/score_attribute.py --cases human --matches 30
    python benchmarks/score_attribute.py --cases human --out docs/reproduction/score-attribute.md

The vocabulary has no score. Here every question takes both scores at the time it is asked as two more attributes, and the
first hands of the base are read again with the scores they were recorded with.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from pages import page_options, write_page
from retruco.cbr.case import Problem
from retruco.cbr.casebase import CaseBase
from retruco.cbr.vocabulary import interval
from retruco.cli.cases import open_library
from retruco.cli.reproduce import open_base
from retruco.experiments.moral2020_works import SAID, STAGES, TEXT, BotReading, training
from retruco.experiments.study import TRUCO, Study
from retruco.games.truco import TrucoObservation
from retruco.learning.learners import ONE_BY_ONE
from retruco.learning.starting import in_memory
from retruco.vocab.truco import VOCABULARY, Question, rows
from retruco.vocab.truco.partial import PartialHand, is_partial
from table_iv import cell_of

TARGET: Final = TRUCO.goal
MEAN: Final = TEXT.replace("similarity=euclid", "similarity=mean")
READINGS: Final = {
    "the score, by the mean": MEAN,
    "the score, by the mean, without a guard": MEAN.replace("guard=not-lost", "guard=none"),
}
WORDS: Final = replace(
    VOCABULARY,
    scenarios=tuple(
        replace(
            scenario,
            visible=(
                *scenario.visible,
                interval("own_score", 0, TARGET, span=TARGET),
                interval("other_score", 0, TARGET, span=TARGET),
            ),
        )
        for scenario in VOCABULARY.scenarios
    ),
)
"""The vocabulary with both scores in every scenario."""


class ScoredQuestions:
    """Makes the questions of a turn with both scores in them; `before` is added, for records that begin at 0."""

    def __init__(self, make: Callable[[TrucoObservation], Iterator[Question]]) -> None:
        self._make = make
        self.before = (0, 0)

    def __call__(self, seen: TrucoObservation) -> Iterator[Question]:
        """Make the questions."""
        scores = [
            min(TARGET, self.before[place] + seen.scores[seat])
            for place, seat in enumerate((seen.seat, seen.other))
        ]
        for question in self._make(seen):
            values = (*question.problem.values, *scores)
            yield question._replace(problem=Problem(question.problem.scenario, values))


def read_first_hands(name: str, questions: ScoredQuestions) -> CaseBase:
    """The first hands of a base, each with the score it was played at."""
    found = CaseBase(WORDS)
    with open_library() as library, library.store.reading() as reader:
        for stored in reader.hands(reader.facts(name)):
            if stored.number > SAID["plan"]["first"]:
                break
            record = stored.hand.record
            questions.before = _recorded_scores(record)
            found.add(rows(record, stored.hand.seat, stored.number))
    questions.before = (0, 0)
    return found


def _recorded_scores(record: dict[str, Any]) -> tuple[int, int]:
    """The scores before a partial hand, whose replay begins at 0; nothing to add to any other."""
    if not is_partial(record):
        return (0, 0)
    hand = PartialHand.of({key: value for key, value in record.items() if key != "result"})
    return hand.scores[0] if hand.record is None and hand.scores else (0, 0)


def lines(options: argparse.Namespace) -> Iterator[str]:
    """The page, line by line."""
    asking: Any = import_module("retruco.vocab.truco.questions")
    asking.make_questions = questions = ScoredQuestions(asking.make_questions)
    base = open_base(options.cases)
    base = replace(base, cases=read_first_hands(base.name, questions))
    yield "# Table IV of Moral (2020) if the score is compared\n"
    yield (
        f"Made by `python benchmarks/score_attribute.py --cases {base.name} --matches {options.matches} --seed {options.seed}`: the "
        "reading of the text, but with the mean, in which table III has its steps, and with both scores as attributes of every "
        "question, over the target. Cells in bold are within 15 %. Without the score: [table IV](table-iv.md).\n"
    )
    yield "| bot | changed | hands a match | envido | flor | truco |\n|---|---|---|---|---|---|"
    for bot in options.bots:
        said = SAID["table IV"]["rows"][bot]
        length = said["hands"] / SAID["plan"]["training"]
        yield f"| {bot} | published | {length:.1f} | {' | '.join(f'{said[stage]:,}' for stage in STAGES)} |"
        for changed, ending in READINGS.items():
            work = training(Study(options.seed, False, Path(), base), bot, BotReading(ending, ONE_BY_ONE))
            found = in_memory(work.plan, TRUCO, work.start.cases, base.hands).run(options.matches)
            pairs = [
                (found.hands / found.match, length),
                *((found.cases[stage], said[stage]) for stage in STAGES),
            ]
            yield f"| {bot} | {changed} | {' | '.join(cell_of(*pair) for pair in pairs)} |"


def main() -> None:
    """Train what is asked for, and print or write the page."""
    parser = page_options(__doc__)
    parser.add_argument("--bots", nargs="+", choices=["BOT1", "BOT2"], default=["BOT1", "BOT2"])
    parser.add_argument("--matches", type=int, default=SAID["plan"]["training"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_page(lines(options), options.out)


if __name__ == "__main__":
    main()
