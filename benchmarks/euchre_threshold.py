"""From what a hand must be worth the common bidding makes trumps: other thresholds against its own.

Both sides play cards alike, HIGH! and then UF.5, by the rules of the published game; only the share
of the deck's value from which a suit is called differs.

    python benchmarks/euchre_threshold.py
    python benchmarks/euchre_threshold.py --quick       a look
"""

from __future__ import annotations

import argparse
import json

from retruco.agents.euchre.bidding import LEAST
from retruco.agents.euchre.players import EuchrePlayer
from retruco.arena.duel import play_duel
from retruco.games.euchre import Euchre

RULES = "seelbinder2012"
THRESHOLDS = (0.20, 0.25, 0.275, 0.30, 0.325, 0.375, 0.40, 0.45)
COMMON = LEAST[0]
PAIRS = {"HIGH!": 1000, "UF.5": 500}
"""Duplicate pairs at each threshold, by the way cards are played."""


def main() -> None:
    """Play every threshold against the common one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    for play, pairs in PAIRS.items():
        for threshold in THRESHOLDS:
            agents = EuchrePlayer(play, least=threshold), EuchrePlayer(play)
            names = f"{play} from {threshold}", f"{play} from {COMMON}"
            found = play_duel(Euchre.named(RULES), agents, names, 10 if quick else pairs, seed=35)
            told = {
                "play": play,
                "threshold": threshold,
                "against": COMMON,
                "pairs": found.pairs,
                "games_won": round(100 * found.win_rate, 1),
                "ci95": [round(100 * end, 1) for end in found.win_rate_ci95],
                "points_per_hand": round(found.points_per_hand, 3),
                "points_ci95": [round(end, 3) for end in found.ci95],
                **{what: found.behaviour[0][what] for what in ("makes trumps", "is euchred")},
            }
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
