"""Makes the puzzles of the web table: positions from agents' matches in which one move is clearly best.

    python tools/make_puzzles.py --matches 400 --count 120

A position is taken if the solution plays one action nearly always, its values say that every other action loses
points and match-winning chance, and some agents of a panel miss it. How many of the panel's answers miss it is stored
with the puzzle. Agents play each other with fixed seeds, so the same options give the same file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any, Final

from retruco.agents.core import Agent, ask_agent
from retruco.agents.registry import find_agent
from retruco.agents.truco.judgement import Judgement, judge_turn
from retruco.agents.truco.shipped_solver import open_shipped
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.games.truco import Truco, TrucoObservation
from retruco.solver.truco.match_play import find_mixture, make_player
from retruco.solver.truco.observed import known_situation
from retruco.streams import Stream
from retruco.vocab.truco.recorded_turns import recorded_turns

FILE: Final = Path(__file__).parents[1] / "src/retruco/web/puzzles/truco_puzzles.json"
RULES: Final = "cbtg"
PLAYERS: Final = ("regular", "balanced", "aggressive", "bluffer")
PANEL: Final = (
    "first-timer",
    "forgetful",
    "sunday-player",
    "regular",
    "novice",
    "cautious",
    "balanced",
    "aggressive",
    "bluffer",
)
ASKED: Final = 4
"""How often each agent of the panel is asked."""
SURE: Final = 0.95
"""How often the solution plays the best action."""
LEAST_POINTS: Final = 0.5
LEAST_CHANCE: Final = 0.02
"""What the second best action loses at least, in points and in match-winning chance."""
LEAST_MISSED: Final = 0.15
"""Which share of the panel's answers misses a puzzle at least: one that all find is none."""

Json = dict[str, Any]


def main() -> None:
    """Play, look for positions, and write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=400, help="how many matches are searched")
    parser.add_argument("--count", type=int, default=120, help="how many puzzles are written at most")
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args()
    puzzles = choose(list(find_puzzles(options.matches)), options.count)
    lines = ",\n".join(json.dumps(puzzle, ensure_ascii=False) for puzzle in puzzles)
    options.file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{len(puzzles)} puzzles, {options.file.stat().st_size:,} bytes, in {options.file}")
    print("best move:", Counter(puzzle["best"] if len(puzzle["best"]) > 3 else "card" for puzzle in puzzles))


def find_puzzles(matches: int) -> Iterator[Json]:
    """Search the matches of agents."""
    game = Truco.named(RULES)
    panel = [find_agent(name, "truco") for name in PANEL]
    pairs = list(permutations(PLAYERS, 2))
    for number in range(matches):
        first, second = (find_agent(name, "truco") for name in pairs[number % len(pairs)])
        match = play_match(game, (first, second), deals_from(game, 77, number), 0, number)
        for hand in match.hands:
            record = hand.state.record()
            for turn in recorded_turns(record):
                if (worth := clear_worth(turn.seen)) is not None:
                    puzzle = make_puzzle(record, turn.seen, worth, panel)
                    if puzzle["missed"] >= LEAST_MISSED:
                        yield puzzle


def clear_worth(seen: TrucoObservation) -> dict[str, Judgement] | None:
    """What every legal action is worth, the best first, if one is clearly best."""
    judged = {
        action: judgement for action in seen.legal if (judgement := judge_turn(seen, action)) is not None
    }
    if len(judged) < 2 or len(judged) < len(seen.legal):
        return None
    ranked = sorted(judged.items(), key=lambda item: -item[1].chance)
    (best, first), (_, second) = ranked[:2]
    next_points = max(judgement.points for action, judgement in ranked[1:])
    is_clear = first.chance - second.chance >= LEAST_CHANCE and first.points - next_points >= LEAST_POINTS
    return dict(ranked) if is_clear and played_share(seen, best) >= SURE else None


def played_share(seen: TrucoObservation, action: str) -> float:
    """How often the solution plays an action."""
    solver = open_shipped(seen.game.rules_name)
    player = make_player(solver.tables, solver.abstraction, solver.policy)
    mixture = find_mixture(player, known_situation(solver.tables, seen))
    return (
        dict(zip(mixture.actions, mixture.probabilities, strict=True)).get(action, 0.0)
        if mixture.is_known
        else 0.0
    )


def make_puzzle(
    record: Json, seen: TrucoObservation, worth: dict[str, Judgement], panel: list[Agent]
) -> Json:
    """A puzzle as it is stored."""
    best = next(iter(worth))
    done = sum(1 for event in seen.log if hasattr(event, "action"))
    position = {name: record[name] for name in ("rules", "target", "scores", "mao", "hands")}
    position["actions"] = record["actions"][:done]
    name = hashlib.sha256(json.dumps(position, sort_keys=True).encode()).hexdigest()[:8]
    answers = [
        ask_agent(agent, seen, Stream("puzzle", name, place, time)).action
        for place, agent in enumerate(panel)
        for time in range(ASKED)
    ]
    return {
        "id": name,
        **position,
        "best": best,
        "points": {action: round(judgement.points, 2) for action, judgement in worth.items()},
        "chances": {action: round(judgement.chance, 3) for action, judgement in worth.items()},
        "answers": len(answers),
        "missed": round(sum(answer != best for answer in answers) / len(answers), 3),
    }


def choose(found: list[Json], count: int) -> list[Json]:
    """Some puzzles of every difficulty and with many different answers, in an order that is not that of the matches."""
    unique = sorted({puzzle["id"]: puzzle for puzzle in found}.values(), key=lambda puzzle: puzzle["id"])
    buckets: Counter[tuple[int, str]] = Counter()
    ranked = []
    for puzzle in unique:
        bucket = min(int(puzzle["missed"] * 4), 3), kind_of(puzzle["best"])
        ranked.append((buckets[bucket], puzzle["id"], puzzle))
        buckets[bucket] += 1
    print(f"{len(unique)} positions:", dict(buckets))
    chosen = sorted(ranked, key=lambda item: item[:2])[:count]
    return [puzzle for _, _, puzzle in sorted(chosen, key=lambda item: item[1])]


def kind_of(action: str) -> str:
    """What kind of answer an action is: a call by its name, or a card.

    >>> kind_of("truco"), kind_of("1e"), kind_of("down:4c")
    ('truco', 'card', 'down')
    """
    if action.startswith("down"):
        return "down"
    return "card" if action[0].isdigit() else action


if __name__ == "__main__":
    main()
