"""Make what `reader` knows of styles of play: `python tools/make_opponent_styles.py`.

It writes `agents/truco/opponent_styles.json` (how each style replies in each situation, and what each response wins from
it) and the responses in `agents/truco/responses`. RETRUCO_TRUCOGAME names the folder of the published hands of
people, on which the players that remember play; only counts of groups of people are written, nothing of a
single hand. The parts can be made one at a time:

    python tools/make_opponent_styles.py rates              matches of every style against the solution, counted
    python tools/make_opponent_styles.py people             groups of people in the published hands
    python tools/make_opponent_styles.py responses balanced responses to the agents named, or to all
    python tools/make_opponent_styles.py gains              what every response wins from every style
    python tools/make_opponent_styles.py calls              calls of agents as cases, for the judgement of bluffs
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.agents.response import open_response
from retruco.agents.truco import bluff_cases, opponent_model
from retruco.agents.truco.bluff_cases import CallCase, pack_cases
from retruco.agents.truco.opponent_model import Numbers
from retruco.agents.truco.opponent_turns import KnownCards, Reply, replies_in
from retruco.agents.truco.policies import TWENTY
from retruco.arena.seatings import seatings
from retruco.arena.sets import play_set
from retruco.cli.study import read_answers
from retruco.exploit.rounds import LIKE_AGENT, LIKE_RESPONSE
from retruco.exploit.sampling import Sampler
from retruco.exploit.sampling_loop import Plan
from retruco.games.truco.deck import envido_points
from retruco.games.truco.game import Truco
from retruco.games.truco.state import TrucoState
from retruco.learning.bluff_study import cases_of_agent
from retruco.learning.case_bases import cases_named
from retruco.learning.opponents import add_replies, group_people, no_counts, people_replies
from retruco.solver.policy import Policy, starts
from retruco.solver.truco.abstraction import keys_digest
from retruco.solver.truco.infosets import AVERAGE, REGRET
from retruco.solver.truco.response import best_places, one_choice_policy
from retruco.solver.truco.response_files import Response, ResponseFacts, write_response
from retruco.solver.truco.response_learning import ResponseLearner

GAME: Final = Truco.named("trucogame")
FOLDER: Final = Path(opponent_model.__file__).parent
OUT: Final = FOLDER / opponent_model.FILE
RESPONSES: Final = FOLDER / "responses"
CALLS: Final = FOLDER / bluff_cases.FILE

SCRIPTED: Final = ("novice", "cautious", "balanced", "aggressive", "bluffer", "shouter")
LIKE_PEOPLE: Final = ("forgetful", "sunday-player", "regular")
SOUND: Final = ("solver", "maestro")
"""Players from whom no response here wins; an unknown opponent is taken to be as good."""
GROUPS: Final = {"players that remember": TWENTY, "sound players": SOUND}
TEACHERS: Final = (
    "novice", "cautious", "balanced", "aggressive", "bluffer", "shouter", "MJS", "PLS", "PVS", "NPS", "sunday-player",
)  # fmt: skip
"""The agents that responses are learnt against."""
AS_PEOPLE: Final = "sunday-player"
"""What a response wins from this agent, it is taken to win from groups of people."""
SEED: Final = 2026


def main() -> None:
    """Make the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", nargs="?", choices=("all", *PARTS), default="all")
    parser.add_argument("agents", nargs="*", help="the agents to do it for; all if none is named")
    parser.add_argument(
        "--pairs", type=int, default=40, help="duplicate pairs of each style against the solution"
    )
    parser.add_argument("--call-pairs", type=int, default=20, help="pairs whose calls become cases")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of learning and playing")
    parser.add_argument("--iterations", type=int, default=20_000, help="iterations of learning in a round")
    parser.add_argument(
        "--hands", type=int, default=10_000, help="hands that are played in a round, and for a gain"
    )
    parser.add_argument(
        "--sets", type=int, default=16_000, help="information sets of a response that are written"
    )
    parser.add_argument(
        "--responses", nargs="*", help="the responses to measure the gains of; all if none is named"
    )
    parser.add_argument("--out", type=Path, default=OUT, help="the file of styles and gains")
    options = parser.parse_args()
    for part in PARTS:
        if options.part in ("all", part):
            PARTS[part](options)


