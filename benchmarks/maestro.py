"""What makes `maestro` strong: the figures of docs/maestro.md.

    python benchmarks/maestro.py curve       learning from the expert, 500 to 200,000 hands
    python benchmarks/maestro.py parts       with and without: weights, whole turns, safeguards, what is kept, forgetting
    python benchmarks/maestro.py responses   what a learnt response takes, with and without rounds against responses
    python benchmarks/maestro.py page        write docs/maestro.md from what has been found

Findings are kept in docs/strength as JSON, so that a part can be run on its own.
"""

from __future__ import annotations

import argparse
import json
import resource
from collections.abc import Callable
from dataclasses import replace
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from retruco.agents.case_based import CaseBasedAgent, Policy
from retruco.agents.core import Agent
from retruco.agents.registry import RESPONSE, find_agent
from retruco.agents.truco.maestro import MAESTRO, POLICIES, read_shipped
from retruco.agents.truco.policies import policies
from retruco.arena.duel import play_duel
from retruco.cbr.casebase import CaseBase
from retruco.cbr.maintenance import keep_by_chance, keep_most_competent, list_episodes, reduce_base
from retruco.cbr.reuse import Conventional, Lottery
from retruco.cbr.vocabulary import Vocabulary
from retruco.exploit.rounds import find_response
from retruco.games.registry import find_game
from retruco.games.truco import Truco
from retruco.learning.checkpoints import Discard
from retruco.learning.learners import EVERYTHING, EXPERT, Plan
from retruco.learning.loop import LearningLoop
from retruco.solver.truco.response_files import write_response
from retruco.streams import Stream
from retruco.vocab.truco import VOCABULARY as VOCABULARY_1
from retruco.vocab.truco.scenarios_2 import EQUAL_WEIGHTS, VOCABULARY

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "strength"
GAME = find_game("truco", "trucogame", 24)
MARKS = (500, 2_000, 5_000, 20_000, 50_000, 100_000, 200_000)
HANDS = 50_000
"""Hands of the expert that the parts are compared on."""
PAIRS, SEED = 500, 7
ALONE, MINUTES = 140_000, 3
"""Hands of the expert without rounds against responses, and how long a response is learnt."""
FIFTH = 0.2

Found = dict[str, Any]


def measure(policy: Policy, cases: CaseBase, pairs: int = PAIRS) -> Found:
    """What a policy wins with these cases from `balanced` and from `solver`."""
    found: Found = {"cases": len(cases)}
    for name in ("balanced", "solver"):
        found[name] = play((CaseBasedAgent(policy, cases), find_agent(name, "truco")), pairs)
    return found


def play(agents: tuple[Agent, Agent], pairs: int = PAIRS) -> Found:
    """What the first of two agents wins from the other."""
    duel = play_duel(GAME, agents, ("first", "second"), pairs, SEED)
    return {
        "points_per_hand": duel.points_per_hand,
        "ci95": duel.ci95,
        "win_rate": duel.win_rate,
        "win_rate_ci95": duel.win_rate_ci95,
    }


def begin(words: Vocabulary, plan: Plan = EXPERT) -> LearningLoop:
    """A learner without cases."""
    return LearningLoop(plan, GAME, CaseBase(words), Discard(), number=1)


def learn(loop: LearningLoop, hands: int) -> CaseBase:
    """Play until so many hands are played in all."""
    while loop.standing.hands < hands:
        loop.play_match()
    return loop.cases


# What is measured


def curve() -> list[Found]:
    """A growing base at marks: its size, what it took, what it wins."""
    loop, seconds, points = begin(VOCABULARY), 0.0, []
    for mark in MARKS:
        before = process_time()
        cases = learn(loop, mark)
        seconds += process_time() - before
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        took = {
            "hands": loop.standing.hands,
            "kept": loop.standing.kept,
            "seconds": seconds,
            "megabytes": megabytes,
        }
        points.append({**took, **measure(POLICIES["PLS-2"], cases)})
        keep("curve", points)
    return points


