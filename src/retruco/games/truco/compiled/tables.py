"""The automaton as arrays of integers, saved in the cache folder.

There is one file for some rules and a target, named after a digest of the rules, the target and the
sources of this package. A file that is missing, damaged or not what its name says is made anew; it is
written under a name of its own and renamed, so any number of processes may make it at once.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache, lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cards import SPANISH_DECK
from retruco.compiler import code_folder, read_saved, warn_once, write_checked
from retruco.games.core import Game
from retruco.games.truco.compiled.automaton import (
    COLUMNS,
    OUTCOMES,
    REASONS,
    Automaton,
    Award,
    CannotCompile,
    Outcome,
    PublicState,
    explore,
)
from retruco.games.truco.deck import CLASSES, STRENGTH, envido_points, flor_points
from retruco.games.truco.envido import Envido
from retruco.games.truco.flor import Flor
from retruco.games.truco.game import Truco
from retruco.games.truco.rounds import TIE, Play, beats
from retruco.games.truco.rules import TRUCO_CALLS, Rules
from retruco.games.truco.state import STAGES

MOST_TARGET: Final = 250
"""The greatest target that is compiled: awards by score take a table of its square."""

AWARDS: Final = 2
SEAT_BIT, STAGE_BITS, BY_SCORE_BIT, POINTS_SHIFT = 1, 1, 8, 4
"""An award in one number: seat, stage, whether by score, and the points or the place of the table."""
NO_AWARD: Final = -1
STAGE_MASK: Final = 3

WINNER: Final = 0
"""Columns of `Tables.public`: who won the first and the second round (0 a tie, 1 the mão, 2 the other, -1 not finished),
how the chains of envido and flor stand, the stake and the truco call that waits, who made it and who may raise."""
ENVIDO_CHAIN, FLOR_CHAIN, BET_STAKE, BET_CALL, BET_CALLER, BET_RAISER = range(2, 8)
CHAIN_OPEN, CHAIN_WAITS, CHAIN_CLOSED = range(3)
NOT_FINISHED: Final = -1

Array: TypeAlias = NDArray[Any]


class Tables(NamedTuple):
    """All that the stepper reads; compiled code takes it as it is."""

    target: int
    longest: int
    """The most actions that a hand can have."""
    cancels: int
    """Whether an envido or a flor takes a truco back that waits for its answer."""
    public: Array
    """By state: what everybody knows of rounds and bets, told from the mão's side."""
    actor: Array
    """By state: 0 if the mão acts, 1 if the other does."""
    legal: Array
    """By state and whether the actor has a flor: the columns that are open, as bits."""
    edge: Array
    """By state and column: the number of the edge, -1 if there is none."""
    condition: Array
    """By edge: what the outcome depends on."""
    next: Array
    """By edge and outcome: the next state or, below 0, the reason of the end."""
    awards: Array
    """By edge, outcome and order: what is paid."""
    by_score: Array
    """By kind of award, score of the mão and of the other: points."""
    strength: Array
    """By card."""
    result: Array
    """By strength of the first and of the second card of a round, 0 face down: 0 if the second loses, 1 a tie, 2."""
    envido: Array
    """By three cards: envido points."""
    flor: Array
    """By three cards: flor points, 0 without a flor."""


def tables_for(game: Game) -> Tables:
    """The tables of a game, made on first use; raises `CannotCompile` for what they cannot hold."""
    reason = why_not(game)
    if reason is not None:
        raise CannotCompile(reason)
    assert isinstance(game, Truco)
    return _tables(game.rules, game.target)


def why_not(game: Game) -> str | None:
    """Say why a game cannot be compiled; nothing if it can."""
    if type(game) is not Truco:
        return f"only Truco is compiled, not {type(game).__name__}"
    if type(game.rules) is not Rules:
        return f"its rules are of a kind of their own, {type(game.rules).__name__}"
    if not game.rules.is_full_size:
        return f"its hands are {game.rules.hand_size} of {len(game.rules.deck)} cards, not three of forty"
    if game.target > MOST_TARGET:
        return f"its target {game.target} is above {MOST_TARGET}"
    return None


@lru_cache(maxsize=16)
def _tables(rules: Rules, target: int) -> Tables:
    digest = digest_of(rules, target)
    name = f"truco-{digest[:32]}.tables"
    tables = read_tables(name, digest)
    if tables is None:
        tables = lay_out(explore(Truco(rules, target)))
        try:
            write_checked(code_folder() / name, pack(tables, digest))
        except OSError as error:
            warn_once(f"tables of Truco cannot be saved in {code_folder()}: {error.strerror}")
    return tables


# On disk


def digest_of(rules: Rules, target: int) -> str:
    """A digest of all that the tables depend on; a name and a sentence do not count."""
    fields = {
        name: value for name, value in asdict(rules).items() if name not in ("name", "summary", "target")
    }
    return hashlib.sha256(repr((fields, target, sources_digest())).encode()).hexdigest()


@cache
def sources_digest() -> str:
    """A digest of the sources of `games/truco`."""
    folder = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(
            f"{file.relative_to(folder)} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode()
        )
    return digest.hexdigest()


def pack(tables: Tables, digest: str) -> bytes:
    """Write tables as bytes, with the digest of what they were made from."""
    content = io.BytesIO()
    np.savez_compressed(content, digest=np.array(digest), **tables._asdict())
    return content.getvalue()


