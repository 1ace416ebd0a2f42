"""Make what `maestro` plays with: the weights of vocabulary 2, and its cases.

    python tools/make_maestro.py weights     learn weights from hands of the solver, write src/retruco/vocab/truco/weights_2.json
    python tools/make_maestro.py cases       learn cases with these weights, write src/retruco/agents/truco/maestro.npz

Both learn as `retruco learn --strategy expert --tutor solver` does. What weights bring on hands that were not learnt from is
written to docs/strength/weights.json.

Cases are learnt in rounds. After the first, a response to what has been learnt is found, as `retruco exploit` finds one,
and the expert plays against that: the base learns the answers to what it could be exploited by (dataset aggregation:
Ross, Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online learning", 2011).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.registry import RESPONSE
from retruco.agents.truco.maestro import MAESTRO
from retruco.cbr.case_file import write_cases
from retruco.cbr.casebase import CaseBase
from retruco.cbr.weights import ANSWERS, GOALS, ScenarioWeights, learn_weights
from retruco.exploit.rounds import find_response
from retruco.games.registry import find_game
from retruco.games.truco import Truco
from retruco.learning.checkpoints import Discard
from retruco.learning.learners import EVERYTHING, EXPERT, Plan
from retruco.learning.loop import LearningLoop
from retruco.solver.truco.response_files import write_response
from retruco.vocab.truco.scenarios_2 import EQUAL_WEIGHTS, VOCABULARY

ROOT: Final = Path(__file__).parent.parent
WEIGHTS_FILE: Final = ROOT / "src/retruco/vocab/truco/weights_2.json"
CASES_FILE: Final = ROOT / "src/retruco/agents/truco/maestro.npz"
FINDINGS: Final = ROOT / "docs/strength/weights.json"
RULES, TARGET = "trucogame", 24


def learn_cases(cases: CaseBase, plan: Plan, hands: int) -> CaseBase:
    """Learn from the expert until so many hands are played."""
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
    """Write the weights, a line for each scenario."""
    lines = [f" {json.dumps(name)}: {json.dumps(dict(learnt.weights))}" for name, learnt in found.items()]
    WEIGHTS_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def make_weights(hands: int) -> None:
    """Learn weights from all hands of the expert, by answers; by results only to show beside them."""
    cases = learn_cases(CaseBase(EQUAL_WEIGHTS), replace(EXPERT, strategy=EVERYTHING), hands)
    findings: dict[str, Any] = {"hands": hands}
    for goal in GOALS:
        found = dict(find_weights(cases, goal))
        findings[goal] = {scenario: asdict(learnt) for scenario, learnt in found.items()}
        if goal == ANSWERS:
            write_weights(found)
    FINDINGS.write_text(json.dumps(findings, indent=1) + "\n")


def make_cases(hands: int, responses: int, minutes: float) -> None:
    """Learn the cases, then how the expert answers responses to them, and pack them."""
    cases = learn_cases(CaseBase(VOCABULARY), EXPERT, hands)
    for number in range(1, responses + 1):
        learn_answers(cases, number, hands // 2, minutes)
    write_cases(CASES_FILE, cases)
    print(f"{CASES_FILE.name}: {CASES_FILE.stat().st_size / 1e6:.2f} MB")


def learn_answers(cases: CaseBase, number: int, hands: int, minutes: float) -> None:
    """Find a response to a player with these cases, and learn from the expert how to answer it."""
    game = Truco.named(RULES, TARGET)
    found = find_response(
        game, CaseBasedAgent(MAESTRO, cases), "maestro", number, 60 * minutes, cpu_count() or 1
    )
    with TemporaryDirectory() as folder:
        file = Path(folder) / "maestro.response"
        write_response(file, found)
        learn_cases(cases, replace(EXPERT, against=f"{RESPONSE}{file}", seed=EXPERT.seed + number), hands)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("weights", "cases"))
    parser.add_argument("--hands", type=int, default=110_000)
    parser.add_argument(
        "--responses", type=int, default=2, help="rounds against a response to the cases so far"
    )
    parser.add_argument("--minutes", type=float, default=4.0, help="how long a response is learnt")
    arguments = parser.parse_args()
    if arguments.what == "weights":
        make_weights(arguments.hands)
    else:
        make_cases(arguments.hands, arguments.responses, arguments.minutes)
