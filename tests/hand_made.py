"""Tallies made by hand, as a look-up in a case base would give them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from retruco.cbr.case import NOTHING_ADAPTED, Choice, Problem
from retruco.cbr.queries import encode_queries
from retruco.cbr.reuse import Model
from retruco.cbr.summary import CaseTally
from retruco.cbr.tallies import Found, Tallies
from retruco.cbr.vocabulary import Scenario, Vocabulary, equal
from retruco.compiled_streams import Streams
from retruco.streams import Stream

CLUSTERS: Final = 8


class Asked(NamedTuple):
    """A question: the rows found for it by cluster and action, and what can be answered."""

    rows: Sequence[tuple[int, str, CaseTally]]
    actions: tuple[str, ...] = ("high", "medium", "low")
    available: Collection[str] | None = None
    adapted: Mapping[str, str] = NOTHING_ADAPTED
    wins_only: bool = False

    @property
    def scenario(self) -> Scenario:
        return Scenario("-".join((*self.actions, str(self.wins_only))), (equal("seen", (0,)),), (), self.actions, self.wins_only)  # fmt: skip


def tallies_of(asked: Sequence[Asked]) -> Tallies:
    """The tallies of some questions."""
    scenarios = {one.scenario.name: one.scenario for one in (Asked([]), *asked)}
    words = Vocabulary("hand-made", 1, tuple(scenarios.values()))
    questions = [
        (
            Problem(one.scenario.name, (0,)),
            one.actions if one.available is None else one.available,
            one.adapted,
        )
        for one in asked
    ]
    entries, records = list[list[int]](), np.zeros((len(asked), 8), np.int64)
    for record, one in zip(records, asked, strict=True):
        sums = [sum(column) for column in zip(*(tally for _, _, tally in one.rows), strict=True)] or [0] * 5
        record[:] = [len(entries), len(entries) + len(one.rows), 0, *sums]
        entries += [[cluster, one.actions.index(action), *tally] for cluster, action, tally in one.rows]
    found = Found(np.arange(len(asked), dtype=np.int32), records, np.array(entries, np.int64).reshape(-1, 7))
    return Tallies(encode_queries(words, questions), found, CLUSTERS, words)


def choose(model: Model, asked: Asked, stream: Stream | None = None) -> Choice:
    """What a model proposes for one question."""
    return choose_each(model, [asked], [stream or Stream("test")])[0]


def choose_each(model: Model, asked: Sequence[Asked], streams: Sequence[Stream]) -> list[Choice]:
    """What a model proposes for each of some questions, all at once."""
    chances = Streams.of(*streams)
    choices = model.choose_many(tallies_of(asked), chances)
    for stream, state in zip(streams, chances.states, strict=True):
        stream.state = int(state)
    return [choices.choice(place, one.actions, one.adapted) for place, one in enumerate(asked)]