def read_out(file: Path) -> dict[str, Any]:
    """What was written before."""
    empty: dict[str, Any] = {"styles": {}, "gains": {}}
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else empty
    return found


def write_out(file: Path, found: Mapping[str, Any]) -> None:
    """Write everything, in one order, a line for each style and each response."""
    styles = found["styles"]
    groups = {group: [name for name in names if name in styles] for group, names in GROUPS.items()}
    groups["people"] = [name for name in styles if name.startswith("people ")]
    lines = ["{", ' "rules": "trucogame",', f' "sound": {json.dumps(groups["sound players"])},']
    lines += [f' "groups": {json.dumps(groups)},', ' "styles": {']
    lines.append(",\n".join(f"  {json.dumps(name)}: {json.dumps(style)}" for name, style in styles.items()))
    lines += [" },", ' "gains": {']
    lines.append(
        ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in found["gains"].items())
    )
    lines += [" }", "}"]
    file.write_text("\n".join(lines) + "\n")


def make_agent(name: str) -> Agent:
    """An agent of Truco; those that remember play on the hands of people."""
    return find_agent(name, GAME.name, cases_named("human"))


# Rates


def make_rates(options: argparse.Namespace) -> None:
    """Count how every style replies in matches against the solution."""
    solver = make_agent("solver")
    for name in options.agents or (*SCRIPTED, *LIKE_PEOPLE, *SOUND, *TWENTY):
        counts, won = count_style(solver, make_agent(name), options.pairs)
        found = read_out(options.out)
        found["styles"][name] = {"solver": round(won, 3), "counts": counts.astype(int).tolist()}
        write_out(options.out, found)
        print(f"{name}: {counts.sum():,.0f} replies; the solution wins {won:+.3f} a hand", flush=True)


def count_style(solver: Agent, agent: Agent, pairs: int) -> tuple[Numbers, float]:
    """The replies of an agent against the solution, and what the solution wins from it per hand."""
    counts, points, hands = no_counts(), 0, 0
    for number in range(pairs):
        played = play_set(GAME, [[solver], [agent]], SEED, number)
        score = played.score()
        points, hands = points + score.points, hands + score.all_hands
        for seating, match in zip(seatings(GAME), played.matches, strict=True):
            seat = [entrant for entrant, _ in seating].index(1)
            for hand in match.hands:
                assert isinstance(hand.state, TrucoState)
                add_replies(counts, replies_of_seat(hand.state, seat))
    return counts, points / hands


def replies_of_seat(end: TrucoState, seat: int) -> list[Reply]:
    """The replies of a seat, its cards known."""
    hand = end.hands[seat]
    return replies_in(end.log, end.mao, seat, KnownCards(envido_points(hand), hand))


# People


def make_people(options: argparse.Namespace) -> None:
    """Put the people of the published hands into groups by how they reply."""
    groups = group_people(people_replies(read_answers("human")), SEED)
    found = read_out(options.out)
    for name in [name for name in found["styles"] if name.startswith("people ")]:
        del found["styles"][name]
    for number, counts in enumerate(groups, 1):
        found["styles"][f"people {number}"] = {"solver": 0.0, "counts": counts.round(1).tolist()}
        print(f"people {number}: {counts.sum():,.0f} replies")
    write_out(options.out, found)


# Responses


def make_responses(options: argparse.Namespace) -> None:
    """Learn a response to every teacher."""
    RESPONSES.mkdir(exist_ok=True)
    for name in options.agents or TEACHERS:
        started = time.process_time()
        learner, won = learn_response(name, options)
        policy = most_visited(learner, options.sets)
        file = RESPONSES / f"{name}.response"
        write_response(file, Response(facts_of(learner, name), policy))
        seconds = time.process_time() - started
        print(f"{name}: {won:+.3f} a hand, {file.stat().st_size:,} bytes, {seconds:.0f} s", flush=True)


