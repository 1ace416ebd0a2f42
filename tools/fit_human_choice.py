"""Fit the model of how people choose to the published hands: `python tools/fit_human_choice.py`.

RETRUCO_TRUCOGAME names the folder of the hands. The weights go to `agents/truco/human_choice.json`: a few dozen numbers,
and nothing of a single hand. `--folds N` prints how often the likeliest answer is the one that was given, in
matches that were left out, and fits nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from retruco.agents.truco import human_choice
from retruco.agents.truco.human_choice import chances, features
from retruco.cli.study import read_answers
from retruco.learning.agreement import HumanAnswer
from retruco.streams import Stream

OUT = Path(human_choice.__file__).with_name(human_choice.FILE)
PULL = 1.0
"""How strongly weights are pulled to zero."""
DIGITS = 3


class Design:
    """All questions as arrays: a row for every answer that there is."""

    def __init__(self, answers: Sequence[HumanAnswer]) -> None:
        rows = [list(features(each.question).items()) for each in answers]
        self.names = sorted({name for question in rows for _, found in question for name in found})
        place = {name: number for number, name in enumerate(self.names)}
        self.starts = np.cumsum([0, *(len(question) for question in rows)])[:-1]
        self.values = np.zeros((sum(map(len, rows)), len(place)))
        self.given = np.zeros(len(self.values))
        flat = [
            (pair, each.answer) for question, each in zip(rows, answers, strict=True) for pair in question
        ]
        for row, ((answer, found), given) in enumerate(flat):
            self.given[row] = answer == given
            for name, value in found.items():
                self.values[row, place[name]] = value

    def loss(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """The negative log-likelihood of what was answered, pulled to zero, and its slope."""
        sums = self.values @ weights
        most = np.maximum.reduceat(sums, self.starts)
        lengths = np.diff([*self.starts, len(sums)])
        shares = np.exp(sums - np.repeat(most, lengths))
        shares /= np.repeat(np.add.reduceat(shares, self.starts), lengths)
        loss = -np.log(shares[self.given > 0]).sum() + PULL / 2 * weights @ weights
        return float(loss), self.values.T @ (shares - self.given) + PULL * weights


def fit(answers: Sequence[HumanAnswer]) -> dict[str, float]:
    """The weights that make the answers likeliest."""
    design = Design(answers)
    found = minimize(design.loss, np.zeros(len(design.names)), jac=True, method="L-BFGS-B")
    return {name: round(float(w), DIGITS) for name, w in zip(design.names, found.x, strict=True)}


def agreement(answers: Sequence[HumanAnswer], weights: Mapping[str, float]) -> list[bool]:
    """Whether the likeliest answer is the one given, question by question."""
    hits = []
    for each in answers:
        found = chances(each.question, weights)
        hits.append(max(found, key=found.__getitem__) == each.answer)
    return hits


def fold_of_matches(answers: Sequence[HumanAnswer], folds: int) -> dict[str, int]:
    """Deal matches into folds, the same ones always."""
    order = sorted({each.match for each in answers})
    Stream("agreement", "folds").shuffle(order)
    return {match: place % folds for place, match in enumerate(order)}


def hold_out(answers: Sequence[HumanAnswer], folds: int) -> None:
    """Fit without some matches, ask about those, and print how often it agrees."""
    fold_of = fold_of_matches(answers, folds)
    hits: list[bool] = []
    for fold in range(folds):
        weights = fit([each for each in answers if fold_of[each.match] != fold])
        hits += agreement([each for each in answers if fold_of[each.match] == fold], weights)
    print(f"{sum(hits) / len(hits):.1%} of {len(hits):,} answers, {folds} folds of matches")


def main() -> None:
    """Fit, or tell how well the model agrees."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folds", type=int, help="only print the agreement in matches that were left out")
    options = parser.parse_args()
    answers = read_answers("human")
    if options.folds:
        hold_out(answers, options.folds)
        return
    facts = {"fitted to": "answers of people in the TrucoGame hands", "answers": len(answers)}
    OUT.write_text(json.dumps({**facts, "weights": fit(answers)}, indent=1) + "\n")


if __name__ == "__main__":
    main()