def parts() -> Found:
    """What each part brings, on hands of the same expert."""
    found: Found = {}

    def note(name: str, policy: Policy, cases: CaseBase) -> None:
        found[name] = measure(policy, cases)
        keep("parts", found)

    weighed = learn(begin(VOCABULARY), HANDS)
    note("all of it", MAESTRO, weighed)
    note("equal weights", MAESTRO, learn(begin(EQUAL_WEIGHTS), HANDS))
    everything = replace(EXPERT, strategy=EVERYTHING)
    note("every hand kept", MAESTRO, learn(begin(VOCABULARY, everything), HANDS))
    note("no safeguards", replace(MAESTRO, safeguards=()), weighed)
    note("rare answers drawn, too", replace(MAESTRO, model=Conventional(Lottery())), weighed)
    note("what most did", POLICIES["MJS-2"], weighed)
    version_1 = replace(EXPERT, vocabulary=None, strategy=EVERYTHING)
    first = learn(begin(VOCABULARY_1, version_1), HANDS)
    for name in ("MJS", "PLS"):
        note(f"vocabulary 1, {name}", policies()[name], first)
    note("the cases of the package", MAESTRO, read_shipped())
    return found


def forgetting() -> Found:
    """A base forgotten down to a fifth, by competence and by chance."""
    cases = learn(begin(VOCABULARY), HANDS // 5)
    episodes = list_episodes(cases)
    fifth = int(FIFTH * len(episodes))
    ways: dict[str, list[int]] = {
        "competence": keep_most_competent(cases, fifth),
        "chance": keep_by_chance(episodes.tolist(), fifth, Stream("forgetting")),
    }
    found = {"whole": measure(MAESTRO, cases)}
    for name, chosen in ways.items():
        found[name] = measure(MAESTRO, reduce_base(cases, chosen))
        keep("forgetting", found)
    return found


def responses() -> Found:
    """What a response takes from a base of the expert's hands alone, and from that of the package."""
    bases = {
        "against itself and others": learn(begin(VOCABULARY), ALONE),
        "also against responses: the package": read_shipped(),
    }
    found: Found = {}
    for name, cases in bases.items():
        found[name] = {"cases": len(cases), "response": respond(CaseBasedAgent(MAESTRO, cases))}
        keep("responses", found)
    return found


def respond(agent: Agent) -> Found:
    """What a response to an agent wins from it."""
    assert isinstance(GAME, Truco)
    found = find_response(GAME, agent, "maestro", SEED, 60 * MINUTES, cpu_count() or 1)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "maestro.response"
        write_response(file, found)
        return play((find_agent(f"{RESPONSE}{file}", "truco"), agent))


def keep(name: str, found: Any) -> None:
    """Write a finding down."""
    (FOLDER / f"maestro_{name}.json").write_text(json.dumps(found, indent=1) + "\n")


# The page

HEAD = """# What makes `maestro` strong

`maestro` remembers decisions of an expert, the agent `solver`, in [vocabulary 2](cases.md#vocabulary-2). It looks up the 24
most similar ones and draws among what the expert did in at least three of them. Made by `python benchmarks/maestro.py`: Truco by
`trucogame` to 24, 500 duplicate pairs a duel, intervals of 95 %.

The expert, and `solver` in these tables, is the solution that came with the package before: abstraction `xs`, 67 million iterations.
[How strong everybody is](strength.md) has `maestro` against the finer one of today.
"""


def page() -> None:
    """Write docs/maestro.md; what has not been measured is not there."""
    texts = [
        HEAD,
        *filter(None, (curve_part(), parts_part(), responses_part(), forgetting_part(), weights_part())),
    ]
    (DOCS / "maestro.md").write_text("\n".join(texts))


def read(name: str) -> Any:
    """A finding, or nothing if there is none."""
    file = FOLDER / name
    return json.loads(file.read_text()) if file.exists() else None


def cells(found: Found) -> str:
    """What was won from both opponents."""
    return " | ".join(cell(found[name]) for name in ("balanced", "solver"))


def cell(duel: Found) -> str:
    """What was won in a duel."""
    low, high = duel["ci95"]
    return f"{duel['points_per_hand']:+.3f} ({low:+.3f} to {high:+.3f}), {duel['win_rate']:.1%}"


def table(columns: str, rows: list[str]) -> str:
    """A table with these columns."""
    return "\n".join([columns, "|---" * (columns.count("|") - 1) + "|", *rows, ""])


def curve_part() -> str:
    """Learning from the expert."""
    found = read("maestro_curve.json")
    if not found:
        return ""
    rows = [
        f"| {point['hands']:,} | {point['kept']:,} | {point['cases']:,} | {point['seconds']:.0f} | {point['megabytes']:.0f} | {cells(point)} |"
        for point in found
    ]
    columns = "| hands played | views kept | cases | processor seconds | memory, MB | against `balanced` | against `solver` |"
    return (
        "## Learning from the expert\n\nThe agent `PLS-2` on a base that grows by `retruco learn --strategy expert`.\n\n"
        + table(columns, rows)
    )


def parts_part() -> str:
    """With and without."""
    text = f"## With and without\n\nAfter {HANDS:,} hands of the expert, one thing changed at a time."
    return compare("maestro_parts.json", text, "what")


def responses_part() -> str:
    """With and without rounds against responses."""
    found = read("maestro_responses.json")
    if not found:
        return ""
    rows = [f"| {name} | {one['cases']:,} | {cell(one['response'])} |" for name, one in found.items()]
    text = (
        "## Learning from what it can be exploited by\n\nA response is learnt against the cases so far; then the expert plays "
        "against that response, and its answers are\nlearnt, too (`tools/make_maestro.py`). What a new response takes, learnt "
        f"for {MINUTES} minutes:\n\n"
    )
    return text + table("| hands of the expert | cases | a response wins |", rows)


def forgetting_part() -> str:
    """Forgotten down to a fifth."""
    text = f"## Forgotten down to a fifth\n\nA base of {HANDS // 5:,} hands of the expert; [maintenance](maintenance.md) has the ways."
    return compare("maestro_forgetting.json", text, "kept by")


def compare(name: str, text: str, what: str) -> str:
    """A text and a table of bases that differ in one thing; nothing if they were not measured."""
    found = read(name)
    if not found:
        return ""
    rows = [f"| {label} | {part['cases']:,} | {cells(part)} |" for label, part in found.items()]
    return f"{text}\n\n" + table(f"| {what} | cases | against `balanced` | against `solver` |", rows)


def weights_part() -> str:
    """What the weights bring on hands that were not learnt from."""
    found = read("weights.json")
    if not found:
        return ""
    rows = []
    for scenario, learnt in found["answers"].items():
        heaviest = sorted(learnt["weights"].items(), key=lambda item: -item[1])[:4]
        names = ", ".join(f"{name} {weight}" for name, weight in heaviest)
        rows.append(
            f"| `{scenario}` | {learnt['before']:.3f} | {learnt['after']:.3f} | ± {1.96 * learnt['error']:.3f} | {names} |"
        )
    text = (
        "## Weights\n\nHow probable the twelve nearest cases make what the expert did, as the mean logarithm, on hands that were\n"
        f"neither cases nor used to tune; {found['hands']:,} hands. Weights by results instead of answers are in docs/strength/weights.json.\n\n"
    )
    return text + table(
        "| scenario | equal | learnt | interval of the difference | heaviest features |", rows
    )


MEASURED: dict[str, Callable[[], Any]] = {
    "curve": curve,
    "parts": parts,
    "responses": responses,
    "forgetting": forgetting,
}


def main() -> None:
    """Measure what is asked for, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", choices=(*MEASURED, "page"), nargs="+")
    for name in parser.parse_args().parts:
        if name in MEASURED:
            MEASURED[name]()
    page()


if __name__ == "__main__":
    main()
