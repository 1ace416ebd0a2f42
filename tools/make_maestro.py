"""Make what `maestro` plays with: the weights of vocabulary 2, and its cases.

    python tools/make_maestro.py weights     learn weights from hands of the solver, write src/retruco/vocab/truco/v2/weights.py
    python tools/make_maestro.py cases       learn cases with these weights, write src/retruco/agents/truco/maestro.npz

Both learn as `retruco learn --strategy expert --tutor solver` does. What weights bring on hands that were not learnt from is
written to docs/strength/weights.json.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from retruco.cbr.case_file import write_cases
from retruco.cbr.casebase import CaseBase
from retruco.cbr.vocabulary import Vocabulary
from retruco.cbr.weights import ANSWERS, GOALS, ScenarioWeights, learn_weights
from retruco.games.registry import find_game
from retruco.learning.checkpoints import Discard
from retruco.learning.learners import EVERYTHING, EXPERT, Plan
from retruco.learning.loop import LearningLoop
from retruco.vocab.truco.v2.scenarios import EQUAL_WEIGHTS, VOCABULARY

ROOT: Final = Path(__file__).parent.parent
WEIGHTS_FILE: Final = ROOT / "src/retruco/vocab/truco/v2/weights.py"
CASES_FILE: Final = ROOT / "src/retruco/agents/truco/maestro.npz"
FINDINGS: Final = ROOT / "docs/strength/weights.json"
RULES, TARGET = "trucogame", 24

HEAD: Final = '''"""Weights of the features of vocabulary 2, learnt from hands of the solver by `tools/make_maestro.py weights`."""

from __future__ import annotations

from typing import Final

from retruco.cbr.vocabulary import Weights

WEIGHTS: Final[Weights] = {
'''


def learn_cases(words: Vocabulary, plan: Plan, hands: int) -> CaseBase:
    """Learn from the expert until so many hands are played."""
    cases = CaseBase(words)
    loop = LearningLoop(plan, find_game("truco", RULES, TARGET), cases, Discard(), number=1)
    while loop.standing.hands < hands:
        loop.play_match()
    print(f"{loop.standing.hands:,} hands, {loop.standing.kept:,} kept, {len(cases):,} cases")
    return cases


def find_weights(cases: CaseBase, goal: str) -> Iterator[tuple[str, ScenarioWeights]]:
    """Learn the weights of every scenario that has enough cases."""
    for scenario in cases.vocabulary.scenarios:
        found = learn_weights(cases, scenario.name, goal)
        if found is not None:
            print(
                f"{goal} {scenario.name}: {found.before:.3f} to {found.after:.3f} ± {1.96 * found.error:.3f}"
            )
            yield scenario.name, found


def write_weights(found: Mapping[str, ScenarioWeights]) -> None:
    """Write the weights as a module."""
    lines = []
    for scenario, learnt in found.items():
        lines += [
            f'    "{scenario}": {{',
            *(f'        "{name}": {weight},' for name, weight in learnt.weights.items()),
            "    },",
        ]
    WEIGHTS_FILE.write_text(HEAD + "\n".join(lines) + "\n}\n")


def make_weights(hands: int) -> None:
    """Learn weights from all hands of the expert, by answers; by results only to show beside them."""
    cases = learn_cases(EQUAL_WEIGHTS, Plan(**{**asdict(EXPERT), "strategy": EVERYTHING}), hands)
    findings: dict[str, Any] = {"hands": hands}
    for goal in GOALS:
        found = dict(find_weights(cases, goal))
        findings[goal] = {scenario: asdict(learnt) for scenario, learnt in found.items()}
        if goal == ANSWERS:
            write_weights(found)
    FINDINGS.write_text(json.dumps(findings, indent=1) + "\n")


def make_cases(hands: int) -> None:
    """Learn the cases and pack them."""
    write_cases(CASES_FILE, learn_cases(VOCABULARY, EXPERT, hands))
    print(f"{CASES_FILE.name}: {CASES_FILE.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("weights", "cases"))
    parser.add_argument("--hands", type=int, default=140_000)
    arguments = parser.parse_args()
    {"weights": make_weights, "cases": make_cases}[arguments.what](arguments.hands)
