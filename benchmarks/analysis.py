"""The analysis of Truco: how fast hands are judged, how fast evidence comes, how large the noise of values is.

    python benchmarks/analysis.py mine.solution                 with the values beside it
    python benchmarks/analysis.py mine.solution --noise 100000  and the noise of values of so many deals

Noise: two samples of the same solution are made. On the first the best action of every information set is
chosen; on the second it is seen what that action really gains over the strategy. Times are processor time.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent
from retruco.agents.solver import open_judge
from retruco.cli.analyse import judge_hand
from retruco.games.truco import Truco
from retruco.games.truco.state import TrucoState
from retruco.solver.files import read_solution
from retruco.solver.policy import starts
from retruco.solver.truco.analysis import Judge
from retruco.solver.truco.sampling import LOST, POINTS, WON, Sample, sample_values
from retruco.solver.truco.values import LEAST_VISITS, believable_gain
from retruco.streams import Stream


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("solution", type=Path)
    parser.add_argument("--hands", type=int, default=500)
    parser.add_argument("--noise", type=int, default=0, metavar="DEALS")
    options = parser.parse_args()
    judge = open_judge(str(options.solution))
    for name in ("balanced", f"solver:{options.solution}"):
        measure_analysis(judge, name, options.hands)
    measure_evidence(judge.game, f"solver:{options.solution}", min(options.hands, 100))
    if options.noise:
        measure_noise(options.solution, options.noise)


def measure_analysis(judge: Judge, name: str, hands: int) -> None:
    """Let an agent play itself, and judge its hands."""
    lines = [json.dumps(play_hand(judge.game, name, number).record()) for number in range(hands)]
    judge_hand(lambda game: judge, json.loads(lines[0]), None)  # compiles
    started = time.process_time()
    judged = [judge_hand(lambda game: judge, json.loads(line), None) for line in lines]
    seconds = time.process_time() - started
    turns = [turn.judgement for hand in judged for turn in hand.turns]
    known = [judgement for judgement in turns if judgement is not None]
    losses = np.array([[judgement.loss, judgement.chance_loss] for judgement in known])
    points, chance = losses.mean(axis=0)
    error = losses[:, 0].std() / np.sqrt(len(known))
    print(f"{name}: {hands / seconds:,.0f} hands a second, {len(known) / hands:.1f} decisions each")
    print(f"  mean loss {points:.3f} ± {1.96 * error:.3f} points, {chance:.2%} of the match, a decision")
    print(f"  {len(turns) - len(known)} of {len(turns)} decisions not judged")


def play_hand(game: Truco, name: str, number: int) -> TrucoState:
    """A hand that an agent plays against itself, at some score."""
    agent, chance = find_agent(name, game.name), Stream("analysis", number)
    scores = chance.below(game.target), chance.below(game.target)
    state = game.begin(game.deal(chance).hands, scores, number % 2)
    while state.to_act is not None:
        state = state.play(ask_agent(agent, state.observe(state.to_act), chance).action)
    return state


def measure_evidence(game: Truco, name: str, hands: int) -> None:
    """The time of plain answers, and of their evidence."""
    agent = find_agent(name, game.name)
    seen = []
    for number in range(hands):
        state = game.start(game.deal(Stream("evidence", number)), game.opening())
        while state.to_act is not None:
            seen.append(state.observe(state.to_act))
            state = state.play(ask_agent(agent, seen[-1], Stream(number)).action)
    dict(ask_agent(agent, seen[0], Stream(0)).values)  # compiles
    times = []
    for observation in seen:
        started = time.process_time()
        decision = ask_agent(agent, observation, Stream(0))
        answered = time.process_time()
        dict(decision.values)
        times.append((answered - started, time.process_time() - answered))
    answers, evidence = np.array(times).T
    print(f"an answer {np.median(answers) * 1e6:.0f} µs (median of {len(seen)})")
    print(
        f"evidence {np.median(evidence) * 1e3:.1f} ms, 99 % within {np.percentile(evidence, 99) * 1e3:.1f} ms"
    )


def measure_noise(solution: Path, deals: int) -> None:
    """What the best action seems to gain, and what it gains in another sample."""
    found = read_solution(solution)
    game = Truco.named(found.facts.rules, found.facts.target)
    started = time.process_time()
    first, second = (
        sample_values(game, found.facts.abstraction, found.policy, deals, seed) for seed in (101, 102)
    )
    print(f"{deals:,} deals sampled in {(time.process_time() - started) / 2:.0f} s")
    worth = np.zeros(3)
    worth[[POINTS, WON, LOST]] = 1, game.target, -game.target
    places = {int(key): place for place, key in enumerate(second.keys)}
    both = [
        (place, places[int(key)])
        for place, key in enumerate(first.keys)
        if int(key) in places and min(first.visits[place], second.visits[places[int(key)]]) >= LEAST_VISITS
    ]
    gains = [gains_of(sample) for sample in (first, second)]
    rows = np.array([compare(first, gains, here, there, worth) for here, there in both])
    weights = first.visits[[here for here, _ in both]]
    raw, raw_true, believable, true = np.average(rows, axis=0, weights=weights)
    print(f"{len(both):,} information sets in both samples, weighted by visits; points at no score:")
    print(f"  the best mean seems to gain {raw:.3f}, in the other sample {raw_true:.3f}")
    print(f"  the best believable mean seems to gain {believable:.3f}, in the other sample {true:.3f}")


def gains_of(sample: Sample) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Where the actions of each information set begin, their mean gains, and what of these is believable."""
    visits = np.repeat(np.maximum(sample.visits, 2), sample.counts)
    places = np.arange(len(visits))
    return starts(sample.counts), sample.gain / visits[:, None], believable_gain(sample, places, visits)


def compare(
    sample: Sample,
    gains: list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]],
    here: int,
    there: int,
    worth: NDArray[np.float64],
) -> tuple[float, float, float, float]:
    """What the best action seems to gain in one sample, and gains in the other; by means, then by believable means."""
    (first, mean, believable), (other_first, other_mean, _) = gains
    own = np.s_[first[here] : first[here] + sample.counts[here]]
    other = other_mean[other_first[there] : other_first[there] + sample.counts[here]] @ worth
    raw, kept = mean[own] @ worth, believable[own] @ worth
    best, best_kept = int(np.argmax(raw)), int(np.argmax(kept))
    gains_nothing = kept[best_kept] <= 0
    return raw[best], other[best], max(kept[best_kept], 0), 0 if gains_nothing else other[best_kept]


if __name__ == "__main__":
    main()
