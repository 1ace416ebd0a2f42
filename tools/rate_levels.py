"""Rates the levels of Truco on OpenSkill's scale, from the matches that docs/ladder.md reports.

    python tools/rate_levels.py

Two players whose skills differ by `d` win against each other as 1 / (1 + exp(-d / SCALE)) says, which is OpenSkill's own
prediction for skills that are known. So a measured share of matches won is a difference of skills. The skills of all
levels are fitted to all measured pairings, by least squares, with Rosa, who plays as people do, at the mean of a new player.
"""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from statistics import mean
from typing import Any, Final

import numpy as np

from retruco.agents.truco.levels import LEVELS
from retruco.web.account.rating import LEVEL_FILE, NEW_MU, SCALE

DUELS: Final = Path(__file__).parents[1] / "docs/strength/ladder-duels.json"
ANCHOR: Final = "rosa"


def main() -> None:
    """Write the file that the web table reads."""
    LEVEL_FILE.write_text(levels_as_json(), encoding="utf-8")
    print(LEVEL_FILE.read_text())


def levels_as_json() -> str:
    """The skill of every agent that plays at a level, by game."""
    skills = fit_levels(json.loads(DUELS.read_text()))
    return json.dumps({"truco": {LEVELS[level]: skill for level, skill in skills.items()}}, indent=1) + "\n"


def fit_levels(duels: dict[str, dict[str, Any]]) -> dict[str, float]:
    """Fit skills to the shares of matches won; a pairing counts by its mean over all rules."""
    pairs: dict[str, list[float]] = {}
    for found in duels.values():
        for pair, duel in found.items():
            pairs.setdefault(pair, []).append(SCALE * logit(duel["win_rate"]))
    names = list(LEVELS)
    rows, differences = [anchor_row(names)], [0.0]
    for pair, values in pairs.items():
        upper, lower = pair.split()
        rows.append([float(name == upper) - float(name == lower) for name in names])
        differences.append(mean(values))
    skills = np.linalg.lstsq(np.array(rows), np.array(differences), rcond=None)[0]
    shift = NEW_MU - skills[names.index(ANCHOR)]
    return {name: round(float(skill + shift), 2) for name, skill in zip(names, skills, strict=True)}


def anchor_row(names: list[str]) -> list[float]:
    """What holds the scale in place: the skill of one level."""
    return [float(name == ANCHOR) for name in names]


def logit(share: float) -> float:
    """A share as its logarithm of odds.

    >>> logit(0.5)
    0.0
    """
    return log(share / (1 - share))


if __name__ == "__main__":
    main()
