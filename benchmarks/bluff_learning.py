"""What it brings to teach a learner to bluff: the table of docs/learning.md.

    python benchmarks/bluff_learning.py                       learn three ways, and play the bases against opponents
    python benchmarks/bluff_learning.py --matches 300 --pairs 500
    python benchmarks/bluff_learning.py page                  write the table from what has been found

`BOT1` and `NPS` learn by the strategy `new` from the first hands of the synthetic base, without bluffs, with `--bluffs`, and with `--bluffs` and
`--rare poor`; then each base plays the same deals. Findings are kept in docs/learning/bluffs.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from opponents import compare, describe_gain
from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.duel import play_duel
from retruco.arena.sets import Score
from retruco.cbr.casebase import CaseBase
from retruco.games.truco.game import Truco
from retruco.learning.case_bases import cases_named
from retruco.learning.learners import FIRST_HANDS, plan_for
from retruco.learning.starting import in_memory

DOCS: Final = Path(__file__).parent.parent / "docs"
FILE: Final = DOCS / "learning" / "bluffs.json"
PAGE: Final = DOCS / "learning.md"
GAME: Final = Truco.named("trucogame")
PLAYERS: Final = {"BOT1": "BOT1", "NPS": "NPS", "NPS, from cautious": "NPS"}
"""Who learns by the strategy `new`: one of the bots, and a policy that goes by the points that answers brought."""
AGAINST: Final = {"NPS, from cautious": "cautious"}
"""Whom they learn against, if not `BOT0`."""
SHARE: Final = 0.5
PLAIN: Final = "without"
WAYS: Final[Mapping[str, dict[str, Any]]] = {
    PLAIN: {},
    "bluffs": {"bluffs": SHARE},
    "bluffs, poor deals": {"bluffs": SHARE, "rare": ("poor",)},
}
OPPONENTS: Final = ("cautious", "balanced", "bluffer", "novice")
SEED: Final = 311
BASE: Final = "baseline"


def learn(player: str, way: str, matches: int) -> tuple[CaseBase, int]:
    """Learn in one way; the base, and how many stages were kept."""
    against = AGAINST.get(player, "BOT0")
    plan = plan_for("new", policies=(PLAYERS[player],), against=against, **WAYS[way])
    loop = in_memory(plan, GAME, cases_named(BASE)(GAME.name), FIRST_HANDS)
    loop.run(matches)
    return loop.cases, loop.standing.kept


def play(player: str, cases: CaseBase, opponent: Agent, pairs: int) -> list[Score]:
    """Play duplicate pairs with a base."""
    agent = find_agent(PLAYERS[player], GAME.name, lambda *_: cases)
    scores = list[Score]()
    play_duel(GAME, (agent, opponent), ("a", "b"), pairs, SEED, lambda played: scores.append(played[-1]))
    return scores


def bluff_share(scores: Sequence[Score]) -> float:
    """The share of the learner's opening calls that were bluffs."""
    counts = sum((Counter(score.counts[0]) for score in scores), Counter[str]())
    opened = counts["envido opened"] + counts["truco opened"]
    return (counts["envido bluffed"] + counts["truco bluffed"]) / max(opened, 1)


def measure(options: argparse.Namespace) -> None:
    """Learn all ways, and compare their bases against every opponent."""
    found: dict[str, Any] = {"matches": options.matches, "players": {}}
    if FILE.exists() and options.players:
        found = json.loads(FILE.read_text())
    for player in options.players or PLAYERS:
        found["players"][player] = measure_player(player, options)
        FILE.write_text(json.dumps(found, indent=1) + "\n")


def measure_player(player: str, options: argparse.Namespace) -> dict[str, Any]:
    """What each way of learning brings a player against every opponent."""
    found, plain = dict[str, Any](), dict[str, list[Score]]()
    opponents = {name: find_agent(name, GAME.name) for name in OPPONENTS}
    for way in WAYS:
        cases, kept = learn(player, way, options.matches)
        rows: dict[str, Any] = {}
        for name, opponent in opponents.items():
            scores = play(player, cases, opponent, options.pairs)
            plain.setdefault(name, scores)
            rows[name] = {**compare(scores, plain[name]), "bluffs": bluff_share(scores)}
            print(player, way, name, describe_gain(rows[name]), f"{rows[name]['bluffs']:.1%}", flush=True)
        found[way] = {"kept": kept, "against": rows}
    return found


def table(found: Mapping[str, Any]) -> Iterator[str]:
    """The findings as Markdown."""
    yield "| player | learnt | kept | against | pairs | points a hand | more than without, 95 % interval | calls that are bluffs |"
    yield "|---|---|---:|---|---:|---:|---:|---:|"
    for player, ways in found["players"].items():
        for way, learnt in ways.items():
            for name, row in learnt["against"].items():
                gain = "" if way == PLAIN else describe_gain(row)
                cells = (
                    player,
                    way,
                    f"{learnt['kept']:,}",
                    name,
                    row["pairs"],
                    f"{row['adapting']:+.3f}",
                    gain,
                )
                yield f"| {' | '.join(map(str, cells))} | {row['bluffs']:.1%} |"


def page(options: argparse.Namespace) -> None:
    """Write the table into docs/learning.md."""
    begin, end = "<!-- bluffs -->\n", "<!-- end of bluffs -->\n"
    before, _, rest = PAGE.read_text().partition(begin)
    _, _, after = rest.partition(end)
    lines = "".join(f"{line}\n" for line in table(json.loads(FILE.read_text())))
    PAGE.write_text(before + begin + lines + end + after)


def main() -> None:
    """Measure, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", nargs="?", choices=("measure", "page"), default="measure")
    parser.add_argument(
        "--players", nargs="*", choices=PLAYERS, help="measure these again; all if none is named"
    )
    parser.add_argument("--matches", type=int, default=300, help="matches of learning")
    parser.add_argument("--pairs", type=int, default=300, help="duplicate pairs against each opponent")
    options = parser.parse_args()
    (page if options.part == "page" else measure)(options)


if __name__ == "__main__":
    main()
