"""A policy-gradient learner for Truco in a page of numpy: it plays itself, then plays in a duel.

    python examples/policy_gradient.py --minutes 5
    retruco duel examples/policy_gradient.py:PolicyGradient random --rules cbtg

The policy is a network of one hidden layer. Many tables are played at once; after each round of hands, the
probability of every action is raised or lowered by how much better its hand went than the average (REINFORCE).
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retruco.interfaces.encodings import find_encoding
from retruco.interfaces.vector import VectorTruco

RULES = "cbtg"
WEIGHTS = Path(os.environ.get("POLICY_GRADIENT_WEIGHTS") or Path(__file__).with_suffix(".npz"))
Weights = dict[str, NDArray[np.float32]]
HIDDEN, TABLES, STEPS, RATE, ENTROPY = 96, 512, 24, 0.002, 0.01


def new_weights(inputs: int, actions: int) -> Weights:
    """A network that has learnt nothing: all actions are equally likely."""
    chance = np.random.default_rng(1)
    first = chance.normal(0, inputs**-0.5, (inputs, HIDDEN))
    return {
        "first": first.astype(np.float32),
        "bias": np.zeros(HIDDEN, np.float32),
        "second": np.zeros((HIDDEN, actions), np.float32),
    }


def probabilities(weights: Weights, seen: Any, masks: Any) -> tuple[Any, Any]:
    """The hidden layer, and the probability of each action; an illegal one has none."""
    hidden = np.maximum(seen @ weights["first"] + weights["bias"], 0)
    scores = np.where(masks, hidden @ weights["second"], -np.inf)
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return hidden, odds / odds.sum(axis=1, keepdims=True)


def returns_of(seats: Any, rewards: Any, over: Any) -> tuple[Any, Any]:
    """What the hand of each action brought its seat, and whether the hand was played to its end."""
    gains, finished = np.zeros(seats.shape, np.float32), np.zeros(seats.shape, bool)
    following, is_known = np.zeros((seats.shape[1], 2), np.float32), np.zeros(seats.shape[1], bool)
    for step in range(len(seats) - 1, -1, -1):
        following = np.where(over[step][:, None], rewards[step], following)
        is_known |= over[step]
        gains[step] = np.take_along_axis(following, seats[step][:, None].astype(int), 1)[:, 0]
        finished[step] = is_known
    return gains, finished


def gradient(weights: Weights, seen: Any, masks: Any, actions: Any, gains: Any) -> Weights:
    """The direction in which good actions become more probable, and the policy stays open."""
    hidden, chances = probabilities(weights, seen, masks)
    advantage = (gains - gains.mean()) / (gains.std() + 1e-6)
    push = -chances * advantage[:, None]
    push[np.arange(len(actions)), actions] += advantage
    logs = np.log(np.where(masks, np.maximum(chances, 1e-8), 1))
    push -= ENTROPY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
    back = (push @ weights["second"].T) * (hidden > 0)
    parts = {"first": seen.T @ back, "bias": back.sum(axis=0), "second": hidden.T @ push}
    return {name: part / len(actions) for name, part in parts.items()}


def train(minutes: float, seed: int = 1) -> Weights:
    """Play and learn for some minutes of processor time (Adam: Kingma and Ba, 2015)."""
    tables = VectorTruco(TABLES, RULES, seed=seed)
    batch, chance = tables.reset(), np.random.default_rng(seed)
    weights = new_weights(tables.encoding.size, len(tables.encoding.actions))
    means, squares = ({name: np.zeros_like(part) for name, part in weights.items()} for _ in range(2))
    end, updates = time.process_time() + 60 * minutes, 0
    while updates == 0 or time.process_time() < end:
        rows: list[tuple[Any, ...]] = []
        for _ in range(STEPS):
            seen, masks, seats = batch.observations.copy(), batch.masks.copy(), batch.seats.copy()
            _, chances = probabilities(weights, seen, masks)
            totals = chances.cumsum(axis=1)
            actions = (totals > chance.random((TABLES, 1)) * totals[:, -1:]).argmax(axis=1)
            batch = tables.step(actions)
            rows.append((seen, masks, seats, actions, batch.rewards.copy(), batch.over.copy()))
        seen, masks, seats, actions, rewards, over = (np.stack(column) for column in zip(*rows, strict=True))
        gains, finished = returns_of(seats, rewards, over)
        found = gradient(weights, seen[finished], masks[finished], actions[finished], gains[finished])
        updates += 1
        for name, part in found.items():
            means[name] += 0.1 * (part - means[name])
            squares[name] += 0.001 * (part**2 - squares[name])
            mean, square = means[name] / (1 - 0.9**updates), squares[name] / (1 - 0.999**updates)
            weights[name] += (RATE * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
    print(f"{updates * STEPS * TABLES:,} actions, {updates:,} updates")
    return weights


class PolicyGradient:
    """The learner as an agent: it draws from its policy, with its chance from the stream."""

    def __init__(self) -> None:
        with np.load(WEIGHTS) as saved:
            self.weights: Weights = {name: saved[name] for name in saved.files}

    def decide(self, observation: Any, chance: Any) -> str:
        encoding = find_encoding(observation.game)
        masks = encoding.mask(observation).astype(bool)[None]
        _, chances = probabilities(self.weights, encoding.encode(observation)[None], masks)
        return encoding.action_text(observation, chance.weighted(chances[0].tolist()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Learn Truco by playing oneself.")
    parser.add_argument("--minutes", type=float, default=5)
    np.savez(WEIGHTS, **train(parser.parse_args().minutes))  # type: ignore[arg-type]  # numpy names an option so
    print(f"saved in {WEIGHTS}")
