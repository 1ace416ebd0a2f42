"""How people reply in Truco: the answers of the recorded hands as replies that can be compared with styles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from retruco.agents.truco.opponent_model import Numbers
from retruco.agents.truco.opponent_turns import HOLDINGS, REPLIES, SITUATIONS, Reply, reply_to_question
from retruco.games.truco.observation import TrucoObservation
from retruco.learning.agreement import HumanAnswer

PEOPLE_GROUPS: Final = 3
STEPS: Final = 60
"""Steps of expectation and maximisation."""
MEAN_REPLIES: Final = 10.0
"""For how many replies the mean of all people counts in a group."""


class PersonReply(NamedTuple):
    """A reply of a person in a recorded hand."""

    person: tuple[str, int]
    """The match, and which side of it: a match is recorded once from each side, one after the other."""
    episode: int
    seen: TrucoObservation
    """The hand as that person saw it."""
    reply: Reply


def people_replies(answers: Iterable[HumanAnswer]) -> Iterator[PersonReply]:
    """All replies of people to questions about envido and truco, in the order of the records."""
    sides = dict[str, tuple[int, int]]()
    for answered in answers:
        side, last = sides.get(answered.match, (0, answered.episode))
        if answered.episode > last + 1:  # the records of the other side follow later
            side += 1
        sides[answered.match] = side, answered.episode
        seen, action = answered.question.seen, answered.question.answers[answered.answer]
        kind = answered.question.scenario.partition("-")[0]
        reply = reply_to_question(seen, kind, action) if kind in ("envido", "truco") else None
        if reply is not None:
            yield PersonReply((answered.match, side), answered.episode, seen, reply)


def no_counts() -> Numbers:
    """Counts by situation, holding and reply."""
    return np.zeros((len(SITUATIONS), HOLDINGS, REPLIES))


def add_replies(counts: Numbers, replies: Iterable[Reply]) -> None:
    """Count replies."""
    for reply in replies:
        counts[reply.situation, reply.holding, reply.reply] += 1


def group_people(replies: Iterable[PersonReply], seed: int = 1) -> list[Numbers]:
    """Groups of people by how they reply, the largest first: the counts of each group, whoever is in it.

    Expectation and maximisation: people belong to groups in shares, and a group replies as its people do.
    """
    by_person = defaultdict[tuple[str, int], Numbers](no_counts)
    for replied in replies:
        add_replies(by_person[replied.person], [replied.reply])
    people = np.array(list(by_person.values())).reshape(len(by_person), -1, REPLIES)
    mean = people.sum(0) + 0.5
    prior = MEAN_REPLIES * mean / mean.sum(-1, keepdims=True)
    shares = np.random.default_rng(seed).dirichlet(np.ones(PEOPLE_GROUPS), len(people))
    for _ in range(STEPS):
        counts = np.einsum("pg,psr->gsr", shares, people) + prior
        rates = counts / counts.sum(-1, keepdims=True)
        logs = np.einsum("psr,gsr->pg", people, np.log(rates)) + np.log(shares.mean(0))
        shares = np.exp(logs - logs.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
    order = np.argsort(-shares.sum(0))
    shape = (len(SITUATIONS), HOLDINGS, REPLIES)
    return [np.einsum("p,psr->sr", shares[:, group], people).reshape(shape) for group in order]
