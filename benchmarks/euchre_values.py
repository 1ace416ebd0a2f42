"""Card values learnt from play: made by self-play, and what they are worth to the published players.

    python benchmarks/euchre_values.py                  duels by learnt values against published ones
    python benchmarks/euchre_values.py --train FILE     the same self-play again, written to a file
    python benchmarks/euchre_values.py --table          published and learnt values beside each other
    python benchmarks/euchre_values.py --quick          a look

All duels are by the rules of the published game; both sides bid alike.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from retruco.agents.euchre.players import BY_LEARNT_VALUES
from retruco.agents.registry import find_agent
from retruco.arena.duel import play_duel
from retruco.games.euchre import Euchre
from retruco.learning.euchre.values import PLAN, ValueShare, learn_values
from retruco.vocab.euchre.cards import value_of
from retruco.vocab.euchre.learnt import SITUATIONS

SEED, RULES, PAIRS = 1, "seelbinder2012", 1000
DUELS = (
    *((f"{play}^learnt", play) for play in BY_LEARNT_VALUES),
    ("UF.5^learnt@tricks", "UF.5@tricks"),
    ("UF.5^learnt@tricks", "ratliff@tricks"),
)
EXAMPLES = {
    "leads trump": ("9h Th Qh Kh Ah Jd Jh", ""),
    "follows trump": ("9h Th Qh Kh Ah Jd Jh", "h"),
    "ruffs": ("9h Th Qh Kh Ah Jd Jh", "c"),
    "leads": ("9c Tc Jc Qc Kc Ac", ""),
    "follows": ("9c Tc Jc Qc Kc Ac", "c"),
    "is kept": ("9c Tc Jc Qc Kc Ac", "s"),
}
"""Cards of each situation when hearts are trumps, and the suit led."""


def train(file: Path) -> None:
    """Learn and write."""
    learnt = learn_values(SEED, rules=RULES)
    told = {
        "made_by": "python benchmarks/euchre_values.py --train",
        "synthetic": "self-play; no person played these hands",
        "seed": SEED,
        "rules": RULES,
        "generations": [[one.play, one.hands] for one in PLAN],
        "cards": {
            place: {rank: _rounded(one) for rank, one in ranks.items()} for place, ranks in learnt.items()
        },
    }
    file.write_text(json.dumps(told, indent=1) + "\n")


def _rounded(one: ValueShare) -> dict[str, object]:
    return {"share": round(one.share, 4), "ci95": [round(end, 4) for end in one.ci95], "cards": one.cards}


def table() -> None:
    """Print published values, and under them the learnt shares in percent with their intervals."""
    found = json.loads((files("retruco.vocab.euchre") / "learnt_values.json").read_text())["cards"]
    columns = ("9", "T", "J", "Q", "K", "A", "left", "right")
    print(f"| a card that | {' | '.join(columns)} |\n{'|---' * (len(columns) + 1)}|")
    for place, ranks in SITUATIONS.items():
        cards, led = EXAMPLES[place]
        published = dict(
            zip(ranks, (str(int(value_of(card, "h", led))) for card in cards.split()), strict=True)
        )
        learnt = {rank: _told(one) for rank, one in found[place].items()}
        for name, cells in ((f"{place}: published", published), ("learnt", learnt)):
            print(f"| {name} | {' | '.join(cells.get(rank, '') for rank in columns)} |")


def _told(one: Mapping[str, Any]) -> str:
    low, high = one["ci95"]
    return f"{100 * one['share']:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def duels(pairs: int) -> None:
    """Play each player by learnt values against the same by published ones, and the best against others."""
    for names in DUELS:
        agents = find_agent(names[0], "euchre"), find_agent(names[1], "euchre")
        found = play_duel(Euchre.named(RULES), agents, names, pairs, seed=12)
        told = {
            "a": names[0],
            "b": names[1],
            "pairs": found.pairs,
            "games_won": round(100 * found.win_rate, 1),
            "ci95": [round(100 * end, 1) for end in found.win_rate_ci95],
            "points_per_hand": round(found.points_per_hand, 3),
            "points_ci95": [round(end, 3) for end in found.ci95],
        }
        print(json.dumps(told), flush=True)


def main() -> None:
    """Train, show or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--train", type=Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--quick", action="store_true")
    wanted = parser.parse_args()
    if wanted.train:
        train(wanted.train)
    elif wanted.table:
        table()
    else:
        duels(20 if wanted.quick else PAIRS)


if __name__ == "__main__":
    main()
