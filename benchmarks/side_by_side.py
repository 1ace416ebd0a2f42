"""Two versions of the source side by side: engine, retrieval and whole question, in turns, by processor time.

    python benchmarks/side_by_side.py OLD/src NEW/src     # two trees, such as two git worktrees

Each measurement runs in a process of its own; the two trees take turns, and the quickest of the
rounds counts, so that a busy machine disturbs both alike. Everything measured is older than both.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

ROUNDS = 5
HANDS, QUESTIONS = 1500, 2000


def measure_engine() -> float:
    """Random hands of Truco a second."""
    from retruco.games.truco import Truco
    from retruco.streams import Stream

    game = Truco.named("cbtg")
    begun = time.process_time()
    for number in range(HANDS):
        chance = Stream("side", number)
        state = game.start(game.deal(chance), game.opening())
        while state.outcome is None:
            state = state.play(chance.choice(state.legal))
    return HANDS / (time.process_time() - begun)


def measure_retrieval() -> float:
    """Exact retrievals a second, each for another question."""
    from retruco.cbr.modes import Top

    base, problems = _cases()
    mode = Top(10)
    base.retrieve(problems[0], mode)
    begun = time.process_time()
    for problem in problems[:QUESTIONS]:
        base.retrieve(problem, mode)
    return min(QUESTIONS, len(problems)) / (time.process_time() - begun)


def measure_question() -> float:
    """Whole decisions of a case-based agent a second: questions, retrieval, reuse, revision."""
    from retruco.agents.core import ask_agent
    from retruco.agents.registry import find_agent
    from retruco.games.truco import Truco
    from retruco.streams import Stream

    base, _ = _cases()
    agent, game = find_agent("NPS", "truco", lambda name: base), Truco.named("cbtg")
    seen = [game.start(game.deal(Stream("ask", number)), game.opening()).observe(0) for number in range(400)]
    ask_agent(agent, seen[0], Stream("warm"))
    begun = time.process_time()
    for number, observation in enumerate(seen):
        ask_agent(agent, observation, Stream("luck", number))
    return len(seen) / (time.process_time() - begun)


def _cases() -> tuple[Any, list[Any]]:
    """A base of synthetic hands between scripted players, and the problems of its rows."""
    from retruco.agents.registry import find_agent
    from retruco.arena.duel import deals_from
    from retruco.arena.match import play_match
    from retruco.cbr.casebase import CaseBase
    from retruco.games.truco import Truco
    from retruco.vocab.truco import VOCABULARY, rows

    game, base, problems = Truco.named("trucogame"), CaseBase(VOCABULARY), list[Any]()
    players = (find_agent("balanced", "truco"), find_agent("bluffer", "truco"))
    for number in range(60):
        match = play_match(game, players, deals_from(game, 4, number), 0, number)
        for episode, hand in enumerate(match.hands):
            found = rows(hand.state.record(), episode % 2, 1000 * number + episode + 1)
            base.add(found)
            problems += [row.problem for row in found]
    return base, problems


MEASURES: dict[str, Callable[[], float]] = {
    "engine (hands/s)": measure_engine,
    "retrieval (queries/s)": measure_retrieval,
    "question (decisions/s)": measure_question,
}


def run_tree(source: str, name: str) -> float:
    """One measurement in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": source, "RETRUCO_SIDE": name}
    done = subprocess.run(
        [sys.executable, __file__, "--measure"], env=environment, capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Measure both trees in turns and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trees", nargs="*", metavar="SRC")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(MEASURES[os.environ["RETRUCO_SIDE"]]()))
        return
    if len(options.trees) != 2:
        parser.error(f"two source folders, the old and the new, not {len(options.trees)}")
    print("| what | old | new | new/old |\n|---|---|---|---|")
    for name in MEASURES:
        best = [0.0, 0.0]
        for _ in range(ROUNDS):
            best = [max(known, run_tree(tree, name)) for known, tree in zip(best, options.trees, strict=True)]
        print(f"| {name} | {best[0]:,.0f} | {best[1]:,.0f} | {best[1] / best[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