def learn_response(name: str, options: argparse.Namespace) -> tuple[ResponseLearner, float]:
    """Learn in rounds from what the agent was counted to do; tell what the last one won."""
    sampler, learner = Sampler(GAME, make_agent(name), SEED), ResponseLearner(GAME, SEED)
    sampler.sample(LIKE_AGENT, None, learner.level, 2 * options.hands, np.inf)
    won = 0.0
    for _ in range(options.rounds):
        learner.run(sampler.model, sampler.start_scores, options.iterations)
        won = sampler.sample(LIKE_RESPONSE, learner.policy(), learner.level, options.hands, np.inf).mean
    return learner, won


def most_visited(learner: ResponseLearner, most: int) -> Policy:
    """All coarse information sets, and of the others those that were met most."""
    sets = int(learner.infosets.sets.used[0])
    keys, counts = learner.infosets.sets.key[:sets], learner.infosets.sets.actions[:sets]
    first, learnt = starts(counts), learner.infosets.learnt
    visits = np.where(keys & 1 == 1, np.inf, learnt[first, AVERAGE])
    kept = np.sort(np.argsort(-visits, kind="stable")[: most + int((keys & 1 == 1).sum())])
    chosen = best_places(learnt[: int(counts.sum(dtype=np.int64)), REGRET].copy(), first, counts)
    return one_choice_policy(keys[kept].copy(), counts[kept].copy(), chosen[kept])


def facts_of(learner: ResponseLearner, name: str) -> ResponseFacts:
    """What a response is for, and how it was made."""
    return ResponseFacts(
        game=GAME.name,
        rules=GAME.rules_name,
        target=GAME.target,
        version=GAME.version,
        abstraction=learner.level,
        meaning=keys_digest(GAME, learner.level),
        seed=SEED,
        iterations=learner.iterations,
        against=name,
    )


# Gains


def make_gains(options: argparse.Namespace) -> None:
    """Measure what every response wins from every style, over what the solution wins from it."""
    names = options.responses or sorted(file.stem for file in RESPONSES.glob("*.response"))
    policies = {name: open_response(str(RESPONSES / f"{name}.response")).policy for name in names}
    styles = [name for name in read_out(options.out)["styles"] if not name.startswith("people ")]
    for style in options.agents or styles:
        found = read_out(options.out)
        sampler, base = Sampler(GAME, make_agent(style), SEED + 1), found["styles"][style]["solver"]
        for name, policy in policies.items():
            won = sampler.sample(Plan(True, 0.0, 0.0), policy, "xs", options.hands, np.inf).mean
            found["gains"].setdefault(name, {})[style] = round(won - base, 3)
        print(style, *(f"{name} {found['gains'][name][style]:+.2f}" for name in policies), flush=True)
        found["gains"] = {name: with_people(row, found["styles"]) for name, row in found["gains"].items()}
        write_out(options.out, found)


def with_people(row: dict[str, float], styles: Mapping[str, Any]) -> dict[str, float]:
    """What a response wins from every style; groups of people are taken to be as one agent."""
    if AS_PEOPLE not in row:
        return row
    return {**row, **{name: row[AS_PEOPLE] for name in styles if name.startswith("people ")}}


# Calls


def make_calls(options: argparse.Namespace) -> None:
    """Note the calls of every style against the solution, and whether they were bluffs."""
    solver, cases = make_agent("solver"), list[CallCase]()
    for name in options.agents or (*SCRIPTED, *LIKE_PEOPLE, *SOUND, *TWENTY):
        found = list(cases_of_agent(solver, make_agent(name), options.call_pairs, SEED))
        cases += found
        print(f"{name}: {len(found):,} calls, {sum(case.is_bluff for case in found):,} bluffs", flush=True)
    np.savez_compressed(CALLS, **pack_cases(cases))


PARTS: Final = {
    "rates": make_rates,
    "people": make_people,
    "responses": make_responses,
    "gains": make_gains,
    "calls": make_calls,
}

if __name__ == "__main__":
    main()
