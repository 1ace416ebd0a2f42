"""What a player thinks of the other seat: how alike it is to known styles, after what it did and showed in a match.

A style is a table of rates: how often it gives each reply in each situation, by what it holds. The styles that come with
the program are those of the scripted players, of the players that remember, of groups of people, and of a solution;
`tools/make_opponent_styles.py` counts them. Beside them stands a style of free rates, learnt in the match itself, for
an opponent who is like none of them.

Belief is updated hand by hand. An opponent may change its style: before every hand a little belief goes back to where
it began.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.agents.truco.opponent_turns import (
    HOLDINGS,
    REPLIES,
    SITUATIONS,
    UNKNOWN,
    Reply,
    replies_of_other,
)
from retruco.games.truco.observation import TrucoObservation

Numbers = NDArray[np.float64]

FILE: Final = "opponent_styles.json"
FREE: Final = "free"
"""The style of an opponent who is like none of the known ones."""
SMOOTHING: Final = 6.0
"""For how many replies the mean of all styles counts where a style was seen little."""
CHANGE: Final = 0.02
"""How much belief goes back to where it began before every hand."""
FREE_REPLIES: Final = 3.0
"""For how many replies the mean of all styles counts in the free style."""
FREE_SHARE: Final = 0.2
"""How much belief the free style has at the beginning."""
SOUND_SHARE: Final = 0.2
"""How much belief sound players have at the beginning, all together."""


@dataclass(frozen=True, eq=False)
class Styles:
    """Known styles, with their rates and what responses win from them."""

    names: tuple[str, ...]
    """All styles; the last one is `FREE`."""
    counts: Numbers
    """By known style, situation, holding and reply: how often it was seen."""
    responses: tuple[str, ...]
    """The agents that responses were learnt against."""
    gains: Numbers
    """By response and style: points per hand over those of the plain solution."""
    groups: Mapping[str, Sequence[str]]
    """Families of styles that are alike."""
    sound: Sequence[str] = ()
    """Styles of players from whom no response wins; somebody unknown is taken to be as good."""

    def __post_init__(self) -> None:
        assert self.counts.shape[1:] == (len(SITUATIONS), HOLDINGS, REPLIES), self.counts.shape
        assert self.gains.shape == (len(self.responses), len(self.names)), self.gains.shape

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Styles:
        """Read what `tools/make_opponent_styles.py` has written."""
        names = (*plain["styles"], FREE)
        counts = np.array([style["counts"] for style in plain["styles"].values()], dtype=float)
        responses = tuple(plain["gains"])
        sound = plain["sound"]
        gains = [
            [*(row[name] for name in plain["styles"]), min(row[name] for name in sound)]
            for row in plain["gains"].values()
        ]
        shape = (len(responses), len(names))
        return cls(names, counts, responses, np.array(gains).reshape(shape), plain["groups"], sound)


class Rates:
    """The logarithms of the rates of styles, ready to be added up."""

    def __init__(self, styles: Styles) -> None:
        by_holding, overall = styles.counts, styles.counts.sum(2)
        self.mean = mean_rates(overall)
        """By situation and reply: the mean of all known styles."""
        self.by_holding = smooth(by_holding, mean_rates(by_holding))
        self.overall = smooth(overall, self.mean)
        flat = by_holding.reshape(*by_holding.shape[:2], -1)
        self.mean_joint = mean_rates(flat).reshape(by_holding.shape[1:])
        self.joint = smooth(flat, mean_rates(flat)).reshape(by_holding.shape)
        """By style, situation, holding and reply: how often it holds and replies so."""
        known = np.concatenate([self.by_holding, self.overall[:, :, None]], axis=2)
        self.logs: Numbers = np.ascontiguousarray(np.moveaxis(np.log(known), 0, -1))
        """By situation, holding or `UNKNOWN`, and reply: by style, how likely the reply is."""


def mean_rates(counts: Numbers) -> Numbers:
    """The mean rates of all styles, each reply once more than it was seen."""
    totals = counts.sum(-1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    weights = np.minimum(totals, 50.0)
    pooled: Numbers = (shares * weights).sum(0) + 0.5
    rates: Numbers = pooled / pooled.sum(-1, keepdims=True)
    return rates


def smooth(counts: Numbers, mean: Numbers) -> Numbers:
    """Rates that lean towards the mean where a style was seen little."""
    rates: Numbers = (counts + SMOOTHING * mean) / (counts.sum(-1, keepdims=True) + SMOOTHING)
    return rates


@dataclass(frozen=True, eq=False)
class Reading:
    """What is believed of an opponent after some hands."""

    belief: Numbers
    """By style; they add up to 1."""
    counts: Numbers
    """By situation, holding or `UNKNOWN`, and reply: what it did."""
    hands: int
    calls_shown: int = 0
    """How many of its truco and envido calls have shown what lay behind them."""
    bluffs_shown: int = 0
    """How many of these were made on poor cards or points."""


class OpponentModel:
    """Turns the earlier hands of a match into a reading of the other seat."""

    def __init__(self, styles: Styles, prior: Numbers | None = None) -> None:
        self.styles, self.rates = styles, Rates(styles)
        self.prior = usual_prior(styles) if prior is None else prior
        empty = np.zeros((len(SITUATIONS), HOLDINGS + 1, REPLIES))
        self.start = Reading(self.prior, empty, 0)
        self._readings: dict[int, tuple[tuple[TrucoObservation, ...], Reading]] = {}
        self._lock = Lock()

    def read(self, history: tuple[TrucoObservation, ...]) -> Reading:
        """The reading after the finished hands of a match, in their order.

        Readings of matches in progress are remembered, so that a hand is gone through once; the answer is the same
        without that.
        """
        known, reading = len(history), None
        while known and (reading := self._remembered(history[:known])) is None:
            known -= 1
        found = self.start if reading is None else reading
        for place in range(known, len(history)):
            found = self.after(found, replies_of_other(history[place]))
            self._remember(history[: place + 1], found)
        return found

    def after(self, before: Reading, replies: Sequence[Reply], changes: float = CHANGE) -> Reading:
        """The reading after one more hand."""
        logs, counts = np.zeros(len(self.styles.names)), before.counts.copy()
        for reply in replies:
            logs[:-1] += self.rates.logs[reply.situation, reply.holding, reply.reply]
            logs[-1] += np.log(self.free_rate(counts, reply))
            counts[reply.situation, reply.holding, reply.reply] += 1
        belief = ((1 - changes) * before.belief + changes * self.prior) * np.exp(logs - logs.max())
        bluffs = [reply.is_bluff for reply in replies if reply.is_bluff is not None]
        return Reading(
            belief / belief.sum(),
            counts,
            before.hands + 1,
            before.calls_shown + len(bluffs),
            before.bluffs_shown + sum(bluffs),
        )

    def free_rate(self, counts: Numbers, reply: Reply) -> float:
        """How likely a reply is by what this opponent itself did before."""
        seen = counts[reply.situation].sum(0)
        mean = self.rates.mean[reply.situation, reply.reply]
        return float((seen[reply.reply] + FREE_REPLIES * mean) / (seen.sum() + FREE_REPLIES))

    def calls_by_holding(self, belief: Numbers, call: Reply) -> Numbers:
        """By holding: how often an opponent in this situation holds that and calls so, over what is believed of it."""
        known = self.rates.joint[:, call.situation, :, call.reply]
        free = self.rates.mean_joint[call.situation, :, call.reply]
        chances: Numbers = belief[:-1] @ known + belief[-1] * free
        return chances

    def share_of_holdings(self, call: Reply) -> Numbers:
        """Of all such calls that were counted: the share of each holding."""
        counted = self.styles.counts[:, call.situation, :, call.reply].sum(0) + 0.5
        shares: Numbers = counted / counted.sum()
        return shares

    def _remembered(self, history: tuple[TrucoObservation, ...]) -> Reading | None:
        found = self._readings.get(id(history[-1]))
        if found is None or len(found[0]) != len(history):
            return None
        is_same = all(mine is theirs for mine, theirs in zip(found[0], history, strict=True))
        return found[1] if is_same else None

    def _remember(self, history: tuple[TrucoObservation, ...], reading: Reading) -> None:
        with self._lock:
            self._readings[id(history[-1])] = history, reading
            while len(self._readings) > MOST_READINGS:
                del self._readings[next(iter(self._readings))]


MOST_READINGS: Final = 1024
"""How many readings are remembered."""


def usual_prior(styles: Styles) -> Numbers:
    """What is believed of somebody unknown: a style is as likely as another; many alike count for less each."""
    weights = np.ones(len(styles.names))
    for members in styles.groups.values():
        for name in members:
            weights[styles.names.index(name)] = len(members) ** -0.5
    is_sound = np.array([name in styles.sound for name in styles.names])
    is_free = np.array([name == FREE for name in styles.names])
    prior = np.zeros(len(weights))
    prior[is_free] = FREE_SHARE
    if is_sound.any():
        prior[is_sound] = SOUND_SHARE * weights[is_sound] / weights[is_sound].sum()
    others = ~(is_sound | is_free)
    prior[others] = (1 - prior.sum()) * weights[others] / weights[others].sum()
    return prior


@cache
def shipped_styles() -> Styles:
    """The styles that come with the program."""
    text = (files("retruco.agents.truco") / FILE).read_text(encoding="utf-8")
    return Styles.of(json.loads(text))


__all__ = ["FREE", "UNKNOWN", "OpponentModel", "Reading", "Styles", "shipped_styles", "usual_prior"]