def read_tables(name: str, digest: str) -> Tables | None:
    """Read tables back; nothing if the file is missing, damaged or holds something else."""
    content = read_saved(name)
    if content is None:
        return None
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            arrays: Mapping[str, Array] = {name: found[name] for name in (*Tables._fields, "digest")}
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile):
        return None
    if str(arrays["digest"]) != digest:
        return None
    values: dict[str, Any] = {name: arrays[name] for name in Tables._fields}
    return Tables(**values | {name: int(values[name]) for name in ("target", "longest", "cancels")})


# Laying out


def lay_out(automaton: Automaton) -> Tables:
    """Turn an automaton into arrays."""
    edges = [edge for state in automaton.edges for edge in state.values()]
    target = automaton.game.target
    envido, flor = points_of_hands()
    return Tables(
        target=target,
        longest=longest_hand(automaton),
        cancels=int(automaton.game.rules.envido_cancels_truco),
        public=np.array([public_numbers(state) for state in automaton.states], dtype=np.int8),
        actor=np.array(automaton.actors, dtype=np.int8),
        legal=np.array([[bits_of(columns) for columns in both] for both in automaton.legal], dtype=np.int32),
        edge=np.array(list(edge_numbers(automaton)), dtype=np.int32),
        condition=np.array([edge.condition for edge in edges], dtype=np.int8),
        next=np.array([[next_of(one) for one in edge.outcomes] for edge in edges], dtype=np.int32),
        awards=np.array([[awards_of(one) for one in edge.outcomes] for edge in edges], dtype=np.int32),
        by_score=np.array(automaton.by_score, dtype=np.int32).reshape(-1, target, target),
        strength=np.array([STRENGTH[card] for card in SPANISH_DECK], dtype=np.int8),
        result=results_of_rounds(),
        envido=envido,
        flor=flor,
    )


def public_numbers(state: PublicState) -> list[int]:
    """What everybody knows of a state, in numbers."""
    winners = [0 if winner == TIE else 1 + winner for winner in state.winners]
    bet, players = state.bet, {None: 0, 0: 1, 1: 2}
    return [
        *[*winners, NOT_FINISHED, NOT_FINISHED][:2],
        chain_number(state.envido),
        chain_number(state.flor),
        bet.stake,
        0 if bet.call is None else 1 + TRUCO_CALLS.index(bet.call),
        players[bet.caller],
        players[bet.raiser],
    ]


def chain_number(chain: Envido | Flor | bool) -> int:
    """Whether a chain of calls can be opened, waits for an answer or is over."""
    if isinstance(chain, bool):
        return CHAIN_CLOSED
    return CHAIN_WAITS if chain.calls else CHAIN_OPEN


def bits_of(columns: frozenset[str]) -> int:
    """Columns as bits.

    >>> bits_of(frozenset({"card", "flor"}))
    5
    """
    return sum(1 << COLUMNS.index(column) for column in columns)


def edge_numbers(automaton: Automaton) -> Iterator[list[int]]:
    """Number the edges in the order of states and columns."""
    number = 0
    for edges in automaton.edges:
        row = [-1] * len(COLUMNS)
        for column in edges:
            row[COLUMNS.index(column)] = number
            number += 1
        yield row


def next_of(outcome: Outcome | None) -> int:
    """The next state of an outcome or, below 0, the reason of the end."""
    if outcome is None or outcome.state is not None:
        return 0 if outcome is None or outcome.state is None else outcome.state
    assert outcome.reason is not None
    return -1 - REASONS.index(outcome.reason)


def awards_of(outcome: Outcome | None) -> list[int]:
    """What an outcome pays, in numbers."""
    paid = [award_number(award) for award in outcome.awards] if outcome else []
    return paid + [NO_AWARD] * (AWARDS - len(paid))


def award_number(award: Award) -> int:
    """An award in one number."""
    if award.points < 0:
        raise CannotCompile(f"an award of {award.points} points takes points away")
    by_score = award.by_score is not None
    points = award.points if award.by_score is None else award.by_score
    return (
        award.seat
        | STAGES.index(award.stage) << STAGE_BITS
        | by_score * BY_SCORE_BIT
        | points << POINTS_SHIFT
    )


def longest_hand(automaton: Automaton) -> int:
    """The most actions that a hand can have; states never come back."""

    @cache
    def after(state: int) -> int:
        following = [
            outcome.state
            for edge in automaton.edges[state].values()
            for outcome in edge.outcomes
            if outcome is not None and outcome.state is not None
        ]
        return 1 + max(map(after, following), default=0)

    return after(0)


def results_of_rounds() -> Array:
    """The results of a round for its second card, by the strengths of both cards."""
    cards = [Play(0, None, down=True), *(Play(0, card_of(group)) for group in reversed(CLASSES))]
    table = np.zeros((len(cards), len(cards)), dtype=np.int8)
    for first in cards:
        for second in cards:
            winner = beats(first, second._replace(seat=1))
            table[first.power, second.power] = OUTCOMES // 2 if winner == TIE else winner * (OUTCOMES - 1)
    return table


def card_of(group: tuple[str, ...]) -> Any:
    """A card of a class of strength."""
    return next(card for card in SPANISH_DECK if card == group[0])


@cache
def points_of_hands() -> tuple[Array, Array]:
    """Envido and flor points by three cards, in any order."""
    size = len(SPANISH_DECK)
    envido, flor = np.zeros((2, size, size, size), dtype=np.int8)
    for places in ((a, b, c) for a in range(size) for b in range(a) for c in range(b)):
        hand = tuple(SPANISH_DECK[place] for place in places)
        points = envido_points(hand), flor_points(hand)
        for order in permutations(places):
            envido[order], flor[order] = points
    return envido, flor
